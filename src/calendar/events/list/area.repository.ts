import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { knownLanguages, type Language } from '../../../base/languages/language.ts'
import type { Dialect } from '../../../storage/database/dialect.ts'
import { readableBy } from '../../records/record.visibility.ts'
import { isPreferredTranslation } from '../../translations/group.repository.ts'
import { linkPreferences, type ReadContext, type Viewer } from '../../translations/viewer.ts'

/** A point on the sphere and a search radius around it. */
export interface SearchArea {
  readonly latitude: number
  readonly longitude: number
  readonly radiusKm: number
}

const kmPerDegree = 111.195
const earthRadiusKm = 6371.0088

/**
 * Returns the condition that the venue of an event has coordinates, in the version that the event shows to the viewer.
 * If an area is given, the venue must also be near its point. The event is the row of `events` and `records`.
 */
export function hasVenueCoordinates(
  { dialect, viewer }: ReadContext,
  around: SearchArea | undefined,
): RawBuilder<SqlBool> {
  const isThere = sql<SqlBool>`link.event_id = events.record_id and venues.latitude is not null
    and ${readableBy('place', viewer.actor, 'any')} and ${isShownVenueVersion(viewer)}
    and ${around ? isNear(dialect, around) : sql<SqlBool>`1 = 1`}`
  // A link names one version and means all of them. The query reads the linked version first, then the others of its
  // group.
  return sql<SqlBool>`(
    exists (select 1 from event_venues link
      join records place on place.id = link.venue_id
      join venues on venues.record_id = place.id
      where ${isThere})
    or exists (select 1 from event_venues link
      join records linked on linked.id = link.venue_id
      join records place on place.group_id = linked.group_id
      join venues on venues.record_id = place.id
      where ${isThere}))`
}

/** If the request names no language, the language of the event decides which version is shown. */
function isShownVenueVersion(viewer: Viewer): RawBuilder<SqlBool> {
  const preferenceOf = linkPreferences(viewer)
  const isShownTo = (own: Language) =>
    isPreferredTranslation({ table: 'records', alias: 'place' }, preferenceOf(own), (alias) =>
      readableBy(alias, viewer.actor, 'any'),
    )
  if (viewer.language !== undefined) return isShownTo(viewer.language)
  const languages = knownLanguages(viewer)
  const byLanguage = languages.map((own) => sql`(records.language = ${own} and ${isShownTo(own)})`)
  // A language that the settings no longer contain.
  const isOther = sql`(records.language not in (${sql.join(languages)}) and ${isShownTo(viewer.defaultLanguage)})`
  return sql<SqlBool>`(${sql.join([...byLanguage, isOther], sql` or `)})`
}

/** Great-circle distance (haversine), after a latitude band that the index serves. */
function isNear(dialect: Dialect, { latitude, longitude, radiusKm }: SearchArea): Expression<SqlBool> {
  const band = radiusKm / kmPerDegree
  const half = (degrees: Expression<unknown>) => sql`sin(radians(${degrees}) / 2)`
  const byLatitude = half(sql`venues.latitude - ${latitude}`)
  const byLongitude = half(sql`venues.longitude - ${longitude}`)
  const chord = sql<number>`sqrt(${byLatitude} * ${byLatitude}
    + cos(radians(${latitude})) * cos(radians(venues.latitude)) * ${byLongitude} * ${byLongitude})`
  // Rounding can produce a value above one, which is outside the domain of the arc sine.
  const bounded = dialect.least(sql<number>`1.0`, chord)
  return sql<SqlBool>`venues.latitude between ${latitude - band} and ${latitude + band}
    and ${2 * earthRadiusKm} * asin(${bounded}) <= ${radiusKm}`
}
