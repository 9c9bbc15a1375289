import cluster from 'node:cluster'
import { isMetricsMessage } from '../base/monitoring/metrics.workers.ts'
import type { Service } from '../main.ts'
import { startOrFail, stopService } from './service.ts'
import { configFor, type SettingOptions } from './settings.ts'

/** The message of a worker as soon as it listens, before it may create an administrator. */
export const listening = 'listening'

/** The message of a worker to the primary process once it serves. */
export interface WorkerReady {
  readonly url: string
  /** The administrator that the first worker created on the first start. */
  readonly administrator: Service['administrator']
}

/**
 * Serves as one of several processes, until the primary process ends it.
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
    // The connection keeps the process alive.
    cluster.worker?.disconnect()
  }
}

/**
 * Waits for a message or a signal to end. A signal of a terminal or a supervisor may reach all processes, so that a
 * worker gets two requests to end. The second one must not interrupt requests in progress.
 */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => isMetricsMessage(message) || resolve())
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
    // SIGHUP is meant for the primary process, but a terminal sends it to all.
    process.on('SIGHUP', () => {})
  })
}
