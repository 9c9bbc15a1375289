import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import packageJson from '../../../package.json' with { type: 'json' }
import { type CloseReason, closeReasons } from '../limits/connections.ts'
import { GAUGES, type GaugeKey, type Gauges } from './gauges.ts'
import type { QueryTiming } from './query.ts'
import type { RequestTrace } from './request.trace.ts'

/** The metrics of one process, as sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Counts events in this process. */
export interface Metrics {
  begin(): void
  end(requestTrace: RequestTrace, status: number, seconds: number): void
  query(timing: QueryTiming): void
  connectionClosed(reason: CloseReason): void
  /** Registers gauges that are read on each scrape. */
  measure(gauges: Gauges): void
  snapshot(): Promise<MetricsSnapshot>
}

// From a cached response to a request that is about to time out.
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]

/** Excludes methods that nobody uses: clients may name any of dozens. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics(engine: 'sqlite' | 'postgres'): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'cal_events_info',
    help: 'Always 1; the labels tell which versions run.',
    ...{ labelNames: ['version', 'node', 'engine'] as const, registers, aggregator: 'first' },
  }).set({ version: packageJson.version, node: process.versions.node, engine }, 1)
  new Gauge({ name: 'cal_events_processes', help: 'Server processes.', registers }).set(1)
  const requests = new Counter({
    name: 'cal_events_http_requests_total',
    help: 'Answered requests, by route.',
    ...{ labelNames: ['method', 'route', 'status'] as const, registers },
  })
  const durations = new Histogram({
    name: 'cal_events_http_request_duration_seconds',
    help: 'Duration of requests, from their headers to the last byte of the answer.',
    ...{ labelNames: ['method', 'route'] as const, buckets: requestSeconds, registers },
  })
  const memory = new Counter({
    name: 'cal_events_memory_requests_total',
    help: 'Requests by result of the response cache: found (hit), not found (miss), or not cacheable (none).',
    ...{ labelNames: ['result'] as const, registers },
  })
  const problems = new Counter({
    name: 'cal_events_problems_total',
    help: 'Refused requests, by problem code.',
    ...{ labelNames: ['code'] as const, registers },
  })
  const closed = new Counter({
    name: 'cal_events_http_connections_closed_total',
    help: 'Connections closed or refused because there were too many, by reason.',
    ...{ labelNames: ['reason'] as const, registers },
  })
  // Without an initial 0, the first increase would not be visible.
  for (const reason of closeReasons) closed.inc({ reason }, 0)
  const queries = new Histogram({
    name: 'cal_events_database_query_duration_seconds',
    help: 'Duration of database statements.',
    ...{ labelNames: ['engine', 'operation'] as const, buckets: querySeconds, registers },
  })
  // Counting by labels costs more than a response from the response cache. For this reason it is deferred until a
  // scrape.
  const labelCounters = [
    createLabelCounter(requests, ([method = '', route = '', status = '']) => ({ method, route, status })),
    createLabelCounter(memory, ([result = '']) => ({ result })),
    createLabelCounter(problems, ([code = '']) => ({ code })),
    createLabelCounter(closed, ([reason = '']) => ({ reason })),
  ] as const
  const [countRequest, countMemory, countProblem, countClosed] = labelCounters
  let inFlight = 0
  registerGauge(registry, 'requestsInFlight', () => inFlight)
  return {
    begin: () => {
      inFlight += 1
    },
    end: (requestTrace, status, seconds) => {
      const { route } = requestTrace
      const method = usualMethods.has(requestTrace.method) ? requestTrace.method : 'other'
      inFlight -= 1
      countRequest.add(`${method} ${route} ${status}`)
      countMemory.add(requestTrace.memory ?? 'none')
      if (requestTrace.problem) countProblem.add(requestTrace.problem)
      durations.observe({ method, route }, seconds)
    },
    connectionClosed: countClosed.add,
    query: ({ operation, ms }) => queries.observe({ engine, operation }, ms / 1000),
    measure: (gauges) => {
      for (const [key, read] of Object.entries(gauges)) registerGauge(registry, key as GaugeKey, read)
    },
    snapshot: () => {
      for (const labelCounter of labelCounters) labelCounter.flush()
      return registry.getMetricsAsJSON()
    },
  }
}

/**
 * Counts by a text of label words, and adds the counts to the counter in `flush`.
 *
 * @param labelsOf Returns the labels for the words of such a text.
 */
function createLabelCounter<L extends string>(counter: Counter<L>, labelsOf: (words: string[]) => Record<L, string>) {
  const counts = new Map<string, number>()
  return {
    add: (words: string) => {
      counts.set(words, (counts.get(words) ?? 0) + 1)
    },
    flush: () => {
      for (const [words, count] of counts) counter.inc(labelsOf(words.split(' ')), count)
      counts.clear()
    },
  }
}

function registerGauge(registry: Registry, key: GaugeKey, read: () => number | Promise<number>): void {
  new Gauge({
    ...GAUGES[key],
    registers: [registry],
    async collect() {
      // A gauge that fails, for example because the database is down, must not prevent reading the others.
      const value = await Promise.resolve()
        .then(read)
        .catch(() => Number.NaN)
      this.set(value)
    },
  })
}

/** Returns the metrics of all processes as one text in the Prometheus format. */
export function metricsText(all: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate(all as MetricsSnapshot[]).metrics()
}

export const metricsType: string = Registry.PROMETHEUS_CONTENT_TYPE
