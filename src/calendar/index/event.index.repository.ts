import { type RawBuilder, sql } from 'kysely'
import type { EventListSettings } from '../../base/languages/preference.bits.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type ListedEvent, listedColumns } from './event.index.ts'
import { prepareForLanguages } from './index.languages.repository.ts'
import type { EventChange, EventDerivation } from './stale.events.repository.ts'

/** The event index follows from events, their links and their translations. */
export function eventIndex(settings: EventListSettings | undefined): EventDerivation {
  return {
    tables: ['event_facets', 'listed_events'],
    ...(settings && {
      prepare: async (tx) => {
        // Each event says which lists show it, so all of them are derived again for a new preference.
        if (await prepareForLanguages(tx, settings))
          await sql`insert into stale_events (event_id) select record_id from events where true
            on conflict (event_id) do nothing`.execute(tx)
      },
    }),
    refresh: async (_tx, dialect, changes) => {
      const changed = changes.filter(isChanged)
      return changed.length === 0 ? [] : [...facetStatements(dialect, changed), ...entryStatements(dialect, changed)]
    },
  }
}

function isChanged({ before, after }: EventChange): boolean {
  return !before || !after || listedColumns.some((column) => before[column] !== after[column])
}

interface FacetRow {
  readonly f: string
  readonly p: number
}

function facetRows(event: ListedEvent | undefined): readonly FacetRow[] {
  if (!event || event.facets === '') return []
  return event.facets.split(',').map((f) => ({ f, p: event.place }))
}

function facetStatements(dialect: Dialect, changes: readonly EventChange[]): readonly RawBuilder<unknown>[] {
  const without = (rows: readonly FacetRow[], others: readonly FacetRow[]) =>
    rows.filter(({ f, p }) => !others.some((other) => other.f === f && other.p === p))
  const [removed, added] = [[] as FacetRow[], [] as FacetRow[]]
  for (const { before, after } of changes) {
    removed.push(...without(facetRows(before), facetRows(after)))
    added.push(...without(facetRows(after), facetRows(before)))
  }
  const values = sql.raw(`cast(value ->> 'f' as bigint), cast(value ->> 'p' as bigint)`)
  return [
    ...(removed.length === 0
      ? []
      : [
          sql`delete from event_facets where (facet, place) in (select ${values} from ${dialect.jsonRows(removed)} given)`,
        ]),
    ...(added.length === 0
      ? []
      : [
          sql`insert into event_facets (facet, place) select ${values} from ${dialect.jsonRows(added)} given where true
            on conflict (facet, place) do nothing`,
        ]),
  ]
}

const texts: readonly (keyof ListedEvent)[] = ['start_local', 'end_local', 'status', 'language', 'facets']
const names = sql.raw(listedColumns.join(', '))
const values = sql.raw(
  listedColumns
    .map((column) => (texts.includes(column) ? `value ->> '${column}'` : `cast(value ->> '${column}' as bigint)`))
    .join(', '),
)
const replaced = sql.raw(listedColumns.map((column) => `${column} = excluded.${column}`).join(', '))

/** Stores the changed entries, and removes those of events that moved or no longer exist. */
function entryStatements(dialect: Dialect, changes: readonly EventChange[]): readonly RawBuilder<unknown>[] {
  const entries = changes.flatMap(({ after }) => after ?? [])
  const left = changes.flatMap(({ before, after }) => (before && before.place !== after?.place ? [before.place] : []))
  return [
    ...(left.length === 0 ? [] : [sql`delete from listed_events where ${dialect.isAmong(sql.ref('place'), left)}`]),
    ...(entries.length === 0
      ? []
      : [
          sql`insert into listed_events (${names}) select ${values} from ${dialect.jsonRows(entries)} given where true
            on conflict (place) do update set ${replaced}`,
        ]),
  ]
}

/** Returns the entries of the event index whose event does not exist, and facets of no entry, as text. For checks. */
export async function listIndexedWithoutEvent(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ place: string }>`
    select 'event ' || event_id as place from listed_events
      where not exists (select 1 from events where record_id = event_id)
    union all select 'facet ' || facet || ' at ' || place from event_facets
      where not exists (select 1 from listed_events entry where entry.place = event_facets.place
        and ',' || entry.facets || ',' like '%,' || event_facets.facet || ',%')`.execute(db)
  return rows.map((row) => row.place)
}

/** Returns the events of which the table of facets lacks some. For checks. */
export async function listWithoutFacets(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: number }>`select event_id from listed_events entry
    where case when facets = '' then 0 else length(facets) - length(replace(facets, ',', '')) + 1 end
      <> (select count(*) from event_facets where event_facets.place = entry.place)`.execute(db)
  return rows.map((row) => `event ${row.event_id}`)
}
