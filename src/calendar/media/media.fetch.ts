import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actor, sharerOf } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import type { ReadResult } from '../../access/http/arguments/argument.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'
import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { addPicture, PictureRejected } from './media.service.ts'
import { withTempFolder } from './temp.folder.ts'

const limits = { maxBytes: maxUploadBytes, timeoutMs: 10_000, maxRedirects: 3 }

/** Fetches a picture from an address and adds it, as if the actor had uploaded it. Returns its id. */
export async function fetchPicture(deps: Deps, actor: Actor, url: string): Promise<ReadResult<number>> {
  try {
    const media = await withTempFolder(async (folder) => {
      const localFile = join(folder, 'received')
      // Not stored in a variable: processing may wait in a queue, and the variable would keep all bytes in memory.
      await writeFile(localFile, await deps.fetchOutbound(url, limits, sharerOf(actor)))
      const fileName = new URL(url).pathname
      return addPicture(deps, actor, { localFile, fileName, title: undefined, url })
    })
    return accepted(media.id)
  } catch (error) {
    if (error instanceof OutboundError) return refused(`fault.outbound.${error.reason}`)
    if (error instanceof PictureRejected) return { fault: error.fault }
    throw error
  }
}
