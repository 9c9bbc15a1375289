import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { clientAddress } from '../limits/client.ts'
import type { CloseReason } from '../limits/connections.ts'
import type { Gauges } from './gauges.ts'
import { type LogStream, openLog } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type QueryTiming, queryTiming } from './query.ts'
import { currentRequestTrace, type Exchange, type RequestTrace, unmatchedRoute } from './request.trace.ts'
import type { Tracing } from './tracing.ts'

/** An acceptable request id from a proxy or a client: a word that is unambiguous in a log. */
const acceptableId = /^[\w.:=+/-]{1,128}$/

/** Unique to this process. */
const processPrefix = randomBytes(9).toString('base64url')
let requests = 0

/** Returns the id of a request in the log: the one that it was sent with, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && acceptableId.test(sent)) return sent
  requests += 1
  return `${processPrefix}-${requests.toString(36)}`
}

/** The log, the metrics and the traces of the service. */
export interface Monitoring {
  readonly log: Logger
  /** Begins the trace of a request. If every request is reported, it is reported when its response ends. */
  beginTrace(request: IncomingMessage, response: ServerResponse): RequestTrace
  /** Reports a failed request that is handled from now on. Used if only failures are reported. */
  reportFailure(exchange: Exchange): void
  /** Answers `/metrics`. Returns false for every other request, and for clients without permission. */
  answerMetrics(request: IncomingMessage, response: ServerResponse): boolean
  /** Called for every statement; undefined if no statements are recorded. */
  readonly onQueryEnd: ((text: string, ms: number) => void) | undefined
  /** Records a statement that another thread has run for the current request; undefined if no statements are recorded. */
  readonly recordQuery: ((timing: QueryTiming) => void) | undefined
  /** Counts a connection that was closed or refused because there is no room. */
  connectionClosed(reason: CloseReason): void
  /** Registers gauges that are read on each scrape. */
  measure(gauges: Gauges): void
  /** Sends the remaining data. */
  close(): Promise<void>
}

export interface MonitoringOptions {
  /** The destination of the log; by default standard output. */
  readonly stream?: LogStream
  /** The source of the standard OpenTelemetry variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** Returns the route of `/health` and `/metrics` requests, which have none in the interface. Others have none yet. */
function initialRoute(url: string): string {
  if (url.startsWith('/health/')) return '/health/{check}'
  return url === '/metrics' ? url : unmatchedRoute
}

/** Frequent requests of little interest, logged at level `debug` only. */
const quietRoutes = /^\/(?:health|assets|uploads|docs|metrics)\b/

/** Opens everything that the settings enable. Disabled parts are not loaded. */
export async function openMonitoring(
  config: Config,
  { stream, environment = process.env }: MonitoringOptions = {},
): Promise<Monitoring> {
  const { log, requests, flush } = await openLog(config, stream)
  const offered = await openMetrics(config)
  const metrics = offered?.metrics
  const tracing = await tracingOf(config, environment, (line) => log.warn(line))
  const isTimed = metrics !== undefined || tracing !== undefined || config.sendsServerTiming

  const end = ({ request, response, trace }: Exchange, bytesBefore: number) => {
    const ms = performance.now() - trace.beganAtMs
    const status = response.statusCode
    metrics?.end(trace, status, ms / 1000)
    if (trace.span) tracing?.end(trace.span, trace, status)
    const level = levelOf(trace, status)
    if (!requests.isLevelEnabled(level)) return
    const line = logLineOf(trace, { status, ms, bytes: request.socket.bytesWritten - bytesBefore })
    if (isTimed && trace.queries > 0) Object.assign(line, { queries: trace.queries, queryMs: rounded(trace.queryMs) })
    if (config.logsClientAddresses) line.address = clientAddress(config, request)
    if (!response.writableFinished) line.aborted = true
    requests[level](line, 'request')
  }
  const reportsEveryRequest = metrics !== undefined || tracing !== undefined || log.isLevelEnabled('info')
  const reportAtEnd = (exchange: Exchange) => {
    const bytesBefore = exchange.request.socket.bytesWritten
    exchange.response.once('close', () => end(exchange, bytesBefore))
  }

  const recordQuery = (timing: QueryTiming) => {
    metrics?.query(timing)
    const requestTrace = currentRequestTrace()
    if (!requestTrace) return
    requestTrace.queries += 1
    requestTrace.queryMs += timing.ms
    if (requestTrace.span) tracing?.query(requestTrace.span, timing)
  }

  return {
    log,
    beginTrace: (request, response) => {
      const { method = 'GET', url = '', headers } = request
      const trace: RequestTrace = {
        id: requestIdOf(request),
        method,
        beganAtMs: performance.now(),
        route: initialRoute(url),
        userId: undefined,
        problem: undefined,
        memory: undefined,
        queries: 0,
        queryMs: 0,
        span: tracing?.begin(method, headers),
      }
      metrics?.begin()
      if (reportsEveryRequest) reportAtEnd({ request, response, trace })
      return trace
    },
    reportFailure: (exchange) => {
      if (!reportsEveryRequest && log.isLevelEnabled('warn')) reportAtEnd(exchange)
    },
    answerMetrics: offered?.answers ?? (() => false),
    onQueryEnd: isTimed ? (text, ms) => recordQuery(queryTiming(text, ms)) : undefined,
    recordQuery: isTimed ? recordQuery : undefined,
    connectionClosed: (reason) => metrics?.connectionClosed(reason),
    measure: (gauges) => metrics?.measure(gauges),
    close: async () => {
      await tracing?.close()
      flush()
    },
  }
}

function logLineOf(
  { id, method, route, userId, memory, problem, span }: RequestTrace,
  { status, ms, bytes }: { readonly status: number; readonly ms: number; readonly bytes: number },
) {
  const line: Record<string, unknown> = { requestId: id, method, route, status, ms: rounded(ms), bytes }
  if (userId !== undefined) line.user = userId
  if (memory !== undefined) line.memory = memory
  if (problem !== undefined) line.problem = problem
  if (span !== undefined) line.trace = span.spanContext().traceId
  return line
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

function levelOf({ route }: RequestTrace, status: number): 'debug' | 'info' | 'warn' {
  if (status === 500) return 'warn'
  return quietRoutes.test(route) ? 'debug' : 'info'
}

async function openMetrics(config: Config) {
  if (config.metricsToken === undefined && config.metricsFrom === undefined) return undefined
  const [{ createMetrics }, { createMetricsEndpoint }] = await Promise.all([
    import('./metrics.ts'),
    import('./metrics.scrape.ts'),
  ])
  const metrics: Metrics = createMetrics(config.database.engine)
  return { metrics, answers: createMetricsEndpoint(config, metrics) }
}

/** Opens tracing if the standard variables enable it. */
async function tracingOf(
  { database }: Config,
  environment: Readonly<Record<string, string | undefined>>,
  complain: (line: string) => void,
): Promise<Tracing | undefined> {
  const { OTEL_SDK_DISABLED = '', OTEL_TRACES_EXPORTER: exporter } = environment
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT
  if (OTEL_SDK_DISABLED.toLowerCase() === 'true') return undefined
  if (exporter ? exporter !== 'otlp' : !endpoint) return undefined
  // Ten packages: loaded only if tracing is enabled.
  const { openTracing } = await import('./tracing.ts')
  return openTracing({ environment, engine: database.engine, complain })
}
