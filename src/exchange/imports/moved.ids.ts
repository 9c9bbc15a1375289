import type { Deps } from '../../access/deps.ts'
import { hasOthers } from '../../calendar/sources/source.repository.ts'
import { advanceSequence, lastGivenId } from '../../storage/database/copies/copy.sequences.ts'
import type { PullFolder } from '../pull/pull.folder.ts'
import { isId, recordsIn } from '../pull/pull.lists.ts'

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
  for (const list of [
    'lists/venues',
    'lists/organizers',
    'lists/categories',
    'lists/tags',
    'raw/venues',
    'raw/organizers',
  ]) {
    const table = /categories|tags/.test(list) ? 'terms' : 'records'
    for (const id of (await recordsIn(folder, `${list}-`)).keys()) note(table, id)
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
