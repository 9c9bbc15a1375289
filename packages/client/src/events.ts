import type {
  CalendarEvent,
  ChangeEventInput,
  CreateEventInput,
  GetEventBySlugQuery,
  GetEventQuery,
  ListEventsQuery,
} from './api.generated.ts'
import { localTimeIn } from './clock.ts'
import { createRecords, type Kind, type Records } from './collection.ts'
import type { CallOptions } from './options.ts'
import type { Send } from './send.ts'

/** A moment, or a text that the service reads as a date. */
export type Moment = Date | string

type Filters = 'start_date' | 'end_date' | 'starts_before' | 'starts_after' | 'ends_before' | 'ends_after'
type Stamps = 'date' | 'date_utc'
type Times = 'start_date' | 'end_date'

/** The parameters of a list of events. Dates select whole days, unless `strict_dates` is set. */
export type EventQuery = Omit<ListEventsQuery, Filters> & { readonly [K in Filters]?: Moment | undefined }

/** An event without its times. A time zone is required if the times are moments. */
export type Untimed<Input> = Omit<Input, Times | Stamps | 'timezone'> & { readonly [K in Stamps]?: Moment | undefined }
export type InLocalTime<Required extends boolean> = { readonly timezone?: string | undefined } & Timed<string, Required>
export type InAZone<Required extends boolean> = { readonly timezone: string } & Timed<Moment, Required>
type Timed<T, Required extends boolean> = Required extends true
  ? { readonly [K in Times]: T }
  : { readonly [K in Times]?: T | undefined }

export type NewEvent = Untimed<CreateEventInput> & (InLocalTime<true> | InAZone<true>)
export type EventTranslation = Untimed<CreateEventInput> & (InLocalTime<false> | InAZone<false>)
export type EventChange = Untimed<ChangeEventInput> & (InLocalTime<false> | InAZone<false>)

export interface EventKind extends Kind {
  readonly item: CalendarEvent
  readonly listQuery: EventQuery
  readonly itemQuery: GetEventQuery
  readonly created: NewEvent
  readonly changed: EventChange
  readonly translated: EventTranslation
}

/** The formats in which other programs subscribe to events. */
export type FeedFormat = 'ics' | 'rss' | 'atom' | 'csv'

export interface Events extends Records<EventKind, GetEventBySlugQuery> {
  /** Returns the address of a list of events for other programs, as a calendar, as news or as a table. */
  feedUrl(format: FeedFormat, query?: EventQuery, options?: Pick<CallOptions, 'language'>): string
}

/** @param urlOf Returns the address of a list below the interface. */
export function createEvents(
  send: Send,
  urlOf: (path: string, query: object, options?: CallOptions) => string,
): Events {
  return {
    ...createRecords<EventKind, GetEventBySlugQuery>({ send, plural: 'events', toWire: eventToWire }),
    feedUrl: (format, query = {}, options) => urlOf(`/events.${format}`, query, options),
  }
}

/**
 * Converts times to the format of the service: local times in the time zone of the event. The service ignores offsets.
 */
export function eventToWire(input: object): object {
  const { timezone, start_date, end_date, ...others } = input as EventChange
  return {
    ...others,
    timezone,
    start_date: inLocalTime(start_date, timezone),
    end_date: inLocalTime(end_date, timezone),
  }
}

function inLocalTime(time: Moment | undefined, zone: string | undefined): string | undefined {
  if (!(time instanceof Date)) return time
  if (zone === undefined) throw new TypeError('A time that is a Date needs a `timezone` beside it.')
  return localTimeIn(time, zone)
}
