/** What is read, held and handed over at a time. */
export interface FeedLimits {
  /** Octets up to which a feed is made whole: those of ordinary calendars are, and have what whole answers have. */
  readonly whole: number
  /** Octets of a piece of a longer one; it ends with the event that makes it longer. */
  readonly piece: number
  /** Events that are read at a time, and the octets of their long texts; one event is read whatever it says. */
  readonly batchEvents: number
  readonly batchOctets: number
}

export const feedLimits: FeedLimits = {
  whole: 4 * 1024 * 1024,
  piece: 64 * 1024,
  batchEvents: 500,
  batchOctets: 512 * 1024,
}
