import { globalId } from '../../access/http/addresses.ts'
import { type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import { feedText } from '../../base/languages/texts.ts'
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

const yesNo = (is: boolean): Cell => (is ? 'TRUE' : 'FALSE')
const names = (titles: readonly string[]) => titles.join(', ')
const dayIn = (moment: string) => moment.slice(0, 10)
const timeIn = (moment: string, { isAllDay }: LinkedEvent) => (isAllDay ? '' : moment.slice(11))

/**
 * The columns of tables that The Events Calendar imports, in their order. Texts are HTML there. The names are those of
 * the interface; “feeds.json” has the headings.
 */
const referenceColumns = {
  title: ({ titleHtml }) => titleHtml,
  description: ({ contentHtml }) => contentHtml,
  excerpt: ({ excerptHtml }) => excerptHtml,
  start_date: ({ start }) => dayIn(start),
  start_time: (event) => timeIn(event.start, event),
  end_date: ({ end }) => dayIn(end),
  end_time: (event) => timeIn(event.end, event),
  timezone: orderedColumns.timezone,
  all_day: ({ isAllDay }) => yesNo(isAllDay),
  hide_from_listings: ({ isHidden }) => yesNo(isHidden),
  sticky: ({ isSticky }) => yesNo(isSticky),
  featured: ({ isFeatured }) => yesNo(isFeatured),
  venue: ({ venues }) => venues[0]?.titleHtml ?? '',
  organizer: ({ organizers }) => names(organizers.map(({ titleHtml }) => titleHtml)),
  show_map_link: ({ showMapLink }) => yesNo(showMapLink),
  show_map: ({ showMap }) => yesNo(showMap),
  cost: costOf,
  currency_code: (_, { config }) => config.currencyCode,
  currency_symbol: (_, { config }) => config.currencySymbol,
  currency_position: (_, { config }) => config.currencyPosition,
  categories: ({ categories }) => names(categories.map(({ name }) => name)),
  tags: ({ tags }) => names(tags.map(({ name }) => name)),
  website: ({ website }) => website ?? '',
  image: orderedColumns.image,
  comments: () => yesNo(false),
  trackbacks: () => yesNo(false),
} as const satisfies Readonly<Record<string, ColumnWriter>>

export type ReferenceColumn = keyof typeof referenceColumns

/** Our own columns after these, which only this service reads. */
const { status, language, address, city, stateprovince, zip, country, geo_lat, geo_lng } = orderedColumns
const addedColumns: Readonly<Record<string, ColumnWriter>> = {
  ...{ uid: ({ id }, { addresses }) => globalId(addresses, id), status, language },
  ...Object.fromEntries(
    ['event_status', 'event_status_reason', 'attendance'].map((name) => [name, columns[name] ?? fromTable]),
  ),
  ...{ address, city, stateprovince, zip, country, geo_lat, geo_lng },
}

/** Returns the headings of the reference in a language. */
export function referenceHeadings(language: TextLanguage): Readonly<Record<ReferenceColumn, string>> {
  const headings = feedText(language, 'headings').split(', ')
  const all = Object.keys(referenceColumns).map((name, place) => [name, headings[place]])
  return Object.fromEntries(all) as Record<ReferenceColumn, string>
}

const referenceCells: readonly ColumnWriter[] = Object.values({ ...referenceColumns, ...addedColumns })

/**
 * Events as a table (RFC 4180) for people with a spreadsheet. It begins with a byte order mark, by which a spreadsheet
 * recognizes UTF-8. Texts that a spreadsheet would take for formulas are escaped.
 */
export const table: FeedWriter = {
  type: 'text/csv; charset=utf-8; header=present',
  begin: (feed) => `\ufeff${rowOf(Object.keys(columnsOf(feed)))}`,
  event: (feed, event) => eventRow(cellsOf(feed), event, feed),
  end: () => '',
  toBytes: utf8Bytes,
}

/** The same with the columns of The Events Calendar, in the language of the feed. */
export const referenceTable: FeedWriter = {
  ...table,
  begin: ({ language }) =>
    `\ufeff${rowOf([...Object.values(referenceHeadings(textLanguageOf(language))), ...Object.keys(addedColumns)])}`,
  event: (feed, event) => eventRow(referenceCells, event, feed),
}

function eventRow(cells: readonly ColumnWriter[], event: LinkedEvent, feed: Feed): string {
  return rowOf(
    cells.map((cellOf) => {
      const cell = cellOf(event, feed)
      return typeof cell === 'string' ? withoutControlCharacters(cell) : cell
    }),
  )
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
