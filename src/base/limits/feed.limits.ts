/** How much is read, buffered and sent at a time. */
export interface FeedLimits {
  /**
   * Bytes of long texts up to which a feed is built as one response, and bytes that it may then have. Ordinary calendars
   * fit, and are handled as whole responses.
   */
  readonly whole: number
  readonly written: number
  /** Bytes of a chunk of a longer feed. A chunk ends with the event that exceeds this size. */
  readonly piece: number
  /**
   * Events to read and write at a time, and the bytes of their long texts. One event is always read, regardless of its
   * size. Other requests are answered in between, so a batch takes less than 20 ms.
   */
  readonly batchEvents: number
  readonly batchOctets: number
}

export const feedLimits: FeedLimits = {
  whole: 4 * 1024 * 1024,
  written: 8 * 1024 * 1024,
  piece: 64 * 1024,
  batchEvents: 200,
  batchOctets: 384 * 1024,
}
