import { createUser } from '../../src/access/auth/user.service.ts'
import type { Deps } from '../../src/access/deps.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { openMonitoring } from '../../src/base/monitoring/monitoring.ts'
import { openDeps } from '../../src/main.ts'
import { testNow } from './app.ts'

/** A node of the service on a database that other nodes may use as well. */
export interface Node {
  readonly deps: Deps
  /** Sends a request as the administrator, or with these credentials; as a visitor if they are ''. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, json?: object, authorization?: string): Promise<NodeAnswer>
  close(): Promise<void>
}

export interface NodeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  readonly body: any
}

const secret = 'aaaa bbbb cccc dddd eeee ffff'

/** Opens a node on the PostgreSQL database at `url`. The first one creates the administrator. `say` gets the log too. */
export async function startNode(
  url: string,
  environment: Readonly<Record<string, string>> = {},
  say: (line: string) => void = () => {},
): Promise<Node> {
  const config = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '4', ...environment })
  const monitoring = await openMonitoring(config, { stream: { write: say } })
  const deps = { ...(await openDeps(config, { now: () => testNow, say })), monitoring }
  const { storage } = deps
  if (!(await storage.db.selectFrom('users').select('id').executeTakeFirst())) {
    await createUser(deps, { name: 'admin', role: 'administrator', email: 'admin@example.org', secret })
  }
  const server = createApp(deps)
  return {
    deps,
    send: async (method, path, json, authorization = `Basic ${btoa(`admin:${secret}`)}`) => {
      const response = await server.inject({
        method,
        url: path.startsWith('//') ? path.slice(1) : `/cal/events/v1${path}`,
        headers: {
          ...(authorization === '' ? {} : { authorization }),
          ...(json ? { 'content-type': 'application/json' } : {}),
        },
        ...(json ? { payload: JSON.stringify(json) } : {}),
      })
      const isJson = /json/.test(String(response.headers['content-type']))
      return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
    },
    close: async () => {
      await server.close()
      await storage.close()
    },
  }
}
