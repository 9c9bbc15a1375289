import { connect, type Socket } from 'node:net'

/** A connection on which a test says what it likes. */
export interface RawConnection {
  readonly socket: Socket
  /** All that came, once the other side has closed. */
  readonly all: Promise<string>
}

/**
 * Opens a connection to a server and sends it these bytes.
 *
 * @param from Address that it comes from: all of 127.0.0.0/8 are this machine's.
 */
export function sendRaw(url: string, bytes: string | Buffer, from?: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(from === undefined ? {} : { localAddress: from }) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A side that is given up on is told so by a reset; what came before counts.
  socket.on('error', () => {})
  const all = new Promise<string>((resolve) =>
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8'))),
  )
  socket.write(bytes)
  return { socket, all }
}

/** Whether anybody takes connections there. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Status, and body as JSON, of the first answer in these bytes. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
export function answerIn(text: string): { readonly status: number; readonly head: string; readonly body: any } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: body === '' ? undefined : JSON.parse(body) }
}
