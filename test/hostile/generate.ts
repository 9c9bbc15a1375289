import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import type { Operation, Parameter } from './document.ts'
import {
  boundary,
  brokenBodies,
  disguisedPictures,
  heaviestTexts,
  hostileEncoded,
  hostileHeaders,
  hostileJson,
  hostileMarkup,
  hostilePairs,
  hostileTexts,
  oddContentTypes,
  oddShapes,
  oddValues,
} from './values.ts'
import type { WireRequest } from './wire.ts'

/** A random source. The same numbers give the same draws. */
export interface Dice {
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  below(limit: number): number
}

export function diceOf(random: () => number): Dice {
  return {
    chance: (share) => random() < share,
    pick: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T,
    below: (limit) => Math.floor(random() * limit),
  }
}

type Pair = readonly [name: string, value: unknown]
type Body = { readonly type?: string; readonly body: string }

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PURGE', 'CONNECT', 'FOO']
/**
 * The share of a request that is made invalid: usually one value or none, since a request with many faults ends at the
 * first check.
 */
const spoiltShares = [0, 0.03, 0.08, 0.3]
/** A longer query would usually end at the limit for headers. */
const usualLength = 6000

/** Returns an almost valid request of this operation, with one fault or a few. */
export function generateRequest(dice: Dice, operation: Operation): WireRequest {
  const as = callerOf(dice)
  const { type, body } = bodyOf(dice, operation)
  return {
    ...(as ? { as } : {}),
    method: methodOf(dice, operation),
    target: `${pathOf(dice, operation)}${queryOf(dice, operation)}`,
    ...(dice.chance(0.03) ? { isReadLate: true } : {}),
    headers: [...(type === undefined ? [] : [['Content-Type', type] as const]), ...headersOf(dice)],
    body,
  }
}

/** HEAD is answered by the same code as GET. */
function methodOf(dice: Dice, { method }: Operation): string {
  if (dice.chance(0.05)) return dice.pick(otherMethods)
  return method === 'GET' && dice.chance(0.05) ? 'HEAD' : method
}

/** Administrators have the most rights, so they send the most requests. */
function callerOf(dice: Dice): Role | undefined {
  if (dice.chance(0.5)) return 'administrator'
  return dice.chance(0.3) ? undefined : dice.pick(ROLES)
}

function headersOf(dice: Dice): WireRequest['headers'] {
  if (!dice.chance(0.15)) return []
  return Array.from({ length: 1 + dice.below(3) }, () => dice.pick(hostileHeaders))
}

const variants: readonly ((path: string, odd: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `/fr${path}`,
  (path, odd) => `${path}/${odd}`,
  (path) => path.replace('/events', '/./%65vents'),
  (path) => `http://evil.example${path}`,
  (path) => `${path}#x`,
  (path) => path.replaceAll('/', '//'),
]

function pathOf(dice: Dice, { path, inPath }: Operation): string {
  const filled = inPath.reduce((text, parameter) => {
    const value = dice.chance(0.85) ? encoded(knownOf(dice, parameter)) : encodedText(dice)
    return text.replace(`{${parameter.name}}`, () => value)
  }, path)
  return dice.chance(0.1) ? dice.pick(variants)(filled, encodedText(dice)) : filled
}

/** Usually returns an existing record: of the site, or made by an earlier request. */
function knownOf(dice: Dice, { name, known }: Parameter): unknown {
  return name === 'id' && dice.chance(0.6) ? 1 + dice.below(120) : (dice.pick(known) ?? 'x')
}

function queryOf(dice: Dice, { inQuery, inPath }: Operation): string {
  const share = dice.pick([0, 0.05, 0.3])
  const chosen = inQuery.filter(() => dice.chance(share))
  const pairs = [
    ...(dice.chance(0.05) ? oddlyShaped(dice, inPath) : []),
    ...chosen.map(
      ({ name, known }) =>
        `${name}=${known.length > 0 && dice.chance(0.5) ? encoded(dice.pick(known)) : encodedText(dice)}`,
    ),
    ...(dice.chance(0.15) ? [dice.pick(hostilePairs)] : []),
  ]
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Returns a parameter of the path as another list or object. */
function oddlyShaped(dice: Dice, inPath: Operation['inPath']): readonly string[] {
  if (inPath.length === 0) return []
  return [`${dice.pick(inPath).name}${dice.pick(oddShapes)}=${dice.pick(['3', '', 'x'])}`]
}

function encodedText(dice: Dice): string {
  if (dice.chance(0.3)) return dice.pick(hostileEncoded)
  const text = encoded(dice.pick(dice.chance(0.2) ? hostileMarkup : hostileTexts))
  return dice.chance(0.97) ? text.slice(0, usualLength) : text
}

function encoded(value: unknown): string {
  return new URLSearchParams([['', asText(value)]]).toString().slice(1)
}

function asText(value: unknown): string {
  return value !== null && typeof value === 'object' ? Object.values(value).map(asText).join() : String(value)
}

function bodyOf(dice: Dice, operation: Operation): Body {
  const isReading = operation.inBody.length === 0
  // JSON is read with every method, including GET.
  if (isReading && dice.chance(0.1)) return readingBody(dice, operation)
  if (isReading && !dice.chance(0.05)) return { body: '' }
  if (dice.chance(0.1)) {
    const type = dice.pick([...oddContentTypes, `multipart/form-data; boundary=${boundary}`])
    return { type, body: dice.pick(brokenBodies) }
  }
  const usual = operation.isForm ? formBody : jsonBody
  const write = dice.pick([usual, usual, usual, jsonBody, formBody, multipartBody])
  const written = write(dice, pairsOf(dice, operation))
  return dice.chance(0.04) ? { ...written, type: dice.pick(oddContentTypes) } : written
}

/** Returns members of a valid body, some of them left out, added or doubled. */
function pairsOf(dice: Dice, { bodies, inBody, inPath }: Operation): readonly Pair[] {
  const whole: readonly Pair[] = bodies.length === 0 ? [] : Object.entries(Object(dice.pick(bodies)))
  const share = dice.pick([0, 0, 0.1])
  const kept = whole.filter(() => !dice.chance(share))
  const added = inBody
    .filter(() => dice.chance((share * 20) / inBody.length))
    .map(({ name, known }): Pair => [name, dice.pick(known) ?? 'x'])
  const [odd] = dice.chance(0.05) ? inPath : []
  return [
    ...kept,
    ...added,
    ...(odd ? [[odd.name, dice.pick(oddValues)] as const] : []),
    ...kept.filter(() => dice.chance(share / 3)),
  ]
}

/** Returns some parameters of a query, or one of maximum length: usually a search text. */
function readingBody(dice: Dice, { inQuery, inPath }: Operation): Body {
  const searching = inQuery.filter(({ name }) => name === 'search')
  const longest = dice.chance(0.1)
    ? dice.pick(searching.length > 0 && dice.chance(0.7) ? searching : inQuery)
    : undefined
  if (longest) return jsonBody(dice, [[longest.name, dice.pick(heaviestTexts)]])
  const share = dice.pick([0.1, 0.3])
  const chosen = inQuery.filter(() => dice.chance(share))
  const oddPath = dice.chance(0.2) ? inPath.map(({ name }) => [name, dice.pick(oddValues)] as const) : []
  return jsonBody(dice, [...chosen.map(({ name, known }) => [name, dice.pick(known) ?? 'x'] as const), ...oddPath])
}

function jsonBody(dice: Dice, pairs: readonly Pair[]): Body {
  const share = dice.pick(spoiltShares)
  const members = pairs.map(([name, value]) => {
    const text = dice.chance(share) ? spoiltJson(dice) : JSON.stringify(value)
    return `${JSON.stringify(name)}:${text}`
  })
  if (dice.chance(0.05)) members.push(`${JSON.stringify(dice.pick(hostileTexts))}:${dice.pick(hostileJson)}`)
  if (dice.chance(0.03)) members.push('"__proto__":{"polluted":1,"status":"publish"}')
  return { type: 'application/json', body: bytesOf(`{${members.join()}}`) }
}

function spoiltJson(dice: Dice): string {
  if (dice.chance(0.4)) return dice.pick(hostileJson)
  // Rare, because sending them takes the machine a long time.
  if (dice.chance(0.02)) return JSON.stringify(dice.pick(heaviestTexts))
  const text = JSON.stringify(dice.pick(dice.chance(0.2) ? hostileMarkup : hostileTexts))
  return dice.chance(0.15) ? dice.pick([`[${text}]`, `{"a":${text}}`, `[[${text}],${text}]`]) : text
}

function formBody(dice: Dice, pairs: readonly Pair[]): Body {
  const share = dice.pick(spoiltShares)
  const written = pairs.map(([name, value]) => {
    const suffix = dice.chance(0.08) ? dice.pick(oddShapes) : ''
    return `${encoded(name)}${suffix}=${dice.chance(share) ? encodedText(dice) : encoded(value)}`
  })
  if (dice.chance(0.1)) written.push(dice.pick(hostilePairs))
  return { type: 'application/x-www-form-urlencoded', body: written.join('&') }
}

function multipartBody(dice: Dice, pairs: readonly Pair[]): Body {
  const share = dice.pick(spoiltShares)
  const parts = pairs.map(([name, value]) => {
    const text = dice.chance(share) ? dice.pick(hostileTexts) : asText(value)
    const file = dice.chance(0.05) ? '; filename="a.png"' : ''
    const suffix = dice.chance(0.08) ? dice.pick(oddShapes) : ''
    const head = `Content-Disposition: form-data; name="${name}${suffix}"${file}`
    return `--${boundary}\r\n${head}\r\n\r\n${bytesOf(text)}\r\n`
  })
  if (dice.chance(0.1)) {
    const head = 'Content-Disposition: form-data; name="file"; filename="a.webp"'
    parts.push(`--${boundary}\r\n${head}\r\n\r\n${dice.pick(disguisedPictures)}\r\n`)
  }
  const end = dice.chance(0.95) ? `--${boundary}--\r\n` : ''
  return { type: `multipart/form-data; boundary=${boundary}`, body: parts.join('') + end }
}

/** Returns the text in UTF-8, one character for each byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
