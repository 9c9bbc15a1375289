import { withoutFormulaGuards } from '../../base/text/formulas.ts'
import type { DeskForm, OwnCall, WordedCall } from '../shell/desk.call.ts'
import type { Cells } from './delimited.ts'
import { columnNames } from './row.columns.ts'
import { recognizeColumns } from './row.headings.ts'
import { type DayOrder, dayOrders, orderOf } from './row.times.ts'

/** As many rows as one batch can take in two languages. */
export const maxRows = 100
/** The calendars of others have up to 30, and the service itself 33. */
export const maxColumns = 40
/** How long an event lasts if its row does not say so, in minutes. */
export const durations = ['30', '60', '90', '120', '180'] as const

/** A table under way: its columns, what they mean, and its rows. */
export interface RowTable {
  /** The heading of each column in the spreadsheet; '' if it has none. */
  readonly headings: readonly string[]
  /** The field of each column; '' if it is ignored. */
  readonly columns: readonly string[]
  readonly rows: Cells
  /** Rows that are left out. */
  readonly skipped: ReadonlySet<number>
  /** What 03/04/2027 means; undefined if nothing tells. */
  readonly order: DayOrder | undefined
  readonly duration: string
}

/** Returns the table of a text. Its first row is one of headings if it has any that is known. */
export function tableFrom(call: WordedCall, cells: Cells): RowTable {
  const [first = []] = cells
  const width = Math.min(maxColumns, Math.max(0, ...cells.map((row) => row.length)))
  const wide = (row: readonly string[]) => Array.from({ length: width }, (_, place) => row[place] ?? '')
  const columns = recognizeColumns(call, wide(first))
  const hasHeadings = columns.some((name) => name !== '')
  const isGuarded = first.includes('geo_lat')
  const rows = (hasHeadings ? cells.slice(1) : cells)
    .map(wide)
    .map((row) => (isGuarded ? row.map(withoutFormulaGuards) : row))
  return withOrder({
    headings: hasHeadings ? wide(first) : wide([]),
    ...{ columns, rows, skipped: new Set(), order: undefined, duration: '60' },
  })
}

/** Returns the table of a form in which it was shown. */
export function tableIn(call: OwnCall, form: DeskForm): RowTable {
  const count = (name: string, most: number) => Math.min(most, Number(/^\d{1,3}$/.exec(form.get(name))?.[0] ?? 0))
  const [height, width] = [count('rows', maxRows), count('columns', maxColumns)]
  const places = Array.from({ length: width }, (_, column) => column)
  const allowed = new Set(columnNames(call))
  const columns = places.map((column) => form.get(`column.${column}`))
  const values = new Map(form.pairs)
  const rows = Array.from({ length: height }, (_, row) =>
    places.map((column) => (values.get(cellName(row, column)) ?? '').trim()),
  )
  const used = new Set(form.all('use'))
  return withOrder({
    headings: places.map((column) => form.get(`heading.${column}`)),
    columns: columns.map((name) => (allowed.has(name) ? name : '')),
    rows,
    skipped: new Set(rows.flatMap((_, row) => (used.has(String(row)) ? [] : [row]))),
    order: dayOrders.find((one) => one === form.get('order')),
    duration: durations.find((one) => one === form.get('duration')) ?? '60',
  })
}

/** The dates of a table often tell themselves in which order their numbers are. */
function withOrder(table: RowTable): RowTable {
  const dates = table.rows.flatMap((row) => row.filter((_, column) => isDate(table.columns[column])))
  return { ...table, order: orderOf(dates) ?? table.order }
}

function isDate(name: string | undefined): boolean {
  return name === 'date' || name === 'start' || name === 'end_date' || name === 'end'
}

/** Returns the name of a cell in the form. */
export function cellName(row: number, column: number): string {
  return `cell.${row}.${column}`
}
