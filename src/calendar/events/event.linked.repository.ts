import { sql } from 'kysely'
import { compiledStatement } from '../../storage/database/compiled.statement.ts'
import { readCacheBytesOf } from '../../storage/database/derived.values.ts'
import { createReadCache, type ReadCache } from '../../storage/database/read.cache.ts'
import { linkedRecordsRow, termsRow } from '../../storage/database/revision.ts'
import { sharedRead } from '../../storage/database/shared.reads.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { listEntryVersions } from '../directory/directory.repository.ts'
import type { Directory, DirectoryEntry, Fields } from '../directory/directory.ts'
import { linkedEntriesReader } from '../directory/directory.versions.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import type { OrganizerFields } from '../organizers/organizer.ts'
import type { CalendarRecord } from '../records/record.ts'
import { listTermVersions } from '../terms/term.event.repository.ts'
import { linkedTermsReader } from '../terms/term.service.ts'
import type { Term } from '../terms/term.ts'
import { groupVersionsById } from '../translations/linked.groups.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { venues } from '../venues/venue.directory.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { LinkedEvent, RenderedEvent } from './event.ts'

/** The items that an event links to. */
type Linked = Pick<LinkedEvent, 'venues' | 'organizers' | 'categories' | 'tags'>

/** Caches of one database: the versions of linked items, independent of the viewer. */
interface LinkedVersionCaches {
  readonly venues: ReadCache<readonly DirectoryEntry<VenueFields>[]>
  readonly organizers: ReadCache<readonly DirectoryEntry<OrganizerFields>[]>
  readonly terms: ReadCache<readonly Term[]>
}

const cachesByDatabase = new WeakMap<Db, LinkedVersionCaches>()

/** For the operations of a batch, which often link to the same items. */
const bytesInTransaction = 4 * 1024 * 1024

/** The estimated size of a version in bytes, without its long texts but with the values made from it. */
const versionBytes = 2000

/**
 * Returns a function that finds the venues, organizers and terms of these events, each with the versions that the
 * viewer may see. Runs one query, and a few more if a linked item changed or is not in the cache.
 */
export async function listLinked(
  { db, viewer }: ReadContext,
  ids: readonly number[],
): Promise<(event: RenderedEvent) => Linked> {
  const { links, states } = await listLinks(db, ids)
  const caches = await cachesOf(db)
  const entriesOf =
    <F extends Fields>(directory: Directory<F>) =>
    async (missing: readonly number[]) =>
      groupVersionsById(missing, await listEntryVersions(db, directory, missing))
  const [ofVenues, ofOrganizers, ofTerms] = await Promise.all([
    caches.venues(states.places, distinct(links.venue), entriesOf(venues)),
    caches.organizers(states.places, distinct(links.organizer), entriesOf(organizers)),
    caches.terms(states.terms, distinct(links.term), async (missing) =>
      groupVersionsById(missing, await listTermVersions(db, missing)),
    ),
  ])
  const venuesOf = linkedEntriesReader(ofVenues, viewer)
  const organizersOf = linkedEntriesReader(ofOrganizers, viewer)
  const termsOf = linkedTermsReader(ofTerms, viewer)
  return ({ id, language }) => ({
    venues: venuesOf(links.venue.get(id) ?? [], language),
    organizers: organizersOf(links.organizer.get(id) ?? [], language),
    ...termsOf(links.term.get(id) ?? [], language),
  })
}

/** In an open transaction, they are kept until something is rolled back: a state may then come again. */
async function cachesOf(db: Db): Promise<LinkedVersionCaches> {
  if (db.isTransaction)
    return sharedRead(db as Tx, 'versions of linked items', async () => newCaches(bytesInTransaction))
  const known = cachesByDatabase.get(db)
  if (known) return known
  const caches = newCaches(readCacheBytesOf(db))
  cachesByDatabase.set(db, caches)
  return caches
}

function newCaches(most: number): LinkedVersionCaches {
  // Venues are most of these entries.
  const sizeOfEntries = sizeOf(({ content, excerpt }: CalendarRecord) => 2 * (content.length + excerpt.length))
  return {
    venues: createReadCache<readonly DirectoryEntry<VenueFields>[]>(most / 2, sizeOfEntries),
    organizers: createReadCache<readonly DirectoryEntry<OrganizerFields>[]>(most / 4, sizeOfEntries),
    terms: createReadCache(
      most / 4,
      sizeOf(({ description }: Term) => description.length),
    ),
  }
}

function sizeOf<V>(textSizeOf: (version: V) => number): (versions: readonly V[]) => number {
  return (versions) => versions.reduce((size, version) => size + versionBytes + textSizeOf(version), 0)
}

type LinkedKind = 'venue' | 'organizer' | 'term'
type Links = Readonly<Record<LinkedKind, Map<number, number[]>>>

/** A link. A row with event number 0 has the state of the linked items instead. */
interface LinkRow {
  readonly event_id: number
  readonly kind: LinkedKind | 'places' | 'terms'
  readonly id: number
  readonly position: number
}

/**
 * Returns the ids of the items that these events link to, by kind and event, in their order. Also returns the states of
 * these items. Runs at most one query.
 */
async function listLinks(db: Db, eventIds: readonly number[]) {
  const links: Links = { venue: new Map(), organizer: new Map(), term: new Map() }
  const states: { places?: number; terms?: number } = {}
  if (eventIds.length === 0) return { links, states }
  const rows = await linkRows(db, { eventIds })
  const add = (kind: LinkedKind, { event_id, id }: LinkRow) => {
    const ids = links[kind].get(event_id)
    if (ids) ids.push(id)
    else links[kind].set(event_id, [id])
  }
  const inOrder: LinkRow[] = []
  for (const row of rows) {
    const { kind } = row
    if (kind === 'places' || kind === 'terms') states[kind] = row.id
    // Terms are sorted by name when they are shown.
    else if (kind === 'term') add(kind, row)
    else inOrder.push(row)
  }
  // A database would sort all rows of the three tables together.
  for (const row of inOrder.sort((a, b) => a.position - b.position || a.id - b.id)) add(row.kind as LinkedKind, row)
  return { links, states }
}

const linkRows = compiledStatement<{ readonly eventIds: readonly number[] }, LinkRow>(({ eventIds }, dialect) => {
  const isGiven = dialect.isAmong(sql.ref('event_id'), eventIds)
  return sql<LinkRow>`
    select event_id, 'venue' as kind, venue_id as id, position from event_venues where ${isGiven}
    union all select event_id, 'organizer', organizer_id, position from event_organizers where ${isGiven}
    union all select event_id, 'term', term_id, 0 from event_terms where ${isGiven}
    union all select 0, case id when ${sql.lit(linkedRecordsRow)} then 'places' else 'terms' end, number, 0
      from revisions where id in (${sql.lit(linkedRecordsRow)}, ${sql.lit(termsRow)})`
})

function distinct(links: ReadonlyMap<number, readonly number[]>): readonly number[] {
  return [...new Set([...links.values()].flat())]
}
