import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'
import { isOfMetrics } from '../monitoring/metrics.workers.ts'
import { EXIT } from './output.ts'
import { startedService } from './service.ts'

/** What a worker says to the process that has started it, once it serves. */
export interface Ready {
  readonly url: string
}

/** Serves as one of several processes, until the one that has started it says so. */
export async function serveAsWorker(config: Config): Promise<number> {
  const told = toldToEnd()
  try {
    const { url, close } = await startedService(config)
    process.send?.({ url } satisfies Ready)
    await told
    await close()
    return EXIT.ok
  } finally {
    // While it is connected, the process stays.
    cluster.worker?.disconnect()
  }
}

/**
 * Waits for word to end, whatever it is. A signal of a terminal or a supervisor may reach all processes, so that it
 * comes twice: the second time it must not end what is in flight.
 */
function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => isOfMetrics(message) || resolve())
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
}
