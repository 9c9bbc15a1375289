import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** A way to a PostgreSQL server that can fail as networks do. */
export interface Relay {
  /** The address of a database by this way. */
  through(url: string): string
  /** The next connection that commits breaks when the server has done so, before the client hears of it. */
  loseCommit(): void
  /** From now on, nothing arrives on either side, without an error: as after a loss of power. */
  freeze(): void
}

/** Starts a relay to a server, which ends after a file of tests. */
export async function startRelay(server: string): Promise<Relay> {
  const port = Number(new URL(server).port)
  const sockets = new Set<Socket>()
  let isLosing = false
  let isFrozen = false
  const listener = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true })
    const end = () => {
      for (const socket of [client, upstream]) socket.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', end)
    }
    let isLost = false
    client.on('data', (bytes) => {
      isLost ||= isLosing && bytes.includes('commit\0')
      if (!isFrozen) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isLost && bytes.includes('COMMIT\0')) {
        isLosing = false
        end()
      } else if (!isFrozen) client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  const own = String((listener.address() as { readonly port: number }).port)
  return {
    through: (url) => Object.assign(new URL(url), { port: own }).href,
    loseCommit: () => {
      isLosing = true
    },
    freeze: () => {
      isFrozen = true
    },
  }
}
