import { TEXT_LANGUAGES } from '../../base/languages/language.ts'
import { escapeHtml, htmlToText } from '../../base/text/escape.ts'
import { fold } from '../../base/text/fold.ts'
import { referenceHeadings } from '../../publish/feeds/csv.ts'
import { inLanguage } from '../events/desk.field.ts'
import type { Place } from '../events/editor.model.ts'
import {
  type KnownByName,
  nameKey,
  namesMeant,
  placeOf,
  readNamed,
  readVenuesLike,
  venueLabels,
  whichText,
} from '../events/editor.named.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import { namesIn, possibleNames } from '../events/several.names.ts'
import type { DeskForm, OwnCall, WordedCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { isText, placeColumns } from './row.columns.ts'
import { findRowDoubles, type RowDoubles } from './row.doubles.ts'
import { isOwnTable } from './row.headings.ts'
import { cellName, type RowTable } from './row.table.ts'
import { type RowTimes, timesOfRow } from './row.times.ts'
import { attendanceIn, eventStatusIn, type HiddenStatus, hiddenStatusIn, isYes } from './row.words.ts'

/** A name in a row: what exists under it, or nothing yet. */
export interface RowLink extends Place {
  /** The cities of all places with its name, if the row does not say which one it means. */
  readonly cities?: readonly string[]
  /** What a new venue gets. */
  readonly fields?: Readonly<Record<string, string>>
}

type LinkKind = 'venue' | 'organizer' | 'categories' | 'tags'

/** As many categories, tags or organizers as an event has. Names are looked up, so they are bounded. */
const maxInCell = 50

/** A row, read as an event. */
export interface RowEvent {
  readonly row: number
  /** The languages of its texts; only those with a title. */
  readonly languages: readonly string[]
  /** The cells by field, as the interface takes them. */
  readonly values: Readonly<Record<string, string>>
  readonly times: RowTimes
  readonly venue: RowLink | undefined
  readonly organizers: readonly RowLink[]
  readonly categories: readonly RowLink[]
  readonly tags: readonly RowLink[]
  /** The status in which the row stays, even if all are published. */
  readonly hidden: HiddenStatus | undefined
}

/** What was understood of a table. */
export interface ReadTable {
  readonly table: RowTable
  /** The rows that are not left out. */
  readonly events: readonly RowEvent[]
  /** Faults by the name of a cell, of a column, or of another field. */
  readonly faults: Faults
  readonly doubles: RowDoubles
  /** Places that look like new ones, as they are written in the cell of each row. */
  readonly alike: ReadonlyMap<number, string>
}

/** Reads all rows of a table. Names are looked up once. */
export async function readTable(call: OwnCall, table: RowTable): Promise<ReadTable> {
  const isOwn = isOwnTable(table.headings)
  const rows = usedRows(table)
  const all = (name: string) => rows.map(({ values }) => values[name] ?? '')
  const several = (kind: keyof typeof severalIn) =>
    possibleNames(all(kind), separatorOf(table, kind), maxInCell + 1).map(textFrom(isOwn))
  const known = await readNamed(call, {
    venues: all('venue').map(textFrom(isOwn)),
    ...{ organizers: several('organizer'), categories: several('categories'), tags: several('tags') },
  })
  const read = readRows(call, table, known)
  return {
    table,
    ...read,
    doubles: await findRowDoubles(call, read.events),
    alike: await alikePlaces(call, read.events),
  }
}

/** Returns what else a row may mean by a place that does not exist. Another town has another one. */
async function alikePlaces(call: OwnCall, events: readonly RowEvent[]): Promise<ReadTable['alike']> {
  const added = events.flatMap(({ row, venue }) => (venue && !venue.known && !venue.cities ? [{ row, venue }] : []))
  if (added.length === 0) return new Map()
  const near = await readVenuesLike(
    call,
    added.map(({ venue }) => venue.name),
  )
  const distinct = [...new Map(near.map(({ id, name: venue, city }) => [id, { id, venue, city }])).values()]
  const labels = venueLabels(distinct)
  return new Map(
    added.flatMap(({ row, venue: { name, city } }) => {
      const found = near.find(
        (one) =>
          namesMeant(name).includes(one.asked) && (city === '' || nameKey(htmlToText(one.city)) === nameKey(city)),
      )
      return found ? [[row, labels[distinct.findIndex(({ id }) => id === found.id)] ?? ''] as const] : []
    }),
  )
}

const nothingKnown = { venues: new Map(), organizers: new Map(), categories: new Map(), tags: new Map() }

/** Reads all rows of a table, with what exists under their names. */
export function readRows(
  call: WordedCall,
  table: RowTable,
  known: RowToRead['known'] = nothingKnown,
): Pick<ReadTable, 'events' | 'faults'> {
  const rows = usedRows(table)
  const isOwn = isOwnTable(table.headings)
  const places = rows.flatMap(({ values: { venue: name = '', city = '', address = '' } }) =>
    city === '' ? [] : [{ name, city, address }],
  )
  const events = rows.map(({ row, values }) => eventOf(call, { table, isOwn, known, places, row, values }))
  return {
    events,
    faults: { ...columnFaults(call, table), ...Object.assign({}, ...events.map((one) => rowFaults(call, table, one))) },
  }
}

/** Returns the cells of the rows that are not left out, by field. */
function usedRows({ rows, columns, skipped }: RowTable) {
  const used = rows.flatMap((cells, row) => (skipped.has(row) ? [] : [{ row, cells }]))
  const cellsOf = (cells: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(columns.flatMap((name, column) => (name === '' ? [] : [[name, cells[column] ?? '']])))
  return used.map(({ row, cells }) => ({ row, values: cellsOf(cells) }))
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
    organizers: event.organizers.map((one) => old('organizer', one)),
    categories: event.categories.map((one) => old('categories', one)),
    tags: event.tags.map((one) => old('tags', one)),
  }))
  return { ...read, events }
}

function linksOf({ venue, organizers, categories, tags }: RowEvent): readonly (readonly [LinkKind, RowLink])[] {
  const each = (kind: LinkKind, links: readonly RowLink[]) => links.map((link) => [kind, link] as const)
  return [
    ...each('venue', venue ? [venue] : []),
    ...each('organizer', organizers),
    ...each('categories', categories),
    ...each('tags', tags),
  ]
}

/** Columns with several names, and what exists under them. */
const severalIn = { organizer: 'organizers', categories: 'categories', tags: 'tags' } as const

/** Returns what separates names in a table. In those of The Events Calendar, it is a comma also between organizers. */
function separatorOf({ headings }: RowTable, kind: keyof typeof severalIn): 'own' | keyof typeof severalIn {
  if (isOwnTable(headings)) return 'own'
  const isReference = TEXT_LANGUAGES.some((language) => headings.includes(referenceHeadings(language).organizer))
  return kind === 'organizer' && isReference ? 'tags' : kind
}

/** Returns what makes HTML of a cell. What the service gave out is plain text; other calendars export HTML. */
export const textFrom = (isOwn: boolean) => (isOwn ? escapeHtml : (text: string) => text)

interface RowToRead {
  readonly table: RowTable
  readonly isOwn: boolean
  readonly known: Awaited<ReturnType<typeof readNamed>>
  /** The places that the rows of the table name. */
  readonly places: readonly Omit<Place, 'known'>[]
  readonly row: number
  readonly values: Readonly<Record<string, string>>
}

function eventOf(call: WordedCall, { table, isOwn, known, places, row, values: cells }: RowToRead): RowEvent {
  const values = valuesOf(call, cells, textFrom(isOwn))
  const { date = '', start = '', end_date: endDate = '', end = '', venue: name = '', city = '', address = '' } = cells
  const several = (kind: keyof typeof severalIn): readonly RowLink[] => {
    const names: KnownByName = known[severalIn[kind]]
    const rules = { isKnown: (one: string) => names.has(nameKey(one)), most: maxInCell + 1 }
    return namesIn(cells[kind] ?? '', separatorOf(table, kind), rules).map((one) => ({
      ...{ name: one, city: '', known: names.get(nameKey(one))?.[0] },
    }))
  }
  const typed = { date, start, endDate, end, isAllDay: isYes(values.all_day ?? ''), timezone: values.timezone ?? '' }
  const fields = Object.fromEntries(placeColumns.flatMap((one) => (cells[one] ? [[one, cells[one]]] : [])))
  const place = name === '' ? undefined : placeOf(known.venues, { name, city, address }, places)
  const { language } = values
  return {
    ...{ row, values },
    languages: (language ? [language] : distinctLanguages(call)).filter(
      (one) => (values[inLanguage('title', one)] ?? '') !== '',
    ),
    times: timesOfRow(call, typed, { order: table.order, minutes: Number(table.duration) }),
    venue: place && { ...('cities' in place ? { name, city: '', known: undefined, ...place } : place), fields },
    organizers: several('organizer'),
    ...{ categories: several('categories'), tags: several('tags') },
    hidden: hiddenStatusIn(values.status ?? ''),
  }
}

/** Returns cells as the interface takes them. A row that says its language has its texts in that one. */
function valuesOf(
  call: WordedCall,
  cells: Readonly<Record<string, string>>,
  toText: (cell: string) => string,
): Readonly<Record<string, string>> {
  const language = languageOf(call, cells.language ?? '')
  const titles = Object.keys(cells).filter((name) => name.startsWith('title.'))
  const isMoved = language !== '' && titles.length === 1
  const texts = Object.entries(cells).flatMap(([name, cell]): (readonly [string, string])[] => {
    const [column = '', own] = name.split('.')
    if (own === undefined || !isText(column)) return []
    return [[isMoved ? inLanguage(column, language) : name, toText(cell)]]
  })
  return {
    ...cells,
    ...Object.fromEntries(texts),
    language: isMoved ? language : '',
    event_status: eventStatusIn(cells.event_status ?? ''),
    attendance: attendanceIn(cells.attendance ?? ''),
  }
}

/** Returns the language of the site that a cell names by its code or its name; the cell if it is another one. */
function languageOf({ config }: WordedCall, cell: string): string {
  const folded = fold(cell)
  const namesOf = (language: string) => [
    ...[language, language.split('-')[0] ?? ''],
    ...TEXT_LANGUAGES.flatMap((textLanguage) =>
      [language, language.split('-')[0] ?? ''].map((one) => languageName({ textLanguage }, one)),
    ),
  ]
  return config.languages.find((one) => namesOf(one).some((name) => fold(name) === folded)) ?? cell
}

/** Returns the name of the first cell of a row with one of these fields; undefined if the table has none. */
export function cellOf({ columns }: RowTable, row: number, names: readonly string[]): string | undefined {
  const [column] = names.map((name) => columns.indexOf(name)).filter((place) => place >= 0)
  return column === undefined ? undefined : cellName(row, column)
}

function languageFault({ config, say }: WordedCall, { values: { language = '' } }: RowEvent): string | undefined {
  const isKnown = language === '' || config.languages.some((one) => one === language)
  return isKnown ? undefined : say('rows.language', { languages: config.languages.join(', ') })
}

const endCells = ['end', 'end_date', 'start', 'date']

function rowFaults(call: WordedCall, table: RowTable, event: RowEvent): Faults {
  const { row, languages, times, venue } = event
  const titles = distinctLanguages(call).map((language) => inLanguage('title', language))
  const startCells = times.startFaultAt === 'date' ? ['date', 'start'] : ['start', 'date']
  const found: readonly (readonly [string | undefined, string | undefined])[] = [
    [cellOf(table, row, titles), languages.length === 0 ? call.say('fault.required') : undefined],
    [cellOf(table, row, ['language']), languageFault(call, event)],
    [cellOf(table, row, endCells), times.endFault],
    [cellOf(table, row, startCells), times.startFault],
    [cellOf(table, row, ['city', 'venue']), venue?.cities && whichText(call, { cities: venue.cities })],
    ...(['organizers', 'categories', 'tags'] as const).map(
      (name) =>
        [
          cellOf(table, row, [name === 'organizers' ? 'organizer' : name]),
          event[name].length > maxInCell
            ? call.say(name === 'categories' ? 'rows.too-many-categories' : 'rows.too-many-names', { most: maxInCell })
            : undefined,
        ] as const,
    ),
  ]
  return Object.fromEntries(
    found.flatMap(([cell, fault]) => (cell === undefined || fault === undefined ? [] : [[cell, fault]])),
  )
}

/** Returns the faults of the columns: one that is needed is missing, or one is there twice. */
function columnFaults({ say }: WordedCall, { columns }: RowTable): Faults {
  const faults: Record<string, string> = {}
  for (const [column, name] of columns.entries()) {
    if (name !== '' && columns.indexOf(name) !== column) faults[`column.${column}`] = say('rows.column.twice')
  }
  if (!columns.some((name) => name.startsWith('title.'))) faults['column.0'] = say('rows.column.no-title')
  else if (!columns.includes('date') && !columns.includes('start')) faults['column.0'] = say('rows.column.no-date')
  return faults
}
