import type { Language } from './api.generated.ts'
import { createKept, type KeptAnswers } from './kept.ts'
import type { Patience } from './retry.ts'
import { type Words, wordsOf } from './words.ts'

/** An application password, alone or with the name or email address of its user. */
export type ClientCredentials = { readonly user: string; readonly secret: string } | { readonly token: string }

/** The address of a service, the credentials, and the limits of waiting. */
export interface ClientOptions {
  /** Root of the service, such as `https://calendar.example.org`. */
  readonly baseUrl: string | URL
  readonly credentials?: ClientCredentials | undefined
  /** The language of records, sent with every request. A call may set another one. */
  readonly language?: Language | undefined
  /** The language of messages if a call sets no language. Default: that of `language`, or English. */
  readonly texts?: 'en' | 'fr' | undefined
  /** How often the client retries a request that was refused temporarily. Default: 3 times. */
  readonly retries?: number | undefined
  /** The longest wait before a retry. Default: 30 seconds. If the service asks for more, the request fails at once. */
  readonly longestWaitMs?: number | undefined
  /** The timeout of one request, including its response. Default: 30 seconds; `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined
  /** Aborts all calls of this client. */
  readonly signal?: AbortSignal | undefined
  /** How many responses to visitors the client caches and revalidates. Default: none. */
  readonly keptAnswers?: number | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Used instead of the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined
  /** The setting `REST_PREFIX` of the service, such as `/wp-json`. Default: ''. */
  readonly restPrefix?: string | undefined
  /** The setting `VENDOR_WORD` of the service. Default: `cal`. */
  readonly vendorWord?: string | undefined
  /** The setting `LANGUAGE_PARAMETER` of the service. Default: `ml_language`. */
  readonly languageParameter?: string | undefined
}

/** Options of a single call. */
export interface CallOptions {
  readonly language?: Language | undefined
  readonly timeoutMs?: number | undefined
  /** Aborts this call. The signal of the client does so too. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * A text of your choice for this write, such as a UUID. Sent again with the same key, the write is done only once, so
   * the client also retries it after a 503.
   */
  readonly idempotencyKey?: string | undefined
  /** The version that the record must have, as `versionOf` returns it. Otherwise the call fails with status 412. */
  readonly ifMatch?: number | undefined
}

/** Options of a write of the service’s own namespace. */
export interface ServiceWriteOptions extends WriteOptions {
  /** Checks and answers the write as usual, and changes nothing. */
  readonly dryRun?: boolean | undefined
}

/** The options, checked and complete. */
export interface Connection {
  /** Path prefix before `events/v1` and `service/v1` in an address. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly language: Language | undefined
  readonly languageParameter: string
  readonly words: Words
  readonly patience: Patience
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly kept: KeptAnswers
  readonly fetch: typeof fetch
}

/** @throws TypeError, if the address is not valid */
export function connectionOf(options: ClientOptions): Connection {
  const { language, texts = language?.startsWith('fr') ? 'fr' : 'en', languageParameter = 'ml_language' } = options
  const { restPrefix = '', vendorWord = 'cal' } = options
  return {
    base: `${rootOf(options.baseUrl)}${restPrefix}${texts === 'fr' ? '/fr' : ''}/${vendorWord}`,
    headers: { ...authorizationOf(options.credentials), ...options.headers },
    language,
    languageParameter,
    words: wordsOf(languageParameter),
    patience: { retries: options.retries ?? 3, longestWaitMs: options.longestWaitMs ?? 30_000 },
    timeoutMs: options.timeoutMs ?? 30_000,
    signal: options.signal,
    kept: createKept(options.keptAnswers ?? 0),
    // In browsers, `fetch` cannot be called as a member of another object.
    fetch: options.fetch ?? ((...sent) => globalThis.fetch(...sent)),
  }
}

function rootOf(baseUrl: string | URL): string {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('The baseUrl must begin with http or https.')
  if (username + password !== '') throw new TypeError('Credentials belong into `credentials`, not into the baseUrl.')
  if (search + hash !== '') throw new TypeError('The baseUrl may have neither query nor fragment.')
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function authorizationOf(credentials: ClientCredentials | undefined): Readonly<Record<string, string>> {
  if (!credentials) return {}
  // Keys are shown with blanks for people. RFC 6750, 2.1 does not allow blanks.
  if ('token' in credentials) return { Authorization: `Bearer ${credentials.token.replace(/\s/g, '')}` }
  // `btoa` accepts only bytes, one per character. Names may contain other characters.
  const bytes = new TextEncoder().encode(`${credentials.user}:${credentials.secret}`)
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
