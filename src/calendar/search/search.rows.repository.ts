import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { lastLevel } from './search.merging.ts'
import type { FoundRow } from './search.rows.ts'
import { placedTokensOf, readTokensOf, shardsWith } from './search.shards.ts'
import type { IndexPart } from './search.state.repository.ts'
import type { SearchedTokens } from './search.terms.ts'

/** The database that a search reads. */
export interface SearchReading {
  readonly db: Db
  readonly dialect: Dialect
}

/** Looks up the numbers of tokens. Tokens are only added, so another version of the index has the same. */
export async function readNumbers(
  { db, dialect }: SearchReading,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (tokens.length === 0) return new Map()
  const { rows } = await sql<{ number: number; token: string }>`select number, token from search_tokens
    where ${dialect.isAmongTexts(sql.ref('token'), [...new Set(tokens)])}`.execute(db)
  return new Map(rows.map(({ number, token }) => [token, number]))
}

interface RowsQuery {
  /** The first documents of ranges. */
  readonly ranges: readonly number[]
  readonly shards: readonly number[]
  readonly index: IndexPart
}

type StoredRow = { readonly [K in keyof FoundRow]: FoundRow[K] | (K extends 'documents' ? null : never) }

/**
 * Reads the rows of some intervals that have some tokens. Those of the last level are read in some shards only, and are
 * found by the first documents of their ranges, because intervals may be far from each other.
 */
export function readRows(
  reading: SearchReading,
  { tokens, shards, ranges, index }: RowsQuery & { readonly tokens: SearchedTokens },
): Promise<readonly FoundRow[] | undefined> {
  const terms = [...tokens.include, ...tokens.exclude]
  const [all, placed] = [terms.flatMap(readTokensOf), terms.flatMap(placedTokensOf)]
  const { intervals } = index
  const edge = (name: 'f' | 't') => sql.raw(`cast(value ->> '${name}' as bigint)`)
  const isWithin = sql<boolean>`first_document between ${intervals[0]?.f ?? 0} and ${intervals.at(-1)?.t ?? -1}
    and exists (select 1 from ${reading.dialect.jsonRows(intervals)} given
      where first_document between ${edge('f')} and ${edge('t')})`
  const levels = Array.from({ length: lastLevel + 1 }, (_, level) => {
    const ofLevel = { shards: level === lastLevel ? shards : shardsWith(all, level), placed: shardsWith(placed, level) }
    const isRead = level === lastLevel ? isOfRange(reading.dialect, ranges) : isWithin
    return sql`${rowsOfLevel(reading.dialect, level, ofLevel)} and ${isRead}`
  })
  return readStored(reading, sql.join(levels, sql` union all `), index)
}

/** Reads the rows of the last level in some shards, for some ranges. */
export function readLastRows(
  reading: SearchReading,
  { ranges, shards, index }: RowsQuery,
): Promise<readonly FoundRow[] | undefined> {
  const rows = sql`${rowsOfLevel(reading.dialect, lastLevel, { shards, placed: [] })}
    and ${isOfRange(reading.dialect, ranges)}`
  return readStored(reading, rows, index)
}

function isOfRange(dialect: Dialect, ranges: readonly number[]): RawBuilder<SqlBool> {
  return dialect.isAmong(sql.ref('first_document'), ranges)
}

/** Returns the beginning of a query for the rows of a level in some shards, with the positions of some of these. */
function rowsOfLevel(
  dialect: Dialect,
  level: number,
  { shards, placed }: { readonly shards: readonly number[]; readonly placed: readonly number[] },
): RawBuilder<unknown> {
  return sql`select level, shard, first_document, documents,
      case when ${dialect.isAmong(sql.ref('shard'), placed)} then positions end
    from search_rows where level = ${sql.lit(level)} and ${dialect.isAmong(sql.ref('shard'), shards)}`
}

/** @returns undefined if the index is another than the given one. */
async function readStored(
  { db }: SearchReading,
  stored: RawBuilder<unknown>,
  index: IndexPart,
): Promise<readonly FoundRow[] | undefined> {
  const { rows } = await sql<StoredRow>`
    select -1 as level, version as shard, generation as first, null as documents, null as positions from search_state
    union all ${stored} order by 1, 2, 3`.execute(db)
  const [state, ...found] = rows
  if (state?.shard !== index.version || state.first !== index.generation) return undefined
  return found.flatMap(({ documents, ...row }) => (documents === null ? [] : [{ ...row, documents }]))
}
