import assert from 'node:assert/strict'
import { request } from 'undici'
import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

type Ends = Parameters<typeof startShell>[0]

/** An attack on a running service, and what must hold. */
export interface Attack {
  /** The property that holds during the attack and afterwards, as a sentence. */
  readonly title: string
  /** @returns what was measured, if that says more than that it held. @throws if the attack succeeds */
  // biome-ignore lint/suspicious/noConfusingVoidType: most attacks return nothing.
  play(target: Target): Promise<string | void>
}

export interface AttackRequest {
  readonly as?: Role
  readonly method?: string
  /** Below the namespace of the API, or from the root if it begins with `//`. */
  readonly path: string
  readonly json?: unknown
  /** A body of any kind, which `headers` name. */
  readonly payload?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface AttackAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: attacks look at answers of every shape.
  readonly body: any
}

/** A service in a process of its own, and one user of each role, `subscriber` to `administrator`, each with a key. */
export interface Target {
  /** Address of the API, without a final slash. */
  readonly api: string
  readonly origin: string
  readonly served: Served
  readonly shell: Awaited<ReturnType<typeof startShell>>
  /** The `Authorization` header of this user. */
  authorizationOf(role: Role): string
  send(request: AttackRequest): Promise<AttackAnswer>
  /** Runs a command with the settings of the service. */
  command(args: readonly string[]): Promise<{ readonly exitCode: number; readonly err: string }>
  /** Processor time of the service during this work, in milliseconds. The load of the machine does not affect it. */
  processorMs(work: () => Promise<unknown>): Promise<number>
  /** Resident memory of the service now, in MB. */
  residentMegabytes(): Promise<number>
}

const metricsToken = 'attack-metrics-token'
/** No request may keep the process busy for longer; each attack here took at least a second. */
export const maxProcessorMs = 400
/** The longest that a visitor waits during an attack, on a machine with other work. It was seconds. */
export const maxWaitMs = 150

/** Starts the service that is attacked; it ends with `ends`. */
export async function startTarget(ends: Ends, environment: Readonly<Record<string, string>> = {}): Promise<Target> {
  const shell = await startShell(ends)
  const settings = {
    ...{ ADMIN_PASSWORD: adminPassword, METRICS_TOKEN: metricsToken, LOG_LEVEL: 'error' },
    ...environment,
  }
  const served = await shell.serve([], settings)
  const { api } = served
  const { origin } = new URL(api)
  const authorizations = new Map<Role, string>([['administrator', adminAuthorization]])

  const send = async ({ as, method = 'GET', path, json, payload, headers = {} }: AttackRequest) => {
    const sent = json === undefined ? payload : Buffer.from(JSON.stringify(json))
    const answer = await request(path.startsWith('//') ? `${origin}${path.slice(1)}` : `${api}${path}`, {
      method,
      headers: {
        ...(as ? { authorization: authorizationOf(as) } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const text = bytes.toString()
    const isJson = /^application\/(problem\+)?json/.test(String(answer.headers['content-type'])) && text !== ''
    return {
      ...{ status: answer.statusCode, headers: answer.headers, bytes, text },
      body: isJson ? JSON.parse(text) : undefined,
    }
  }
  const authorizationOf = (role: Role) => authorizations.get(role) ?? assert.fail(`Nobody is ${role}.`)
  for (const role of ROLES) {
    if (role === 'administrator') continue
    const made = await send({
      as: 'administrator',
      method: 'POST',
      path: '//cal/service/v1/users',
      json: { name: role, role },
    })
    assert.equal(made.status, 201, made.text)
    const key = await send({
      as: 'administrator',
      method: 'POST',
      path: `//cal/service/v1/users/${made.body.id}/keys`,
      json: { label: 'attack' },
    })
    assert.equal(key.status, 201, key.text)
    authorizations.set(role, `Basic ${btoa(`${role}:${key.body.secret}`)}`)
  }
  const metric = async (name: string) => {
    const { text } = await send({ path: '//metrics', headers: { authorization: `Bearer ${metricsToken}` } })
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? assert.fail(text))
  }
  const processorSeconds = () => metric('process_cpu_seconds_total')
  return {
    ...{ api, origin, served, shell, authorizationOf, send },
    command: (args) => shell.run(args, settings),
    processorMs: async (work) => {
      const before = await processorSeconds()
      await work()
      return ((await processorSeconds()) - before) * 1000
    },
    residentMegabytes: async () => (await metric('process_resident_memory_bytes')) / 1024 / 1024,
  }
}

/** Returns how long a visitor waits at most during this work. */
export async function longestWaitMs(target: Target, work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const from = performance.now()
    const answer = await request(`${target.origin}/health/live`)
    await answer.body.dump()
    longest = Math.max(longest, performance.now() - from)
  }
  await done
  return longest
}
