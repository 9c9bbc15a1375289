import Type, { type TSchema } from 'typebox'
import { dateTime, id, ref, text, url, withDescription } from '../../access/http/schema.ts'
import type { DocumentKey } from '../../base/languages/texts.ts'

/** The members of an event that an operation changes, besides those that it changes. */
export const changedEvent = {
  id: id('id.event'),
  rest_url: url('Event.rest_url'),
  language: text('ChangedEvent.language'),
  title: text('Record.title'),
  start_date: dateTime('start_date.event'),
  timezone: text('timezone'),
}

/** A page of the events that an operation changes. */
export const changedEvents = <S extends TSchema>(event: S) => ({
  events: Type.Array(ref(event), withDescription('CanceledEvents.events')),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 2,
    ...withDescription('CanceledEvents.next_page'),
  }),
})

/** How to undo an operation, or null. */
export const undoSchema = (description: DocumentKey, ofId: DocumentKey = 'id.cancellation') =>
  Type.Unsafe<{ readonly id: number; readonly url: string; readonly until: string } | null>({
    type: ['object', 'null'],
    required: ['id', 'url', 'until'],
    properties: {
      id: id(ofId),
      url: url('CanceledEvents.undo.url'),
      until: Type.String({ ...withDescription('CanceledEvents.undo.until'), format: 'date-time' }),
    },
    ...withDescription(description),
  })
