import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

export type TracingEnvironment = Readonly<Record<string, string | undefined>>

/** Returns the sampler that the standard variables name, or `parentbased_always_on` if they name no known one. */
export function createSampler({
  OTEL_TRACES_SAMPLER = '',
  OTEL_TRACES_SAMPLER_ARG = '1',
}: TracingEnvironment): Sampler {
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
export function batchOptions(environment: TracingEnvironment): Omit<BatchSpanProcessorOptions, 'exporter'> {
  const names = {
    scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
    exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
    maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
    maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  } as const
  const given = Object.entries(names).filter(([, name]) => /^[1-9]\d{0,8}$/.test(environment[name] ?? ''))
  return Object.fromEntries(given.map(([option, name]) => [option, Number(environment[name])]))
}
