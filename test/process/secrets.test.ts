import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { groupedInFours } from '../../src/access/auth/credentials.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { givenCollector } from '../support/collector.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { plainEvent } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { type Served, startShell } from '../support/shell.ts'

const options = { timeout: 120_000 }
const login = 'admin'

/** Every text that no log may contain, by its name. */
type Secrets = Map<string, string>

/** A text that occurs nowhere by chance: 24 letters and digits, like our own secrets. */
const chosen = (secrets: Secrets, name: string): string => {
  const secret = randomBytes(12).toString('hex')
  secrets.set(name, secret)
  return secret
}

/** A client without headers of its own: the test determines everything that it sends. */
function clientOf({ api }: Served) {
  const namespace = (path: string) => (path.startsWith('/events') ? api : api.replace('/events/v1', '/service/v1'))
  return async (method: string, path: string, headers: Readonly<Record<string, string>>, json?: unknown) => {
    const response = await fetch(`${namespace(path)}${path}`, {
      method,
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    })
    const text = await response.text()
    const body = /json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, body, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  }
}

type Ask = ReturnType<typeof clientOf>

/** Uses every kind of secret, right and wrong, and records it. Returns whether each could be used. */
async function useSecrets(
  ask: Ask,
  secrets: Secrets,
  adminKey: string,
  setPassword: (password: string) => Promise<unknown>,
) {
  const basic = (secret: string) => {
    const encoded = btoa(`${login}:${secret}`)
    secrets.set(`Basic header of ${secret}`, encoded)
    return { authorization: `Basic ${encoded}` }
  }
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const admin = basic(adminKey)
  const statuses: number[] = []
  const use = async (...request: Parameters<Ask>) => {
    const answer = await ask(...request)
    statuses.push(answer.status)
    return answer
  }

  await use('GET', '/events', basic(chosen(secrets, 'wrong key')))
  await use('GET', '/events', bearer(chosen(secrets, 'wrong token')))
  const { body: key } = await use('POST', '/users/me/keys', admin, { label: 'log' })
  secrets.set('new key', key.secret)
  const { body: rotated } = await use('POST', `/users/me/keys/${key.id}/rotate`, bearer(key.secret), {
    overlap_hours: 1,
  })
  secrets.set('rotated key', rotated.secret)
  await use('GET', '/events', bearer(rotated.secret))
  const { body: user } = await use('POST', '/users', admin, {
    ...{ name: 'zoe', role: 'author', email: `${chosen(secrets, 'e-mail address')}@example.org` },
  })
  secrets.set('first key of a user', user.application_password)

  const password = chosen(secrets, 'password')
  await use('PUT', '/users/me/password', admin, { password: chosen(secrets, 'password that a key may not set') })
  await setPassword(password)
  await use('POST', '/session', {}, { login, password: chosen(secrets, 'wrong password') })
  await use('POST', '/session', {}, { login: chosen(secrets, 'password typed as a name'), password })
  const { body: opened, cookie } = await use('POST', '/session', {}, { login, password })
  secrets.set('session', cookie.split('=')[1] ?? '')
  secrets.set('token', opened.csrf_token)
  const browser = { cookie, 'x-csrf-token': opened.csrf_token }
  await use('GET', '/session', browser)
  await use('POST', '/events', { cookie, 'x-csrf-token': chosen(secrets, 'wrong csrf token') }, plainEvent)
  const next = chosen(secrets, 'next password')
  await use('PUT', '/users/me/password', browser, {
    password: next,
    current_password: chosen(secrets, 'wrong current'),
  })
  await use('PUT', '/users/me/password', browser, { password: next, current_password: password })
  await use('PUT', '/users/me/password', browser, { password: [chosen(secrets, 'password of a wrong type')] })
  await use('POST', '/session', {}, `{"login": "${login}", "password": "${chosen(secrets, 'password in broken JSON')}`)

  const eventPassword = chosen(secrets, 'event password')
  const { body: event } = await use('POST', '/events', admin, { ...plainEvent, event_password: eventPassword })
  await use('GET', `/events/${event.id}?password=${eventPassword}`, {})
  await use('GET', `/events/${event.id}?password=${chosen(secrets, 'wrong event password')}`, {})
  await use('GET', `/events?password=${eventPassword}&page=99`, {})
  await use('GET', `/events?search=${chosen(secrets, 'what was searched for')}`, {})
  await use('GET', `/events/by-slug/${chosen(secrets, 'name in an address')}`, {})
  await use('POST', '/events', admin, `{"event_password": "${chosen(secrets, 'event password in broken JSON')}`)
  const address = `http://someone:${chosen(secrets, 'password in an address')}@127.0.0.1/picture.jpg`
  await use('POST', '/events', admin, { ...plainEvent, image: address })
  return { statuses, admin, browser, next, event, eventPassword }
}

/** Uses the secrets while the database fails. Errors are logged with all their details. */
async function useInVain(ask: Ask, used: Awaited<ReturnType<typeof useSecrets>>, { api }: Served) {
  const { admin, browser, next, event, eventPassword } = used
  const upload = form(await picture(40, 30))
  const { status } = await fetch(`${api.replace('/events/v1', '/service/v1')}/media`, {
    method: 'POST',
    body: new Uint8Array(upload.payload),
    headers: { ...upload.headers, ...admin },
  })
  return async (drop: (table: string) => Promise<void>) => {
    const statuses = [status]
    const use = async (...request: Parameters<Ask>) => statuses.push((await ask(...request)).status)
    await drop('account_passwords')
    await use('POST', '/session', {}, { login, password: next })
    await use('PUT', '/users/me/password', browser, { password: next, current_password: next })
    await drop('events')
    await use('POST', '/events', browser, { ...plainEvent, event_password: eventPassword })
    await use('GET', `/events/${event.id}?password=${eventPassword}`, {})
    await drop('sessions')
    await use('GET', '/session', browser)
    await drop('application_passwords')
    await use('GET', '/events', admin)
    await use('GET', '/events', { authorization: `Bearer ${next}` })
    return statuses
  }
}

/** The names of the secrets in this text. */
function foundIn(text: string, secrets: Secrets): readonly string[] {
  return [...secrets].flatMap(([name, secret]) => {
    assert.ok(secret.length >= 16, `${name} is too short to be looked for`)
    const forms = [secret, groupedInFours(secret), encodeURIComponent(secret), btoa(secret).replace(/=+$/, '')]
    return forms.some((one) => text.includes(one)) ? [name] : []
  })
}

/** A server on an empty database, whose settings contain secrets too. */
async function givenServer(t: TestContext, secrets: Secrets, own: Readonly<Record<string, string>>) {
  const collector = await givenCollector(t)
  const url = await givenDatabaseUrl(t)
  if (url === undefined) {
    t.skip('PGlite serves one process only.')
    return undefined
  }
  const shell = await startShell(t)
  const environment = {
    LOG_LEVEL: 'trace',
    MEDIA_URL: 's3://bucket?region=ca&endpoint=http://127.0.0.1:1&path_style=1',
    AWS_ACCESS_KEY_ID: chosen(secrets, 'S3 key'),
    AWS_SECRET_ACCESS_KEY: chosen(secrets, 'S3 secret'),
    AWS_MAX_ATTEMPTS: '1',
    METRICS_TOKEN: chosen(secrets, 'token of metrics'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${chosen(secrets, 'token of traces')}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    DATABASE_URL: withPassword(url, secrets),
    ...(url === ''
      ? {}
      : { DATABASE_REPLICA_URL: `postgres://cal:${chosen(secrets, 'replica password')}@127.0.0.1:1/cal` }),
    ...own,
  }
  const served = await shell.serve([], environment)
  const dataDir = join(shell.folder, 'data')
  /** Drops a table without the knowledge of the server. */
  const drop = async (table: string) => {
    const storage = await openStorage(readConfig({ DATA_DIR: dataDir, DATABASE_URL: url }), {
      audited: auditedTables,
      // They read tables that are gone.
      derivations: [],
    })
    const engine = storage.dialect.name
    await storage.write(async (tx) => {
      if (engine === 'sqlite') await sql`pragma defer_foreign_keys = on`.execute(tx)
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`lost_${table}`)}`.execute(tx)
    })
    await storage.close()
  }
  /** Metrics and request traces: the reports of the server besides its log. */
  const told = async () => {
    const headers = { authorization: `Bearer ${environment.METRICS_TOKEN}` }
    const numbers = await (await fetch(new URL('/metrics', served.api), { headers })).text()
    return { numbers, traces: collector.text }
  }
  /** On the command line, where a person gets the first one. */
  const setPassword = async (password: string) => {
    const { exitCode, err } = await shell.run(['user', 'account-password', login], environment, {
      input: `${password}\n`,
    })
    assert.equal(exitCode, 0, err)
  }
  return { shell, served, environment, drop, told, setPassword }
}

/** A server that trusts its neighbours accepts any password: so its settings contain one as well. */
function withPassword(url: string, secrets: Secrets): string {
  if (url === '' || new URL(url).password !== '') return url
  const address = new URL(url)
  address.password = chosen(secrets, 'database password')
  return address.href
}

test('no secret stands in anything that the server prints, on its most talkative level', options, async (t) => {
  const secrets: Secrets = new Map()
  const adminPassword = chosen(secrets, 'ADMIN_PASSWORD')
  const site = await givenServer(t, secrets, { ADMIN_PASSWORD: adminPassword })
  if (!site) return
  const { shell, served, environment, drop, told } = site
  const ask = clientOf(served)

  const used = await useSecrets(ask, secrets, adminPassword, site.setPassword)
  const failed = await (await useInVain(ask, used, served))(drop)
  const shown = await shell.run(['config', 'print', '--json'], environment)
  const refused = await shell.run(['config', 'print'], {
    MEDIA_URL: `s3://someone:${chosen(secrets, 'S3 secret in an address')}@bucket`,
  })
  const { numbers, traces } = await told()
  served.child.kill('SIGTERM')
  await once(served.child, 'close')

  // Otherwise no secret was used or logged, and the search could not fail.
  assert.deepEqual(used.statuses, [
    ...[401, 401, 201, 200, 200, 201],
    ...[403, 401, 401, 201, 200, 401, 403, 204, 400, 400],
    ...[201, 200, 403, 404, 200, 400, 400, 400],
  ])
  assert.deepEqual(failed, Array(failed.length).fill(500))
  assert.ok((served.output().match(/"level":50/g) ?? []).length >= failed.length)
  assert.ok((served.output().match(/"msg":"request"/g) ?? []).length > used.statuses.length + failed.length)
  assert.match(numbers, /cal_events_http_requests_total\{/)
  assert.match(traces(), /cal_events\.request_id/)
  const everything = [served.output(), numbers, traces(), shown.out, shown.err, refused.out, refused.err].join('\n')
  assert.match(everything, /MEDIA_URL is/)
  assert.deepEqual(foundIn(everything, secrets), [])
})

test('the first administrator’s password is printed once and nowhere else', options, async (t) => {
  const secrets: Secrets = new Map()
  const site = await givenServer(t, secrets, {})
  if (!site) return
  const { served } = site
  // The only place that prints a secret on purpose.
  const onPurpose = /^ *Application password {2}((?:\w{4} ){5}\w{4}) {2}\(shown only now\)$/m
  const secret = onPurpose.exec(served.output())?.[1] ?? ''
  secrets.set('first password', secret.replaceAll(' ', ''))

  await useSecrets(clientOf(served), secrets, secret, site.setPassword)
  served.child.kill('SIGTERM')
  await once(served.child, 'close')

  assert.deepEqual(foundIn(served.output(), secrets), ['first password'])
  assert.deepEqual(foundIn(served.output().replace(onPurpose, ''), secrets), [])
})
