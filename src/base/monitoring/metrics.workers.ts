import type { Cluster, Worker } from 'node:cluster'
import type { Metrics, MetricsSnapshot } from './metrics.ts'

// A scrape of a service with several processes reaches one of them. That process asks the primary process, which asks
// each worker and returns their metrics.

type MessageToPrimary =
  | { readonly metrics: 'ask'; readonly id: number }
  | { readonly metrics: 'told'; readonly id: number; readonly snapshot: MetricsSnapshot }
type MessageToWorker =
  | { readonly metrics: 'tell'; readonly id: number }
  | { readonly metrics: 'all'; readonly id: number; readonly all: readonly MetricsSnapshot[] }

/** A worker that does not reply is left out. The metrics of the others are still available. */
const replyTimeoutMs = 2000

/** Returns whether a message between processes is about metrics. */
export function isMetricsMessage(message: unknown): message is MessageToPrimary | MessageToWorker {
  return typeof message === 'object' && message !== null && 'metrics' in message
}

/** Relays requests and replies between the workers. Runs in the primary process. */
export function relayMetrics(cluster: Cluster): void {
  const asked = new Map<number, (snapshot: MetricsSnapshot) => void>()
  let lastId = 0
  const ask = (worker: Worker): Promise<MetricsSnapshot | undefined> => {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<MetricsSnapshot | undefined>()
    const timer = setTimeout(resolve, replyTimeoutMs, undefined)
    asked.set(id, resolve)
    sendToWorker(worker, { metrics: 'tell', id })
    return promise.finally(() => {
      clearTimeout(timer)
      asked.delete(id)
    })
  }
  cluster.on('message', async (asking: Worker, message: unknown) => {
    if (!isMetricsMessage(message)) return
    if (message.metrics === 'told') asked.get(message.id)?.(message.snapshot)
    if (message.metrics !== 'ask') return
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[]
    const told = await Promise.all(workers.map(ask))
    sendToWorker(asking, { metrics: 'all', id: message.id, all: told.filter((snapshot) => snapshot !== undefined) })
  })
}

/** A worker that has ended receives nothing. */
function sendToWorker(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/**
 * Sends the metrics of this worker on request.
 *
 * @returns A function that collects the metrics of all workers.
 */
export function shareMetrics(metrics: Metrics): () => Promise<readonly MetricsSnapshot[]> {
  const waiting = new Map<number, (all: readonly MetricsSnapshot[]) => void>()
  let lastId = 0
  const tell = (message: MessageToPrimary) => process.send?.(message, undefined, undefined, () => {})
  process.on('message', async (message: unknown) => {
    if (!isMetricsMessage(message)) return
    if (message.metrics === 'tell') tell({ metrics: 'told', id: message.id, snapshot: await metrics.snapshot() })
    if (message.metrics === 'all') waiting.get(message.id)?.(message.all)
  })
  return () => {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<readonly MetricsSnapshot[]>()
    // Longer than the timeout of the primary process: if it fires, that process is gone.
    const timer = setTimeout(async () => resolve([await metrics.snapshot()]), 2 * replyTimeoutMs)
    waiting.set(id, resolve)
    tell({ metrics: 'ask', id })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
}
