import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './tables.ts'

/** Marks the place of a value in a statement whose text never changes. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

interface Compiled {
  readonly text: string
  /** The slots and constants of the statement, in the order of its parameters. */
  readonly parameters: readonly unknown[]
}

/** The names under which a connection may keep the plans of compiled statements. */
const names = new Map<string, string>()

/** Returns the name under which a connection may prepare a statement. Undefined if it is not compiled. */
export function preparedName(text: string): string | undefined {
  return names.get(text)
}

type Values = Readonly<Record<string, unknown>>

/**
 * Returns a function that runs a statement of fixed text and returns its rows. The query builder makes the text once
 * for each open database. At every run, it would take longer than many statements themselves. For statements that every
 * request or every write runs.
 *
 * @param build Makes the statement. The values that it gets only mark where those of a run go, so it must not read them.
 */
export function compiledStatement<V extends object, R = unknown>(
  build: (values: V) => RawBuilder<R>,
): (db: Db, values: V) => Promise<readonly R[]> {
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as V
  const compiledFor = new WeakMap<object, Compiled>()
  const compiledOn = (db: Db): Compiled => {
    // Transactions have the adapter of their database.
    const { adapter } = db.getExecutor()
    const known = compiledFor.get(adapter)
    if (known) return known
    const { sql: text, parameters } = build(slots).compile(db)
    const compiled = { text, parameters }
    compiledFor.set(adapter, compiled)
    // The columns of “*” change with the schema, which another process may migrate, but a prepared statement keeps them.
    if (!text.includes('*')) names.set(text, names.get(text) ?? `cal_${names.size}`)
    return compiled
  }
  return async (db, values) => {
    const { text, parameters } = compiledOn(db)
    const sent = parameters.map((one) => (one instanceof Slot ? (values as Values)[one.name] : one))
    const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, sent))
    return rows
  }
}

/** Rows per statement. There are few different numbers, so few statements are prepared. */
const rowCounts = [64, 16, 4, 1] as const

type InsertRows<Row, R> = (tx: Tx, rows: readonly Row[]) => Promise<readonly R[]>

interface InsertOptions<Row, R> {
  /** The columns that are returned of each added row. */
  readonly returning?: readonly (keyof R & string)[]
  /** Columns whose value is an SQL expression of the values of the row. */
  readonly expressions?: { readonly [C in keyof Row]?: (row: Row) => RawBuilder<Row[C]> }
}

/**
 * Returns a function that adds rows to a table with few statements of fixed text. All rows have the same columns. What
 * it returns of them is in the order of the engine.
 */
export function compiledInsert<Row extends object, R = never>(
  table: string,
  options: InsertOptions<Row, R> = {},
): InsertRows<Row, R> {
  let insert: InsertRows<Row, R> | undefined
  return async (tx, rows) => {
    const [first] = rows
    if (!first) return []
    insert ??= insertOf(table, Object.keys(first), options)
    return insert(tx, rows)
  }
}

function insertOf<Row extends object, R>(
  table: string,
  columns: readonly string[],
  { returning = [], expressions = {} }: InsertOptions<Row, R>,
): InsertRows<Row, R> {
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const end = returning.length > 0 ? sql` returning ${list(returning)}` : sql``
  const slotOf = (column: string, place: number) => `${column} ${place}`
  const statements = rowCounts.map((count) => ({
    count,
    run: compiledStatement<Values, R>((values) => {
      const rowAt = (_: unknown, place: number) => {
        const row = Object.fromEntries(columns.map((column) => [column, values[slotOf(column, place)]])) as Row
        return sql`(${sql.join(columns.map((column) => expressions[column as keyof Row]?.(row) ?? row[column as keyof Row]))})`
      }
      const rows = Array.from({ length: count }, rowAt)
      return sql<R>`insert into ${sql.table(table)} (${list(columns)}) values ${sql.join(rows)}${end}`
    }),
  }))
  return async (tx, rows) => {
    const added: R[] = []
    let done = 0
    for (const { count, run } of statements) {
      for (; rows.length - done >= count; done += count) {
        const values: Record<string, unknown> = {}
        for (let place = 0; place < count; place += 1) {
          const row = rows[done + place] as Values
          for (const column of columns) values[slotOf(column, place)] = row[column]
        }
        added.push(...(await run(tx, values)))
      }
    }
    return added
  }
}
