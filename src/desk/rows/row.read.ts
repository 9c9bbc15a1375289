import { inLanguage } from '../events/editor.fields.ts'
import { type KnownByName, nameKey, type Place, placeOf, readNamed, whichText } from '../events/editor.named.ts'
import { distinctLanguages } from '../events/language.names.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { findRowDoubles, type RowDoubles } from './row.doubles.ts'
import { cellName, type RowTable } from './row.table.ts'
import { type RowTimes, timesOfRow } from './row.times.ts'

/** A name in a row: what exists under it, or nothing yet. */
export interface RowLink extends Place {
  /** The cities of all places with its name, if the row does not say which one it means. */
  readonly cities?: readonly string[]
}

type LinkKind = 'venue' | 'organizer' | 'categories'

/** As many categories as an event has. Names are looked up, so they are bounded. */
const mostCategories = 50

/** A row, read as an event. */
export interface RowEvent {
  readonly row: number
  /** The texts by language; only languages with a title. */
  readonly languages: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly times: RowTimes
  readonly venue: RowLink | undefined
  readonly organizer: RowLink | undefined
  readonly categories: readonly RowLink[]
}

/** What was understood of a table. */
export interface ReadTable {
  readonly table: RowTable
  /** The rows that are not left out. */
  readonly events: readonly RowEvent[]
  /** Faults by the name of a cell, of a column, or of another field. */
  readonly faults: Faults
  readonly doubles: RowDoubles
}

/** Reads all rows of a table. Names are looked up once. */
export async function readTable(call: OwnCall, table: RowTable): Promise<ReadTable> {
  const used = table.rows.flatMap((cells, row) => (table.skipped.has(row) ? [] : [{ row, cells }]))
  const valuesOf = (cells: readonly string[]) =>
    Object.fromEntries(table.columns.flatMap((name, column) => (name === '' ? [] : [[name, cells[column] ?? '']])))
  const rows = used.map(({ row, cells }) => ({ row, values: valuesOf(cells) }))
  const all = (name: string) => rows.map(({ values }) => values[name] ?? '')
  const known = await readNamed(call, {
    venues: all('venue'),
    organizers: all('organizer'),
    categories: all('categories').flatMap((cell) => listIn(cell).slice(0, mostCategories)),
  })
  const places = rows.flatMap(({ values: { venue: name = '', city = '' } }) => (city === '' ? [] : [{ name, city }]))
  const events = rows.map(({ row, values }) => eventOf(call, { table, known, places, row, values }))
  return {
    table,
    events,
    doubles: await findRowDoubles(call, events),
    faults: { ...columnFaults(call, table), ...Object.assign({}, ...events.map((one) => rowFaults(call, table, one))) },
  }
}

/** Returns what exists under the names of rows, as the form remembers it. */
export function knownText(events: readonly RowEvent[]): string {
  return [
    ...new Set(events.flatMap(linksOf).flatMap(([kind, { known }]) => (known ? [`${kind}-${known.id}`] : []))),
  ].join(' ')
}

/** Returns the rows as they were read when the form was shown: what did not exist then is new. */
export function asBefore(read: ReadTable, form: DeskForm): ReadTable {
  const before = new Set(form.get('known').split(' '))
  const old = (kind: LinkKind, link: RowLink): RowLink =>
    link.known && before.has(`${kind}-${link.known.id}`) ? link : { ...link, known: undefined }
  const events = read.events.map((event) => ({
    ...event,
    venue: event.venue && old('venue', event.venue),
    organizer: event.organizer && old('organizer', event.organizer),
    categories: event.categories.map((one) => old('categories', one)),
  }))
  return { ...read, events }
}

function linksOf({ venue, organizer, categories }: RowEvent): readonly (readonly [LinkKind, RowLink])[] {
  return [
    ...(venue ? [['venue', venue] as const] : []),
    ...(organizer ? [['organizer', organizer] as const] : []),
    ...categories.map((one) => ['categories', one] as const),
  ]
}

/** Returns the names in a cell with several. */
export function listIn(text: string): readonly string[] {
  return text.split(/[,;|]/).flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

interface RowToRead {
  readonly table: RowTable
  readonly known: Awaited<ReturnType<typeof readNamed>>
  /** The places that the rows of the table name. */
  readonly places: readonly Omit<Place, 'known'>[]
  readonly row: number
  readonly values: Readonly<Record<string, string>>
}

function eventOf(call: OwnCall, { table, known, places, row, values }: RowToRead): RowEvent {
  const { date = '', start = '', end_date: endDate = '', end = '', venue = '', city = '', organizer = '' } = values
  const plain = (names: KnownByName, name: string): RowLink => ({
    name,
    city: '',
    known: names.get(nameKey(name))?.[0],
  })
  const place = venue === '' ? undefined : placeOf(known.venues, { name: venue, city }, places)
  return {
    ...{ row, values },
    languages: distinctLanguages(call).filter((language) => (values[inLanguage('title', language)] ?? '') !== ''),
    times: timesOfRow(call, { date, start, endDate, end }, { order: table.order, minutes: Number(table.duration) }),
    venue: place && 'cities' in place ? { name: venue, city: '', known: undefined, ...place } : place,
    organizer: organizer === '' ? undefined : plain(known.organizers, organizer),
    categories: listIn(values.categories ?? '')
      .slice(0, mostCategories + 1)
      .map((name) => plain(known.categories, name)),
  }
}

/** Returns the name of the first cell of a row with one of these fields; undefined if the table has none. */
export function cellOf({ columns }: RowTable, row: number, names: readonly string[]): string | undefined {
  const [column] = names.map((name) => columns.indexOf(name)).filter((place) => place >= 0)
  return column === undefined ? undefined : cellName(row, column)
}

const endCells = ['end', 'end_date', 'start', 'date']

function rowFaults(call: OwnCall, table: RowTable, { row, languages, times, venue, categories }: RowEvent): Faults {
  const titles = distinctLanguages(call).map((language) => inLanguage('title', language))
  const startCells = times.startFaultAt === 'date' ? ['date', 'start'] : ['start', 'date']
  const found: readonly (readonly [string | undefined, string | undefined])[] = [
    [cellOf(table, row, titles), languages.length === 0 ? call.say('fault.required') : undefined],
    [cellOf(table, row, endCells), times.endFault],
    [cellOf(table, row, startCells), times.startFault],
    [cellOf(table, row, ['city', 'venue']), venue?.cities && whichText(call, { cities: venue.cities })],
    [
      cellOf(table, row, ['categories']),
      categories.length > mostCategories ? call.say('rows.too-many-categories', { most: mostCategories }) : undefined,
    ],
  ]
  return Object.fromEntries(
    found.flatMap(([cell, fault]) => (cell === undefined || fault === undefined ? [] : [[cell, fault]])),
  )
}

/** Returns the faults of the columns: one that is needed is missing, or one is there twice. */
function columnFaults({ say }: OwnCall, { columns }: RowTable): Faults {
  const faults: Record<string, string> = {}
  for (const [column, name] of columns.entries()) {
    if (name !== '' && columns.indexOf(name) !== column) faults[`column.${column}`] = say('rows.column.twice')
  }
  if (!columns.some((name) => name.startsWith('title.'))) faults['column.0'] = say('rows.column.no-title')
  else if (!columns.includes('date') && !columns.includes('start')) faults['column.0'] = say('rows.column.no-date')
  return faults
}
