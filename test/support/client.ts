import { Agent, request } from 'node:http'

export interface ClientAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  readonly body: any
}

/** A client with one keep-alive connection: all its requests go to the same process. */
export interface Client {
  /** @throws if the connection fails before the response arrives. The next request opens another one. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, json?: object): Promise<ClientAnswer>
  close(): void
}

const timeoutMs = 30_000

/** @param authorization The `Authorization` value; '' for a visitor, who sends none. */
export function openClient(api: string, authorization: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: (method, path, json) =>
      new Promise((resolve, reject) => {
        const headers = {
          ...(authorization === '' ? {} : { authorization }),
          ...(json ? { 'content-type': 'application/json' } : {}),
        }
        const sent = request(`${api}${path}`, { agent, method, headers, timeout: timeoutMs }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
          )
        })
        sent.on('timeout', () => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)))
        sent.on('error', reject)
        sent.end(json ? JSON.stringify(json) : undefined)
      }),
    close: () => agent.destroy(),
  }
}
