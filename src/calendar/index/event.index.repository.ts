import { type RawBuilder, sql } from 'kysely'
import type { EventListSettings, IndexedPreference } from '../../base/languages/preference.bits.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { countChanges } from './daily.counts.repository.ts'
import { classFromKey, ownVersion, shownBits } from './event.classes.ts'
import { readTouchedSets, type SetChange, setStatements } from './event.sets.repository.ts'
import { deriveFromEntries, isIndexEmpty } from './first.index.repository.ts'
import { prepareForLanguages, readPreferences } from './index.languages.repository.ts'
import { dayOfStart, type IndexedEvent } from './indexed.event.repository.ts'
import type { EventChange, EventDerivation, FirstDerivation } from './stale.events.repository.ts'

/** The event index follows from events, their links and their translations. */
export function eventIndex(settings: EventListSettings | undefined): EventDerivation {
  return {
    tables: ['event_order', 'event_sets', 'event_tallies', 'event_classes'],
    ...(settings && {
      prepare: async (tx: Tx, dialect: Dialect) => {
        if (await prepareForLanguages(tx, settings)) await classifyAnew(tx, dialect)
      },
    }),
    refresh: async (tx, dialect, changes) => {
      const changed = changes.filter(isChanged)
      if (changed.length === 0) return []
      const classes = [...new Set(changed.flatMap(({ after }) => (after ? [after.class] : [])))]
      const sets = setChanges(changed)
      const touched = await readTouchedSets(tx, dialect, { changes: sets, classes })
      const missing = classes.filter((one) => !touched.classes.has(one))
      return [
        ...(missing.length > 0 ? [await classStatement(tx, dialect, missing)] : []),
        ...setStatements(dialect, sets, touched.segments),
        ...orderStatements(dialect, changed),
        ...countChanges(dialect, changed),
      ]
    },
    beginFirst: async (tx) => ((await isIndexEmpty(tx)) ? firstIndex() : undefined),
  }
}

/** Derives the whole event index: entries and classes batch by batch, the sets and the daily counts at the end. */
function firstIndex(): FirstDerivation {
  const known = new Set<string>()
  return {
    refresh: async (tx, dialect, changes) => {
      const indexed = changes.filter(({ after }) => after)
      const missing = new Set(indexed.flatMap(({ after }) => after?.class ?? [])).difference(known)
      for (const one of missing) known.add(one)
      return [
        ...(missing.size > 0 ? [await classStatement(tx, dialect, [...missing])] : []),
        ...orderStatements(dialect, indexed),
      ]
    },
    complete: deriveFromEntries,
  }
}

function isChanged({ before, after }: EventChange): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}

/** Returns the members that sets gain and lose. A set is the events of a class with a facet. */
function setChanges(changes: readonly EventChange[]): readonly SetChange[] {
  const sets = new Map<
    string,
    { facet: number; class: string; added: SetChange['added'][number][]; removed: SetChange['removed'][number][] }
  >()
  const setOf = (facet: number, event: IndexedEvent) => {
    const key = `${facet} ${event.class}`
    const known = sets.get(key) ?? { facet, class: event.class, added: [], removed: [] }
    sets.set(key, known)
    return known
  }
  const memberOf = (event: IndexedEvent) => ({ day: dayOfStart(event.startLocal), id: event.id })
  const isSamePlace = ({ before, after }: EventChange) =>
    before?.class === after?.class && before?.startLocal.slice(0, 10) === after?.startLocal.slice(0, 10)
  for (const change of changes) {
    const { before, after } = change
    const kept = isSamePlace(change) ? new Set(before?.facets).intersection(new Set(after?.facets)) : new Set<number>()
    for (const facet of before?.facets ?? []) {
      if (before && !kept.has(facet)) setOf(facet, before).removed.push(memberOf(before))
    }
    for (const facet of after?.facets ?? []) {
      if (after && !kept.has(facet)) setOf(facet, after).added.push(memberOf(after))
    }
  }
  return [...sets.values()]
}

/** Stores the changed entries and removes those of events that no longer exist. */
function orderStatements(dialect: Dialect, changes: readonly EventChange[]): readonly RawBuilder<unknown>[] {
  const entries = changes.flatMap(({ after }) =>
    after ? [{ ...after, isLong: Number(after.isLong), facets: after.facets.join(',') }] : [],
  )
  const removed = changes.flatMap(({ id, after }) => (after ? [] : [id]))
  const text = (name: keyof IndexedEvent) => sql.raw(`value ->> '${name}'`)
  const number = (name: keyof IndexedEvent) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  const columns = [
    ...['class', 'start_local', 'dated_at', 'end_local', 'start_utc', 'end_utc', 'is_long', 'facets', 'series_id'],
  ]
  return [
    ...(entries.length === 0
      ? []
      : [
          sql`insert into event_order (event_id, ${sql.raw(columns.join(', '))})
            select ${number('id')}, ${text('class')}, ${text('startLocal')}, ${number('datedAt')}, ${text('endLocal')},
              ${number('startUtc')}, ${number('endUtc')},
              ${number('isLong')}, ${text('facets')}, ${number('seriesId')}
            from ${dialect.jsonRows(entries)} given where true
            on conflict (event_id) do update set
              ${sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(', '))}`,
        ]),
    ...(removed.length === 0
      ? []
      : [sql`delete from event_order where ${dialect.isAmong(sql.ref('event_id'), removed)}`]),
  ]
}

/** Returns the rows of classes, as the statement takes them. */
function classRows(classes: readonly string[], preferences: readonly IndexedPreference[]) {
  return classes.map((name) => {
    const known = classFromKey(name)
    const { status, language } = ownVersion(known)
    const { isHidden, isProtected, isLong, venues, isOfSeries } = known
    const flags = { isHidden: Number(isHidden), isProtected: Number(isProtected), isLong: Number(isLong), venues }
    return { name, status, language, ...flags, isOfSeries: Number(isOfSeries), ...shownBits(known, preferences) }
  })
}

const classColumns = sql.raw(`class as name, status, language, is_hidden as "isHidden", is_protected as "isProtected",
  is_long as "isLong", venues, is_of_series as "isOfSeries", shown_to as "shownTo", shown_among_all as "shownAmongAll"`)

/** Returns the classes that are missing or whose marks are wrong, as text. For checks. */
export async function listWrongClasses(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<ReturnType<typeof classRows>[number]>`
    select ${classColumns} from event_classes order by class`.execute(db)
  const expected = classRows(
    rows.map(({ name }) => name),
    await readPreferences(db),
  )
  const wrong = rows.flatMap((row, place) =>
    JSON.stringify(row) === JSON.stringify(expected[place]) ? [] : [`class ${row.name}`],
  )
  const { rows: missing } = await sql<{ class: string }>`
    select distinct class from event_order except select class from event_classes`.execute(db)
  return [...wrong, ...missing.map((row) => `class ${row.class} is missing`)]
}

/** Stores classes, with the lists that show them. */
async function classStatement(db: Db, dialect: Dialect, classes: readonly string[]): Promise<RawBuilder<unknown>> {
  const rows = classRows(classes, await readPreferences(db))
  const number = (name: keyof (typeof rows)[number]) => sql.raw(`cast(value ->> '${name}' as integer)`)
  return sql`insert into event_classes
      (class, status, language, is_hidden, is_protected, is_long, venues, is_of_series, shown_to, shown_among_all)
    select value ->> 'name', value ->> 'status', value ->> 'language', ${number('isHidden')}, ${number('isProtected')},
      ${number('isLong')}, ${number('venues')}, ${number('isOfSeries')}, ${number('shownTo')},
      ${number('shownAmongAll')}
    from ${dialect.jsonRows(rows)} given where true
    on conflict (class) do update set shown_to = excluded.shown_to, shown_among_all = excluded.shown_among_all`
}

/** Stores again which lists show each class. Runs when lists can have new language preferences. */
async function classifyAnew(tx: Tx, dialect: Dialect): Promise<void> {
  const { rows } = await sql<{ class: string }>`select class from event_classes`.execute(tx)
  const statement = await classStatement(
    tx,
    dialect,
    rows.map((row) => row.class),
  )
  await statement.execute(tx)
}
