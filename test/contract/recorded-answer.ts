import { readFileSync } from 'node:fs'

/** A request and its answer as they were recorded (docs/contract/conventions.md). */
export interface Pair {
  readonly what: string
  readonly request: RecordedRequest
  readonly response: RecordedResponse
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  /** A user of the recording, under the name there. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, unknown>>
  readonly raw?: string
  readonly content_type?: string
}

export interface RecordedResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Only those members that the recording is about. */
  readonly body_part?: unknown
}

export interface SiteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parsed if it is JSON. */
  readonly body: unknown
  readonly text: string
}

type Sent = Readonly<Record<string, unknown>>

export const namespace = '/cal/events/v1'
/** The address of the replaying site; `{site}` in the recordings. */
export const site = 'http://calendar.test'
/** When everything was changed for the last time, in local time of the replaying site. */
const modifiedAt = '2026-11-21 00:46:00'

/** Returns the pairs of a file of examples/. */
export function readPairs(file: string): readonly Pair[] {
  const text = readFileSync(new URL(`examples/${file}.json`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly pairs: readonly Pair[] }).pairs
}

const headersThatMatter = ['Allow', 'X-TEC-Total', 'X-TEC-TotalPages', 'Location', 'Cache-Control', 'Expires']

/**
 * Returns an answer of ours in the terms of the recording, so that both can be compared as text, order of keys
 * included.
 */
export function inWordsOf(expected: RecordedResponse, answer: SiteAnswer): string {
  const isPart = expected.body_part !== undefined
  const body = isPart ? shownPart(answer.body, expected.body_part) : answer.body
  const headers = wereHeadersRecorded(expected)
    ? headersThatMatter.flatMap((name) => {
        const value = answer.headers[name.toLowerCase()]
        return value === undefined ? [] : [[name, value]]
      })
    : []
  return asText({
    status: answer.status,
    headers: Object.fromEntries(headers),
    body: withFreeTexts(body, isPart ? expected.body_part : expected.body),
  })
}

/** Returns the recorded answer as text. */
export function recordedText(expected: RecordedResponse): string {
  const headers = headersThatMatter.flatMap((name) => {
    const value = expected.headers?.[name]
    return value === undefined ? [] : [[name, value]]
  })
  const text = asText({
    status: expected.status,
    headers: Object.fromEntries(headers),
    // An answer to HEAD has no body.
    body: expected.body_part ?? expected.body ?? '',
  })
  // A lone `&` is kept as `&amp;` by all roles (rulings.md 30).
  return text.replaceAll('&#038;', '&amp;')
}

/** Returns the expected answer: the recorded one with all our general differences, and the corrections of this pair. */
export function expectedOf(
  recorded: RecordedResponse,
  mended: ((recorded: RecordedResponse) => RecordedResponse) | undefined,
): RecordedResponse {
  const expected = everywhereOurs(madeByUs(recorded) as RecordedResponse)
  return mended ? mended(expected) : expected
}

/**
 * Addresses of terms lead to this service's own routes (rulings.md 14; terms.md §9 row 9); links of lists are encoded
 * (events.md §8 row 16; venues-organizers.md §11 row 13).
 */
function everywhereOurs(recorded: RecordedResponse): RecordedResponse {
  const location = recorded.headers?.Location?.replace(/wp\/v2\/(cal_events_cat|tags)/, (_, kind) =>
    kind === 'tags' ? 'cal/events/v1/tags' : 'cal/events/v1/categories',
  )
  const body = recorded.body ?? recorded.body_part
  if (!isObject(body)) return recorded
  const ours = Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key === '_links' && isObject(value) && isObject(body.urls)) return [key, ownLinks(value, body.urls)]
      return [key, typeof value === 'string' && key.endsWith('rest_url') ? encodedLink(value) : value]
    }),
  )
  return {
    ...recorded,
    ...(location ? { headers: { ...recorded.headers, Location: location } } : {}),
    ...(recorded.body === undefined ? { body_part: ours } : { body: ours }),
  }
}

/**
 * `modified` is the time of the change (rulings.md 2); descriptions and e-mail addresses in json_ld are plain
 * (events.md §8 row 25; venues-organizers.md §11 row 18).
 */
function madeByUs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(madeByUs)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if ((key === 'modified' || key === 'modified_utc') && 'author' in value) return [key, modifiedAt]
      if (key === 'description' && '@type' in value && member !== '') return [key, '…']
      if (key === 'email' && '@type' in value)
        return [key, String(member).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))]
      return [key, madeByUs(member)]
    }),
  )
}

function ownLinks(links: Sent, urls: Sent): Sent {
  const [self] = links.self as readonly Sent[]
  return {
    self: [{ ...self, href: urls.self }],
    collection: [{ href: urls.collection }],
    ...(urls.up === undefined ? {} : { up: [{ embeddable: true, href: urls.up }] }),
  }
}

/** The recorded address, its query form-encoded; a `+` in it already was a blank. */
function encodedLink(url: string): string {
  const [address = '', query] = url.split('/?')
  if (query === undefined) return url
  const pairs = query
    .split(/&(?=\w+=)/)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
    .map(([name, value]): [string, string] => [name, decodeURIComponent(value.replaceAll('+', ' '))])
  return `${address}/?${new URLSearchParams(pairs)}`
}

function wereHeadersRecorded({ headers }: RecordedResponse): boolean {
  return headers !== undefined && Object.keys(headers).length > 0
}

function asText(value: unknown): string {
  return JSON.stringify(value, simplified, 1)
    .replaceAll(`${site}/uploads/`, '{site}/uploads/')
    .replaceAll('{site}/wp-content/uploads/', '{site}/uploads/') // Where pictures are kept is no part of the contract.
    .replaceAll(`"${site}/"`, '"{base}/"')
    .replaceAll(new RegExp(`${site}(?=/cal/events/)`, 'g'), '{base}')
    .replaceAll(site, '{site}')
    .replaceAll('"calendar.test?id=', '"{hostname}?id=')
}

/** All times of the recording become one time here. Counts of a term depend on all earlier records of the recording. */
function simplified(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'string' && /^202[68]-11-21 00:\d\d:\d\d$/.test(value)) return '{now}'
  if (isObject(value) && typeof value.required === 'boolean') return inOneOrder(value)
  if (key === 'count' && typeof this === 'object' && this !== null && 'filter' in this) return '{count}'
  return value
}

/**
 * The description of an argument. The order of its members differs between arguments and has no meaning, except for the
 * last one.
 */
function inOneOrder(argument: Sent): Sent {
  const { required, ...members } = argument
  const isLast = Object.keys(argument).at(-1) === 'required'
  const sorted = Object.entries(members).sort(([one], [other]) => one.localeCompare(other))
  return Object.fromEntries([...sorted, [isLast ? 'required' : 'required, not last', required]])
}

/** Texts for people are written `…` in the recordings: any text matches them. */
function withFreeTexts(actual: unknown, expected: unknown): unknown {
  if (expected === '…') return typeof actual === 'string' && actual.trim() !== '' ? '…' : actual
  if (Array.isArray(actual)) {
    return Array.isArray(expected) ? actual.map((item, index) => withFreeTexts(item, expected[index])) : actual
  }
  if (!isObject(actual) || !isObject(expected)) return actual
  return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, withFreeTexts(value, expected[key])]))
}

/** Returns the members that the recording shows: of the body, and of each event in a list. */
function shownPart(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual
  return Object.fromEntries(
    Object.keys(expected).flatMap((key) => {
      const [value, shown] = [actual[key], expected[key]]
      if (!(key in actual)) return []
      if (key !== 'events' || !Array.isArray(value) || !Array.isArray(shown)) return [[key, value]]
      return [[key, value.map((event, index) => (isObject(shown[index]) ? shownPart(event, shown[index]) : event))]]
    }),
  )
}

/** True for JSON objects, lists left out. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
