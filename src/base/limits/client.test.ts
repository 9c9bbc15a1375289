import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { readConfig } from '../config/config.ts'
import { clientAddress, clientKey, clientNetworkOf, networkOf } from './client.ts'
import { forwardedFor, forwardedOrigin } from './forwarded.ts'

type Headers = Readonly<Record<string, string>>

/** A request as the service receives it, from a proxy or a client. */
function request(remoteAddress: string, headers: Headers = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const addressBy = (TRUST_PROXY: string, remote: string, forwarded?: string) =>
  clientAddress(
    readConfig({ TRUST_PROXY }),
    request(remote, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  )
/** Returns the client address for a `Forwarded` header, with trusted proxies. */
const addressIn = (forwarded: string, TRUST_PROXY = 'true') =>
  clientAddress(readConfig({ TRUST_PROXY, TRUST_PROXY_HEADERS: 'forwarded' }), request('10.0.0.1', { forwarded }))
const keyOf = (address: string, environment: Readonly<Record<string, string>> = {}) =>
  clientKey(readConfig(environment), request(address))

test('what proxies say counts as far as they are believed', () => {
  const forged = '6.6.6.6, 198.51.100.7, 10.0.0.9'

  assert.equal(addressBy('false', '203.0.113.1', forged), '203.0.113.1')
  assert.equal(addressBy('true', '10.0.0.1', '6.6.6.6, 198.51.100.7'), '198.51.100.7')
  assert.equal(addressBy('1', '10.0.0.1', forged), '10.0.0.9')
  assert.equal(addressBy('2', '10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('10.0.0.0/8', '10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('private', '::ffff:10.0.0.1', forged), '198.51.100.7')
  assert.equal(addressBy('10.0.0.0/8', '203.0.113.1', forged), '203.0.113.1')
  assert.equal(addressBy('true', '10.0.0.1'), '10.0.0.1')
  assert.equal(addressBy('2', '10.0.0.1', '198.51.100.7'), '198.51.100.7')
})

/** Ways in which proxies write a client, and its address. */
const nodes = [
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:1234', '198.51.100.7'],
  ['"198.51.100.7:1234"', '198.51.100.7'],
  ['"198.51.100.7"', '198.51.100.7'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:DB8:0::1]:443"', '2001:db8::1'],
  ['"[2001:db8::1]:_port"', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['"[::ffff:c633:6407]:80"', '198.51.100.7'],
] as const
/** Values that identify no client, and must not be taken for the proxy itself. */
const nobody = [
  'unknown',
  '"unknown"',
  '_hidden',
  '"_hidden:80"',
  'localhost',
  '1.2.3',
  '[1.2.3',
  '198.51.100.7:',
  '"',
  '-',
]

test('an address is read with its port, in brackets and in quotes', () => {
  for (const [node, address] of nodes) {
    assert.equal(addressBy('true', '10.0.0.1', `6.6.6.6, ${node}`), address, node)
    assert.equal(addressIn(`for=6.6.6.6, for=${node}`), address, node)
    assert.equal(addressIn(`By=10.0.0.1;host="a.example:80"; FOR = ${node} ;proto=https`), address, node)
  }
  assert.equal(addressBy('false', '::ffff:198.51.100.7'), '198.51.100.7')
})

test('an empty item of a list counts for nothing (RFC 9110, 5.6.1), and neither does a pair without a value', () => {
  assert.equal(addressBy('true', '10.0.0.1', '6.6.6.6, 198.51.100.7, , '), '198.51.100.7')
  assert.equal(addressBy('1', '10.0.0.1', ',198.51.100.7,'), '198.51.100.7')
  assert.equal(addressIn('for=6.6.6.6,, for=198.51.100.7;proto=http,'), '198.51.100.7')
  assert.equal(addressIn('for1;for=198.51.100.7'), '198.51.100.7')
  assert.equal(addressIn('=for;for=198.51.100.7'), '198.51.100.7')
})

test('of a client that its proxy does not name nobody knows the address: it is not that of the proxy', () => {
  for (const node of nobody) {
    assert.equal(addressBy('true', '10.0.0.1', `6.6.6.6, ${node}`), '', node)
    assert.equal(addressIn(`for=6.6.6.6, for=${node}`), '', node)
    assert.equal(addressBy('10.0.0.0/8', '10.0.0.1', `6.6.6.6, ${node}, 10.0.0.2`), '', node)
  }
  assert.equal(addressIn('for=6.6.6.6, by=10.0.0.1;proto=https'), '')
})

test('only the headers that the setting names are believed, for the others pass a proxy as the client sent them', () => {
  const both = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=203.0.113.9' }
  const by = (TRUST_PROXY_HEADERS: string, headers: Headers) =>
    clientAddress(readConfig({ TRUST_PROXY: 'true', TRUST_PROXY_HEADERS }), request('10.0.0.1', headers))

  assert.equal(by('x-forwarded', both), '198.51.100.7')
  assert.equal(by('forwarded', both), '203.0.113.9')
  assert.equal(by('Forwarded', { 'x-forwarded-for': '198.51.100.7' }), '10.0.0.1')
  assert.equal(by('x-forwarded', { forwarded: 'for=203.0.113.9' }), '10.0.0.1')
  assert.throws(() => by('both', both), /TRUST_PROXY_HEADERS/)
})

test('whatever a client sends, it is who the proxies say that it is', () => {
  const piece = fc.oneof(
    fc.constantFrom(...nodes.map(([node]) => node), ...nobody),
    fc.constantFrom(',', ', ', ';', '"', '\\', 'for=', 'For="', 'proto=https', ' ', 'for=6.6.6.6', '"6.6.6.6, ', '='),
    fc.string(),
  )
  const said = fc.option(fc.array(piece).map((pieces) => pieces.join('')))
  fc.assert(
    fc.property(
      ...[said, said, fc.constantFrom(...nodes), fc.nat(2), fc.boolean()],
      (own, other, [node, address], proxies, isByNetwork) => {
        const hops = [node, ...Array.from({ length: proxies }, (_, proxy) => `10.0.0.${proxy + 2}`)]
        const trust = isByNetwork ? '10.0.0.0/8' : String(proxies + 1)
        for (const kind of ['x-forwarded', 'forwarded']) {
          const added = hops.map((hop) => (kind === 'forwarded' ? `for=${hop}` : hop))
          const header = [...(own === null ? [] : [own]), ...added].join(', ')
          const names = kind === 'forwarded' ? ['forwarded', 'x-forwarded-for'] : ['x-forwarded-for', 'forwarded']
          const [name = '', otherName = ''] = names
          const headers = { [name]: header, ...(other === null ? {} : { [otherName]: other }) }
          const config = readConfig({ TRUST_PROXY: trust, TRUST_PROXY_HEADERS: kind })
          assert.equal(clientAddress(config, request('10.0.0.1', headers)), address)
        }
      },
    ),
  )
})

test('IPv6 is counted by the network of a customer, IPv4 by address, in whatever notation', () => {
  assert.equal(keyOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(keyOf('2001:db8:1:2::'), '2001:db8:1:2')
  assert.notEqual(keyOf('2001:db8:1:3::'), keyOf('2001:db8:1:2::'))
  assert.equal(keyOf('::ffff:198.51.100.7'), '198.51.100.7')
})

test('addresses that stand for no single client are not counted, by default those of private networks', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.5',
    '172.20.0.1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '',
  ]) {
    assert.equal(keyOf(address), undefined, address)
  }
  assert.equal(keyOf('198.51.100.7', { RATE_LIMIT_EXEMPT: '198.51.100.0/24' }), undefined)
  assert.equal(keyOf('127.0.0.1', { RATE_LIMIT_EXEMPT: '' }), '127.0.0.1')
})

test('what is no address has no network, and all such clients share one', () => {
  assert.deepEqual(['198.51.100.7', '::ffff:198.51.100.7', '2001:db8:1:2:3:4:5:6'].map(clientNetworkOf), [
    '198.51.100.7',
    '198.51.100.7',
    '2001:db8:1:2',
  ])
  for (const text of ['', 'unknown', 'localhost', '1.2.3.4.5']) {
    assert.deepEqual([networkOf(text), clientNetworkOf(text)], [undefined, ''])
  }
})

test('what is forwarded counts only from an address that is trusted', () => {
  const headers = {
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-host': 'old.example, city.example',
    'x-forwarded-proto': 'http, https',
    forwarded: 'for=203.0.113.9;host=a.example, for="[::1]";Host="b.example:80";proto=HTTPS',
  }
  const of = (remote: string, TRUST_PROXY_HEADERS: string, sent: Headers = headers) => {
    const config = readConfig({ TRUST_PROXY: '10.0.0.0/8', TRUST_PROXY_HEADERS })
    return [forwardedFor(config, request(remote, sent)), forwardedOrigin(config, request(remote, sent))]
  }

  assert.deepEqual(of('10.0.0.1', 'x-forwarded'), [['198.51.100.7'], { host: 'city.example', scheme: 'https' }])
  assert.deepEqual(of('10.0.0.1', 'forwarded'), [['203.0.113.9', '[::1]'], { host: 'b.example:80', scheme: 'https' }])
  for (const kind of ['x-forwarded', 'forwarded']) {
    assert.deepEqual(of('203.0.113.1', kind), [[], undefined])
    assert.deepEqual(of('10.0.0.1', kind, {}), [[], { host: undefined, scheme: undefined }])
  }
  // The nearest proxy does not say for whom it forwards.
  assert.deepEqual(of('10.0.0.1', 'forwarded', { forwarded: 'for=a, by=b' })[0], ['a', ''])
})
