import { sql } from 'kysely'
import { readCacheBytesOf } from '../../../storage/database/derived.values.ts'
import { countedRows } from '../../../storage/database/schema/kept.ts'
import { compiledStatement } from '../../../storage/database/statements/compiled.statement.ts'
import { createReadCache, type ReadCache } from '../../../storage/database/statements/read.cache.ts'
import { sharedRead } from '../../../storage/database/statements/shared.reads.ts'
import type { Db, Tx } from '../../../storage/database/tables.ts'
import { listEntryTranslations } from '../../directory/directory.repository.ts'
import type { Directory, DirectoryEntry, Fields } from '../../directory/directory.ts'
import { linkedEntriesReader } from '../../directory/directory.versions.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import type { OrganizerFields } from '../../organizers/organizer.ts'
import type { CalendarRecord } from '../../records/record.ts'
import { listTermTranslations } from '../../terms/term.event.repository.ts'
import { linkedTermsReader } from '../../terms/term.service.ts'
import type { Term } from '../../terms/term.ts'
import { groupTranslationsById } from '../../translations/linked.groups.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { venues } from '../../venues/venue.directory.ts'
import type { VenueFields } from '../../venues/venue.ts'
import type { LinkedEvent, RenderedEvent } from '../model/event.ts'

type Linked = Pick<LinkedEvent, 'venues' | 'organizers' | 'categories' | 'tags'>

/** Caches of one database: the versions of linked items, independent of the viewer. */
interface LinkedTranslationCaches {
  readonly venues: ReadCache<readonly DirectoryEntry<VenueFields>[]>
  readonly organizers: ReadCache<readonly DirectoryEntry<OrganizerFields>[]>
  readonly terms: ReadCache<readonly Term[]>
}

const cachesByDatabase = new WeakMap<Db, LinkedTranslationCaches>()

/** For the operations of a batch, which often link to the same items. */
const bytesInTransaction = 4 * 1024 * 1024

/** The estimated size of a version in bytes, without its long texts but with the values made from it. */
const versionBytes = 2000

/**
 * Returns a function that finds the venues, organizers and terms of the events with these links, each with the versions
 * that the viewer may see. Runs no query, unless a linked item changed or is not in the cache.
 */
export async function listLinked(
  { db, viewer }: ReadContext,
  given: Promise<LinksOfEvents>,
): Promise<(event: RenderedEvent) => Linked> {
  const { links, states } = await given
  const caches = await cachesOf(db)
  const entriesOf =
    <F extends Fields>(directory: Directory<F>) =>
    async (missing: readonly number[]) =>
      groupTranslationsById(missing, await listEntryTranslations(db, directory, missing))
  const [ofVenues, ofOrganizers, ofTerms] = await Promise.all([
    caches.venues(states.places, distinct(links, 'venues'), entriesOf(venues)),
    caches.organizers(states.places, distinct(links, 'organizers'), entriesOf(organizers)),
    caches.terms(states.terms, distinct(links, 'terms'), async (missing) =>
      groupTranslationsById(missing, await listTermTranslations(db, missing)),
    ),
  ])
  const venuesOf = linkedEntriesReader(ofVenues, viewer)
  const organizersOf = linkedEntriesReader(ofOrganizers, viewer)
  const termsOf = linkedTermsReader(ofTerms, viewer)
  return ({ id, language }) => {
    const own = links.get(id) ?? noLinks
    const { categories, tags } = termsOf(own.terms, language)
    const [venues, organizers] = [venuesOf(own.venues, language), organizersOf(own.organizers, language)]
    return { venues, organizers, categories, tags }
  }
}

/** In an open transaction, they are kept until something is rolled back: a state may then come again. */
async function cachesOf(db: Db): Promise<LinkedTranslationCaches> {
  if (db.isTransaction)
    return sharedRead(db as Tx, 'versions of linked items', async () => newCaches(bytesInTransaction))
  const known = cachesByDatabase.get(db)
  if (known) return known
  const caches = newCaches(readCacheBytesOf(db))
  cachesByDatabase.set(db, caches)
  return caches
}

function newCaches(most: number): LinkedTranslationCaches {
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

/** The ids of what one event links to. Venues and organizers are in their order. */
interface EventLinks {
  readonly venues: readonly number[]
  readonly organizers: readonly number[]
  readonly terms: readonly number[]
}

/** The links of an event, ids separated by commas, and the states of all linked items. */
interface LinksRow {
  readonly event_id: number
  readonly venues: string | null
  readonly organizers: string | null
  readonly terms: string | null
  readonly places_state: number
  readonly terms_state: number
}

/** The links of some events, and the states that the linked items had when these were read. */
interface LinksOfEvents {
  readonly links: ReadonlyMap<number, EventLinks>
  readonly states: { readonly places: number | undefined; readonly terms: number | undefined }
}

/** Returns the links of these events. Runs at most one query. */
export async function listLinks({ db }: Pick<ReadContext, 'db'>, eventIds: readonly number[]): Promise<LinksOfEvents> {
  const rows = eventIds.length === 0 ? [] : await linksRows(db, { eventIds })
  const links = new Map<number, EventLinks>()
  for (const { event_id, venues, organizers, terms } of rows)
    links.set(event_id, { venues: idsIn(venues), organizers: idsIn(organizers), terms: idsIn(terms) })
  return { links, states: { places: rows[0]?.places_state, terms: rows[0]?.terms_state } }
}

const linksRows = compiledStatement<{ readonly eventIds: readonly number[] }, LinksRow>(({ eventIds }, dialect) => {
  const linksOf = (table: string) => `from ${table} where event_id = given.id`
  // Nearly all events have one of each, which needs no order.
  const inOrder = (table: string, id: string) =>
    sql.raw(`(select case when count(*) > 1
      then (select string_agg(cast(${id} as text), ',' order by position, ${id}) ${linksOf(table)})
      else cast(max(${id}) as text) end ${linksOf(table)})`)
  // Terms are sorted by name when they are shown.
  const terms = sql.raw(`(select string_agg(cast(term_id as text), ',') ${linksOf('event_terms')})`)
  const stateOf = (row: number) => sql`(select number from revisions where id = ${sql.lit(row)})`
  return sql<LinksRow>`
    select given.id as event_id, ${inOrder('event_venues', 'venue_id')} as venues,
      ${inOrder('event_organizers', 'organizer_id')} as organizers, ${terms} as terms,
      ${stateOf(countedRows.linkedRecords)} as places_state, ${stateOf(countedRows.terms)} as terms_state
    from ${dialect.numbers(eventIds)} given`
})

function idsIn(list: string | null): readonly number[] {
  if (list === null) return []
  return list.includes(',') ? list.split(',').map(Number) : [Number(list)]
}

function distinct(links: ReadonlyMap<number, EventLinks>, kind: keyof EventLinks): readonly number[] {
  const ids = new Set<number>()
  for (const own of links.values()) for (const id of own[kind]) ids.add(id)
  return [...ids]
}

const noLinks: EventLinks = { venues: [], organizers: [], terms: [] }
