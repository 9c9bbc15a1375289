import { flag, id, instant, integer, table, text } from './table.ts'

export const events = table(
  {
    record_id: id().key().references('records.id', 'cascade'),
    /** 'YYYY-MM-DD hh:mm:ss', local date and time in `timezone`. */
    start_local: text().audited('start_date'),
    end_local: text().audited('end_date'),
    timezone: text().audited('timezone'),
    start_utc: instant(),
    end_utc: instant(),
    is_all_day: flag().audited('all_day'),
    show_map: flag().audited('show_map'),
    show_map_link: flag().audited('show_map_link'),
    is_hidden: flag().audited('hide_from_listings'),
    is_sticky: flag().audited('sticky'),
    is_featured: flag().audited('featured'),
    has_tickets: flag(),
    /** What happens to the event: see `event.state.ts`. */
    event_status: text<'scheduled' | 'canceled' | 'postponed' | 'rescheduled' | 'moved_online'>()
      .default('scheduled')
      .audited('event_status'),
    /** Null while the event is scheduled. */
    status_at: instant().nullable(),
    attendance: text<'offline' | 'online' | 'mixed'>().default('offline').audited('attendance'),
    availability: text<'in_stock' | 'limited_availability' | 'sold_out' | 'pre_order' | ''>()
      .default('')
      .audited('availability'),
    capacity: integer().nullable().audited('capacity'),
    /** JSON of a StoredCost. */
    cost: text().audited('cost'),
    /** Null if never set: the event's own page is then shown. '' if it was cleared. */
    website: text().nullable().audited('website'),
    status_reason: text().default('').audited('event_status_reason'),
    /** JSON list of PreviousStart. */
    previous_starts: text().default('[]').audited('previous_start_dates'),
    virtual_url: text().default('').audited('virtual_url'),
    virtual_source: text().default('').audited('virtual_video_source'),
    virtual_access: text<'all' | 'registered'>().default('all').audited('virtual_access'),
    /** JSON list of Offer. */
    offers: text().default('[]').audited('offers'),
    /** JSON object of fields that only the operator sets. */
    custom_fields: text().audited('custom_fields'),
    /** JSON list of ticket offers. */
    tickets: text().audited('tickets'),
  },
  {
    indexes: { start: '(start_local, end_local, record_id)', end: '(end_local, record_id)' },
    indexesOn: {
      sqlite: {
        keys: `(record_id,
          coalesce(octet_length(cost), 0) + coalesce(octet_length(custom_fields), 0) + coalesce(octet_length(website), 0)
          + coalesce(octet_length(status_reason), 0) + coalesce(octet_length(virtual_url), 0)
          + coalesce(octet_length(offers), 0))`,
      },
    },
  },
)

export const event_venues = table(
  {
    event_id: id().references('events.record_id', 'cascade'),
    venue_id: id().references('venues.record_id', 'cascade'),
    position: integer(),
  },
  { key: ['event_id', 'venue_id'], isClustered: true, indexes: { venue: '(venue_id, event_id)' } },
)

export const event_organizers = table(
  {
    event_id: id().references('events.record_id', 'cascade'),
    organizer_id: id().references('organizers.record_id', 'cascade'),
    position: integer(),
  },
  { key: ['event_id', 'organizer_id'], isClustered: true, indexes: { organizer: '(organizer_id, event_id)' } },
)

export const event_terms = table(
  {
    event_id: id().references('events.record_id', 'cascade'),
    term_id: id().references('terms.id', 'cascade'),
  },
  { key: ['event_id', 'term_id'], indexes: { term: '(term_id, event_id)' } },
)
