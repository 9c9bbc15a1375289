import type { Static } from 'typebox'
import type { EventRowSchema, EventRowsSchema } from '../../calendar/events/event.rows.schema.ts'
import type { EventSourceSchema } from '../../calendar/events/event.source.schema.ts'
import type { MediaSchema } from '../../calendar/media/media.schema.ts'
import type { EventHistorySchema } from '../../operate/audit/audit.schema.ts'

// What the interface answers, as its schemas describe it.

export type EventRow = Static<typeof EventRowSchema>
export type EventRows = Static<typeof EventRowsSchema>
export type EventSource = Static<typeof EventSourceSchema>
export type EventHistory = Static<typeof EventHistorySchema>
export type Media = Static<typeof MediaSchema>

/** A page of a list. */
export type List<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly total: number
  readonly total_pages: number
}
