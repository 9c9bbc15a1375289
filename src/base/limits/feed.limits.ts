/** How much is read, buffered and sent at a time. */
export interface FeedLimits {
  /** Bytes of long texts up to which a feed is built as one response. Ordinary calendars fit. */
  readonly whole: number
  /** Bytes that a feed built as one response may have. A longer one is discarded, and built again in pieces. */
  readonly written: number
  /** Bytes of a chunk of a longer feed. A chunk ends with the event that exceeds this size. */
  readonly piece: number
  /** Events to read and write at a time. Other requests are answered in between, so a batch takes less than 20 ms. */
  readonly batchEvents: number
  /** Bytes of long texts to read and write at a time. One event is always read, regardless of its size. */
  readonly batchOctets: number
}

export const feedLimits: FeedLimits = {
  whole: 4 * 1024 * 1024,
  written: 8 * 1024 * 1024,
  piece: 64 * 1024,
  batchEvents: 200,
  batchOctets: 384 * 1024,
}
