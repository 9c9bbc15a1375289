import { sql } from 'kysely'
import type { Language } from '../../../base/languages/language.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { addressEnd } from '../../records/record.translations.repository.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import type { RenderedEvent } from '../model/event.ts'
import type { Attendance, EventStatus } from '../model/state.ts'
import type { IndexListPlan } from './list.plan.ts'
import { matchingIndexEntries } from './list.repository.ts'

/** The values that a link to an event needs. */
export interface Neighbour {
  /** The end of its address. */
  readonly end: string
  readonly titleHtml: string
  readonly language: Language
  readonly start: LocalDateTime
  readonly eventStatus: EventStatus
  readonly attendance: Attendance
}

export interface Neighbours {
  readonly previous: Neighbour | undefined
  readonly next: Neighbour | undefined
}

/**
 * Returns the events immediately before and after an event in the order of lists. Runs two queries. Each stops at the
 * event that it finds.
 *
 * @param plan The events that the viewer may see, without bounds.
 */
export async function findNeighbours(
  context: ReadContext,
  plan: IndexListPlan,
  { start, datedAt, id }: Pick<RenderedEvent, 'start' | 'datedAt' | 'id'>,
): Promise<Neighbours> {
  const entries = matchingIndexEntries(context, plan)
  const find = async (direction: 'asc' | 'desc'): Promise<Neighbour | undefined> => {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<')
    const listing = entries
      .select('listing.event_id')
      // This condition is redundant, but database engines look up a range by one bound of the first column.
      .where('listing.start_local', direction === 'asc' ? '>=' : '<=', start)
      .where(
        sql<boolean>`(listing.start_local, listing.dated_at, listing.event_id) ${beyond} (${start}, ${datedAt}, ${id})`,
      )
      .orderBy('listing.start_local', direction)
      .orderBy('listing.dated_at', direction)
      .orderBy('listing.event_id', direction)
      .limit(1)
    const { rows } = await sql<Neighbour>`
      select ${addressEnd} as "end", records.title_html as "titleHtml", records.language, events.start_local as start,
        events.event_status as "eventStatus", events.attendance
      from (${listing}) found join records on records.id = found.event_id join events on events.record_id = found.event_id
    `.execute(context.db)
    return rows[0]
  }
  return { previous: await find('desc'), next: await find('asc') }
}
