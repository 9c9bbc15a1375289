import type { ChildProcess } from 'node:child_process'
import type { Cluster } from 'node:cluster'

/** What Node calls a message between the processes of a cluster. */
interface ClusterMessage {
  readonly cmd?: string
  readonly act?: string
  /** The number of a message that needs an answer. */
  readonly seq?: number
  /** The number of the message that this one answers. */
  readonly ack?: number
}

interface Connection {
  close(): void
}

/**
 * Closes the connections that a worker was given but had not accepted when it died, so that their clients see the end and
 * come again.
 *
 * Node keeps such a connection open in the primary process until the worker answers, and a dead worker never does
 * (`handoff` in `lib/internal/cluster/round_robin_handle.js`): the client would wait until its own timeout. Another worker
 * must not get the connection, because the dead one may have read a request from it.
 */
export function closeUnaccepted(cluster: Cluster): void {
  cluster.on('fork', (worker) => follow(worker.process))
}

function follow(worker: ChildProcess): void {
  const unaccepted = new Map<number, Connection>()
  const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
  worker.send = (message: ClusterMessage, ...others: readonly unknown[]) => {
    const [connection] = others
    if (message.act === 'newconn' && message.seq !== undefined) unaccepted.set(message.seq, connection as Connection)
    return send(message, ...others)
  }
  worker.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  worker.once('exit', () => {
    for (const connection of unaccepted.values()) connection.close()
    unaccepted.clear()
  })
}
