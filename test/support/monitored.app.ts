import type { TestContext } from 'node:test'
import { createUser } from '../../src/access/auth/user.service.ts'
import type { MonitoringOptions } from '../../src/base/monitoring/monitoring.ts'
import { startTestApp, type TestApp } from './app.ts'

type Environment = Readonly<Record<string, string>>

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>

export interface MonitoredApp extends TestApp {
  /** The address at which it listens. */
  readonly url: string
  /** The `Authorization` value of a user with all rights. */
  readonly authorization: string
  readonly userId: number
  get(path: string, headers?: Environment): Promise<Response>
  post(path: string, json: object): Promise<Response>
  /** Returns all lines so far. */
  lines(): readonly LogLine[]
  text(): string
  /**
   * Returns the line of the request with this id, as soon as it is written, which is after the last byte of the
   * response.
   */
  lineOf(id: string): Promise<LogLine>
}

/** Starts the service on a port, and gives the test access to its log. */
export async function startMonitoredApp(
  t: TestContext,
  environment: Environment = {},
  { reader, ...told }: MonitoringOptions & { readonly reader?: URL } = {},
): Promise<MonitoredApp> {
  const written: string[] = []
  let heard = Promise.withResolvers<void>()
  const stream = {
    write: (line: string) => {
      written.push(line)
      heard.resolve()
      heard = Promise.withResolvers()
    },
  }
  const app = await startTestApp(
    t,
    { LOG_LEVEL: 'info', ...environment },
    { told: { environment: {}, ...told, stream }, ...(reader ? { reader } : {}) },
  )
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const secret = 'aaaabbbbccccddddeeeeffff'
  const { user } = await createUser(app.deps, {
    ...{ name: 'roberta', role: 'administrator', email: 'roberta@example.org', secret },
  })
  const authorization = `Basic ${btoa(`roberta:${secret}`)}`
  const lines = () => written.map((line) => JSON.parse(line) as LogLine)
  return {
    ...app,
    ...{ url, authorization, userId: user.id, lines },
    text: () => written.join(''),
    get: (path, headers = {}) => fetch(`${url}${path}`, { headers, redirect: 'manual' }),
    post: (path, json) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }),
    lineOf: async (id) => {
      for (;;) {
        const found = lines().find((line) => line.requestId === id && line.msg === 'request')
        if (found) return found
        await heard.promise
      }
    },
  }
}

/** Returns every series with its value. */
export async function metricsOf(app: MonitoredApp, headers: Readonly<Record<string, string>> = {}) {
  const text = await (await app.get('/metrics', headers)).text()
  const series = text.split('\n').flatMap((line): [string, number][] => {
    const [, name = '', value = ''] = /^([^#\s]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    return name === '' ? [] : [[name, Number(value)]]
  })
  return new Map(series)
}

/**
 * Waits for a condition. Responses are counted after their last byte is sent, when the client may already have them.
 */
export async function metricsOnce(app: MonitoredApp, isSo: (numbers: Map<string, number>) => boolean) {
  for (;;) {
    const numbers = await metricsOf(app)
    if (isSo(numbers)) return numbers
  }
}
