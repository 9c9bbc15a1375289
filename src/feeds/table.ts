import { stringify } from 'csv-stringify/sync'
import type { LinkedEvent } from '../events/event.ts'
import { pictureUrl } from '../media/media.present.ts'
import { recordUrl } from '../records/record.present.ts'
import { decodeEntities, textOf } from '../text/escape.ts'
import { linesOf, printable } from '../text/lines.ts'
import { utcZone, wallAt } from '../time/zone.ts'
import { costOf } from './feed.present.ts'
import type { Feed, WriteFeed } from './feed.ts'

type Cell = string | number

/** The columns in their order, by the names that the same things have in the list. */
const columns = {
  id: ({ id }) => id,
  title: ({ titleHtml }) => textOf(titleHtml),
  start_date: ({ start }) => start,
  end_date: ({ end }) => end,
  timezone: ({ zone }) => zone.name,
  all_day: ({ isAllDay }) => (isAllDay ? 1 : 0),
  utc_start_date: ({ startUtc }) => wallAt(startUtc, utcZone),
  utc_end_date: ({ endUtc }) => wallAt(endUtc, utcZone),
  status: ({ status }) => status,
  language: ({ language }) => language,
  url: (event, { addresses }) => recordUrl(addresses, event),
  website: ({ website = '' }) => website,
  cost: costOf,
  venue: ({ venues }) => joined(venues.map(({ titleHtml }) => textOf(titleHtml))),
  address: ({ venues }) => venues[0]?.fields.address ?? '',
  city: ({ venues }) => venues[0]?.fields.city ?? '',
  stateprovince: ({ venues }) => venues[0]?.fields.stateprovince ?? '',
  zip: ({ venues }) => venues[0]?.fields.zip ?? '',
  country: ({ venues }) => venues[0]?.fields.country ?? '',
  geo_lat: ({ venues }) => venues[0]?.fields.geo_lat ?? '',
  geo_lng: ({ venues }) => venues[0]?.fields.geo_lng ?? '',
  organizer: ({ organizers }) => joined(organizers.map(({ titleHtml }) => textOf(titleHtml))),
  categories: ({ categories }) => joined(categories.map(({ name }) => decodeEntities(name))),
  tags: ({ tags }) => joined(tags.map(({ name }) => decodeEntities(name))),
  image: ({ image }, { addresses }) => (image ? pictureUrl(addresses, image.file) : ''),
  excerpt: ({ excerptHtml }) => linesOf(excerptHtml),
  description: ({ contentHtml }) => linesOf(contentHtml),
} as const satisfies Readonly<Record<string, (event: LinkedEvent, feed: Feed) => Cell>>

/**
 * Events as a table (RFC 4180) for people with a spreadsheet: with the mark by which it knows UTF-8, and without texts
 * that it would take for formulas.
 */
export const writeTable: WriteFeed = (feed) => {
  const rows = feed.events.map((event) =>
    Object.values(columns).map((cellOf) => {
      const cell = cellOf(event, feed)
      return typeof cell === 'string' ? printable(cell) : cell
    }),
  )
  const text = stringify([Object.keys(columns), ...rows], {
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
  return { type: 'text/csv; charset=utf-8; header=present', text }
}

function joined(names: readonly string[]): string {
  return names.join('; ')
}
