// Sends bytes that no client library sends to the service as an operator starts it (RFC 9110, RFC 9112).
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { givenDatabaseUrl } from '../support/database.ts'
import { startServiceProcess } from '../support/service.process.ts'

interface Case {
  readonly title: string
  /** The bytes, one character each. */
  readonly sent: string
  /** Statuses of all responses on the connection, in their order; several lists if each is correct. */
  readonly answered: readonly string[]
  /** True if the client closes its sending side and waits. */
  readonly isHalfClosed?: boolean
}

const path = '/cal/events/v1/tags'
const host = 'Host: calendar.test'
const close = 'Connection: close'
const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`
const get = (...headers: readonly string[]) => lines(`GET ${path} HTTP/1.1`, host, ...headers, close)
const post = (...headers: readonly string[]) => lines(`POST ${path} HTTP/1.1`, host, ...headers)
/**
 * A second request, after a body with two declared lengths. If it gets a response, an attacker can hide requests from a
 * proxy.
 */
const smuggled = lines('GET /smuggled HTTP/1.1', host, close)
const refused = ['400']
/** A client that still sends when the connection closes may not see the response. */
const tooLarge = ['414', '431', '']

const lengths: readonly Case[] = [
  ...[
    ['two lengths', ['Content-Length: 2', 'Content-Length: 30'], '{}'],
    ['the same length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
    ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
    ['a length with a sign', ['Content-Length: +2'], '{}'],
    ['a length, and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks, and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
    ['a coding that is none', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['a blank before the colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['a chunk without a size', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk with endless extensions', ['Transfer-Encoding: chunked'], `2;${'a'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`],
  ].map(
    ([title, headers, body]): Case => ({
      title: String(title),
      sent: `${post(...(headers as readonly string[]))}${body}${smuggled}`,
      answered: [...refused, '413'],
    }),
  ),
  {
    title: 'a chunk larger than any',
    sent: `${post('Transfer-Encoding: chunked')}ffffffffffffffff\r\n`,
    isHalfClosed: true,
    answered: refused,
  },
  { title: 'a length far too large', sent: post('Content-Length: 2000000'), answered: ['413'] },
]

const heads: readonly Case[] = [
  { title: 'no host', sent: lines(`GET ${path} HTTP/1.1`), answered: refused },
  { title: 'two hosts', sent: get('Host: smuggled.example'), answered: ['200', '400'] },
  { title: 'a host that is none', sent: lines(`GET ${path} HTTP/1.1`, 'Host: a b', close), answered: ['400', '421'] },
  { title: 'a folded line', sent: get('X-Folded: a\r\n b'), answered: refused },
  { title: 'folded credentials', sent: get('Authorization: Basic\r\n YTpi'), answered: refused },
  { title: 'NUL in a header', sent: get('X-Null: a\0b'), answered: refused },
  { title: 'a bare return in a header', sent: get('X-Return: a\rb'), answered: refused },
  { title: 'a header without a name', sent: get(': x'), answered: refused },
  { title: 'lines that end without a return', sent: `GET ${path} HTTP/1.1\n${host}\n\n`, answered: refused },
  { title: 'a header of 70 kB', sent: get(`X-Long: ${'a'.repeat(70_000)}`), answered: tooLarge },
  { title: 'three thousand headers', sent: get(...Array(3000).fill('X: y')), answered: tooLarge },
  { title: 'an expectation that nobody knows', sent: get('Expect: x'), answered: ['417'] },
  { title: 'an upgrade', sent: get('Upgrade: websocket'), answered: ['200'] },
]

const first = (line: string, ...headers: readonly string[]) => lines(line, host, close, ...headers)
const targets: readonly Case[] = [
  { title: 'NUL in the target', sent: first(`GET ${path}?a=\0 HTTP/1.1`), answered: refused },
  { title: 'a target of 70 kB', sent: first(`GET ${path}?${'a'.repeat(70_000)} HTTP/1.1`), answered: tooLarge },
  {
    title: 'a whole address as target',
    sent: first(`GET http://smuggled.example${path} HTTP/1.1`),
    answered: ['404', '400', '421'],
  },
  { title: 'an address of another kind', sent: first(`GET ftp://x${path} HTTP/1.1`), answered: ['404', '400', '421'] },
  { title: 'a host and a port as target', sent: first('GET calendar.test:80 HTTP/1.1'), answered: refused },
  { title: 'the whole server as target', sent: first('OPTIONS * HTTP/1.1'), answered: ['200'] },
  { title: 'a fragment in the target', sent: first(`GET ${path}#x HTTP/1.1`), answered: ['404'] },
  { title: 'a tunnel', sent: first('CONNECT a:80 HTTP/1.1'), answered: [''] },
  { title: 'a method in small letters', sent: first(`get ${path} HTTP/1.1`), answered: refused },
  { title: 'a method that nobody knows', sent: first(`FOO ${path} HTTP/1.1`), answered: refused },
]

const again = (keep: readonly string[]) => lines(`GET ${path} HTTP/1.1`, host, ...keep)
const connections: readonly Case[] = [
  {
    title: 'three requests at once',
    sent: `${again([])}${lines('GET /nothing HTTP/1.1', host)}${again([close])}`,
    answered: ['200,404,200'],
  },
  {
    title: 'a request behind one that is refused',
    sent: `${post('Content-Type: application/json', 'Content-Length: 2')}{}${again([close])}`,
    answered: ['400,200', '400'],
  },
  { title: 'HTTP/1.0', sent: lines(`GET ${path} HTTP/1.0`), answered: ['200'] },
  {
    title: 'HTTP/1.0 on a connection that is kept',
    sent: `${lines(`GET ${path} HTTP/1.0`, host, 'Connection: keep-alive')}${lines(`GET ${path} HTTP/1.0`)}`,
    answered: ['200,200'],
  },
  { title: 'HTTP/1.9', sent: first(`GET ${path} HTTP/1.9`), answered: refused },
  { title: 'the beginning of HTTP/2', sent: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answered: refused },
  { title: 'the beginning of TLS', sent: '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', answered: refused },
  { title: 'blank lines before a request', sent: `\r\n\r\n${get()}`, answered: ['200'] },
  // A client that closes its sending side before the response is taken to have left.
  { title: 'a whole request and no more', sent: again([]), isHalfClosed: true, answered: ['200', ''] },
  { title: 'half a head and no more', sent: get().slice(0, -20), isHalfClosed: true, answered: refused },
  { title: 'half a body and no more', sent: `${post('Content-Length: 50')}{`, isHalfClosed: true, answered: refused },
]

test('requests that are none are refused or answered at once, each on its own, and tell nothing', {
  timeout: 60_000,
}, async (t) => {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) return t.skip('PGlite serves one process only.')
  const port = Number(new URL(await (await startServiceProcess(t, url)).api).port)

  for (const { title, sent, answered, isHalfClosed = false } of [...lengths, ...heads, ...targets, ...connections]) {
    const text = await exchange(port, sent, isHalfClosed)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join()
    assert.ok(answered.includes(statuses), `${title}: answered “${statuses}”\n${text.slice(0, 500)}`)
    assert.doesNotMatch(text, /smuggled|node_modules|\.ts:|at .*\(/, title)
  }
  assert.match(await exchange(port, get(), false), /^HTTP\/1\.1 200/)
})

/** Returns everything that the server sends until it closes the connection, which it does in each case. */
async function exchange(port: number, sent: string, isHalfClosed: boolean): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  // A server that has refused the header section may close while the client still sends the rest.
  socket.on('error', () => {})
  socket.write(Buffer.from(sent, 'latin1'))
  if (isHalfClosed) socket.end()
  socket.on('end', () => socket.destroy())
  await new Promise((resolve) => socket.on('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}
