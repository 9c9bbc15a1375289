import type { Generated } from 'kysely'

/** A request that canceled or postponed many events at once. */
export interface CancellationTable {
  id: Generated<number>
  at: number
  /** Null: the command line or the service itself. */
  user_id: number | null
  event_status: string
  /** When it was last undone. Null: never. */
  undone_at: number | null
}

/** What such a request did to one event. */
export interface CanceledEventTable {
  cancellation_id: number
  event_id: number
  /** JSON of the columns of its state, before the request and after it. */
  before: string
  after: string
  undone_at: number | null
}
