import type {
  CalendarEvent,
  Organizer,
  PutSourceEventInput,
  PutSourceOrganizerInput,
  PutSourceVenueInput,
  SweepSourceInput,
  SweptRecords,
  Venue,
} from './api.generated.ts'
import { eventToWire, type InAZone, type InLocalTime, type Untimed } from './events.ts'
import type { CallOptions, ServiceWriteOptions } from './options.ts'
import type { Send } from './send.ts'

export type SourceEvent = Untimed<PutSourceEventInput> & (InLocalTime<true> | InAZone<true>)

/** What sending a record did. */
export type SentRecord<Item> =
  | {
      readonly outcome: 'created' | 'changed'
      readonly record: Item
      /** The fields that were edited in the calendar, and therefore kept. */
      readonly kept: readonly string[]
    }
  | { readonly outcome: 'unchanged'; readonly record: undefined; readonly kept: readonly string[] }

/** The records of one kind, by the ids of a source. */
export interface SourceRecords<Item, Input> {
  /** Creates the record or changes it. Writes nothing if the same was sent before. */
  put(externalId: string, input: Input, options?: ServiceWriteOptions): Promise<SentRecord<Item>>
  get(externalId: string, options?: CallOptions): Promise<Item>
  /** Moves the record to the trash. */
  delete(externalId: string, options?: ServiceWriteOptions): Promise<Item>
}

/** A system that sends records under ids of its own. */
export interface Source {
  readonly events: SourceRecords<CalendarEvent, SourceEvent>
  readonly venues: SourceRecords<Venue, PutSourceVenueInput>
  readonly organizers: SourceRecords<Organizer, PutSourceOrganizerInput>
  /** Trashes or cancels what the source has not sent since a time. Repeat it while `has_more` is true. */
  sweep(input: SweepSourceInput, options?: Omit<ServiceWriteOptions, 'dryRun' | 'ifMatch'>): Promise<SweptRecords>
}

export function createSource(send: Send, name: string): Source {
  const at = `/sources/${encodeURIComponent(name)}`
  const recordsOf = <Item, Input extends object>(
    plural: string,
    toWire: (input: object) => object = (input) => input,
  ): SourceRecords<Item, Input> => {
    const one = (externalId: string) =>
      ({ namespace: 'service', path: `${at}/${plural}/${encodeURIComponent(externalId)}` }) as const
    return {
      put: async (externalId, input, options) => {
        const call = { ...one(externalId), method: 'PUT', body: toWire(input), hasLanguage: true } as const
        const { status, body, headers } = await send<Item>(call, options)
        const kept = (headers.get('X-Fields-Kept') ?? '').split(', ').filter((field) => field !== '')
        if (status === 204) return { outcome: 'unchanged', record: undefined, kept }
        return { outcome: status === 201 ? 'created' : 'changed', record: body, kept }
      },
      get: async (externalId, options) => (await send<Item>({ ...one(externalId), method: 'GET' }, options)).body,
      delete: async (externalId, options) => (await send<Item>({ ...one(externalId), method: 'DELETE' }, options)).body,
    }
  }
  return {
    events: recordsOf('events', eventToWire),
    venues: recordsOf('venues'),
    organizers: recordsOf('organizers'),
    sweep: async (body, options) =>
      (await send<SweptRecords>({ namespace: 'service', method: 'POST', path: `${at}/sweep`, body }, options)).body,
  }
}
