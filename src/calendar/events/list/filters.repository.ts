import { type SqlBool, sql } from 'kysely'
import type { EntryCondition } from '../../index/event.index.ts'
import { type ModifiedRange, modifiedConditions } from '../../records/record.modified.repository.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { hasVenueCoordinates, type SearchArea } from './area.repository.ts'

// The filters of lists that are not filters by facets.

export const isNothing: EntryCondition = () => sql<SqlBool>`1 = 0`

export const isWithoutVenue: EntryCondition = (entry) => sql<SqlBool>`${sql.ref(`${entry}.has_venue`)} = 0`

export const isUnprotected: EntryCondition = (entry) => sql<SqlBool>`${sql.ref(`${entry}.is_protected`)} = 0`

export function isModified(modified: ModifiedRange): EntryCondition {
  return (entry) => sql<SqlBool>`${sql.ref(`${entry}.event_id`)} in (
    select id from records where kind = 'event' and ${sql.join(modifiedConditions(modified), sql` and `)})`
}

/** The condition that the venue of an event has coordinates, and is in the area, if there is one. */
export function hasPlace(context: ReadContext, around: SearchArea | undefined): EntryCondition {
  return (entry) => sql<SqlBool>`exists (select 1 from records join events on events.record_id = records.id
    where records.id = ${sql.ref(`${entry}.event_id`)} and ${hasVenueCoordinates(context, around)})`
}

/**
 * The condition that an event exists in no form of a language: one in `en` exists in English.
 *
 * @param seesAll Whether other versions count that are not public. Only editors learn of these.
 */
export function isWithoutLanguage(language: string, seesAll: boolean): EntryCondition {
  const [letters = ''] = language.split('-')
  const isIn = (table: string) => {
    const own = sql.ref(`${table}.language`)
    return sql<SqlBool>`(${own} = ${letters} or ${own} like ${`${letters}-%`})`
  }
  const isCounted = sql.raw(seesAll ? `version.status <> 'trash'` : `version.status = 'publish'`)
  return (entry) => sql<SqlBool>`(not ${isIn(entry)} and not exists (
    select 1 from listed_events version where version.group_id = ${sql.ref(`${entry}.group_id`)}
      and version.is_hidden = 0 and ${isIn('version')} and ${isCounted}))`
}
