import { sql } from 'kysely'
import { entriesAmong, listRowVersions } from '../directory/directory.repository.ts'
import type { Entry } from '../directory/directory.ts'
import { linkedEntries } from '../directory/directory.versions.ts'
import type { Version } from '../languages/chain.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import type { OrganizerFields } from '../organizers/organizer.ts'
import type { Dialect } from '../storage/dialect.ts'
import { type Kept, keepValues } from '../storage/kept.ts'
import { placesRow, termsRow } from '../storage/revision.ts'
import type { Db } from '../storage/tables.ts'
import { listTermVersions } from '../terms/term.event.repository.ts'
import { linkedTerms } from '../terms/term.service.ts'
import type { Term } from '../terms/term.ts'
import type { Viewer } from '../translations/viewer.ts'
import { venues } from '../venues/venue.directory.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { LinkedEvent, ShownEvent } from './event.ts'

/** What events are linked to. */
type Linked = Pick<LinkedEvent, 'venues' | 'organizers' | 'categories' | 'tags'>

type Place = Entry<VenueFields> | Entry<OrganizerFields>

/** What was read of a database: the versions of what is linked, whoever may see them, by the linked id. */
interface KeptOfDatabase {
  readonly places: Kept<readonly Place[]>
  readonly terms: Kept<readonly Term[]>
}

const keptByDatabase = new WeakMap<Db, KeptOfDatabase>()

/** Characters that are kept of a database, of places and of terms. */
const mostKept = 2_000_000
/** What a record takes beside its long texts, in about. */
const recordSize = 1000

/**
 * What shows the venues, organizers and terms of these events, each with the versions that a viewer may be shown. One
 * query, and three where something of them changed or was not asked for lately.
 */
export async function listLinked(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
  viewer: Viewer,
): Promise<(event: ShownEvent) => Linked> {
  const { links, states } = await listLinks(db, dialect, ids)
  const kept = keptOf(db)
  const [places, terms] = await Promise.all([
    kept.places(states.places, distinct([links.venue, links.organizer]), (missing) => readPlaces(db, missing)),
    kept.terms(states.terms, distinct([links.term]), async (missing) =>
      versionsOf(missing, await listTermVersions(db, dialect, missing)),
    ),
  ])
  const versions = eachOnce(places)
  const venuesOf = linkedEntries(versions.filter(isVenue), viewer)
  const organizersOf = linkedEntries(versions.filter(isOrganizer), viewer)
  const termsOf = linkedTerms(eachOnce(terms), viewer)
  return ({ id, language }) => ({
    venues: venuesOf(links.venue.get(id) ?? [], language),
    organizers: organizersOf(links.organizer.get(id) ?? [], language),
    ...termsOf(links.term.get(id) ?? [], language),
  })
}

function keptOf(db: Db): KeptOfDatabase {
  const known = keptByDatabase.get(db)
  if (known) return known
  const kept = {
    places: keepValues<readonly Place[]>(mostKept, (versions) => sizeOf(versions, ({ content }) => 2 * content.length)),
    terms: keepValues<readonly Term[]>(mostKept, (versions) =>
      sizeOf(versions, ({ description }) => description.length),
    ),
  }
  keptByDatabase.set(db, kept)
  return kept
}

function sizeOf<V>(versions: readonly V[], textSizeOf: (version: V) => number): number {
  return versions.reduce((size, version) => size + recordSize + textSizeOf(version), 0)
}

function isVenue(place: Place): place is Entry<VenueFields> {
  return place.kind === 'venue'
}

function isOrganizer(place: Place): place is Entry<OrganizerFields> {
  return place.kind === 'organizer'
}

/** All versions of these venues and organizers, by the ids that were given. Three queries. */
async function readPlaces(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Place[]>> {
  const rows = await listRowVersions(db, ids)
  const [ofVenues, ofOrganizers] = await Promise.all([
    entriesAmong(db, venues, rows),
    entriesAmong(db, organizers, rows),
  ])
  return versionsOf<Place>(ids, [...ofVenues, ...ofOrganizers])
}

/** The versions of each of these ids. */
function versionsOf<V extends Version>(
  ids: readonly number[],
  versions: readonly V[],
): ReadonlyMap<number, readonly V[]> {
  const groups = Map.groupBy(versions, ({ groupId }) => groupId)
  const given = new Set(ids)
  return new Map(versions.flatMap(({ id, groupId }) => (given.has(id) ? [[id, groups.get(groupId) ?? []]] : [])))
}

/** The versions in order of id; links may name several of one group. */
function eachOnce<V extends Version>(groups: readonly (readonly V[])[]): readonly V[] {
  return [...new Map(groups.flat().map((version) => [version.id, version])).values()].toSorted((a, b) => a.id - b.id)
}

type LinkKind = 'venue' | 'organizer' | 'term'
type Links = Readonly<Record<LinkKind, Map<number, number[]>>>

/** A link; of an event that has number 0 the state of what is linked. */
interface LinkRow {
  readonly event_id: number
  readonly kind: LinkKind | 'places' | 'terms'
  readonly id: number
}

/**
 * Ids of what these events are linked to, by kind and event, in their order; and the states of what that is, where they
 * are sure: what is read in an open transaction may be taken back. One query.
 */
async function listLinks(db: Db, dialect: Dialect, eventIds: readonly number[]) {
  const isGiven = dialect.isAmong(sql.ref('event_id'), eventIds)
  const { rows } = await sql<LinkRow>`
    select event_id, 'venue' as kind, venue_id as id, position from event_venues where ${isGiven}
    union all select event_id, 'organizer', organizer_id, position from event_organizers where ${isGiven}
    union all select event_id, 'term', term_id, 0 from event_terms where ${isGiven}
    union all select 0, case id when ${sql.lit(placesRow)} then 'places' else 'terms' end, number, 0
      from revisions where id in (${sql.lit(placesRow)}, ${sql.lit(termsRow)})
    order by position, id`.execute(db)
  const links: Links = { venue: new Map(), organizer: new Map(), term: new Map() }
  const states: { places?: number; terms?: number } = {}
  for (const { event_id, kind, id } of rows) {
    if (kind === 'places' || kind === 'terms') {
      if (!db.isTransaction) states[kind] = id
      continue
    }
    const ids = links[kind].get(event_id)
    if (ids) ids.push(id)
    else links[kind].set(event_id, [id])
  }
  return { links, states }
}

function distinct(links: readonly ReadonlyMap<number, readonly number[]>[]): readonly number[] {
  return [...new Set(links.flatMap((byEvent) => [...byEvent.values()].flat()))]
}
