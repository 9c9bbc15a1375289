import { type SqlBool, sql } from 'kysely'
import { chooseVersion, type TranslationVersion } from '../../base/languages/chain.ts'
import { knownLanguages, type Language } from '../../base/languages/language.ts'
import type { Flag } from '../../storage/database/tables.ts'
import { FACETS } from '../index/event.index.ts'
import type { SetFilter } from '../index/set.selection.ts'
import { readableBy } from '../records/record.visibility.ts'
import { linkPreferences, type ReadContext, type Viewer } from '../translations/viewer.ts'
import { isNear, type SearchArea } from './event.area.repository.ts'

/** More venues than this are not combined if fewer can be left out. */
const maxCombined = 100

interface VenueRow {
  readonly id: number
  readonly group_id: number
  readonly language: Language
  readonly is_readable: Flag
  readonly is_there: Flag
  readonly has_several: Flag
}

/** A filter by the places of venues. */
export interface PlaceFilter {
  readonly filter: SetFilter
  /** Whether events without a venue must be left out in addition. */
  readonly needsVenue: boolean
}

/**
 * Returns the filter for events whose venue has coordinates, in the version that the event shows to the viewer, and is in
 * the area. It names the venues that are there, or if these are most of all, those that are not. Runs one query, which
 * reads all venues by an index that excludes events. They are materialized, because PostgreSQL would otherwise read all
 * records by id to find the venues among them.
 */
export async function placeFilter(
  { db, dialect, viewer }: ReadContext,
  around: SearchArea | undefined,
): Promise<PlaceFilter> {
  const isThere = around ? isNear(dialect, around) : sql<SqlBool>`1 = 1`
  const { rows } = await sql<VenueRow>`
    with place as materialized (
      select id, group_id, language, status, author_id from records where kind = 'venue' and kind <> 'event')
    select place.id, coalesce(place.group_id, place.id) as group_id, place.language,
      case when ${readableBy('place', viewer.actor, 'any')} then 1 else 0 end as is_readable,
      case when venues.latitude is not null and ${isThere} then 1 else 0 end as is_there,
      case when exists (select 1 from event_classes where venues > 1) then 1 else 0 end as has_several
    from place join venues on venues.record_id = place.id`.execute(db)
  const preferenceOf = linkPreferences(viewer)
  const isShownThere = (own: Language, versions: readonly (TranslationVersion & VenueRow)[]) =>
    chooseVersion(versions, preferenceOf(own))?.is_there === 1
  /** The languages of events that are there, by the group of their venue. */
  const answers = new Map<number, boolean | ReadonlyMap<Language, boolean>>()
  for (const [groupId, group] of Map.groupBy(rows, (row) => row.group_id)) {
    const readable = group.filter((row) => row.is_readable === 1).map((row) => ({ ...row, groupId }))
    const first = readable[0]?.is_there === 1
    answers.set(
      groupId,
      readable.every((row) => (row.is_there === 1) === first)
        ? first
        : new Map(ownLanguages(viewer).map((own) => [own, isShownThere(own, readable)])),
    )
  }
  const isAnswered = (groupId: number, language: Language) => {
    const answer = answers.get(groupId) ?? false
    // A language that the settings no longer contain.
    return typeof answer === 'boolean' ? answer : (answer.get(language) ?? answer.get(viewer.defaultLanguage) ?? false)
  }
  const groupsWith = (isWanted: boolean) =>
    [...answers].flatMap(([groupId, answer]) =>
      answer === isWanted || typeof answer !== 'boolean' ? [FACETS.place(groupId)] : [],
    )
  const [there, elsewhere] = [groupsWith(true), groupsWith(false)]
  const groupOf = new Map([...answers.keys()].map((groupId) => [FACETS.place(groupId), groupId]))
  const counts = (isWanted: boolean) => (facet: number, language: string) =>
    isAnswered(groupOf.get(facet) ?? 0, language as Language) === isWanted
  // An event with several venues may be at one that is there and one that is not.
  const isWithout = there.length > maxCombined && elsewhere.length < there.length && rows[0]?.has_several !== 1
  return isWithout
    ? { filter: { facets: elsewhere, isWithout, counts: counts(false) }, needsVenue: true }
    : { filter: { facets: there, counts: counts(true) }, needsVenue: false }
}

/** The languages of events that decide which version of a venue is shown. A request that names one decides itself. */
function ownLanguages(viewer: Viewer): readonly Language[] {
  return [...new Set([...knownLanguages(viewer), viewer.defaultLanguage])]
}
