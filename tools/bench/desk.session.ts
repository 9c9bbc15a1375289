import { Agent, type IncomingMessage, request } from 'node:http'
import { openMeter } from './dear.cost.ts'
import { authorization, serve } from './server.ts'

/** What the server needed for one answer, in milliseconds. */
export interface Cost {
  /** Of the processor, in all threads of the server. */
  readonly processor: number
  /** From the request to the last byte. */
  readonly wall: number
}

interface Answer extends Cost {
  readonly status: number
  readonly text: string
  readonly location: string
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A browser in which an administrator has signed in to the desk, without the things that a page loads. */
export interface DeskSession {
  open(path: string): Promise<Answer>
  /** Sends a form of the desk with its token. */
  submit(path: string, fields: readonly (readonly [name: string, value: string])[]): Promise<Answer>
  /** Sends a request to the interface, without a browser. */
  call(method: 'POST' | 'PATCH', path: string, json: object): Promise<Readonly<Record<string, unknown>>>
  upload(name: string, bytes: Buffer): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Starts the service on this folder, and signs in to its desk. */
export async function openDesk(folder: string, user: { readonly login: string; readonly password: string }) {
  const served = await serve(folder, {}, 'dear.cpu.ts')
  const meter = await openMeter(served.child, undefined)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async ({ method, path, headers, body }: Sent): Promise<Answer> => {
    const before = await meter.read()
    const beganAtMs = performance.now()
    const { answer, text } = await new Promise<{ readonly answer: IncomingMessage; readonly text: string }>(
      (resolve, reject) => {
        const sent = request(`${served.origin}${path}`, { method, agent, headers: headers ?? {} }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => resolve({ answer, text: Buffer.concat(parts).toString('utf8') }))
        })
        sent.on('error', reject)
        sent.end(body)
      },
    )
    const wall = performance.now() - beganAtMs
    const after = await meter.read()
    const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    return {
      ...{ status: answer.statusCode ?? 0, text, wall, processor: after.service - before.service },
      location: answer.headers.location ?? cookie,
    }
  }
  const own = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
  const signedIn = await send({
    ...{ method: 'POST', path: '/cal/service/v1/session', body: JSON.stringify(user) },
    headers: { ...own, 'content-type': 'application/json' },
  })
  if (signedIn.status !== 201) throw new Error(`Signing in was answered with ${signedIn.status}: ${signedIn.text}`)
  const { csrf_token: csrf } = JSON.parse(signedIn.text) as { readonly csrf_token: string }
  const headers = { ...own, cookie: signedIn.location }
  const call = async (sent: Sent) => {
    const { status, text } = await send({ ...sent, headers: { authorization, ...sent.headers } })
    if (status >= 300) throw new Error(`${sent.method} ${sent.path} was answered with ${status}: ${text}`)
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  }
  const session: DeskSession = {
    open: (path) => send({ method: 'GET', path, headers }),
    submit: (path, fields) => {
      const body = String(new URLSearchParams([['csrf', csrf], ...fields.map(([name, value]) => [name, value])]))
      return send({ method: 'POST', path, headers: { ...headers, ...form }, body })
    },
    call: (method, path, json) =>
      call({ method, path, body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
    upload: (name, bytes) => {
      const headers = {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
      }
      return call({ method: 'POST', path: '/cal/service/v1/media', body: bytes, headers })
    },
    close: async () => {
      agent.destroy()
      await meter.close()
      await served.stop()
    },
  }
  return session
}
