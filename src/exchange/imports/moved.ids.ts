import type { Deps } from '../../access/deps.ts'
import { hasOthers } from '../../calendar/sources/source.repository.ts'
import { advanceSequence, lastGivenId } from '../../storage/database/copies/copy.sequences.ts'
import type { PullFolder } from '../pull/pull.folder.ts'
import { isId, itemsOf } from '../pull/pull.lists.ts'
import type { Form } from './moved.merge.ts'

/** A record here that is none of the pulled calendar may have one of its ids. */
export class IdsTakenError extends Error {}

/**
 * Makes sure that no record here gets an id of the pulled calendar, except for its own.
 *
 * @param host What its ids begin with.
 * @throws IdsTakenError
 */
export async function reserveIds(
  { storage }: Pick<Deps, 'storage'>,
  folder: PullFolder,
  { host, isDryRun }: { readonly host: string; readonly isDryRun: boolean },
): Promise<void> {
  const greatest = { records: 0, terms: 0 }
  const note = (table: keyof typeof greatest, id: number) => {
    if (isId(id)) greatest[table] = Math.max(greatest[table], id)
  }
  for (const file of await folder.list('events')) note('records', Number.parseInt(file.slice('events/'.length), 10))
  for (const file of [...(await folder.list('lists')), ...(await folder.list('raw'))]) {
    const [, list] = /\/(venues|organizers|categories|tags)-/.exec(file) ?? []
    if (list === undefined) continue
    const table = list === 'categories' || list === 'tags' ? 'terms' : 'records'
    for (const { id } of itemsOf(await folder.readJson(file)) as readonly Form[]) note(table, Number(id))
  }
  await storage.write(async (tx) => {
    // Terms do not tell the port of their site.
    const sites = [host, new URL(`http://${host}`).hostname]
    if (await hasOthers(tx, sites, greatest.records)) throw new IdsTakenError()
    if (isDryRun) return
    for (const table of ['records', 'terms'] as const) {
      const id = Math.max(greatest[table], await lastGivenId(tx, storage.dialect, table))
      await advanceSequence(tx, storage.dialect, { table, id })
    }
  })
}
