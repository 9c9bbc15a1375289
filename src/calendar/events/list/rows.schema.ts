import Type from 'typebox'
import { count, dateTime, id, oneOf, recordOf, ref, text, url, withDescription } from '../../../access/http/schema.ts'
import { STATUSES } from '../../records/record.ts'
import { EVENT_STATUSES } from '../model/state.ts'
import { COUNTED } from './counts.repository.ts'

const version = {
  id: id('id.event'),
  language: text('EventSource.language'),
  status: oneOf(STATUSES, 'status'),
  title: text('title'),
  author: text('EventRow.author'),
  version: count('EventRow.version'),
}

export const EventRowSchema = Type.Object(
  {
    ...version,
    url: url('EventRow.url'),
    modified: dateTime('EventRow.modified'),
    start_date: dateTime('EventRow.start_date'),
    end_date: dateTime('EventRow.end_date'),
    all_day: Type.Boolean(withDescription('all_day')),
    timezone: text('timezone'),
    venue: Type.Array(
      Type.Object({ id: id('id.venue'), venue: text('venue.name') }),
      withDescription('EventRow.venue'),
    ),
    organizer: Type.Array(
      Type.Object({ id: id('id.organizer'), organizer: text('organizer.name') }),
      withDescription('EventRow.organizer'),
    ),
    categories: Type.Array(
      Type.Object({ id: id('id.category'), name: text('term.name') }),
      withDescription('EventRow.categories'),
    ),
    event_status: oneOf(EVENT_STATUSES, 'event_status'),
    translations: Type.Array(Type.Object(version), withDescription('EventRow.translations')),
    series: Type.Optional(
      Type.Object(
        {
          id: id('id.series'),
          recurrence_id: dateTime('SeriesOfEvent.recurrence_id'),
          texts: recordOf(Type.String(), 'EventRow.series.texts'),
        },
        withDescription('SeriesOfEvent'),
      ),
    ),
  },
  { $id: 'EventRow', ...withDescription('EventRow') },
)

export const EventRowsSchema = Type.Object(
  {
    events: Type.Array(ref(EventRowSchema), withDescription('EventRows.events')),
    total: count('EventRows.total'),
    total_pages: count('EventRows.total_pages'),
    is_partial: Type.Boolean(withDescription('EventRows.is_partial')),
  },
  { $id: 'EventRows', ...withDescription('EventRows') },
)

export const EventCountsSchema = Type.Object(
  Object.fromEntries(COUNTED.map((counted) => [counted, count(`EventCounts.${counted}`)])),
  { $id: 'EventCounts', ...withDescription('EventCounts') },
)
