import type { Zone } from '../../base/time/zone.ts'

export interface SentDate {
  readonly text: string
  /** The zone of a time without an offset. */
  readonly zone: Zone
}

/** A recurrence as it was sent, before its rule and its dates are read. */
export interface SentRecurrence {
  readonly rule: string | undefined
  readonly dates: readonly SentDate[]
  readonly except: readonly SentDate[]
}
