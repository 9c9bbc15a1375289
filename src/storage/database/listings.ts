import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TranslationVersion } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { type EventListSettings, type IndexedPreference, preferenceBits } from '../../base/languages/preference.bits.ts'
import type { Dialect } from './dialect.ts'
import { FACETS, isOfAll } from './facets.ts'
import { prepareForLanguages, readPreferences } from './index.languages.ts'
import { remakeSearchTexts } from './search.texts.ts'
import type { Db, Flag, Tx } from './tables.ts'
import { forgetNumbers, noteNumbers } from './words.numbers.ts'
import { forgetWords, joinWords, noteWords } from './words.ts'

/**
 * A published event that lists for everybody show, once per facet, of protected ones only that of all: what their
 * password hides finds them for nobody. Derived from the other tables, so nothing but this file writes it, and a copy of
 * the content leaves it out.
 */
export interface EventListingTable {
  /** What a list may ask for: see `FACETS`. */
  facet: number
  start_local: string
  dated_at: number
  event_id: number
  end_local: string
  start_utc: number
  end_utc: number
  /** The preferences under which it is the version of its group that is shown: see `preferenceBits`. */
  shown_to: number
  /** Whether it lasts more than a week. */
  is_long: Flag
}

/** How many events of the facet of all begin on a day of one of the two clocks. Derived as well. */
export interface EventTallyTable {
  /** 0: their own clock; 1: that of UTC. */
  clock: number
  /** See `localDay` and `utcDay`. */
  day: number
  shown_to: number
  number: number
}

/** The number of a day in local time, as `event_tallies` has it: 20300115. */
export function localDay(localDateTime: string): number {
  return Number(localDateTime.slice(0, 10).replaceAll('-', ''))
}

/** Seconds from the first day that can be written to 1970. */
const epochSeconds = 62_135_596_800
const daySeconds = 86_400

/** The number of a day in UTC, as `event_tallies` has it. */
export function utcDay(seconds: number): number {
  return Math.floor((seconds + epochSeconds) / daySeconds)
}

/** Events that last longer are few, and found by their ends. */
export const longestShortSeconds = 7 * daySeconds

/** The same database with the table of listings. */
export function withListings(db: Db) {
  return db.withTables<{ event_listings: EventListingTable }>()
}

const eventsAtOnce = 1000

/** Has the events indexed for all that lists may be asked for: when a database is opened. */
export async function bringIndexUpToDate(
  tx: Tx,
  dialect: Dialect,
  lists: EventListSettings | undefined,
): Promise<void> {
  if (lists) await prepareForLanguages(tx, lists)
  await refreshListings(tx, dialect)
}

/**
 * Brings the listings of all events that changed up to date. The last statements of a transaction, before its number:
 * whoever sees the change then sees its listing.
 */
export async function refreshListings(tx: Tx, dialect: Dialect): Promise<void> {
  let preferences: readonly IndexedPreference[] | undefined
  for (let turns = 0; ; turns += 1) {
    const { rows } = await sql<{ event_id: number; has_stale_text: Flag }>`
      select event_id, has_stale_text from stale_events order by event_id limit ${sql.lit(eventsAtOnce)}`.execute(tx)
    if (rows.length === 0) {
      if (dialect.hasWordIndex && turns > 1) await joinWords(tx)
      return
    }
    const ids = rows.map((row) => row.event_id)
    await remakeSearchTexts(
      tx,
      dialect,
      rows.filter((row) => row.has_stale_text === 1).map((row) => row.event_id),
    )
    // Read in the transaction: another process may have given places to more of them.
    preferences ??= await readPreferences(tx)
    await refresh(tx, dialect, ids, preferences)
    await sql`delete from stale_events where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
  }
}

async function refresh(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
  preferences: readonly IndexedPreference[],
): Promise<void> {
  const isAmong = (column: string): RawBuilder<SqlBool> => dialect.isAmong(sql.ref(column), ids)
  await tally(tx, isAmong('event_id'), -1)
  await (dialect.hasWordIndex ? forgetWords : forgetNumbers)(tx, dialect, ids)
  await sql`delete from event_listings where ${isAmong('event_id')}`.execute(tx)
  await sql`
    insert into event_listings
      (facet, start_local, dated_at, event_id, end_local, start_utc, end_utc, shown_to, is_long)
    ${listed(isAmong, preferences)}`.execute(tx)
  for (const [bits, grouped] of await translatedShownTo(tx, isAmong('given.id'), preferences)) {
    await sql`update event_listings set shown_to = ${sql.lit(bits)}
      where ${dialect.isAmong(sql.ref('event_id'), grouped)}`.execute(tx)
  }
  await tally(tx, isAmong('event_id'), 1)
  await (dialect.hasWordIndex ? noteWords : noteNumbers)(tx, dialect, ids)
}

/**
 * The listings that these events ought to have, made from what they are derived from; for holding them against those that
 * there are.
 */
export async function expectedListings(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly EventListingTable[]> {
  const isAmong = (column: string): RawBuilder<SqlBool> => dialect.isAmong(sql.ref(column), ids)
  const preferences = await readPreferences(db)
  const { rows } = await sql<EventListingTable>`${listed(isAmong, preferences)}`.execute(db)
  const shown = new Map<number, number>()
  for (const [bits, grouped] of await translatedShownTo(db, isAmong('given.id'), preferences)) {
    for (const id of grouped) shown.set(id, bits)
  }
  return rows.map((row) => ({ ...row, shown_to: shown.get(row.event_id) ?? row.shown_to }))
}

/** The listings of some events, as if nobody had translated them. */
function listed(
  isAmong: (column: string) => RawBuilder<SqlBool>,
  preferences: readonly IndexedPreference[],
): RawBuilder<EventListingTable> {
  return sql<EventListingTable>`
    select facet.number as facet, events.start_local, records.dated_at, records.id as event_id, events.end_local,
      events.start_utc,
      events.end_utc, ${aloneShownTo(preferences)} as shown_to,
      case when events.end_utc - events.start_utc > ${sql.lit(longestShortSeconds)} then 1 else 0 end as is_long
    from events join records on records.id = events.record_id join (
      select record_id as event_id, ${sql.lit(FACETS.all)} as number from events where ${isAmong('record_id')}
      union all
      select record_id, ${sql.lit(FACETS.featured)} from events where ${isAmong('record_id')} and is_featured = 1
      union
      select event_terms.event_id, coalesce(terms.group_id, terms.id) * 4 + 2
      from event_terms join terms on terms.id = event_terms.term_id where ${isAmong('event_terms.event_id')}
      union
      select event_venues.event_id, coalesce(place.group_id, place.id) * 4 + 3
      from event_venues join records place on place.id = event_venues.venue_id
      where ${isAmong('event_venues.event_id')}
      union
      select event_organizers.event_id, coalesce(place.group_id, place.id) * 4 + 3
      from event_organizers join records place on place.id = event_organizers.organizer_id
      where ${isAmong('event_organizers.event_id')}
    ) facet on facet.event_id = events.record_id
    where ${isAmong('records.id')} and records.status = 'publish' and events.is_hidden = 0
      and (facet.number = ${sql.lit(FACETS.all)} or records.password is null)`
}

/** Adds the listings of these events to the tallies of their days, or takes them away. */
async function tally(tx: Tx, isGiven: RawBuilder<SqlBool>, sign: 1 | -1): Promise<void> {
  const given = sql`from event_listings where ${isOfAll('facet')} and ${isGiven}`
  await sql`
    insert into event_tallies (clock, day, shown_to, number)
    select clock, day, shown_to, ${sql.lit(sign)} * count(*) from (
      select 0 as clock, cast(replace(substr(start_local, 1, 10), '-', '') as bigint) as day, shown_to ${given}
      union all
      select 1, (start_utc + ${sql.lit(epochSeconds)}) / ${sql.lit(daySeconds)}, shown_to ${given}
    ) listed where true group by clock, day, shown_to
    on conflict (clock, day, shown_to) do update set number = event_tallies.number + excluded.number`.execute(tx)
}

/** To which lists an event is shown that nobody translated. */
function aloneShownTo(preferences: readonly IndexedPreference[]): RawBuilder<number> {
  const bitsOf = (language: Language) => {
    const alone: TranslationVersion = { id: 1, groupId: 1, language }
    return sql.lit(preferenceBits(alone, [alone], preferences))
  }
  const languages = [...new Set(preferences.flatMap(({ order }) => order))]
  const cases = languages.map((language) => sql`when ${sql.lit(language)} then ${bitsOf(language)}`)
  // A language that no list prefers is shown where nothing is left out.
  return sql<number>`case records.language ${sql.join(cases, sql` `)} else ${bitsOf('und')} end`
}

interface VersionRow {
  readonly id: number
  readonly group_id: number
  readonly language: Language
  readonly is_given: Flag
}

/** The translated ones of these events by the lists that they are shown to. Only what lists may show competes. */
async function translatedShownTo(
  tx: Db,
  isGiven: RawBuilder<SqlBool>,
  preferences: readonly IndexedPreference[],
): Promise<ReadonlyMap<number, number[]>> {
  const { rows } = await sql<VersionRow>`
    select id, group_id, language, case when id in (select given.id from records given where ${isGiven}) then 1 else 0 end
      as is_given
    from records join events on events.record_id = records.id
    where status = 'publish' and is_hidden = 0 and group_id in (select given.group_id from records given where ${isGiven})
    order by id`.execute(tx)
  const versions = rows.map((row) => ({ ...row, groupId: row.group_id }))
  const byBits = new Map<number, number[]>()
  for (const group of Map.groupBy(versions, ({ groupId }) => groupId).values()) {
    for (const version of group) {
      if (version.is_given !== 1) continue
      const bits = preferenceBits(version, group, preferences)
      byBits.set(bits, [...(byBits.get(bits) ?? []), version.id])
    }
  }
  return byBits
}
