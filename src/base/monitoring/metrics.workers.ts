import type { Cluster, Worker } from 'node:cluster'
import type { Metrics, Numbers } from './metrics.ts'

// Whoever asks a service of several processes reaches one of them. It asks the process that has started them all, which
// asks each and hands over what they tell.

type ToStarter =
  | { readonly metrics: 'ask'; readonly id: number }
  | { readonly metrics: 'told'; readonly id: number; readonly numbers: Numbers }
type ToWorker =
  | { readonly metrics: 'tell'; readonly id: number }
  | { readonly metrics: 'all'; readonly id: number; readonly all: readonly Numbers[] }

/** A worker that hangs is left out: the others can be seen all the same. */
const patienceMs = 2000

/** Whether one process tells another about numbers, and nothing else. */
export function isOfMetrics(message: unknown): message is ToStarter | ToWorker {
  return typeof message === 'object' && message !== null && 'metrics' in message
}

/** In the process that has started the workers: hands on what they ask and tell. */
export function relayMetrics(cluster: Cluster): void {
  const asked = new Map<number, (numbers: Numbers) => void>()
  let lastId = 0
  const ask = (worker: Worker): Promise<Numbers | undefined> => {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<Numbers | undefined>()
    const timer = setTimeout(resolve, patienceMs, undefined)
    asked.set(id, resolve)
    tellWorker(worker, { metrics: 'tell', id })
    return promise.finally(() => {
      clearTimeout(timer)
      asked.delete(id)
    })
  }
  cluster.on('message', async (asking: Worker, message: unknown) => {
    if (!isOfMetrics(message)) return
    if (message.metrics === 'told') asked.get(message.id)?.(message.numbers)
    if (message.metrics !== 'ask') return
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[]
    const told = await Promise.all(workers.map(ask))
    tellWorker(asking, { metrics: 'all', id: message.id, all: told.filter((numbers) => numbers !== undefined) })
  })
}

/** One that ends meanwhile hears nothing any more. */
function tellWorker(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/**
 * In a worker: tells its numbers when they are asked for.
 *
 * @returns What gathers those of all workers.
 */
export function shareMetrics(metrics: Metrics): () => Promise<readonly Numbers[]> {
  const waiting = new Map<number, (all: readonly Numbers[]) => void>()
  let lastId = 0
  const tell = (message: ToStarter) => process.send?.(message, undefined, undefined, () => {})
  process.on('message', async (message: unknown) => {
    if (!isOfMetrics(message)) return
    if (message.metrics === 'tell') tell({ metrics: 'told', id: message.id, numbers: await metrics.numbers() })
    if (message.metrics === 'all') waiting.get(message.id)?.(message.all)
  })
  return () => {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<readonly Numbers[]>()
    // Longer than the other process waits; by then it is gone.
    const timer = setTimeout(async () => resolve([await metrics.numbers()]), 2 * patienceMs)
    waiting.set(id, resolve)
    tell({ metrics: 'ask', id })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
}
