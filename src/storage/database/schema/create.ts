import type { Dialect } from '../dialect.ts'
import { type Column, isKeyColumn, keyOf, type Table } from './table.ts'

/** Returns the statements that create these tables with their indexes. */
export function createTables(dialect: Dialect, tables: Readonly<Record<string, Table>>): readonly string[] {
  return Object.entries(tables).flatMap(([name, table]) => [
    tableSql(name, table, dialect),
    ...partsSql(name, table, dialect),
    ...indexesSql(name, table, dialect),
  ])
}

function tableSql(name: string, table: Table, dialect: Dialect): string {
  const { columnTypes, endOfTable } = dialect
  const { columns, key, unique = {}, isClustered = false } = table
  const list = (names: readonly string[]) => names.map((column) => `"${column}"`).join(', ')
  const parts = [
    ...Object.entries(columns).map(([column, { details }]) => columnSql(column, details, columnTypes)),
    ...(key ? [`constraint ${name}_key primary key (${list(keyOf(table))})`] : []),
    ...Object.entries(unique).map(([end, names]) => `constraint ${name}_${end} unique (${list(names)})`),
  ]
  const division = hasParts(table, dialect) ? `partition by range (${list(keyOf(table))})` : ''
  return `create table ${name} (${parts.join(', ')}) ${endOfTable(isClustered)} ${division}`
}

function hasParts({ parts }: Table, dialect: Dialect): boolean {
  return parts !== undefined && dialect.name === 'postgres'
}

function partsSql(name: string, table: Table, dialect: Dialect): readonly string[] {
  const { parts = [] } = hasParts(table, dialect) ? table : {}
  return parts.map(([end, from], place) => {
    const [first, next] = [place === 0 ? 'minvalue' : from, parts[place + 1]?.[1] ?? 'maxvalue']
    return `create table ${name}_${end} partition of ${name} for values from (${first}) to (${next})`
  })
}

function columnSql(name: string, details: Column<unknown>['details'], types: Dialect['columnTypes']): string {
  const { type, isNullable = false, isUnique = false, default: value, references } = details
  const parts = [
    `"${name}" ${types[type]}`,
    ...(isNullable ? [] : ['not null']),
    ...(type !== 'numbered' && isKeyColumn({ details }) ? ['primary key'] : []),
    ...(isUnique ? ['unique'] : []),
    ...(value === undefined ? [] : [`default ${typeof value === 'string' ? `'${value}'` : value}`]),
    ...(references ? [referenceSql(references)] : []),
  ]
  return parts.join(' ')
}

function referenceSql({ to, onDelete }: NonNullable<Column<unknown>['details']['references']>): string {
  const [table, column] = to.split('.')
  return `references ${table} (${column})${onDelete ? ` on delete ${onDelete}` : ''}`
}

function indexesSql(name: string, table: Table, dialect: Dialect): readonly string[] {
  const { indexes = {}, uniqueIndexes = {}, indexesOn = {} } = table
  const plain = { ...indexes, ...indexesOn[dialect.name] }
  return [
    ...Object.entries(plain).map(([end, columns]) => `create index ${name}_${end} on ${name} ${columns}`),
    ...Object.entries(uniqueIndexes).map(
      ([end, columns]) => `create unique index ${name}_${end} on ${name} ${columns}`,
    ),
  ]
}
