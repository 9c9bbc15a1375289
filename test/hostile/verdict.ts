import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isFramedByHand, type WireAnswer, type WireRequest } from './wire.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What no answer may hold: how the service is made, and where it lies. No request of ours holds any of it. */
const leaks: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['a stack trace', /\bat (?:async )?(?:[\w.<>]+ \()?(?:file:\/\/|node:|\/)[^\s]*:\d+/],
  ['a path of the program', new RegExp(`node_modules|${RegExp.escape(root)}|/cal-events-test-`)],
  ['words of the database', /SQLITE_|constraint failed|no such column|violates \w+ constraint|syntax error at or near/],
  ['SQL', /\b(?:select|insert into|update|delete from|where) \\?"\w+\\?"/],
  ['words of the runtime', /TypeError|RangeError|ReferenceError|Cannot read propert|is not a function|is not iterable/],
  ['a value that nobody has written out', /\[object \w+\]/],
]

/** What is wrong with an answer, in a few words that are the same for the same fault; undefined where nothing is. */
export function faultOf(request: WireRequest, answer: WireAnswer): string | undefined {
  const { status, headers } = answer
  if (status === 0) return mayGoUnanswered(request) ? undefined : 'no answer'
  if (status === 503 && headers['retry-after'] !== undefined) return undefined
  if (status >= 500) return `status ${status}`
  if (!answer.isWhole) return 'a body that breaks off'
  const text = textOf(answer)
  const leak = leaks.find(([, pattern]) => pattern.test(text) || pattern.test(JSON.stringify(headers)))
  if (leak) return `tells ${leak[0]}`
  if (!isOfItsType(text, headers['content-type'] ?? '')) return 'not what its content type says'
  return headers['set-cookie'] === undefined ? undefined : 'a header that the client has written'
}

function textOf({ body, headers }: WireAnswer): string {
  const coding = headers['content-encoding']
  if (body.length === 0 || coding === undefined) return body.toString('utf8')
  return (coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8')
}

/** Tunnels are not answered at all, and neither is what ends before it is a request. */
function mayGoUnanswered(request: WireRequest): boolean {
  return request.method === 'CONNECT' || isFramedByHand(request)
}

function isOfItsType(text: string, type: string): boolean {
  if (text === '') return true
  if (/^application\/(?:[\w.]+\+)?json\b/.test(type)) return isJson(text)
  if (/^application\/javascript\b/.test(type) && text.startsWith('/**/')) {
    return isJson(/^\/\*\*\/[\w.]+\(([\s\S]*)\)$/.exec(text)?.[1] ?? '')
  }
  return /^(?:text\/(?:html|plain|css|javascript)|application\/javascript|image\/|font\/)/.test(type)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
