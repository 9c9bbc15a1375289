import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { SetSegment } from './new.sets.ts'
import { changeSegments, type Member, placeOf, type Segment } from './set.segments.ts'

/** The members that a set gains and loses. */
export interface SetChange {
  readonly facet: number
  readonly class: string
  readonly added: readonly Member[]
  readonly removed: readonly Member[]
}

interface SegmentRow {
  readonly facet: number
  readonly class: string
  readonly first_place: number
  readonly members: Uint8Array | null
}

const keyOf = (set: { readonly facet: number; readonly class: string }) => `${set.facet} ${set.class}`
const numberOf = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)

/** The stored segments that a change affects, by set, and the classes that are stored. */
interface TouchedSets {
  readonly segments: ReadonlyMap<string, readonly Segment[]>
  readonly classes: ReadonlySet<string>
}

/** Reads all segments that these changes affect, and which of the classes are known. Runs one query. */
export async function readTouchedSets(
  tx: Tx,
  dialect: Dialect,
  { changes, classes }: { readonly changes: readonly SetChange[]; readonly classes: readonly string[] },
): Promise<TouchedSets> {
  const places = changes.flatMap(({ facet: f, class: c, added, removed }) =>
    [...added, ...removed].map((member) => ({ f, c, p: placeOf(member) })),
  )
  const { rows } = await sql<SegmentRow>`
    select stored.facet, stored.class, stored.first_place, stored.members from (
      select distinct facet, class, (select max(first_place) from event_sets earlier
        where earlier.facet = wanted.facet and earlier.class = wanted.class and earlier.first_place <= wanted.place)
        as first_place
      from (select ${numberOf('f')} as facet, value ->> 'c' as class, ${numberOf('p')} as place
        from ${dialect.jsonRows(places)} given) wanted
    ) touched join event_sets stored on stored.facet = touched.facet and stored.class = touched.class
      and stored.first_place = touched.first_place
    union all select -1, event_classes.class, 0, null from event_classes
      join ${dialect.jsonRows(classes.map((c) => ({ c })))} given on event_classes.class = value ->> 'c'
    order by 3`.execute(tx)
  const segments = Map.groupBy(
    rows.filter(({ members }) => members !== null),
    keyOf,
  )
  return {
    segments: new Map(
      [...segments].map(([key, some]) => [
        key,
        some.map(({ first_place, members }) => ({ first: first_place, members: members ?? new Uint8Array() })),
      ]),
    ),
    classes: new Set(rows.flatMap((row) => (row.members === null ? [row.class] : []))),
  }
}

/** Returns the statements that store the changed segments. */
export function setStatements(
  dialect: Dialect,
  changes: readonly SetChange[],
  segments: TouchedSets['segments'],
): readonly RawBuilder<unknown>[] {
  const stored: SetSegment[] = []
  const removed: object[] = []
  for (const change of changes) {
    const { facet, class: c } = change
    const changed = changeSegments(segments.get(keyOf(change)) ?? [], change)
    for (const segment of changed.stored) stored.push({ facet, class: c, ...segment })
    for (const p of changed.removed) removed.push({ f: facet, c, p })
  }
  return [
    ...segmentStatements(dialect, stored),
    ...(removed.length === 0
      ? []
      : [
          sql`delete from event_sets where (facet, class, first_place) in (
            select ${segmentKey} from ${dialect.jsonRows(removed)} given)`,
        ]),
  ]
}

const segmentKey = sql`${numberOf('f')}, value ->> 'c', ${numberOf('p')}`

/** Returns the statement that stores these segments. */
export function segmentStatements(dialect: Dialect, segments: readonly SetSegment[]): readonly RawBuilder<unknown>[] {
  if (segments.length === 0) return []
  const rows = segments.map(({ facet: f, class: c, first: p, size: n, last: l, members }) => ({
    ...{ f, c, p, n, l, m: Buffer.from(members).toString('hex') },
  }))
  return [
    sql`insert into event_sets (facet, class, first_place, size, last_place, members)
      select ${segmentKey}, ${numberOf('n')}, ${numberOf('l')}, ${dialect.fromHex(sql`value ->> 'm'`)}
      from ${dialect.jsonRows(rows)} given where true
      on conflict (facet, class, first_place) do update set
        size = excluded.size, last_place = excluded.last_place, members = excluded.members`,
  ]
}
