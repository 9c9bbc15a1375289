import { connect, type Socket } from 'node:net'

/** A connection on which a test can send any bytes. */
export interface RawConnection {
  readonly socket: Socket
  /** Everything that was received, once the other side has closed. */
  readonly all: Promise<string>
}

/**
 * Opens a connection to a server and sends it these bytes.
 *
 * @param from The source address: all of 127.0.0.0/8 belong to this machine.
 */
export function sendRaw(url: string, bytes: string | Buffer, from?: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(from === undefined ? {} : { localAddress: from }) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset is a normal end here. The bytes before it count.
  socket.on('error', () => {})
  const all = new Promise<string>((resolve) =>
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8'))),
  )
  socket.write(bytes)
  return { socket, all }
}

/** Returns true if a server accepts connections at this address. */
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

/** Returns the status, the header section and the JSON body of the first response in these bytes. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
export function answerIn(text: string): { readonly status: number; readonly head: string; readonly body: any } {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: body === '' ? undefined : JSON.parse(body) }
}
