import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { adminPassword } from './traffic.ts'

/** PostgreSQL and PgBouncer do not run as root. The ids of `nobody` are the same on every system. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const program = fileURLToPath(new URL('../../bin/cal-events.mjs', import.meta.url))
const numbers = [0, 1, 2] as const

const FAULTS = ['kill', 'pause', 'cut'] as const
export type Fault = (typeof FAULTS)[number]

/** A part of the cluster that can fail. */
interface Part {
  readonly name: string
  /** Makes it fail. Returns the function that repairs it. */
  readonly fail: (fault: Fault) => () => void
}

/** Chooses one at random. */
export type Any = <T>(list: readonly T[]) => T

export interface Cluster {
  /** Where clients send requests. */
  readonly origin: string
  /** Returns the address of the database on the primary, for checks. */
  readonly database: () => Promise<string>
  readonly choose: (kind: PartKind) => Promise<Part>
  /** Waits until every part does its work. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The parts that fail, and their faults. The process of HAProxy is the only one that the cluster cannot lose. */
export const KINDS = {
  primary: FAULTS,
  standby: FAULTS,
  etcd: ['kill', 'pause'],
  pooler: ['kill', 'pause'],
  node: ['kill', 'pause'],
} as const satisfies Readonly<Record<string, readonly Fault[]>>
export type PartKind = keyof typeof KINDS

/** A connection between parts, which can be cut: then nothing arrives, and nothing is refused. */
interface Relay {
  readonly server: Server
  readonly sockets: Set<Socket>
  setCut(isCut: boolean): void
}

function relay(from: number, to: number): Relay {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    const upstream = connect({ port: to, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => other.write(bytes))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (isCut) one.pause()
      else one.resume()
    }
  }).listen(from, '127.0.0.1')
  return {
    ...{ server, sockets },
    setCut: (cut) => {
      isCut = cut
      for (const socket of sockets) cut ? socket.pause() : socket.resume()
    },
  }
}

/** Starts three servers with Patroni, three members of etcd, two PgBouncers, four nodes, and HAProxy. */
export async function startCluster(
  folder: string,
  { port: base, bin, any }: { readonly port: number; readonly bin: string; readonly any: Any },
): Promise<Cluster> {
  const relays: Relay[] = []
  const children = new Map<string, ChildProcess>()
  const port = {
    etcd: (n: number) => base + n,
    peer: (n: number) => base + 10 + n,
    rest: (n: number) => base + 20 + n,
    postgres: (n: number) => base + 30 + n,
    pooler: (n: number) => base + 42 + n,
    node: (n: number) => base + 50 + n,
    primary: base + 40,
    front: base + 41,
  }
  // Others reach a server by relays, and it reaches etcd by its own ones.
  const hidden = 100
  const etcdOf = (member: number, n: number) => base + 60 + 3 * member + n
  const ofMember = numbers.map((member) => [
    relay(port.rest(member), port.rest(member) + hidden),
    relay(port.postgres(member), port.postgres(member) + hidden),
    ...numbers.map((n) => relay(etcdOf(member, n), port.etcd(n))),
  ])
  relays.push(...ofMember.flat())
  await chown(folder, owner.uid ?? -1, owner.gid ?? -1)
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o644 })
    return join(folder, name)
  }
  const start = (name: string, command: string, args: readonly string[], env = {}, isOwned = true) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(command, args, {
      ...{
        cwd: folder,
        stdio: ['ignore', log, log],
        env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, ...env },
      },
      ...(isOwned ? owner : {}),
    })
    child.on('error', (error) => console.error(`${name}: ${error.message}`))
    children.set(name, child)
  }
  const until = async (what: string, isDone: () => Promise<boolean>) => {
    const end = performance.now() + 240_000
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error(`${what} did not come up. Its log is in ${folder}.`)
      await wait(200)
    }
  }
  const signal = (names: readonly number[], kind: NodeJS.Signals) => {
    for (const pid of names) {
      try {
        process.kill(pid, kind)
      } catch {
        // It has ended.
      }
    }
  }
  /** The processes of a part: those of a server are Patroni, the postmaster and all of its children. */
  const pidsOf = (name: string): readonly number[] => {
    const own = children.get(name)?.pid
    const server = name.startsWith('p') ? postmasterOf(join(folder, name, 'postmaster.pid')) : []
    return own === undefined ? server : [own, ...server]
  }
  process.once('exit', () => {
    for (const name of children.keys()) for (const kind of ['SIGCONT', 'SIGKILL'] as const) signal(pidsOf(name), kind)
  })
  const starters = new Map<string, () => void>()
  const begin = (name: string, how: () => void) => {
    starters.set(name, how)
    how()
  }
  for (const n of numbers) {
    const own = (kind: 'etcd' | 'peer') => `http://127.0.0.1:${port[kind](n)}`
    const members = numbers.map((one) => `e${one}=http://127.0.0.1:${port.peer(one)}`).join(',')
    begin(`e${n}`, () =>
      start(`e${n}`, 'etcd', [
        ...['--name', `e${n}`, '--data-dir', join(folder, `e${n}`), '--logger', 'zap', '--log-level', 'warn'],
        ...['--listen-client-urls', own('etcd'), '--advertise-client-urls', own('etcd')],
        ...['--listen-peer-urls', own('peer'), '--initial-advertise-peer-urls', own('peer')],
        ...['--initial-cluster', members, '--initial-cluster-state', 'new', '--enable-v2=false'],
      ]),
    )
  }
  await until('etcd', async () => {
    const asked = await fetch(`http://127.0.0.1:${port.etcd(0)}/version`).catch(() => undefined)
    return asked !== undefined && !(await asked.text()).includes('not_decided')
  })
  for (const n of numbers) {
    const config = await file(`p${n}.yml`, patroniConfig(n))
    begin(`p${n}`, () => start(`p${n}`, 'patroni', [config]))
  }
  const balancer = await file('haproxy.cfg', haproxyConfig())
  begin('haproxy', () => start('haproxy', 'haproxy', ['-db', '-f', balancer]))
  await file('users.txt', '"postgres" ""\n')
  for (const n of [0, 1]) {
    const config = await file(`b${n}.ini`, poolerConfig(n))
    begin(`b${n}`, () => start(`b${n}`, 'pgbouncer', [config]))
  }

  const members = async () => {
    for (const n of numbers) {
      const url = `http://127.0.0.1:${port.rest(n)}/cluster`
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(1000) })
        const { members: found } = (await answer.json()) as { members?: readonly Record<string, string>[] }
        if (found) return found
      } catch {
        // Another one tells.
      }
    }
    return []
  }
  const primary = async () => Number((await members()).find(({ role }) => role === 'leader')?.name?.slice(1) ?? -1)
  const isRunning = (state = '') => state === 'running' || state === 'streaming'
  /** A server that failed while it was rewound needs a new copy, as an operator would order with \`patronictl reinit\`. */
  const rebuild = async (name = '') => {
    process.stderr.write(`${name} is made again from the primary.\n`)
    const sent = { method: 'POST', body: '{"force":true}', headers: { 'content-type': 'application/json' } }
    await fetch(`http://127.0.0.1:${port.rest(Number(name.slice(1)))}/reinitialize`, sent).catch(() => {})
  }
  const isServed = async () => {
    const found = await members()
    const isUp = found.filter(({ state }) => isRunning(state)).length === 3
    return isUp && found.some(({ role }) => role === 'leader') && found.some(({ role }) => role === 'sync_standby')
  }
  const isReady = async (n: number) => {
    const url = `http://127.0.0.1:${port.node(n)}/health/ready`
    return (await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined))?.ok === true
  }
  const nodes = [0, 1, 2, 3] as const
  const part = (name: string, links: readonly Relay[] = []): Part => ({
    name,
    fail: (fault) => {
      if (fault === 'cut') {
        for (const link of links) link.setCut(true)
        return () => {
          for (const link of links) link.setCut(false)
        }
      }
      const pids = pidsOf(name)
      signal(pids, fault === 'kill' ? 'SIGKILL' : 'SIGSTOP')
      return fault === 'kill' ? () => starters.get(name)?.() : () => signal(pids, 'SIGCONT')
    },
  })

  await until('PostgreSQL', isServed)
  const url = (at: string, query = '') => `postgres://postgres@${at}/cal${query}`
  const database = async () => url(`127.0.0.1:${port.postgres(await primary())}`)
  const { Client } = await import('pg')
  const client = new Client((await database()).replace(/cal$/, 'postgres'))
  await client.connect()
  await client.query('create database cal')
  await client.end()
  const poolers = [0, 1].map((n) => `127.0.0.1:${port.pooler(n)}`).join(',')
  for (const n of nodes) {
    await mkdir(join(folder, `n${n}`), { recursive: true })
    const env = {
      PORT: String(port.node(n)),
      DATA_DIR: join(folder, `n${n}`),
      DATABASE_URL: url(poolers, '?target_session_attrs=read-write'),
      DATABASE_REPLICA_URL: numbers.map((one) => url(`127.0.0.1:${port.postgres(one)}`)).join(','),
      DATABASE_POOL_SIZE: '4',
      // A host that falls silent is noticed 5 s after these.
      ...{ QUERY_TIMEOUT_MS: '2000', DATABASE_STATEMENT_TIMEOUT_MS: '5000' },
      ADMIN_PASSWORD: adminPassword,
      LOG_LEVEL: 'warn',
    }
    begin(`n${n}`, () => start(`n${n}`, process.execPath, [program, 'serve'], env, false))
    await until(`node ${n}`, () => isReady(n))
  }
  return {
    origin: `http://127.0.0.1:${port.front}`,
    database,
    choose: async (kind) => {
      const leader = await primary()
      const member = (n: number) => part(`p${n}`, ofMember[n])
      if (kind === 'primary') return member(leader)
      if (kind === 'standby') return member(any(numbers.filter((n) => n !== leader)))
      return part(kind === 'etcd' ? `e${any(numbers)}` : kind === 'pooler' ? `b${any([0, 1])}` : `n${any(nodes)}`)
    },
    settled: async () => {
      const rebuildAt = performance.now() + 90_000
      let isRebuilt = false
      await until('PostgreSQL', async () => {
        if (await isServed()) return true
        if (!isRebuilt && performance.now() > rebuildAt) {
          isRebuilt = true
          for (const { name, state } of await members()) if (!isRunning(state)) await rebuild(name)
        }
        return false
      })
      for (const n of nodes) await until(`node ${n}`, () => isReady(n))
    },
    close: async () => {
      const all = [...children.keys()].toReversed()
      for (const name of all) signal(pidsOf(name), 'SIGCONT')
      const ended = all.map((name) => {
        const child = children.get(name)
        return child && child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined
      })
      for (const name of all) signal(pidsOf(name), 'SIGKILL')
      await Promise.all(ended)
      for (const { server, sockets } of relays) {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
    },
  }

  function patroniConfig(n: number): string {
    const postgres = { dynamic: { max_connections: '120', shared_buffers: '32MB', wal_sender_timeout: '3s' } }
    const login = (username: string) => ({ username, password: 'x' })
    return JSON.stringify({
      ...{ scope: 'cal', name: `p${n}` },
      restapi: {
        listen: `127.0.0.1:${port.rest(n) + hidden}`,
        connect_address: `127.0.0.1:${port.rest(n)}`,
      },
      etcd3: { use_proxies: true, hosts: numbers.map((one) => `127.0.0.1:${etcdOf(n, one)}`) },
      bootstrap: {
        dcs: {
          // The shortest that Patroni takes: ttl ≥ loop_wait + 2 × retry_timeout. From Patroni 4, ttl is at least 20.
          ...{ ttl: 10, loop_wait: 2, retry_timeout: 3, primary_start_timeout: 5, synchronous_mode: true },
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            remove_data_directory_on_rewind_failure: true,
            parameters: postgres.dynamic,
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port.postgres(n) + hidden}`,
        connect_address: `127.0.0.1:${port.postgres(n)}`,
        ...{ data_dir: join(folder, `p${n}`), bin_dir: bin, pgpass: join(folder, `p${n}.pass`) },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
        authentication: { superuser: login('postgres'), replication: login('repl'), rewind: login('rewind') },
        parameters: { unix_socket_directories: folder },
      },
    })
  }

  function haproxyConfig(): string {
    const check = (kind: 'postgres' | 'node', n: number, at = port[kind](n)) =>
      `  server ${kind}${n} 127.0.0.1:${port[kind](n)} check port ${at}`
    const quick = 'default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions'
    return `${[
      ...['defaults', '  timeout connect 1s', '  timeout client 1h', '  timeout check 1s'],
      ...['listen primary', '  mode tcp', '  timeout server 1h', `  bind 127.0.0.1:${port.primary}`],
      ...['  option httpchk OPTIONS /primary', '  http-check expect status 200', `  ${quick}`],
      ...numbers.map((n) => check('postgres', n, port.rest(n))),
      ...['listen nodes', '  mode http', '  timeout server 40s', `  bind 127.0.0.1:${port.front}`],
      // A paused node is left after two checks.
      ...['  option httpchk GET /health/live', '  timeout check 500ms'],
      ...['  option redispatch 1', '  retries 3', `  ${quick}`],
      // A write may have been done, so only its client repeats it, with its Idempotency-Key.
      ...['  retry-on conn-failure empty-response', '  http-request disable-l7-retry if !METH_GET'],
      ...[0, 1, 2, 3].map((n) => check('node', n)),
    ].join('\n')}\n`
  }

  function poolerConfig(n: number): string {
    return `${[
      ...['[databases]', `* = host=127.0.0.1 port=${port.primary}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
      ...[`listen_port = ${port.pooler(n)}`, 'auth_type = trust', `auth_file = ${join(folder, 'users.txt')}`],
      ...['pool_mode = transaction', 'default_pool_size = 20', 'max_client_conn = 200', 'unix_socket_dir ='],
      ...['server_login_retry = 1', 'server_connect_timeout = 2', 'query_wait_timeout = 1'],
    ].join('\n')}\n`
  }
}

/** Returns the ids of a postmaster and of its children. */
function postmasterOf(pidFile: string): readonly number[] {
  try {
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    const isAlive = readFileSync(`/proc/${postmaster}/comm`, 'utf8').startsWith('postgres')
    const parentOf = (pid: string) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
      } catch {
        return undefined
      }
    }
    const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster)
    return isAlive ? [postmaster, ...children.map(Number)] : []
  } catch {
    return []
  }
}
