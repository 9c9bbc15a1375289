import { boolean } from '../../access/http/arguments/argument.rules.ts'
import { booleanSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import { fold } from '../../base/text/fold.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { listEntriesById } from './directory.repository.ts'
import type { Directory, DirectoryEntry, Fields } from './directory.ts'

// Many towns have a “Community Hall”. The contract knows places by their name alone (venues-organizers.md §4.3). Clients that
// ask for it get one that is apart.

/** The fields that tell places of one name from each other. */
const placeFields = ['address', 'city'] as const

export const apartArguments = {
  apart: {
    ...{ read: boolean('apart'), schema: booleanSchema, description: 'apart', type: 'boolean' },
    isExtension: true,
  },
} as const satisfies Arguments

/**
 * Returns the first of these entries that is at the place of the fields: one of them is equal, and none contradicts.
 * Fields without a place fit each entry.
 */
export async function findSamePlace<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  { ids, fields }: { readonly ids: readonly number[]; readonly fields: F },
): Promise<DirectoryEntry<F> | undefined> {
  const known = await listEntriesById(tx, directory, ids)
  const ofPlace = (of: F) =>
    placeFields.map((name) => fold(String((of as Readonly<Record<string, unknown>>)[name] ?? '')))
  const sent = ofPlace(fields)
  const fits = (entry: DirectoryEntry<F>) => {
    const own = ofPlace(entry.fields)
    const isOther = sent.some((text, at) => text !== '' && own[at] !== '' && text !== own[at])
    return !isOther && (sent.every((text) => text === '') || sent.some((text, at) => text !== '' && text === own[at]))
  }
  return ids.flatMap((id) => known.get(id) ?? []).find(fits)
}
