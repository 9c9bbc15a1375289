import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { dayOfPlace } from './set.segments.ts'

/** The classes of events that a list shows. */
export interface ShownClasses {
  /** A condition on the rows of `event_classes`: classes of which the list shows every event. */
  readonly isOfClass: RawBuilder<SqlBool>
  /** The same for classes of which the list shows only some events that are known by their ids. */
  readonly isOfSome?: RawBuilder<SqlBool> | undefined
}

/** The events of some sets that begin on some days. Long events have days of their own. */
export interface PartsQuery extends ShownClasses {
  readonly facets: readonly number[]
  /** The first and the last place. */
  readonly places: PlaceRange
  readonly longPlaces: PlaceRange
}

interface PlaceRange {
  readonly from: number
  readonly to: number
}

/** A part of a set. It may begin before the first place of the query and end after the last one. */
export interface SetPart {
  readonly facet: number
  readonly class: string
  readonly language: string
  readonly venues: number
  readonly isLong: boolean
  /** Whether the list shows every event of the class. */
  readonly isWhole: boolean
  readonly size: number
  readonly members: Uint8Array
  /** No member begins before this day. */
  readonly firstDay: number
  /** The day of the last member. */
  readonly lastDay: number
}

type PartRow = Omit<SetPart, 'isLong' | 'isWhole' | 'firstDay' | 'lastDay'> & {
  readonly is_long: Flag
  readonly is_whole: Flag
  readonly first_place: number
  readonly last_place: number
}

/** Of more sets than this, all segments are read: looking for those of the days takes longer. */
const fewSets = 1000

/**
 * Reads the parts of sets, in no order. Runs one query.
 *
 * @param few Another limit for the number of sets, in tests.
 */
export async function readSetParts(
  { db, dialect }: { readonly db: Db; readonly dialect: Dialect },
  { facets, isOfClass, isOfSome, places, longPlaces }: PartsQuery,
  few = fewSets,
): Promise<readonly SetPart[]> {
  const limit = (edge: keyof PlaceRange) =>
    places[edge] === longPlaces[edge]
      ? sql`cast(${places[edge]} as bigint)`
      : sql`case when shown.is_long = 1 then cast(${longPlaces[edge]} as bigint) else cast(${places[edge]} as bigint) end`
  const classes = isOfSome
    ? sql`select event_classes.*, case when ${isOfClass} then 1 else 0 end as is_whole from event_classes
        where (${isOfClass}) or (${isOfSome})`
    : sql`select event_classes.*, 1 as is_whole from event_classes where ${isOfClass}`
  // SQLite keeps the order of the tables with “cross join”.
  const found =
    facets.length > few
      ? sql`${dialect.numbers(facets)} asked cross join event_sets stored cross join (${classes}) shown
          where stored.facet = asked.id and stored.class = shown.class and stored.first_place <= ${limit('to')}
            and stored.last_place >= ${limit('from')}`
      : sql`${dialect.numbers(facets)} asked cross join (${classes}) shown cross join event_sets stored
          where stored.facet = asked.id and stored.class = shown.class and stored.first_place <= ${limit('to')}
            and stored.first_place >= coalesce((select max(earlier.first_place) from event_sets earlier
              where earlier.facet = asked.id and earlier.class = shown.class
                and earlier.first_place <= ${limit('from')}), 0)`
  const { rows } = await sql<PartRow>`
    select stored.facet, shown.class, shown.language, shown.venues, shown.is_long, shown.is_whole, stored.size,
      stored.members, stored.first_place, stored.last_place
    from ${found}`.execute(db)
  return rows.map(({ is_long, is_whole, first_place, last_place, ...row }) => ({
    ...row,
    ...{ isLong: is_long === 1, isWhole: is_whole === 1 },
    ...{ firstDay: dayOfPlace(first_place), lastDay: dayOfPlace(last_place) },
  }))
}
