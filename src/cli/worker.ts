import cluster from 'node:cluster'
import { isMetricsMessage } from '../base/monitoring/metrics.workers.ts'
import type { Service } from '../main.ts'
import { startOrFail, stopService } from './service.ts'
import { configFor, type SettingOptions } from './settings.ts'

/** What a worker says as soon as it listens, before it may make an administrator. */
export const listening = 'listening'

/** What a worker says to the process that has started it, once it serves. */
export interface WorkerReady {
  readonly url: string
  /** Of the first one of the first start: the administrator that it has made. */
  readonly administrator: Service['administrator']
}

/**
 * Serves as one of several processes, until the one that has started it says so.
 *
 * @throws ConfigError naming every fault at once: settings may have changed since the others were started.
 */
export async function serveAsWorker(options: SettingOptions): Promise<number> {
  const stop = stopRequested()
  try {
    const config = configFor(options)
    const service = await startOrFail(config, () => process.send?.(listening))
    const { url, administrator } = service
    process.send?.({ url, administrator } satisfies WorkerReady)
    await stop
    return await stopService(config, service)
  } finally {
    // While it is connected, the process stays.
    cluster.worker?.disconnect()
  }
}

/**
 * Waits for word to end, whatever it is. A signal of a terminal or a supervisor may reach all processes, so that it
 * comes twice: the second time it must not end what is in flight.
 */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => isMetricsMessage(message) || resolve())
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
    // Is for the process that has started it, and reaches all of a terminal's.
    process.on('SIGHUP', () => {})
  })
}
