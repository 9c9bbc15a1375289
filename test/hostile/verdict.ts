import { isUtf8 } from 'node:buffer'
import { homedir, tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { sessionCookieName } from '../../src/access/auth/session.cookie.ts'
import { isAtDesk, isFramedByHand, type WireAnswer, type WireRequest } from './wire.ts'

const root = dirname(fileURLToPath(new URL('..', import.meta.url)))

const folders = [root, homedir(), tmpdir(), dirname(process.execPath)]

/**
 * Details that no response may contain: how the service is built, and where its files are. No test request contains any
 * of them.
 */
const leaks: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['a stack trace', /\bat (?:async )?(?:[\w.<>]+ \()?(?:file:\/\/|node:|\/)[^\s]*:\d+/],
  [
    'a path of the machine',
    new RegExp(`node_modules|/cal-events-|${folders.map((folder) => RegExp.escape(`${folder}/`)).join('|')}`),
  ],
  [
    'words of the database',
    /SQLITE_|constraint failed|no such (?:column|table)|violates \w+ constraint|syntax error at or near|\bpg_\w+/,
  ],
  ['SQL', /\b(?:select|insert into|update|delete from|where) \\?"\w+\\?"/],
  ['words of the runtime', /TypeError|RangeError|ReferenceError|Cannot read propert|is not a function|is not iterable/],
  ['a value that nobody has written out', /\[object \w+\]/],
]

/** Status for oEmbed in XML, which the service does not offer (oembed.com, 2.3.2). */
const unsupported = 501
const isOembed = ({ target }: WireRequest) => /\/oembed(?:[/?]|$)/.test(target)

/**
 * Returns a short description of the fault in a response, the same for the same fault, or undefined if there is none.
 */
export function faultOf(request: WireRequest, answer: WireAnswer): string | undefined {
  const { status, headers } = answer
  if (status === 0) return mayGoUnanswered(request) ? undefined : 'no answer'
  if (status >= 500 && !(status === unsupported && isOembed(request))) return `status ${status}`
  if (!answer.isFramed) return 'no length of the body'
  if (!answer.isWhole) return 'a body that breaks off'
  const bytes = bytesOf(answer)
  if (isText(headers['content-type'] ?? '') && !isUtf8(bytes)) return 'broken UTF-8'
  const text = bytes.toString('utf8')
  const leak = leaks.find(([, pattern]) => pattern.test(text) || pattern.test(JSON.stringify(headers)))
  if (leak) return `tells ${leak[0]}`
  if (!isOfItsType(text, headers['content-type'] ?? '')) return 'not what its content type says'
  const cookie = headers['set-cookie']
  const isSession = isAtDesk(request) && [true, false].some((is) => cookie?.startsWith(`${sessionCookieName(is)}=`))
  return cookie === undefined || isSession ? undefined : 'a header that the client has written'
}

function bytesOf({ body, headers }: WireAnswer): Buffer {
  const coding = headers['content-encoding']
  if (body.length === 0 || coding === undefined) return body
  return coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
}

const isText = (type: string): boolean => !/^(?:image|font)\//.test(type)

/** The service does not answer tunnels, or input that ends before the request is complete. */
function mayGoUnanswered(request: WireRequest): boolean {
  return request.method === 'CONNECT' || isFramedByHand(request)
}

function isOfItsType(text: string, type: string): boolean {
  if (text === '') return true
  if (/^application\/(?:[\w.]+\+)?json\b/.test(type)) return isJson(text)
  if (/^application\/javascript\b/.test(type) && text.startsWith('/**/')) {
    return isJson(/^\/\*\*\/[\w.]+\(([\s\S]*)\)$/.exec(text)?.[1] ?? '')
  }
  if (/^application\/x-ndjson\b/.test(type)) return text.endsWith('\n') && text.trimEnd().split('\n').every(isJson)
  if (/^text\/calendar\b/.test(type)) return /^BEGIN:VCALENDAR\r\n[\s\S]*\r\nEND:VCALENDAR\r\n$/.test(text)
  if (/^application\/(?:rss|atom)\+xml\b/.test(type)) return isXml(text)
  return /^(?:text\/(?:html|plain|css|javascript|csv)|application\/javascript|image\/|font\/)/.test(type)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isXml(text: string): boolean {
  const parser = new SaxesParser({ xmlns: true })
  let isWhole = true
  parser.on('error', () => {
    isWhole = false
  })
  parser.write(text).close()
  return isWhole
}
