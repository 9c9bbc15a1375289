import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import type { Deps } from '../../src/access/deps.ts'
import { createApp } from '../../src/app.ts'
import { type Monitoring, type MonitoringOptions, openMonitoring } from '../../src/base/monitoring/monitoring.ts'
import { createLinkChecker } from '../../src/base/outbound/link.checker.ts'
import { OutboundError } from '../../src/base/outbound/outbound.ts'
import { openExternalDeps } from '../../src/main.ts'
import { createImageWorker, type ImageWorker } from '../../src/storage/pictures/image.worker.ts'
import { ensureBundle } from './bundle.ts'
import { openTestDatabase } from './database.ts'
import { readerThread } from './reader.thread.ts'

/** A request of a test, sent by a role, with a JSON body. */
export interface TestRequest {
  readonly as?: Role
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  /** Below the namespace, with its query; or from the root if it begins with `//`. */
  readonly path: string
  readonly json?: unknown
  readonly form?: string
  /** A body of any type, which `headers` declare. */
  readonly payload?: Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** Another app with the same users. */
  readonly server?: FastifyInstance
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  readonly body: any
  readonly text: string
  readonly bytes: Buffer
}

export interface TestApp {
  readonly deps: Deps
  readonly server: FastifyInstance
  send(request: TestRequest): Promise<TestAnswer>
  /** Returns the SQL statements since the last call. */
  statements(): readonly string[]
  /** Advances the clock of the service by this number of seconds. */
  pass(seconds: number): void
}

/** For tests that need nothing from outside: every fetch fails. */
const fetchNothing = async () => {
  throw new OutboundError('unreachable')
}

/**
 * Makes the pictures of all tests of this process that set no time limit: starting its child takes longer than most
 * pictures.
 */
const sharedWorker: ImageWorker = { ...createImageWorker(60_000), close: async () => {} }

/** The time at which tests begin: 2030-01-15 12:00:00 UTC. */
export const testNow = Date.UTC(2030, 0, 15, 12) / 1000
export const site = 'http://calendar.test'

/**
 * Starts the whole service on an empty database of its own, of the engine in TEST_ENGINE, with one user per role (ids 1
 * to 5 from subscriber to administrator). Closes and removes it when the test ends.
 */
export async function startTestApp(
  t: Pick<TestContext, 'after'>,
  environment: Readonly<Record<string, string>> = {},
  {
    told,
    reader = readerThread,
    ...outside
  }: Partial<Pick<Deps, 'fetchOutbound' | 'fetchDocument' | 'links'>> & {
    readonly told?: MonitoringOptions
    /** The module that reader threads run. */
    readonly reader?: URL
  } = {},
): Promise<TestApp> {
  await ensureBundle()
  let now = testNow
  let monitoring: Monitoring | undefined
  const statements: string[] = []
  const { config, storage, remove } = await openTestDatabase(
    // Tests share the machine, so time says little.
    { SITE_TIMEZONE: 'UTC', LOG_LEVEL: 'silent', BATCH_SECONDS: '60', ...environment },
    {
      onQuery: (text) => statements.push(text),
      onQueryEnd: (text, ms) => monitoring?.onQueryEnd?.(text, ms),
      now: () => now,
    },
  )
  monitoring = await openMonitoring(config, told)
  const external = await openExternalDeps(config, monitoring)
  const { store, imageWorker } = external.pictures
  const isOwnWorker = environment.PICTURE_TIMEOUT !== undefined
  const deps: Deps = {
    ...{ config, storage, now: () => now },
    ...{ ...external, pictures: { store, imageWorker: isOwnWorker ? imageWorker : sharedWorker } },
    ...{ fetchOutbound: fetchNothing, fetchDocument: fetchNothing, links: createLinkChecker(fetchNothing), ...outside },
  }
  const server = createApp(deps, { module: reader })
  t.after(async () => {
    await server.close()
    await deps.pictures.imageWorker.close()
    await deps.streets.close()
    await remove()
    await monitoring?.close()
  })
  const secrets = new Map<Role, string>()
  // Writes that wait together share a commit, in their order.
  const adding = ROLES.map((role) =>
    createUser(deps, { name: role, role, email: `${role}@example.org`, secret: randomUUID() }),
  )
  for (const { user, secret } of await Promise.all(adding)) secrets.set(user.role, secret)
  return {
    deps,
    server,
    statements: () => statements.splice(0),
    pass: (seconds) => {
      now += seconds
    },
    send: async ({ as, method = 'GET', path, json, form, payload, headers = {}, server: asked = server }) => {
      const response = await asked.inject({
        method,
        url: path.startsWith('//') ? path.slice(1) : `${config.restPrefix}/${config.vendorWord}/events/v1${path}`,
        headers: {
          host: new URL(site).host,
          ...(as ? { authorization: `Basic ${btoa(`${as}:${secrets.get(as)}`)}` } : {}),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        ...(json === undefined && form === undefined && !payload
          ? {}
          : { payload: payload ?? form ?? JSON.stringify(json) }),
      })
      const isPlain = response.headers['content-encoding'] === undefined
      const isJson = isPlain && /^application\/(problem\+)?json/.test(String(response.headers['content-type']))
      return {
        status: response.statusCode,
        headers: response.headers as TestAnswer['headers'],
        body: isJson && response.body !== '' ? JSON.parse(response.body) : undefined,
        text: response.body,
        bytes: response.rawPayload,
      }
    },
  }
}
