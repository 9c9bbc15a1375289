import type { Aggregator } from 'prom-client'

interface GaugeDefinition {
  readonly name: string
  readonly help: string
  /** How the values of several processes are combined. */
  readonly aggregator: Aggregator
}

const summed = (name: string, help: string): GaugeDefinition => ({ name, help, aggregator: 'sum' })

/** The gauges read on each scrape, by their name in the program. */
export const GAUGES = {
  requestsInFlight: summed('cal_events_http_requests_in_flight', 'Requests in progress.'),
  requestsInLine: summed('cal_events_http_requests_waiting', 'Requests waiting to start.'),
  connections: summed('cal_events_http_connections', 'Open client connections.'),
  memoryAnswers: summed('cal_events_memory_answers', 'Answers in the response cache.'),
  memoryBytes: summed('cal_events_memory_bytes', 'Approximate size of the response cache.'),
  writesWaiting: summed('cal_events_writes_waiting', 'Writes waiting for their turn, or for the commit they share.'),
  fetchesWaiting: summed('cal_events_fetches_waiting', 'Files waiting to be downloaded.'),
  picturesWaiting: summed('cal_events_pictures_waiting', 'Pictures waiting to be processed, or in progress.'),
  readsWaiting: summed('cal_events_reads_waiting', 'Reads waiting for a reader thread.'),
  readersBusy: summed('cal_events_readers_busy', 'Reader threads that work on an answer.'),
  revision: {
    name: 'cal_events_revision',
    help: 'Revision of the last known write; it changes with every write.',
    aggregator: 'max',
  },
} as const satisfies Readonly<Record<string, GaugeDefinition>>

export type GaugeKey = keyof typeof GAUGES

/** Functions that read the current values. */
export type Gauges = Partial<Readonly<Record<GaugeKey, () => number | Promise<number>>>>
