import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { TEXT_LANGUAGES } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { decodeText } from '../../base/text/decode.ts'
import {
  directoryOf,
  externalIdFrom,
  type ForeignCalendar,
  type ForeignRecord,
} from '../../exchange/calendars/foreign.records.ts'
import { type ReferenceColumn, referenceHeadings } from '../../publish/feeds/csv.ts'
import { inLanguage } from '../events/desk.field.ts'
import { timeParameters } from '../events/editor.dates.ts'
import type { WordedCall } from '../shell/desk.call.ts'
import { readNumbered } from './delimited.ts'
import { statusOf } from './row.batch.ts'
import { plainColumns, textColumns } from './row.columns.ts'
import { isOwnTable } from './row.headings.ts'
import { type RowEvent, readRows, textFrom } from './row.read.ts'
import { type RowTable, tableFrom } from './row.table.ts'
import type { DayOrder } from './row.times.ts'
import { isYes } from './row.words.ts'

// A spreadsheet as a source: its rows are read as at the desk, and written by the ids that they have.

/** What a table does not say itself. */
export interface TableReading {
  readonly language: string
  readonly status: string
  readonly category?: string | undefined
  /** What 03/04/2027 means, if its dates do not tell. */
  readonly order?: DayOrder | undefined
}

const maxTableBytes = 10 * 1024 * 1024
const maxTableRows = 5000

/** Headings of columns that only a source has. */
const ownHeadings = {
  id: /^(?:uid|id|external[ _-]?id|event[ _-]id)$/i,
  rrule: /^(?:rrule|recurrence rule)$/i,
  dates: /^(?:dates|rdate)$/i,
} as const

/**
 * Reads a spreadsheet as CSV.
 *
 * @throws not-a-table, rest_request_too_large
 */
export function readTableOfSource(call: WordedCall, bytes: Uint8Array, reading: TableReading): ForeignCalendar {
  const tooLarge = { text: 'rest_request_too_large.table' } as const
  if (bytes.length > maxTableBytes) fail('rest_request_too_large', tooLarge)
  const rows = readNumbered(decodeText(bytes).replaceAll('\0', ''))
  if (rows.length > maxTableRows + 1) fail('rest_request_too_large', tooLarge)
  const known = tableFrom(
    call,
    rows.map(({ cells }) => cells),
  )
  const table = { ...known, order: known.order ?? reading.order }
  const { events, faults } = readRows(call, table)
  if (faults['column.0'] !== undefined) fail('not-a-table')
  const ofRows = Map.groupBy(Object.entries(faults), ([cell]) => /^cell\.(\d+)\./.exec(cell)?.[1])
  let place = 0
  const directory = directoryOf(() => place)
  const records = events.map((event) => {
    // The first row has the headings.
    place = rows[event.row + 1]?.number ?? 0
    const own = ofRows.get(String(event.row))?.flatMap(([, text]) => text ?? [])
    return {
      ...recordOf({ table, event, reading, named: directory.named }),
      place,
      ...(own && { fault: own.join(' ') }),
    }
  })
  const others = events.filter(({ languages }) => languages.length > 1).length
  const repeated = records.length - new Set(records.map(({ externalId }) => externalId)).size
  return {
    ...{ name: '', found: events.length, directory: directory.records(), dates: [], series: [] },
    events: [...new Map(records.map((one) => [one.externalId, one])).values()],
    notes: [
      ...(repeated > 0 ? [{ key: 'import.table.doubles' as const, values: { count: repeated } }] : []),
      ...(others > 0 ? [{ key: 'import.table.languages' as const, values: { count: others } }] : []),
    ],
  }
}

/** Columns of The Events Calendar that say yes or no. */
const flags = [
  'hide_from_listings',
  'sticky',
  'featured',
  'show_map_link',
  'show_map',
] as const satisfies readonly ReferenceColumn[]

function flagIn({ headings, rows }: RowTable, row: number, name: (typeof flags)[number]) {
  const known = TEXT_LANGUAGES.map((language) => referenceHeadings(language)[name])
  const cell = rows[row]?.[headings.findIndex((heading) => known.includes(heading.trim()))] ?? ''
  return cell === '' ? [] : [[name, isYes(cell)] as const]
}

interface RowToSend {
  readonly table: RowTable
  readonly event: RowEvent
  readonly reading: TableReading
  readonly named: ReturnType<typeof directoryOf>['named']
}

function recordOf({ table, event, reading, named }: RowToSend): Omit<ForeignRecord, 'place'> {
  const { row, values, languages, times, venue, organizers } = event
  const toText = textFrom(isOwnTable(table.headings))
  const language = languages.includes(reading.language) ? reading.language : (languages[0] ?? reading.language)
  const has = (name: string) => table.columns.includes(name)
  const cellOf = (heading: RegExp) =>
    table.rows[row]?.[table.headings.findIndex((one) => heading.test(one.trim()))] ?? ''
  const texts = textColumns.flatMap((name) => {
    const column = inLanguage(name, language)
    return values[column] === undefined ? [] : [[name, values[column]]]
  })
  const plain = plainColumns.flatMap((name) => (has(name) ? [[name, values[name] ?? '']] : []))
  const place = venue && { ...venue.fields, venue: toText(venue.name), ...(venue.city && { city: venue.city }) }
  const names = (links: RowEvent['tags']) => links.map(({ name }) => toText(name))
  const [rrule, dates] = [cellOf(ownHeadings.rrule), cellOf(ownHeadings.dates)]
  const sent: RawParameters = {
    ...Object.fromEntries([...texts, ...plain]),
    ...{ ...timeParameters(times), all_day: times.isAllDay, status: statusOf(event, reading.status) },
    ...Object.fromEntries(flags.flatMap((name) => flagIn(table, row, name))),
    ...(values.timezone && { timezone: values.timezone }),
    ...((rrule !== '' || dates !== '') && { recurrence: { ...(rrule && { rrule }), ...(dates && { dates }) } }),
    ...(place ? { venue: named('venue', JSON.stringify(place), place) } : has('venue') && { venue: [] }),
    ...(has('organizer') && {
      organizer: organizers.map(({ name }) => named('organizer', name, { organizer: toText(name) })),
    }),
    categories: [...names(event.categories), ...(reading.category ? [toText(reading.category)] : [])],
    ...(has('tags') && { tags: names(event.tags) }),
  }
  const id = cellOf(ownHeadings.id)
  // Without an id, an event is that of the same title and times.
  const key = [sent.title, times.start, times.isAllDay ? '' : times.end].join(' ')
  return { kind: 'event', externalId: externalIdFrom(id || key), sent }
}
