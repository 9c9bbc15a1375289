import type { IncomingHttpHeaders } from 'node:http'
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import packageJson from '../../../package.json' with { type: 'json' }
import type { QueryTiming } from './query.ts'
import type { RequestTrace } from './request.trace.ts'

/** Request traces sent to a collector. */
export interface Tracing {
  /** Begins the span of a request, in the trace named by its headers. */
  begin(method: string, headers: IncomingHttpHeaders): Span
  end(span: Span, requestTrace: RequestTrace, status: number): void
  /** Records a statement of this request that has just ended. */
  query(span: Span, timing: QueryTiming): void
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>
}

const shutdownTimeoutMs = 3000
const propagator = new W3CTraceContextPropagator()
const headerGetter = {
  get: (headers: unknown, name: string) => (headers as IncomingHttpHeaders)[name],
  keys: (headers: unknown) => Object.keys(headers as IncomingHttpHeaders),
}

interface TracingOptions {
  readonly environment: TracingEnvironment
  readonly engine: 'sqlite' | 'postgres'
  /** Called once when the collector stops accepting spans, and again after each recovery. */
  readonly complain: (line: string) => void
}

/** Opens tracing according to the standard variables. The exporter reads its own variables itself. */
export function openTracing({ environment, engine, complain }: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'cal-events', 'service.version': packageJson.version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(environment),
    spanProcessors: [
      new BatchSpanProcessor({
        ...batchOptions(environment),
        exporter: reportingExporter(new OTLPTraceExporter(), complain),
      }),
    ],
  })
  const tracer = provider.getTracer('cal-events', packageJson.version)
  return {
    begin: (method, headers) => {
      const parent: Context = propagator.extract(ROOT_CONTEXT, headers, headerGetter)
      const attributes = { 'http.request.method': method }
      return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    },
    end: (span, { id, method, route, userId, problem, memory }, status) => {
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        'cal_events.request_id': id,
        ...(userId === undefined ? {} : { 'user.id': String(userId) }),
        ...(problem === undefined ? {} : { 'error.type': problem }),
        ...(memory === undefined ? {} : { 'cal_events.memory': memory }),
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    query: (parent, { operation, table, ms, endedAt }) => {
      if (!parent.isRecording()) return
      const endTime = endedAt ?? Date.now()
      const attributes = {
        'db.system.name': engine === 'postgres' ? 'postgresql' : engine,
        'db.operation.name': operation,
        ...(table === undefined ? {} : { 'db.collection.name': table }),
      }
      const name = table === undefined ? operation : `${operation} ${table}`
      const options = { kind: SpanKind.CLIENT, startTime: endTime - ms, attributes }
      tracer.startSpan(name, options, trace.setSpan(context.active(), parent)).end(endTime)
    },
    close: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, shutdownTimeoutMs)
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

/** Wraps the exporter and reports failures to send. */
function reportingExporter(exporter: SpanExporter, complain: (line: string) => void): SpanExporter {
  let isFailing = false
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0
        if (hasFailed && !isFailing) complain('Traces cannot be sent to the collector; they are lost meanwhile.')
        isFailing = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

type TracingEnvironment = Readonly<Record<string, string | undefined>>

/** Returns the sampler that the standard variables name, or `parentbased_always_on` if they name no known one. */
function createSampler({ OTEL_TRACES_SAMPLER = '', OTEL_TRACES_SAMPLER_ARG = '1' }: TracingEnvironment): Sampler {
  const root = rootSampler(OTEL_TRACES_SAMPLER.replace(/^parentbased_/, ''), Number(OTEL_TRACES_SAMPLER_ARG))
  const isAlone = ['always_on', 'always_off', 'traceidratio'].includes(OTEL_TRACES_SAMPLER)
  return isAlone ? root : new ParentBasedSampler({ root })
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  const isRatio = name === 'traceidratio' && ratio >= 0 && ratio <= 1
  return isRatio ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

/** Returns the settings of span batches from the standard variables. */
function batchOptions(environment: TracingEnvironment): Omit<BatchSpanProcessorOptions, 'exporter'> {
  const names = {
    scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
    exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
    maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
    maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  } as const
  const given = Object.entries(names).filter(([, name]) => /^[1-9]\d{0,8}$/.test(environment[name] ?? ''))
  return Object.fromEntries(given.map(([option, name]) => [option, Number(environment[name])]))
}
