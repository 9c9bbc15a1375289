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
  requestsInFlight: summed('cal_events_http_requests_in_flight', 'Requests that are being answered.'),
  requestsInLine: summed('cal_events_http_requests_waiting', 'Requests that wait for their turn to be begun.'),
  connections: summed('cal_events_http_connections', 'Connections of clients that are open.'),
  memoryAnswers: summed('cal_events_memory_answers', 'Answers that are kept in memory.'),
  memoryBytes: summed('cal_events_memory_bytes', 'What these answers take, in about.'),
  writesWaiting: summed('cal_events_writes_waiting', 'Writes that wait for their turn, or for the commit they share.'),
  fetchesWaiting: summed('cal_events_fetches_waiting', 'Files that wait to be fetched from outside.'),
  picturesWaiting: summed('cal_events_pictures_waiting', 'Pictures that wait to be made, or are being made.'),
  revision: {
    name: 'cal_events_revision',
    help: 'Number of the last write that is known: it differs after each.',
    aggregator: 'max',
  },
} as const satisfies Readonly<Record<string, GaugeDefinition>>

export type GaugeKey = keyof typeof GAUGES

/** Functions that read the current values. */
export type Gauges = Partial<Readonly<Record<GaugeKey, () => number | Promise<number>>>>
