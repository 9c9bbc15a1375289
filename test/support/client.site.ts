import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Client, createClient } from '../../packages/client/src/client.ts'
import type { ClientOptions } from '../../packages/client/src/options.ts'
import type { UserId } from '../../src/access/auth/actor.ts'
import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { createKey } from '../../src/access/auth/key.service.ts'
import { startTestApp, type TestApp } from './app.ts'

type Options = Omit<ClientOptions, 'baseUrl'>

/** The service on its own port, and clients of it. */
export interface ClientSite {
  readonly app: TestApp
  readonly url: string
  visitor(options?: Options): Client
  /** Returns a client of the user with this role, with its own key. */
  clientOf(role: Role, options?: Options): Promise<Client>
  keyOf(role: Role): Promise<string>
}

export async function startClientSite(
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<ClientSite> {
  const app = await startTestApp(t, environment)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const keyOf = async (role: Role) =>
    (await createKey(app.deps, (ROLES.indexOf(role) + 1) as UserId, { label: 'client', days: undefined })).secret
  return {
    app,
    url,
    keyOf,
    visitor: (options) => createClient({ baseUrl: url, ...options }),
    clientOf: async (role, options) =>
      createClient({ baseUrl: url, credentials: { user: role, secret: await keyOf(role) }, ...options }),
  }
}

/** A fixed response of a test server to one request. */
export interface CannedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A value that is sent as JSON, or a text that is sent unchanged. */
  readonly body?: unknown
}

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a server that sends these responses one after the other, and then repeats the last of them. */
export async function startCannedServer(t: TestContext, ...answers: readonly CannedResponse[]) {
  const heard: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const said = answers[Math.min(heard.length, answers.length - 1)] ?? {}
      heard.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const text = typeof said.body === 'string' ? said.body : JSON.stringify(said.body ?? {})
      response.writeHead(said.status ?? 200, { 'Content-Type': 'application/json', ...said.headers }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, heard }
}
