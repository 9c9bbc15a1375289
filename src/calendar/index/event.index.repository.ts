import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TranslationVersion } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { type EventListSettings, type IndexedPreference, preferenceBits } from '../../base/languages/preference.bits.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag, Tx } from '../../storage/database/tables.ts'
import { type EventIndexTable, FACETS, longestShortSeconds } from './event.index.ts'
import { prepareForLanguages, readPreferences } from './index.languages.repository.ts'
import type { EventDerivation } from './stale.events.repository.ts'

/** The same database with the table of the event index. */
function withEventIndex(db: Db) {
  return db.withTables<{ event_listings: EventIndexTable }>()
}

/**
 * Whether an entry is the one that its event has in the facet of all events. Every event has this facet, so it must not
 * select the index: the unary plus keeps SQLite from reading the entries of all events to find those of a few.
 */
export function isOfAll(column: string): RawBuilder<SqlBool> {
  return sql`+${sql.ref(column)} = ${sql.lit(FACETS.all)}`
}

/** The event index follows from events, their links and their translations. */
export function eventIndex(settings: EventListSettings | undefined): EventDerivation {
  return {
    tables: ['event_listings'],
    ...(settings && { prepare: (tx: Tx) => prepareForLanguages(tx, settings) }),
    remove: async (tx, dialect, ids) => {
      await sql`delete from event_listings where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
    },
    add: async (tx, dialect, { ids }) => {
      const isAmong = (column: string): RawBuilder<SqlBool> => dialect.isAmong(sql.ref(column), ids)
      // Read in the transaction, because another process may have added preferences.
      const preferences = await readPreferences(tx)
      await sql`
      insert into event_listings
        (facet, start_local, dated_at, event_id, end_local, start_utc, end_utc, shown_to, is_long)
      ${entriesOf(isAmong, preferences)}`.execute(tx)
      for (const [bits, grouped] of await translatedShownTo(tx, isAmong('given.id'), preferences)) {
        await sql`update event_listings set shown_to = ${sql.lit(bits)}
        where ${dialect.isAmong(sql.ref('event_id'), grouped)}`.execute(tx)
      }
    },
  }
}

/** Returns the entries that these events should have, derived from the source data. For checks. */
export async function expectedIndexEntries(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly EventIndexTable[]> {
  const isAmong = (column: string): RawBuilder<SqlBool> => dialect.isAmong(sql.ref(column), ids)
  const preferences = await readPreferences(db)
  const { rows } = await sql<EventIndexTable>`${entriesOf(isAmong, preferences)}`.execute(db)
  const shown = new Map<number, number>()
  for (const [bits, grouped] of await translatedShownTo(db, isAmong('given.id'), preferences)) {
    for (const id of grouped) shown.set(id, bits)
  }
  return rows.map((row) => ({ ...row, shown_to: shown.get(row.event_id) ?? row.shown_to }))
}

/** Returns the stored entries of these events. */
export async function storedIndexEntries(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly EventIndexTable[]> {
  return withEventIndex(db)
    .selectFrom('event_listings')
    .selectAll()
    .where(dialect.isAmong(sql.ref('event_id'), ids))
    .execute()
}

/** Returns the ids of events that exist only in the index. */
export async function listIndexedWithoutEvent(db: Db): Promise<readonly number[]> {
  const rows = await withEventIndex(db)
    .selectFrom('event_listings')
    .select('event_id')
    .distinct()
    .where((e) =>
      e.not(e.exists(e.selectFrom('events').select('record_id').whereRef('record_id', '=', 'event_listings.event_id'))),
    )
    .execute()
  return rows.map((row) => row.event_id)
}

/** The entries of some events, as if they had no translations. */
function entriesOf(
  isAmong: (column: string) => RawBuilder<SqlBool>,
  preferences: readonly IndexedPreference[],
): RawBuilder<EventIndexTable> {
  return sql<EventIndexTable>`
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

/** The lists that show an event without translations, by its language. */
function aloneShownTo(preferences: readonly IndexedPreference[]): RawBuilder<number> {
  const bitsOf = (language: Language) => {
    const alone: TranslationVersion = { id: 1, groupId: 1, language }
    return sql.lit(preferenceBits(alone, [alone], preferences))
  }
  const languages = [...new Set(preferences.flatMap(({ order }) => order))]
  const cases = languages.map((language) => sql`when ${sql.lit(language)} then ${bitsOf(language)}`)
  // A language that no list prefers is shown in lists that leave nothing out.
  return sql<number>`case records.language ${sql.join(cases, sql` `)} else ${bitsOf('und')} end`
}

interface VersionRow {
  readonly id: number
  readonly group_id: number
  readonly language: Language
  readonly is_given: Flag
}

/**
 * Returns the translated events among these, by the lists that show them. Only versions that lists may show compete.
 */
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
