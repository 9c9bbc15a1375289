import { sql } from 'kysely'
import { batchRows, insertRows, type TableName, type TableRow } from '../../src/storage/database/copies/copy.tables.ts'
import type { Storage } from '../../src/storage/database/storage.ts'

/** The number of copies of an event and its venue: enough that an engine chooses the same plan as for very many. */
const copies = 6000
/** A third of the copies are dates of series. */
const maxSeries = 40
/** As long as a typical text. If all rows fitted on a few pages, reading them all would cost nothing. */
const content = 'text '.repeat(300)

/**
 * Writes many copies of an event, over twenty years, each with its own venue, three terms and one organizer. Many are
 * dates of series, whose ids begin at 30,000. PostgreSQL
 * analyses all rows, because it reads tables of this size completely, so its plans do not depend on chance.
 */
export async function addCopies(
  storage: Storage,
  {
    eventId,
    venueId,
    organizerId,
  }: { readonly eventId: number; readonly venueId: number; readonly organizerId: number },
): Promise<void> {
  const { db, dialect, write } = storage
  const rowOf = async (table: 'records' | 'events' | 'venues', id: number): Promise<TableRow> => {
    const key = table === 'records' ? 'id' : 'record_id'
    const { rows } = await sql<TableRow>`select * from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(db)
    return rows[0] ?? {}
  }
  const [event, times] = [await rowOf('records', eventId), await rowOf('events', eventId)]
  const [venue, address] = [await rowOf('records', venueId), await rowOf('venues', venueId)]
  const numbers = Array.from({ length: copies }, (_, number) => number)
  const [eventOf, venueOf] = [(number: number) => 10_000 + number, (number: number) => 20_000 + number]
  const dayOf = (number: number) => `${2020 + (number % 20)}-0${1 + (number % 9)}-1${number % 8}`
  const seriesOf = (number: number) => 30_000 + (number % maxSeries)
  const ofSeries = numbers.filter((number) => number % 3 === 0)
  const series = [...new Set(ofSeries.map(seriesOf))]
  const copied: readonly (readonly [table: TableName, rows: readonly TableRow[]])[] = [
    ['records', numbers.map((number) => ({ ...event, content, id: eventOf(number), slug: `event-${number}` }))],
    ['records', numbers.map((number) => ({ ...venue, content, id: venueOf(number), slug: `venue-${number}` }))],
    ['records', series.map((id) => ({ ...event, id, kind: 'series', slug: `series-${id}` }))],
    ['events', series.map((id) => ({ ...times, record_id: id }))],
    ['series_state', series.map((id) => ({ series_id: id, made_until: '', is_endless: 0, sequence: 0 }))],
    ['venues', numbers.map((number) => ({ ...address, record_id: venueOf(number) }))],
    [
      'events',
      numbers.map((number) => ({
        ...{ ...times, record_id: eventOf(number) },
        ...{ start_local: `${dayOf(number)} 10:00:00`, end_local: `${dayOf(number)} 12:00:00` },
      })),
    ],
    [
      'occurrences',
      ofSeries.map((number) => ({
        ...{ event_id: eventOf(number), series_id: seriesOf(number), recurrence_id: `${number}` },
        ...{ path: `series/${number}`, own_fields: '[]', is_dropped: 0, language: 'en' },
      })),
    ],
    ['event_terms', numbers.map((number) => ({ event_id: eventOf(number), term_id: 1 + (number % 3) }))],
    ['event_venues', numbers.map((number) => ({ event_id: eventOf(number), venue_id: venueOf(number), position: 0 }))],
    [
      'event_organizers',
      numbers.map((number) => ({ event_id: eventOf(number), organizer_id: organizerId, position: 0 })),
    ],
  ]
  await write(async (tx) => {
    for (const [table, rows] of copied) {
      for (let place = 0; place < rows.length; place += batchRows) {
        await insertRows(tx, table, rows.slice(place, place + batchRows))
      }
    }
  })
  // Reads would be refused at QUERY_TIMEOUT_MS where the machine is busy. A write has more time.
  if (dialect.name === 'postgres') await write((tx) => sql`analyze`.execute(tx))
}
