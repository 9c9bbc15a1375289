import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { answerIn, sendRaw } from '../../../test/support/socket.ts'
import { readConfig } from '../../base/config/config.ts'
import { createSiteFinder } from './site.ts'

type Environment = Readonly<Record<string, string>>

/** Returns the site of a request for this host, on a connection to this address. */
function siteFor(host: string | undefined, environment: Environment = {}, headers: Environment = {}) {
  const find = createSiteFinder(readConfig(environment))
  const request = {
    headers: { ...(host === undefined ? {} : { host }), ...headers },
    socket: { localAddress: '203.0.113.9' },
  }
  const asked = request as unknown as Parameters<typeof find>[0]
  const site = find(asked)
  assert.equal(find(asked), site, 'what was judged before is judged the same')
  return site
}

test('without settings a client may come by names that no stranger can own, and by no others', () => {
  const ours = [
    ...['localhost', 'localhost:3000', 'calendar', 'web.localhost', 'calendar.test', 'box.local', 'api.internal'],
    ...[
      '127.0.0.1',
      '127.0.0.1:3000',
      '192.168.1.5',
      '[::1]:3000',
      '[fd00::1]',
      '203.0.113.9',
      'LOCALHOST',
      'localhost:80',
    ],
  ]
  for (const host of ours) assert.equal(siteFor(host), `http://${host}`, host)
  const others = [
    ...[
      'evil.com',
      'evil.com:80',
      'localhost.evil.com',
      'localhost.',
      '8.8.8.8',
      '[2600::1]',
      '0x08080808',
      '134744072',
    ],
    ...['localhost@evil.com', 'localhost/evil', 'evil.com#.test', 'a b', '', 'localhost:99999', 'evil.test.com'],
  ]
  for (const host of others) assert.equal(siteFor(host), undefined, host)
})

test('a name that is longer than names can be is nobody’s, whoever says it', () => {
  const longest = 'a'.repeat(253)
  const forwarded = (host: string) => ({ 'x-forwarded-host': host })
  const inElement = (host: string) => ({ forwarded: `host="${host}"` })
  const proxied = { TRUST_PROXY: 'true', ALLOWED_HOSTS: '*' }
  const proxiedOtherwise = { TRUST_PROXY: 'true', TRUST_PROXY_HEADERS: 'forwarded' }

  for (const host of [longest, `${longest}:65535`]) {
    assert.equal(siteFor(host), `http://${host}`)
    assert.equal(siteFor('localhost', proxied, forwarded(host)), `http://${host}`)
    assert.equal(siteFor('localhost', proxiedOtherwise, inElement(host)), `http://${host}`)
  }
  for (const host of [`${longest}a`, `${longest}a:80`, 'a'.repeat(15_000), `${'a.'.repeat(7000)}localhost`]) {
    assert.equal(siteFor(host), undefined)
    assert.equal(siteFor('localhost', proxied, forwarded(host)), undefined)
    assert.equal(siteFor('localhost', proxiedOtherwise, inElement(host)), undefined)
  }
})

test('with a list of hosts only those are ours, in any letter case', () => {
  const environment = { ALLOWED_HOSTS: 'events.example.org, .laval.example' }

  assert.equal(siteFor('Events.Example.org', environment), 'http://Events.Example.org')
  assert.equal(siteFor('events.example.org:8080', environment), 'http://events.example.org:8080')
  assert.equal(siteFor('a.b.laval.example', environment), 'http://a.b.laval.example')
  for (const host of ['laval.example', 'evil-laval.example', 'example.org', 'localhost', 'events.example.org.evil.com'])
    assert.equal(siteFor(host, environment), undefined, host)
  assert.equal(siteFor('evil.com', { ALLOWED_HOSTS: '*' }), 'http://evil.com')
})

test('with a public address nobody’s word counts', () => {
  const environment = { PUBLIC_URL: 'https://events.example.org/calendar/' }
  const site = 'https://events.example.org/calendar'

  for (const host of ['evil.com', 'localhost', 'a b', undefined]) assert.equal(siteFor(host, environment), site)
  const strict = { ...environment, ALLOWED_HOSTS: 'inner' }
  assert.deepEqual(
    ['inner:3000', 'events.example.org', 'evil.com'].map((host) => siteFor(host, strict)),
    [site, site, undefined],
  )
})

test('what a proxy says of the host is judged as well, and counts only where the proxy is believed', () => {
  const forwarded = { 'x-forwarded-host': 'evil.com, events.example.org', 'x-forwarded-proto': 'https' }
  const behind = { TRUST_PROXY: 'true', ALLOWED_HOSTS: 'events.example.org' }

  assert.equal(siteFor('inner', behind, forwarded), 'https://events.example.org')
  assert.equal(siteFor('inner', behind, { 'x-forwarded-host': 'evil.com' }), undefined)
  assert.equal(siteFor('events.example.org', behind, { 'x-forwarded-proto': 'evil' }), 'http://events.example.org')
  assert.equal(siteFor('inner', {}, forwarded), 'http://inner')
})

test('the host and the scheme of a proxy come from the headers that it is believed by', () => {
  const behind = { TRUST_PROXY: 'true', TRUST_PROXY_HEADERS: 'forwarded', ALLOWED_HOSTS: 'events.example.org, inner' }
  const forwarded = (text: string, others = {}) => siteFor('inner', behind, { forwarded: text, ...others })
  const others = { 'x-forwarded-host': 'evil.com', 'x-forwarded-proto': 'https' }

  assert.equal(forwarded('for=_a;Host="events.example.org:8443";proto=HTTPS'), 'https://events.example.org:8443')
  assert.equal(forwarded('host=evil.com;proto=http, host=events.example.org;proto=https'), 'https://events.example.org')
  assert.equal(forwarded('host=events.example.org, host=evil.com'), undefined)
  assert.equal(forwarded('host=evil.com;proto=https, for=192.0.2.43'), 'http://inner')
  assert.equal(forwarded('for=192.0.2.43', others), 'http://inner')
  assert.equal(
    siteFor('inner', { ...behind, TRUST_PROXY_HEADERS: 'x-forwarded' }, { forwarded: 'host=evil.com' }),
    'http://inner',
  )
})

test('a client without a host is one of the address at which the service listens', () => {
  assert.equal(siteFor(undefined), 'http://127.0.0.1:3000')
})

/**
 * Starts the service over real connections. Returns a function that sends a request for a host on its own connection.
 */
async function listening(t: TestContext, environment: Environment = {}) {
  const app = await startTestApp(t, environment)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (host: string, target: string, ...lines: readonly string[]) => {
    const head = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', '']
    return answerIn(await sendRaw(url, head.join('\r\n')).all)
  }
  return { url, ask }
}

const api = '/cal/events/v1'

test('a request for a host of strangers is refused, and nothing of it is kept for others', async (t) => {
  const { ask } = await listening(t)

  const poisoned = await ask('evil.com', `${api}/events`)
  const french = await ask('evil.com', `/fr${api}/events`)
  const forwarded = await ask(
    'localhost',
    `${api}/events`,
    'X-Forwarded-Host: evil.com',
    'X-Host: evil.com',
    'Forwarded: host=evil.com',
  )
  const next = await ask('localhost', `${api}/events`)

  assert.deepEqual([poisoned.status, poisoned.body.code], [421, 'rest_unknown_host'])
  assert.match(french.body.message, /nom d’hôte/)
  for (const { status, head, body } of [forwarded, next]) {
    assert.equal(status, 200)
    assert.doesNotMatch(head + JSON.stringify(body), /evil/)
    assert.match(body.rest_url, /^http:\/\/localhost\//)
  }
  assert.doesNotMatch(poisoned.head, /evil/)
})

test('cached responses are those of the requested host', async (t) => {
  const { ask } = await listening(t, { ALLOWED_HOSTS: 'one.example, two.example' })

  for (let turn = 0; turn < 2; turn += 1) {
    for (const host of ['one.example', 'two.example']) {
      const { head, body } = await ask(host, `${api}/events`)
      assert.ok(body.rest_url.startsWith(`http://${host}/`))
      assert.match(head, new RegExp(`^x-tec-api-origin: http://${host}\\r$`, 'im'))
    }
  }
})

test('no answer sends a browser, or names an address, elsewhere', async (t) => {
  const { url } = await listening(t)
  const targets = [
    ...[
      '//evil.com/docs/',
      '/docs//evil.com/..',
      '/docs/?//evil.com',
      '//evil.com/%2e%2e/docs/',
      '/docs/%0d%0aX-Evil:%201',
    ],
    ...[
      '/\\evil.com/docs/',
      '/fr/docs/',
      '/docs/',
      '//evil.com',
      '///evil.com/..',
      '/?rest_route=//evil.com/',
      '/%5cevil.com/docs/',
    ],
    ...[
      'http://evil.com/docs/',
      `http://evil.com${api}/events`,
      'https://evil.com',
      '/uploads//evil.com',
      '/uploads/../docs/',
    ],
    ...[`${api}//evil.com/`, `${api}/events/?next=//evil.com`, '/?redirect_to=//evil.com', '/?url=https://evil.com'],
  ]
  for (const target of targets) {
    const text = await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`).all
    const head = text.split('\r\n\r\n', 1)[0] ?? ''
    const location = /^location: *(.*)$/im.exec(head)?.[1]
    assert.match(head, /^HTTP\/1\.1 (200|308|400|404|421) /, target)
    if (location !== undefined)
      assert.equal(new URL(location, 'http://localhost/docs/').origin, 'http://localhost', target)
    assert.doesNotMatch(head, /evil/i, target)
  }
})
