import { spawn, spawnSync } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './postgres.server.ts'

// Poolers give each transaction any connection to the server, as PgBouncer does in transaction mode.

export interface Pooler {
  /** The address of a database through the pooler. */
  through(url: string): string
  close(): Promise<void>
}

const throughPort = (port: number) => (url: string) => Object.assign(new URL(url), { port: String(port) }).href

/** What a client may set at the start, as of PgBouncer. */
const known = new Set(['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone'])

const tag = { simpleQuery: 0x51, sync: 0x53, terminate: 0x58, ready: 0x5a }
const idle = 'I'.charCodeAt(0)

/** Frames bytes as messages of the protocol. The first message of a client has no type. */
function framing(onMessage: (message: Buffer) => void, isStartSent: boolean): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let typeBytes = isStartSent ? 1 : 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      if (rest.length < typeBytes + 4) return
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      typeBytes = 1
      onMessage(message)
    }
  }
}

function message(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

function startMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(parameters).flat()
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`${texts.join('\0')}\0\0`)])
  return Buffer.concat([message('x', body).subarray(1)])
}

/** A connection to the server. */
interface Link {
  readonly socket: Socket
  user: { readonly socket: Socket; open: number } | undefined
}

/**
 * A pooler with two connections to a server that trusts everyone. Each transaction gets another connection than the last transaction had.
 * It refuses unknown settings, and knows nothing of named statements.
 */
export async function startPooler(server: string): Promise<Pooler> {
  const port = Number(new URL(server).port)
  const sockets = new Set<Socket>()
  const pools = new Map<string, { readonly links: readonly Promise<Link>[]; readonly waiting: (() => void)[] }>()

  const openLink = (parameters: Readonly<Record<string, string>>) => {
    const { promise, resolve } = Promise.withResolvers<Link>()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    sockets.add(socket)
    const link: Link = { socket, user: undefined }
    let isStarted = false
    socket.on('error', () => {})
    socket.on(
      'data',
      framing((part) => {
        const isReady = part[0] === tag.ready
        if (!isStarted) {
          isStarted = isReady
          if (isReady) resolve(link)
          return
        }
        const { user } = link
        user?.socket.write(part)
        if (!user || !isReady) return
        user.open -= 1
        if (part[5] !== idle) return
        if (user.open > 0) user.socket.destroy(new Error('A transaction followed before the end of the last one.'))
        link.user = undefined
        free(parameters)
      }, true),
    )
    socket.write(startMessage(parameters))
    return promise
  }
  const poolOf = (parameters: Readonly<Record<string, string>>) => {
    const key = String(parameters.database)
    const pool = pools.get(key) ?? { links: [openLink(parameters), openLink(parameters)], waiting: [] }
    pools.set(key, pool)
    return pool
  }
  const free = (parameters: Readonly<Record<string, string>>) => poolOf(parameters).waiting.shift()?.()
  let turn = 0
  const take = async (parameters: Readonly<Record<string, string>>): Promise<Link> => {
    const pool = poolOf(parameters)
    const links = await Promise.all(pool.links)
    turn += 1
    const link = [links[turn % 2], links[(turn + 1) % 2]].find((one) => one && !one.user)
    if (link) return link
    await new Promise<void>((resolve) => pool.waiting.push(resolve))
    return take(parameters)
  }

  const serve = (socket: Socket) => {
    sockets.add(socket)
    const user = { socket, open: 0 }
    let parameters: Record<string, string> | undefined
    let link: Link | undefined
    let taking: Promise<void> = Promise.resolve()
    const start = (part: Buffer) => {
      const texts = part.subarray(8).toString().split('\0')
      const given: Record<string, string> = {}
      for (let at = 0; texts[at]; at += 2) given[String(texts[at])] = String(texts[at + 1])
      const refused = Object.keys(given).find((name) => !known.has(name))
      if (refused) {
        socket.end(message('E', `SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`))
        return
      }
      parameters = { user: String(given.user), database: String(given.database), client_encoding: 'UTF8' }
      socket.write(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          message('K', Buffer.alloc(8)),
          message('Z', Buffer.from([idle])),
        ]),
      )
    }
    const forward = async (part: Buffer) => {
      if (link?.user !== user) {
        link = await take(parameters ?? {})
        // Another client that waited may have been faster.
        if (link.user) return forward(part)
        link.user = user
      }
      if (part[0] === tag.sync || part[0] === tag.simpleQuery) user.open += 1
      link.socket.write(part)
    }
    socket.on('error', () => {})
    socket.on('close', () => {
      // A transaction that is left open is not continued by others.
      if (link?.user === user) link.socket.destroy()
    })
    socket.on(
      'data',
      framing((part) => {
        if (!parameters) start(part)
        else if (part[0] === tag.terminate) socket.end()
        else taking = taking.then(() => forward(part))
      }, false),
    )
  }

  const listener = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  return {
    through: throughPort((listener.address() as { readonly port: number }).port),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** Starts PgBouncer in transaction mode, as its package sets it up otherwise. Undefined if it is not installed. */
export async function startPgBouncer(server: string): Promise<Pooler | undefined> {
  const { error } = spawnSync('pgbouncer', ['--version'])
  if (error) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-pgbouncer-'))
  const nobody = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, nobody, nobody)
  const port = await freePort()
  const { port: serverPort, username } = new URL(server)
  const [users, settings] = [join(folder, 'users'), join(folder, 'pgbouncer.ini')]
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
`,
  )
  const program = spawn('pgbouncer', [settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  })
  const ended = new Promise((resolve) => program.once('exit', resolve))
  process.once('exit', () => program.kill())
  await new Promise<void>((resolve, reject) => {
    let said = ''
    program.stderr.on('data', (text) => {
      said += text
      if (/process up/.test(said)) resolve()
    })
    program.once('exit', () => reject(new Error(`PgBouncer does not start:\n${said}`)))
  })
  return {
    through: throughPort(port),
    close: async () => {
      program.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
