import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { OutboundError, readAnswer, readLimitedBody } from '../../base/outbound/outbound.ts'

/** The site cannot be read any further. What was fetched is kept. */
export class SiteError extends Error {}

/** How a site is read. */
export interface SiteOptions {
  /** Its address, as the operator typed it. */
  readonly site: URL
  /** The name and the application password of its user, if any. */
  readonly credentials?: { readonly user: string; readonly password: string }
  /** The pause between two requests. After a fault it doubles with each try. */
  readonly pauseMs: number
}

/** An answer of the site. The body is JSON, or undefined if the answer is none. */
export interface SiteAnswer {
  readonly status: number
  readonly body: unknown
  readonly totalPages: number | undefined
}

const tries = 6
const maxPauseMs = 600_000
const timeoutMs = 60_000
const maxJsonBytes = 64 * 1024 * 1024

export interface SiteClient {
  /** Requests JSON. An answer that refuses is returned, not thrown. @throws SiteError */
  readonly get: (url: URL, headers?: Readonly<Record<string, string>>) => Promise<SiteAnswer>
  /** Requests a file. @throws SiteError */
  readonly download: (url: URL, maxBytes: number) => Promise<Buffer>
}

/** Creates a client that sends one request at a time, and repeats those that fail for a while. */
export function createSiteClient({ site, credentials, pauseMs }: SiteOptions): SiteClient {
  let isFirst = true
  /** Whether the site has sent JSON. Until then, a fault is more likely one of its address, and lasts. */
  let isKnown = false
  const fetched = async (url: URL, headers: Readonly<Record<string, string>>, maxBytes: number) => {
    if (!isFirst) await setTimeout(pauseMs)
    isFirst = false
    // The operator may read any site, also one inside. What the site names is limited to the public Internet.
    const isOfSite = url.origin === site.origin
    const limits = isOfSite
      ? {
          ...{ isAllowedAddress: () => true, isAllowedPort: () => true, lookup: lookup as LookupFunction },
          // A redirect to another site would get the password.
          maxRedirects: 0,
        }
      : { maxRedirects: 3 }
    const authorization =
      isOfSite && credentials
        ? { authorization: `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}` }
        : {}
    const sent = { 'accept-encoding': 'identity', ...headers, ...authorization }
    return readAnswer(url.href, { ...limits, timeoutMs, method: 'GET', headers: sent }, async (answer) => ({
      status: answer.statusCode,
      headers: answer.headers,
      bytes: await readLimitedBody(answer.body, maxBytes),
    }))
  }
  type Fetched = Awaited<ReturnType<typeof fetched>>

  /** Repeats a request until `read` accepts its answer. It returns the fault of another one. */
  const repeated = async <T>(url: URL, send: () => Promise<Fetched>, read: (answer: Fetched) => T | string) => {
    let fault = ''
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      let retryAfter = 0
      try {
        const answer = await send()
        const isBusy = answer.status === 429 || answer.status >= 500
        const result = isBusy ? `HTTP ${answer.status}` : read(answer)
        if (typeof result !== 'string') return result
        fault = result
        retryAfter = retryAfterMs(answer.headers['retry-after'])
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        if (error.reason === 'redirects' || error.reason === 'address' || error.reason === 'too-large') {
          throw new SiteError(`${shown(url)}: ${lastingFaults[error.reason]}`, { cause: error })
        }
        fault = error.reason === 'too-slow' ? 'no answer in time' : 'no answer'
        if (!isKnown) throw new SiteError(`${shown(url)}: ${fault}.`, { cause: error })
      }
      if (attempt < tries) await setTimeout(Math.min(maxPauseMs, Math.max(retryAfter, pauseMs * 2 ** attempt)))
    }
    throw new SiteError(`${shown(url)}: ${fault}, ${tries} times.`)
  }

  return {
    get: (url, headers = {}) =>
      repeated(
        url,
        () => fetched(url, { accept: 'application/json', ...headers }, maxJsonBytes),
        ({ status, headers: sent, bytes }) => {
          const body = parsedJson(bytes)
          // A page in its place is a notice of maintenance, or of a firewall.
          if (isKnown && body === undefined && status < 400) return 'the answer is not JSON'
          isKnown ||= body !== undefined
          const pages = Number(sent['x-wp-totalpages'])
          return { status, body, totalPages: pages > 0 ? pages : undefined }
        },
      ),
    download: (url, maxBytes) =>
      repeated(
        url,
        () => fetched(url, { accept: '*/*' }, maxBytes),
        ({ status, bytes }) => (status === 200 ? { bytes } : { status }),
      ).then((found) => {
        if ('bytes' in found) return found.bytes
        throw new SiteError(`${shown(url)}: HTTP ${found.status}`)
      }),
  }
}

const lastingFaults = {
  redirects: 'it redirects. Give the address that it redirects to.',
  address: 'this address is not on the public Internet.',
  'too-large': 'the answer is too large.',
} as const

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns an address as messages show it: without the password of an event. */
function shown(url: URL): string {
  const address = new URL(url)
  address.searchParams.delete('password')
  return address.href
}

/** Returns how long a site asks to wait: it sends seconds, or a date. */
function retryAfterMs(sent: unknown): number {
  if (typeof sent !== 'string') return 0
  const ms = /^\d+$/.test(sent) ? Number(sent) * 1000 : Date.parse(sent) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
