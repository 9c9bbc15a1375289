import type { Db } from '../../storage/database/tables.ts'
import { type Standing, type StandingFields, standingOf } from '../sources/standing.ts'
import { findEntryOrThrow } from './directory.repository.ts'
import type { Directory, DirectoryEntry, Fields } from './directory.ts'

const coordinates = ['geo_lat', 'geo_lng']

/** Returns the fields of a venue or an organizer that a source may write. Both coordinates are one field. */
export function entryStandingFields<F extends Fields>({
  kind,
  fields,
}: Pick<Directory<F>, 'kind' | 'fields'>): StandingFields<DirectoryEntry<F>> {
  const valueIn = (entry: DirectoryEntry<F>, property: string) => {
    const value = (entry.fields as Readonly<Record<string, unknown>>)[property]
    return value === fields[property]?.blank ? null : value
  }
  const own = Object.entries(fields).filter(([, { name }]) => !coordinates.includes(name))
  const degrees = Object.entries(fields).filter(([, { name }]) => coordinates.includes(name))
  return {
    author: { args: ['author'], stored: ({ authorId }) => authorId },
    date: { args: ['date', 'date_utc'], stored: ({ isDated, datedAt }) => (isDated ? datedAt : null) },
    [kind]: { args: [kind], stored: ({ title }) => title },
    description: { args: ['description'], stored: ({ content }) => content },
    status: { args: ['status'], stored: ({ status }) => (status === 'future' ? 'publish' : status) },
    image: { args: ['image'], stored: ({ imageId }) => imageId },
    ...Object.fromEntries(
      own.map(([property, { name }]) => [
        name,
        { args: [name], stored: (entry: DirectoryEntry<F>) => valueIn(entry, property) },
      ]),
    ),
    ...(degrees.length > 0
      ? {
          geo_lat: {
            args: coordinates,
            stored: (entry: DirectoryEntry<F>) => degrees.map(([property]) => valueIn(entry, property)),
          },
        }
      : {}),
  }
}

/** Returns the digests of an entry as it is stored. */
export async function entryStanding<F extends Fields>(db: Db, directory: Directory<F>, id: number): Promise<Standing> {
  return standingOf(entryStandingFields(directory), await findEntryOrThrow(db, directory, id))
}
