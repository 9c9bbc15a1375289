import { sql } from 'kysely'
import { dialectOf } from '../../../storage/database/statements/compiled.statement.ts'
import { statementBatches } from '../../../storage/database/statements/statement.batches.ts'
import type { Db, EventRow, RecordRow } from '../../../storage/database/tables.ts'
import { type Standing, type StandingFields, standingOf } from '../../sources/standing.ts'
import { valueFields } from '../model/event.fields.ts'

/** An event as it is stored, with the ids that it links to. */
interface StandingRow extends RecordRow, EventRow {
  readonly links: Readonly<Partial<Record<'venue' | 'organizer' | 'category' | 'tag', readonly number[]>>>
}

const grouped = ['event_status', 'event_status_reason', 'attendance']

/** The fields of an event that a source may write. Arguments that depend on each other are one field. */
export const eventStandingFields: StandingFields<StandingRow> = {
  author: { args: ['author'], stored: (row) => row.author_id },
  date: { args: ['date', 'date_utc'], stored: (row) => (row.is_dated === 1 ? row.dated_at : null) },
  title: { args: ['title'], stored: (row) => row.title },
  description: { args: ['description'], stored: (row) => row.content },
  slug: { args: ['slug'], stored: (row) => row.slug },
  excerpt: { args: ['excerpt'], stored: (row) => row.excerpt },
  // A scheduled event becomes published by itself.
  status: { args: ['status'], stored: ({ status }) => (status === 'future' ? 'publish' : status) },
  start_date: {
    args: ['start_date', 'end_date', 'timezone', 'all_day'],
    stored: (row) => [row.start_local, row.end_local, row.timezone, row.is_all_day],
  },
  image: { args: ['image'], stored: (row) => row.image_id },
  cost: { args: ['cost'], stored: (row) => row.cost },
  categories: { args: ['categories'], stored: ({ links }) => links.category },
  tags: { args: ['tags'], stored: ({ links }) => links.tag },
  venue: { args: ['venue'], stored: ({ links }) => links.venue },
  organizer: { args: ['organizer'], stored: ({ links }) => links.organizer },
  event_password: { args: ['event_password'], stored: (row) => row.password },
  event_status: {
    args: ['event_status', 'event_status_reason'],
    stored: (row) => [row.event_status, row.status_reason],
  },
  attendance: { args: ['attendance', 'is_virtual', 'virtual_event_type'], stored: (row) => row.attendance },
  ...Object.fromEntries(
    Object.values(valueFields.fields).flatMap(({ name, column }) =>
      grouped.includes(name) ? [] : [[name, { args: [name], stored: (row: StandingRow) => row[column] }]],
    ),
  ),
}

/** Returns the digests of these events as they are stored, by id. Runs two queries for each hundred. */
export async function listEventStandings(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Standing>> {
  const found = new Map<number, Standing>()
  for (const some of statementBatches(ids)) {
    const among = (column: string) => dialectOf(db).isAmong(sql.ref(column), some)
    const { rows } = await sql<RecordRow & EventRow>`
      select * from records join events on events.record_id = records.id where ${among('records.id')}`.execute(db)
    const links = await sql<{ event_id: number; kind: 'venue' | 'organizer' | 'category' | 'tag'; id: number }>`
      select event_id, 'venue' as kind, venue_id as id, position from event_venues where ${among('event_id')}
      union all select event_id, 'organizer', organizer_id, position from event_organizers where ${among('event_id')}
      union all select event_id, terms.taxonomy, terms.id, 0 from event_terms
        join terms on terms.id = event_terms.term_id where ${among('event_id')}
      order by position, id`.execute(db)
    const linksOf = Map.groupBy(links.rows, ({ event_id }) => event_id)
    for (const row of rows) {
      const own = Map.groupBy(linksOf.get(row.id) ?? [], ({ kind }) => kind)
      const linked = Object.fromEntries([...own].map(([kind, of]) => [kind, of.map(({ id }) => id)]))
      found.set(row.id, standingOf(eventStandingFields, { ...row, links: linked }))
    }
  }
  return found
}
