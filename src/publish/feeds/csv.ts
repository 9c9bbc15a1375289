import { guardFormulas } from '../../base/text/formulas.ts'
import { linesOf, withoutControlCharacters } from '../../base/text/lines.ts'
import { localDateTimeAt, utcZone } from '../../base/time/zone.ts'
import { valueFields } from '../../calendar/events/model/event.fields.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import type { CodedCsvColumn } from '../../calendar/events/model/fields.derived.ts'
import { chooseAltText } from '../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { costOf, entryName, termName } from './feed.present.ts'
import { titleText } from './feed.states.ts'
import { type Feed, type FeedWriter, utf8Bytes } from './feed.ts'

type Cell = string | number
type ColumnWriter = (event: LinkedEvent, feed: Feed) => Cell

/** Returns HTML as plain text. A dash before list items would be taken for a formula. */
function tableText(html: string, { addresses }: Feed): string {
  return linesOf(html, '•', `${addresses.site}/`)
}

/** Reserves the position of a column whose cells come from the table of fields. */
const fromTable: ColumnWriter = () => ''

/** The columns in their order. They have the names of the properties in the JSON list. */
const orderedColumns = {
  id: ({ id }) => id,
  title: titleText,
  start_date: ({ start }) => start,
  end_date: ({ end }) => end,
  timezone: ({ zone }) => zone.name,
  all_day: ({ isAllDay }) => (isAllDay ? 1 : 0),
  utc_start_date: ({ startUtc }) => localDateTimeAt(startUtc, utcZone),
  utc_end_date: ({ endUtc }) => localDateTimeAt(endUtc, utcZone),
  status: ({ status }) => status,
  language: ({ language }) => language,
  url: (event, { addresses }) => recordUrl(addresses, event),
  website: fromTable,
  cost: costOf,
  venue: ({ venues }) => joined(venues.map(entryName)),
  address: ({ venues }) => venues[0]?.fields.address ?? '',
  city: ({ venues }) => venues[0]?.fields.city ?? '',
  stateprovince: ({ venues }) => venues[0]?.fields.region ?? '',
  zip: ({ venues }) => venues[0]?.fields.postalCode ?? '',
  country: ({ venues }) => venues[0]?.fields.country ?? '',
  geo_lat: ({ venues }) => venues[0]?.fields.latitude ?? '',
  geo_lng: ({ venues }) => venues[0]?.fields.longitude ?? '',
  organizer: ({ organizers }) => joined(organizers.map(entryName)),
  categories: ({ categories }) => joined(categories.map(termName)),
  tags: ({ tags }) => joined(tags.map(termName)),
  image: ({ image }, { addresses }) => (image ? pictureUrl(addresses, image.file) : ''),
  excerpt: ({ excerptHtml }, feed) => tableText(excerptHtml, feed),
  description: ({ contentHtml }, feed) => tableText(contentHtml, feed),
  // After all older columns, because readers may count columns.
  image_alt: ({ image, language }) => (image && chooseAltText(image, language)?.text) ?? '',
} as const satisfies Readonly<Record<CodedCsvColumn | 'website', ColumnWriter>>

/** Columns of new fields come last, because readers may count columns. */
const columns: Readonly<Record<string, ColumnWriter>> = { ...orderedColumns, ...valueFields.cells }

/** Columns of a table that has dates of series. Other tables do not have them, because most calendars have no series. */
const seriesColumns: Readonly<Record<string, ColumnWriter>> = {
  series_id: ({ id }, { memberships }) => memberships?.get(id)?.seriesId ?? '',
  recurrence_id: ({ id }, { memberships }) => memberships?.get(id)?.recurrenceId ?? '',
}

const allColumns: typeof columns = { ...columns, ...seriesColumns }
const columnsOf = ({ memberships }: Feed) => (memberships ? allColumns : columns)

const [cells, allCells] = [Object.values(columns), Object.values(allColumns)]
const cellsOf = ({ memberships }: Feed) => (memberships ? allCells : cells)

/**
 * Events as a table (RFC 4180) for people with a spreadsheet. It begins with a byte order mark, by which a spreadsheet
 * recognizes UTF-8. Texts that a spreadsheet would take for formulas are escaped.
 */
export const table: FeedWriter = {
  type: 'text/csv; charset=utf-8; header=present',
  begin: (feed) => `\ufeff${rowOf(Object.keys(columnsOf(feed)))}`,
  event: (feed, event) =>
    rowOf(
      cellsOf(feed).map((cellOf) => {
        const cell = cellOf(event, feed)
        return typeof cell === 'string' ? withoutControlCharacters(cell) : cell
      }),
    ),
  end: () => '',
  toBytes: utf8Bytes,
}

/** What makes quotes necessary: the separator, a quote, and every character that some reader takes for a line end. */
const quoted = /[",\r\n\v\f\u0085\u2028\u2029]/

function rowOf(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? writtenCell(guardFormulas(cell)) : cell)).join(',')}\r\n`
}

function writtenCell(text: string): string {
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function joined(names: readonly string[]): string {
  return names.join('; ')
}
