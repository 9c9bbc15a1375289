import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actor, sharerOf } from '../../access/auth/actor.ts'
import { mayUpload } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { accepted, refused, wholeNumberOf, wrongType } from '../../access/http/arguments/argument.rules.ts'
import type { JsonSchema } from '../../access/http/arguments/argument.schema.ts'
import { type ArgumentRule, DeferredValue, type ReadResult } from '../../access/http/arguments/argument.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'
import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { findPictureByFile, findPictureBySource, hasPicture } from './media.repository.ts'
import { addPicture, PictureRejected } from './media.service.ts'
import { withTempFolder } from './temp.folder.ts'

const limits = { maxBytes: maxUploadBytes, timeoutMs: 10_000, maxRedirects: 3 }

/** Fetches a picture from an address and adds it, as if the actor had uploaded it. Returns its id. */
async function fetchPicture(deps: Deps, actor: Actor, url: string): Promise<ReadResult<number>> {
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

/** A picture by its id or address. */
export const imageSchema = {
  anyOf: [
    { type: 'integer', description: 'Image.id', minimum: 1 },
    { type: 'string', examples: ['https://example.org/picture.jpg'] },
  ],
} as const satisfies JsonSchema

/** What the empty forms of `image` mean: refused, or no picture. */
export interface ImageRuleOptions {
  readonly canClear: boolean
  readonly isNullClear: boolean
}

/**
 * A picture by its id (a number or digits), or by the address that it is fetched from, for those who may upload. The
 * same address is fetched once, and that of a picture of the service never. The value null stands for no picture.
 */
export function imageRule({
  canClear,
  isNullClear,
}: ImageRuleOptions): ArgumentRule<number | null | DeferredValue<number>> {
  return async (raw, { db, actor }) => {
    if (raw === null) return isNullClear ? accepted(null) : wrongType('image', 'string')
    if (canClear && (raw === '' || raw === '0' || raw === 0)) return accepted(null)
    // As an answer gives it: `false` for none, or the picture (rulings.md 44).
    if (raw === false) return accepted(null)
    const id = wholeNumberOf(typeof raw === 'object' && 'id' in raw ? raw.id : raw)
    if (id !== undefined) return (await hasPicture(db, id)) ? accepted(id) : refused('fault.unknown-image')
    if (typeof raw !== 'string' || !/^https?:\/\//i.test(raw)) return refused('fault.unknown-image')
    // The address of a picture of the service, as answers and tables give it. Nobody guesses the name of its file.
    const [, file] = /\/uploads\/(\d{4}\/\d\d\/[^/?#]+)$/.exec(raw) ?? []
    const own = file === undefined ? undefined : await findPictureByFile(db, file)
    if (own !== undefined) return accepted(own)
    if (!mayUpload(actor)) return refused('fault.unknown-image')
    const known = await findPictureBySource(db, raw)
    return accepted(known ?? new DeferredValue((deps, uploader) => fetchPicture(deps, uploader, raw)))
  }
}
