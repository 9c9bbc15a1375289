import { type RawBuilder, type SqlBool, sql } from 'kysely'
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

/** A filter by the places of venues. */
export interface PlaceFilter {
  readonly filter: SetFilter
  /** Whether events without a venue must be left out in addition. */
  readonly needsVenue: boolean
}

/** Whether a group of venues is there. If its versions differ, it depends on the language of the event. */
type Answer = boolean | ReadonlyMap<Language, boolean>

/**
 * Returns the filter for events whose venue has coordinates, in the version that the event shows to the viewer, and is in
 * the area. It names the venues that are there, or if these are most of all, those that are not. Runs two queries, and a
 * third one if some of these venues are translated. A calendar may have a hundred thousand venues, so the queries compare
 * others in indexes only, and return none of them.
 *
 * @param most Another limit for the venues that are combined, in tests.
 */
export async function placeFilter(
  context: ReadContext,
  around: SearchArea | undefined,
  most = maxCombined,
): Promise<PlaceFilter> {
  const { db, dialect, viewer } = context
  const isThere = sql<SqlBool>`(venues.latitude is not null and ${around ? isNear(dialect, around) : sql`1 = 1`})`
  const { rows: counts } = await sql<PlaceCounts>`
    select (select count(*) from venues where ${isThere}) as there, (select count(*) from venues) as venues,
      case when exists (select 1 from event_classes where venues > 1) then 1 else 0 end as has_several`.execute(db)
  // An event with several venues may be at one that is there and one that is not.
  const isWithout = counts.some(
    ({ there, venues, has_several }) =>
      Number(there) > most && Number(venues) < 2 * Number(there) && Number(has_several) === 0,
  )
  const answers = await answersOf(context, isThere, !isWithout)
  const isNamed = (groupId: number, language: Language) => {
    const answer = answers.get(groupId)
    if (answer === undefined) return false
    if (typeof answer === 'boolean') return answer !== isWithout
    // A language that the settings no longer contain.
    const ofLanguage = answer.get(language) ?? answer.get(viewer.defaultLanguage) ?? false
    return ofLanguage !== isWithout
  }
  const groupOf = new Map([...answers.keys()].map((groupId) => [FACETS.place(groupId), groupId]))
  return {
    filter: {
      facets: [...groupOf.keys()],
      isWithout,
      // Without translated venues, all sets count for all events.
      ...([...answers.values()].every((answer) => typeof answer === 'boolean')
        ? {}
        : { counts: (facet, language) => isNamed(groupOf.get(facet) ?? 0, language as Language) }),
    },
    needsVenue: isWithout,
  }
}

interface PlaceCounts {
  readonly there: number
  readonly venues: number
  readonly has_several: Flag
}

/**
 * Returns the groups of venues that are there, or those that are not, with the groups of which it depends on the language
 * of the event.
 */
async function answersOf(
  context: ReadContext,
  isThere: RawBuilder<SqlBool>,
  wanted: boolean,
): Promise<ReadonlyMap<number, Answer>> {
  const { db, viewer } = context
  const isReadable = readableBy('place', viewer.actor, 'any')
  const isNotReadable = sql<SqlBool>`case when ${isReadable} then 1 else 0 end = 0`
  const found = wanted
    ? // SQLite keeps the order of the tables with “cross join”.
      sql`venues cross join records place where place.id = venues.record_id and ${isThere} and ${isReadable}`
    : sql`records place where place.id in (
        select record_id from venues where case when ${isThere} then 1 else 0 end = 0
        union select place.id from records place where place.kind = 'venue' and ${isNotReadable})`
  const { rows } = await sql<{ readonly id: number; readonly group_id: number | null }>`
    select place.id, place.group_id from ${found}`.execute(db)
  const answers = new Map<number, Answer>()
  const groups = new Set<number>()
  for (const { id, group_id } of rows) {
    if (group_id === null) answers.set(id, wanted)
    else groups.add(group_id)
  }
  if (groups.size === 0) return answers
  for (const [groupId, answer] of await answersOfGroups(context, isThere, [...groups]))
    if (answer !== !wanted) answers.set(groupId, answer)
  return answers
}

interface VersionRow {
  readonly id: number
  readonly group_id: number
  readonly language: Language
  readonly is_there: Flag
}

/** Compares the versions of some groups that the viewer may read. */
async function answersOfGroups(
  { db, dialect, viewer }: ReadContext,
  isThere: RawBuilder<SqlBool>,
  groups: readonly number[],
): Promise<readonly (readonly [groupId: number, answer: Answer])[]> {
  const { rows } = await sql<VersionRow>`
    select place.id, place.group_id, place.language, case when ${isThere} then 1 else 0 end as is_there
    from records place join venues on venues.record_id = place.id
    where ${dialect.isAmong(sql.ref('place.group_id'), groups)} and ${readableBy('place', viewer.actor, 'any')}`.execute(
    db,
  )
  const readable = Map.groupBy(rows, (row) => row.group_id)
  const preferenceOf = linkPreferences(viewer)
  return groups.map((groupId) => {
    const versions: readonly (VersionRow & TranslationVersion)[] = (readable.get(groupId) ?? []).map((row) => ({
      ...row,
      groupId,
    }))
    const first = versions[0]?.is_there === 1
    if (versions.every((row) => (row.is_there === 1) === first)) return [groupId, first]
    const isShownThere = (own: Language) => chooseVersion(versions, preferenceOf(own))?.is_there === 1
    return [groupId, new Map(ownLanguages(viewer).map((own) => [own, isShownThere(own)]))]
  })
}

/** The languages of events that decide which version of a venue is shown. A request that names one decides itself. */
function ownLanguages(viewer: Viewer): readonly Language[] {
  return [...new Set([...knownLanguages(viewer), viewer.defaultLanguage])]
}
