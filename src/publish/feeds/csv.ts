import { stringify } from 'csv-stringify/sync'
import { decodeEntities, htmlToText } from '../../base/text/escape.ts'
import { linesOf, withoutControlCharacters } from '../../base/text/lines.ts'
import { localDateTimeAt, utcZone } from '../../base/time/zone.ts'
import type { CodedCsvColumn } from '../../calendar/events/event.fields.derived.ts'
import { valueFields } from '../../calendar/events/event.fields.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import { chooseAltText } from '../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../calendar/media/media.present.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { costOf } from './feed.present.ts'
import { type Feed, type FeedWriter, wholeFeedWriter } from './feed.ts'

type Cell = string | number
type ColumnWriter = (event: LinkedEvent, feed: Feed) => Cell

/** Before items of lists: a dash would be taken for a formula. */
const item = '•'

/** Keeps the place of a column whose cells come from the table of fields. */
const fromTable: ColumnWriter = () => ''

/** The columns in their order, by the names that the same things have in the list. */
const orderedColumns = {
  id: ({ id }) => id,
  title: ({ titleHtml }) => htmlToText(titleHtml),
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
  venue: ({ venues }) => joined(venues.map(({ titleHtml }) => htmlToText(titleHtml))),
  address: ({ venues }) => venues[0]?.fields.address ?? '',
  city: ({ venues }) => venues[0]?.fields.city ?? '',
  stateprovince: ({ venues }) => venues[0]?.fields.region ?? '',
  zip: ({ venues }) => venues[0]?.fields.postalCode ?? '',
  country: ({ venues }) => venues[0]?.fields.country ?? '',
  geo_lat: ({ venues }) => venues[0]?.fields.latitude ?? '',
  geo_lng: ({ venues }) => venues[0]?.fields.longitude ?? '',
  organizer: ({ organizers }) => joined(organizers.map(({ titleHtml }) => htmlToText(titleHtml))),
  categories: ({ categories }) => joined(categories.map(({ name }) => decodeEntities(name))),
  tags: ({ tags }) => joined(tags.map(({ name }) => decodeEntities(name))),
  image: ({ image }, { addresses }) => (image ? pictureUrl(addresses, image.file) : ''),
  excerpt: ({ excerptHtml }) => linesOf(excerptHtml, item),
  description: ({ contentHtml }) => linesOf(contentHtml, item),
  // After all that was there before: readers may count columns.
  image_alt: ({ image, language }) => (image && chooseAltText(image, language)?.text) ?? '',
} as const satisfies Readonly<Record<CodedCsvColumn | 'website', ColumnWriter>>

/** Those of new fields come last: readers may count columns. */
const columns: Readonly<Record<string, ColumnWriter>> = { ...orderedColumns, ...valueFields.cells }

/**
 * Events as a table (RFC 4180) for people with a spreadsheet: with the mark by which it knows UTF-8, and without texts
 * that it would take for formulas.
 */
export const table: FeedWriter = {
  type: 'text/csv; charset=utf-8; header=present',
  begin: () => `\ufeff${rowOf(Object.keys(columns))}`,
  event: (feed, event) =>
    rowOf(
      Object.values(columns).map((cellOf) => {
        const cell = cellOf(event, feed)
        return typeof cell === 'string' ? withoutControlCharacters(cell) : cell
      }),
    ),
  end: () => '',
}

export const writeCsv = wholeFeedWriter(table)

/** Whatever some reader takes for the end of a line. The stringifier quotes none but the one that it writes itself. */
const lineEnd = /[\r\n\v\f\u0085\u2028\u2029]/

function rowOf(cells: readonly Cell[]): string {
  const row = cells.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))
  return stringify([row], { quoted_match: lineEnd, record_delimiter: 'windows' })
}

/** What spreadsheets take for a formula (OWASP, CSV Injection): some of them in full-width letters as well. */
const sign = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`

/** At the beginning of a cell, behind blanks and what nobody sees. Tabs and line ends there are guarded by themselves. */
const formula = new RegExp(String.raw`^(?:[\t\r\n]|[\s\p{Z}\p{C}]*${sign})`, 'u')

/**
 * Where a cell begins for a reader that takes `;` or tabs for what separates cells, as Excel does in French: it sees no
 * quotes in the middle of its cells, and ends them at each line end.
 */
const separator = String.raw`[;\t\r\n\v\f\u0085\u2028\u2029]`
const innerFormula = new RegExp(String.raw`(${separator})(?=[[\s\p{Z}\p{C}"]--${separator}]*${sign})`, 'gv')

/** The text as a spreadsheet shows it and does not run it. */
function escapeFormula(text: string): string {
  const guarded = text.replace(innerFormula, "$1'")
  return formula.test(text) ? `'${guarded}` : guarded
}

function joined(names: readonly string[]): string {
  return names.join('; ')
}
