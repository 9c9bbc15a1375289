/** How much is read, buffered and sent at a time. */
export interface FeedLimits {
  /** Bytes up to which a feed is built as one response. Ordinary calendars fit, and are handled as whole responses. */
  readonly whole: number
  /** Bytes of a chunk of a longer feed. A chunk ends with the event that exceeds this size. */
  readonly piece: number
  /** Events to read at a time, and the bytes of their long texts. One event is always read, regardless of its size. */
  readonly batchEvents: number
  readonly batchOctets: number
}

export const feedLimits: FeedLimits = {
  whole: 4 * 1024 * 1024,
  piece: 64 * 1024,
  batchEvents: 500,
  batchOctets: 512 * 1024,
}
