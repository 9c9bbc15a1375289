import type { Language } from './api.generated.ts'
import { createKept, type KeptAnswers } from './kept.ts'
import type { Patience } from './retry.ts'
import { type Words, wordsOf } from './words.ts'

/** An application password, with the name or email address of its user or alone. */
export type ClientCredentials = { readonly user: string; readonly secret: string } | { readonly token: string }

/** Where a service is, who asks, and how patiently. */
export interface ClientOptions {
  /** Root of the service, such as `https://calendar.example.org`. */
  readonly baseUrl: string | URL
  readonly credentials?: ClientCredentials | undefined
  /** The language of records, asked for with every request; a call may ask for another one. */
  readonly language?: Language | undefined
  /** The language of messages where no language is asked for. That of `language`, else English. */
  readonly texts?: 'en' | 'fr' | undefined
  /** How often a request that was refused for the moment is sent again: 3 times. */
  readonly retries?: number | undefined
  /** How long to wait at most before that: 30 seconds. Where the service asks for more, the request fails at once. */
  readonly longestWaitMs?: number | undefined
  /** How long one request may take, its answer read: 30 seconds; `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined
  /** Ends whatever this client does. */
  readonly signal?: AbortSignal | undefined
  /** How many answers to visitors are kept and only asked for in case they have changed: none. */
  readonly keptAnswers?: number | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the place of that of the platform. */
  readonly fetch?: typeof fetch | undefined
  /** The setting `REST_PREFIX` of the service, such as `/wp-json`: ''. */
  readonly restPrefix?: string | undefined
  /** The setting `VENDOR_WORD` of the service: `cal`. */
  readonly vendorWord?: string | undefined
  /** The setting `LANGUAGE_PARAMETER` of the service: `ml_language`. */
  readonly languageParameter?: string | undefined
}

/** What a single call may ask for otherwise. */
export interface CallOptions {
  readonly language?: Language | undefined
  readonly timeoutMs?: number | undefined
  /** Ends this call, as that of the client does. */
  readonly signal?: AbortSignal | undefined
}

/** The same, checked and complete. */
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

/** @throws TypeError, where the address is none that can be asked */
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
    // A browser’s own does not let itself be called as a member of something else.
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
  // The blanks in which keys are shown are for people: RFC 6750, 2.1, has no place for them.
  if ('token' in credentials) return { Authorization: `Bearer ${credentials.token.replace(/\s/g, '')}` }
  // `btoa` takes bytes only, as characters: names may have letters beyond them.
  const bytes = new TextEncoder().encode(`${credentials.user}:${credentials.secret}`)
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
