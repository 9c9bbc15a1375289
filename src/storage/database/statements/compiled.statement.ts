import {
  type CompiledQuery,
  type DialectAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely'
import { type Dialect, postgres, sqlite } from '../dialect.ts'
import type { Db, Tx } from '../tables.ts'
import { runCompiled } from './direct.statements.ts'
import { Placeholder } from './sql.parameters.ts'

/** A query that has been built, but not yet converted to SQL. */
interface BuiltQuery<Row> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>
}

/** The names under which a connection may keep the plans of compiled statements. */
const names = new Map<string, string>()

/** Returns the name under which a connection may prepare a statement. Undefined if it is not compiled. */
export function preparedName(text: string): string | undefined {
  return names.get(text)
}

export function dialectOf(db: Db): Dialect {
  return db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgres
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** A statement that is compiled once for each handle of a database and each shape. */
type CompiledFor<Shape, Row> = (db: Db, shape: Shape) => CompiledQuery<Row>

function compiledOnce<Given extends object, Row, Shape>(
  build: (given: Given, dialect: Dialect, shape: Shape) => BuiltQuery<Row>,
): CompiledFor<Shape, Row> {
  const compiled = new WeakMap<DialectAdapter, Map<Shape, CompiledQuery<Row>>>()
  return (db, shape) => {
    // The connections and transactions of one handle share their adapter.
    const { adapter } = db.getExecutor()
    const shapes = compiled.get(adapter) ?? new Map<Shape, CompiledQuery<Row>>()
    const known = shapes.get(shape)
    if (known) return known
    compiled.set(adapter, shapes)
    const query = build(placeholders as Given, dialectOf(db), shape).compile(db)
    shapes.set(shape, query)
    // The columns of “*” change with the schema, which another process may migrate, but a prepared statement keeps them.
    if (!query.sql.includes('*')) names.set(query.sql, names.get(query.sql) ?? `cal_${names.size}`)
    return query
  }
}

/**
 * Defines a statement that is built and compiled once for each handle of a database. Later runs only fill in its
 * parameters, which saves the 10 to 50 µs of building the query and its SQL.
 *
 * @param build Builds the query. `given` has no values yet: the query may only contain them, each as one parameter.
 *   `shape` is what the SQL depends on besides the dialect: one of few values, compared by identity.
 * @returns a function that runs the statement with these values and returns its rows.
 */
export function compiledStatement<Given extends object, Row = unknown, Shape = void>(
  build: (given: Given, dialect: Dialect, shape: Shape) => BuiltQuery<Row>,
): (db: Db, given: Given, shape: Shape) => Promise<readonly Row[]> {
  const compiledFor = compiledOnce(build)
  return async (db, given, shape) => {
    const query = compiledFor(db, shape)
    const values = given as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.toParameter(values[parameter.name]) : parameter,
    )
    return runCompiled(db, { ...query, parameters })
  }
}

type Values = Readonly<Record<string, unknown>>

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

/** Where the value of a parameter is: in a column of one of the rows. */
class Slot extends Placeholder {
  readonly column: string
  readonly place: number

  constructor(column: string, place: number) {
    super(column)
    this.column = column
    this.place = place
  }
}

function insertOf<Row extends object, R>(
  table: string,
  columns: readonly string[],
  { returning = [], expressions = {} }: InsertOptions<Row, R>,
): InsertRows<Row, R> {
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const end = returning.length > 0 ? sql` returning ${list(returning)}` : sql``
  const compiledFor = compiledOnce<object, R, number>((_given, _dialect, count) => {
    const rowAt = (_: unknown, place: number) => {
      const row = Object.fromEntries(columns.map((column) => [column, new Slot(column, place)])) as Row
      return sql`(${sql.join(columns.map((column) => expressions[column as keyof Row]?.(row) ?? row[column as keyof Row]))})`
    }
    const rows = Array.from({ length: count }, rowAt)
    return sql<R>`insert into ${sql.table(table)} (${list(columns)}) values ${sql.join(rows)}${end}`
  })
  return async (tx, rows) => {
    const added: R[] = []
    let done = 0
    for (const count of rowCounts) {
      for (; rows.length - done >= count; done += count) {
        const query = compiledFor(tx, count)
        const parameters = query.parameters.map((parameter) =>
          parameter instanceof Slot ? (rows[done + parameter.place] as Values)[parameter.column] : parameter,
        )
        added.push(...(await runCompiled<R>(tx, { ...query, parameters })))
      }
    }
    return added
  }
}
