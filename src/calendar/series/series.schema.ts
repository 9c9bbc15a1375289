import Type from 'typebox'
import { dateTime, id, orNull, recordOf, ref, text, url, withDescription } from '../../access/http/schema.ts'

const times = {
  start_date: dateTime('start_date.event'),
  end_date: dateTime('end_date.event'),
  timezone: text('timezone'),
  all_day: Type.Boolean(withDescription('all_day')),
}

const rule = {
  rrule: text('SeriesOfEvent.rrule'),
  dates: Type.Array(Type.String(), withDescription('Series.dates')),
  except: Type.Array(Type.String(), withDescription('Series.except')),
  text: text('SeriesOfEvent.text'),
}

/** What a write did, or would do, to the dates of a series. */
export const SeriesChangesSchema = Type.Object(
  {
    added: Type.Integer(withDescription('SeriesChanges.added')),
    dropped: Type.Integer(withDescription('SeriesChanges.dropped')),
    changed: Type.Integer(withDescription('SeriesChanges.changed')),
    added_dates: Type.Array(Type.String(), withDescription('SeriesChanges.added_dates')),
    dropped_dates: Type.Array(
      Type.Object({ event_id: id('id.event'), recurrence_id: dateTime('SeriesOfEvent.recurrence_id') }),
      withDescription('SeriesChanges.dropped_dates'),
    ),
  },
  { $id: 'SeriesChanges', ...withDescription('SeriesChanges') },
)

/** A series: its texts, its times and its rules. */
export const SeriesSchema = Type.Object(
  {
    id: id('id.series'),
    translations: recordOf(Type.Integer(), 'Series.translations'),
    language: text('Series.language'),
    status: text('status'),
    title: text('Record.title'),
    description: text('Record.description'),
    excerpt: text('Record.excerpt'),
    slug: text('Record.slug'),
    url: url('SeriesOfEvent.url'),
    all_url: url('SeriesOfEvent.all_url'),
    rest_url: url('SeriesOfEvent.rest_url'),
    ...times,
    start_date: orNull(dateTime('Series.start_date')),
    end_date: orNull(dateTime('Series.end_date')),
    ...rule,
    segments: Type.Array(
      Type.Object({ from: text('Series.from'), ...times, ...rule }),
      withDescription('Series.segments'),
    ),
    dates_until: orNull(text('SeriesOfEvent.dates_until')),
    sequence: Type.Integer(withDescription('Series.sequence')),
    event_id: Type.Optional(id('Series.event_id')),
    changes: Type.Optional(ref(SeriesChangesSchema)),
  },
  { $id: 'Series', ...withDescription('Series') },
)

export const SeriesDatesSchema = Type.Object(
  {
    dates: Type.Array(
      Type.Object({
        event_id: id('id.event'),
        recurrence_id: dateTime('SeriesOfEvent.recurrence_id'),
        language: text('Series.language'),
        ...times,
        status: text('status'),
        event_status: text('event_status'),
        is_dropped: Type.Boolean(withDescription('SeriesDates.is_dropped')),
        own_fields: Type.Array(Type.String(), withDescription('SeriesOfEvent.own_fields')),
        rest_url: url('Event.rest_url'),
      }),
      withDescription('SeriesDates.dates'),
    ),
    next_cursor: orNull(text('SeriesDates.next_cursor')),
  },
  { $id: 'SeriesDates', ...withDescription('SeriesDates') },
)

/** The dates that a rule gives. */
export const SeriesPreviewSchema = Type.Object(
  {
    rrule: text('SeriesOfEvent.rrule'),
    text: text('SeriesOfEvent.text'),
    count: Type.Integer(withDescription('SeriesPreview.count')),
    is_endless: Type.Boolean(withDescription('SeriesPreview.is_endless')),
    dates: Type.Array(
      Type.Object({
        start_date: dateTime('start_date.event'),
        end_date: dateTime('end_date.event'),
        utc_start_date: dateTime('Event.utc_start_date'),
        utc_end_date: dateTime('Event.utc_end_date'),
      }),
      withDescription('SeriesPreview.dates'),
    ),
    warnings: Type.Array(
      Type.Object({ start_date: dateTime('start_date.event'), code: text('SeriesPreview.warning') }),
      withDescription('SeriesPreview.warnings'),
    ),
  },
  { $id: 'SeriesPreview', ...withDescription('SeriesPreview') },
)
