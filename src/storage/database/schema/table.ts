import type { Generated } from 'kysely'

/** The types of columns. Each engine has its own for each of them (`Dialect.columnTypes`). */
export type ColumnType = 'numbered' | 'id' | 'text' | 'integer' | 'instant' | 'real'

type References = `${string}.${'id' | 'record_id' | 'name'}`

interface ColumnDetails {
  readonly type: ColumnType
  readonly isNullable?: boolean
  readonly isKey?: boolean
  readonly isUnique?: boolean
  readonly default?: string | number
  readonly references?: { readonly to: References; readonly onDelete?: 'cascade' | 'set null' }
  readonly auditedAs?: string
  readonly isSearched?: boolean
}

/** A column of a table. Its values have the type `T` in statements. */
export class Column<T> {
  declare readonly values: T
  readonly details: ColumnDetails

  constructor(details: ColumnDetails) {
    this.details = details
  }

  /** Makes the column the key of its table. */
  key(): Column<T> {
    return new Column({ ...this.details, isKey: true })
  }

  unique(): Column<T> {
    return new Column({ ...this.details, isUnique: true })
  }

  nullable(): Column<T | null> {
    return new Column({ ...this.details, isNullable: true })
  }

  references(to: References, onDelete?: 'cascade' | 'set null'): Column<T> {
    return new Column({ ...this.details, references: { to, ...(onDelete ? { onDelete } : {}) } })
  }

  /** Gives the column a default. Statements of this program name the column nevertheless, so that none forgets it. */
  default(value: T & (string | number)): Column<T> {
    return new Column({ ...this.details, default: value })
  }

  /** The column may be left out of inserts. Without a value it is null. */
  optional(value?: T & (string | number)): Column<Generated<T>> {
    return new Column({ ...this.details, ...(value === undefined ? {} : { default: value }) })
  }

  /** Makes the audit log record the column under this name (`audited.ts`). */
  audited(name: string): Column<T> {
    return new Column({ ...this.details, auditedAs: name })
  }

  /** Makes searches for events cover the text in the column. */
  searched(): Column<T> {
    return new Column({ ...this.details, isSearched: true })
  }
}

/** A boolean as both engines store it. */
export type Flag = 0 | 1

/** The numbered key `id`. A number is never assigned twice. */
export const numbered = () => new Column<Generated<number>>({ type: 'numbered' })
/** The id of a record, a term or a user, or another large number. */
export const id = () => new Column<number>({ type: 'id' })
/** Texts are compared and sorted by their bytes in UTF-8. */
export const text = <T extends string = string>() => new Column<T>({ type: 'text' })
export const integer = <T extends number = number>() => new Column<T>({ type: 'integer' })
export const flag = () => integer<Flag>()
/** Whole seconds since 1970, UTC. */
export const instant = () => new Column<number>({ type: 'instant' })
/** A number with a fraction, in double precision. */
export const real = () => new Column<number>({ type: 'real' })

type Columns = Readonly<Record<string, Column<unknown>>>

interface TableDetails<Name extends string> {
  /** The columns of the key, if there are several. */
  readonly key?: readonly Name[]
  /** Further unique columns, by the end of the name of the constraint. */
  readonly unique?: Readonly<Record<string, readonly Name[]>>
  /** What follows `on TABLE` in the SQL of each index, by the end of its name. */
  readonly indexes?: Readonly<Record<string, string>>
  readonly uniqueIndexes?: Readonly<Record<string, string>>
  /** Indexes that only one of the engines can use. */
  readonly indexesOn?: Readonly<Partial<Record<'sqlite' | 'postgres', Readonly<Record<string, string>>>>>
  /** Keeps the rows in the order of their key, if the engine supports it. */
  readonly isClustered?: boolean
  /** Parts of the table on PostgreSQL, by ranges of its key: the end of their names, and where they begin, in order. */
  readonly parts?: readonly (readonly [end: string, from: number])[]
}

export interface Table<C extends Columns = Columns> extends TableDetails<string> {
  readonly columns: C
}

export function table<C extends Columns>(columns: C, details: TableDetails<keyof C & string> = {}): Table<C> {
  return { columns, ...details }
}

export type ColumnsOf<T extends Table> = {
  [Name in keyof T['columns']]: T['columns'][Name] extends Column<infer V> ? V : never
}

export function keyOf({ columns, key }: Table): readonly string[] {
  return key ?? Object.keys(columns).filter((name) => isKeyColumn(columns[name]))
}

/** Returns the columns of a table whose texts searches for events cover. */
export function searchedColumns({ columns }: Table): readonly string[] {
  return Object.keys(columns).filter((name) => columns[name]?.details.isSearched)
}

export function isKeyColumn(column: Pick<Column<unknown>, 'details'> | undefined): boolean {
  return column?.details.isKey === true || column?.details.type === 'numbered'
}
