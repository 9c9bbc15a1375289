import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startCommands } from '../../test/support/called.command.ts'
import { givenRecording, readRecorded, recordedFiles, tecEvent } from '../../test/support/recording.ts'
import { startShell } from '../../test/support/shell.ts'
import { readConfig } from '../base/config/config.ts'
import { startService } from '../main.ts'
import { unavailable } from './database.ts'
import { table } from './output.ts'
import { cannotListen, unsafeSettings, welcome } from './service.ts'

interface EventList {
  readonly events: readonly { readonly id: number; readonly title: string; readonly author: string }[]
}

async function eventsOf(api: string): Promise<EventList['events']> {
  const answer = await fetch(`${api}/events?per_page=50`)
  return ((await answer.json()) as EventList).events
}

async function titlesOf(api: string): Promise<readonly string[]> {
  return (await eventsOf(api)).map(({ id, title }) => `${id} ${title}`)
}

const commands = [
  [],
  ['serve'],
  ['migrate'],
  ['db'],
  ['db', 'copy'],
  ['user'],
  ['user', 'add'],
  ['user', 'list'],
  ['user', 'remove'],
  ['user', 'password'],
  ['user', 'role'],
  ['user', 'account-password'],
  ['key'],
  ['key', 'add'],
  ['key', 'list'],
  ['key', 'rotate'],
  ['key', 'revoke'],
  ['import'],
  ['import', 'tec'],
  ['import', 'ics'],
  ['import', 'csv'],
  ['import', 'jsonld'],
  ['subscription'],
  ['subscription', 'add'],
  ['subscription', 'list'],
  ['subscription', 'fetch'],
  ['subscription', 'pause'],
  ['subscription', 'resume'],
  ['subscription', 'remove'],
  ['pull'],
  ['pull', 'tec'],
  ['audit'],
  ['audit', 'list'],
  ['audit', 'prune'],
  ['config'],
  ['config', 'print'],
  ['backup'],
  ['backup', 'create'],
  ['backup', 'verify'],
  ['backup', 'restore'],
  ['backup', 'key'],
]

test('it says its version, and stops without a word where nobody reads on', async () => {
  const program = fileURLToPath(new URL('../../bin/cal-events.mjs', import.meta.url))
  const shell = promisify(execFile)

  const version = await shell(process.execPath, [program, '--version'])
  const help = await shell('sh', ['-c', '"$0" "$1" --help | true', process.execPath, program])

  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal(help.stderr, '')
})

test('every command has help with examples', async (t) => {
  const { run } = await startCommands(t)

  const helps = await Promise.all(commands.map((command) => run([...command, '--help'])))

  helps.forEach(({ exitCode, out }, index) => {
    const name = ['cal-events', ...(commands[index] ?? [])].join(' ')
    assert.equal(exitCode, 0, name)
    assert.match(out, new RegExp(`Usage: ${name} [^]*\nExamples:\n  cal-events`), name)
  })
})

test('what cannot be understood is wrong usage', async (t) => {
  const { run } = await startShell(t)

  const answers = await Promise.all(
    [[], ['sereve'], ['user', 'add', 'eve'], ['user', 'add', 'eve', '--role', 'queen'], ['import', 'tec']].map((args) =>
      run(args),
    ),
  )

  assert.deepEqual(
    answers.map(({ exitCode }) => exitCode),
    [2, 2, 2, 2, 2],
  )
  assert.ok(answers.every(({ err }) => err !== ''))
})

test('a faulty configuration is told whole, and ends with 78', async (t) => {
  const { folder, run } = await startShell(t)
  await writeFile(join(folder, '.env'), 'SITE_TIMEZONE=Mars\n')

  const { exitCode, err } = await run(['serve', '--port', 'http'], { PER_PAGE: '50', MAX_PER_PAGE: '20' })

  assert.equal(exitCode, 78)
  assert.match(err, /PORT is “http”/)
  assert.match(err, /SITE_TIMEZONE is “Mars”/)
  assert.match(err, /PER_PAGE must not be above MAX_PER_PAGE/)
})

test('options win over the environment, the environment over the file, and secrets are hidden', async (t) => {
  const { folder, run } = await startCommands(t)
  const secret = 'abcdefghijklmnop'
  await writeFile(
    join(folder, '.env'),
    `PORT=1001\nHOST=::1\nADMIN_PASSWORD=${secret}\nDATABASE_URL=postgres://me:${secret}@localhost/events\nPER_PAGE=5\n`,
  )

  const { out } = await run(['config', 'print', '--json', '--port', '1003'], { PORT: '1002', HOST: '0.0.0.0' })

  const settings = JSON.parse(out)
  const shown = (name: string) => [settings[name].value, settings[name].source]
  assert.deepEqual(shown('PORT'), ['1003', 'option'])
  assert.deepEqual(shown('HOST'), ['0.0.0.0', 'environment'])
  assert.deepEqual(shown('PER_PAGE'), ['5', '.env'])
  assert.deepEqual(shown('MAX_PER_PAGE'), ['100', 'default'])
  assert.ok(!out.includes(secret))
})

test('a file that is named gives settings and files of secrets, and slips are told', async (t) => {
  const { folder, run } = await startCommands(t)
  await writeFile(join(folder, 'secret'), 'abcdefghijklmnop\n')
  await writeFile(join(folder, '.env'), 'PORT=1001\n')
  await writeFile(join(folder, 'calendar.env'), 'PER_PAGE=7\nADMIN_PASSWORD_FILE=secret\nPUBLIC_URI=http://x\n')

  const { exitCode, out, err } = await run(['config', 'print', '--json'], { ENV_FILE: 'calendar.env' })
  const faulty = await run(['config', 'print'], { ENV_FILE: 'none', BACKUP_KEY_FILE: 'none', PORT: 'x' })

  const settings = JSON.parse(out)
  const shown = (name: string) => [settings[name].value, settings[name].source]
  assert.equal(exitCode, 0)
  assert.deepEqual(['PER_PAGE', 'ADMIN_PASSWORD', 'PORT'].map(shown), [
    ['7', '.env'],
    ['…', 'file'],
    ['3000', 'default'],
  ])
  assert.equal(err, 'PUBLIC_URI is not a setting and has no effect. Did you mean PUBLIC_URL?\n')
  assert.equal(faulty.exitCode, 78)
  assert.equal(faulty.out, '')
  for (const fault of [/The file none cannot/, /BACKUP_KEY_FILE: the file none cannot/, /PORT is/])
    assert.match(faulty.err, fault)
})

test('a user is added, listed, given a new password and removed', async (t) => {
  const { run } = await startCommands(t)
  await run(['user', 'add', 'root', '--role', 'administrator'])

  const added = await run(['user', 'add', 'alice', '--role', 'editor', '--email', 'alice@example.org', '--json'])
  const again = await run(['user', 'add', 'Alice', '--role', 'author'])
  const renewed = await run(['user', 'password', 'alice', '--json'])
  const listed = await run(['user', 'list', '--json'])
  const removed = await run(['user', 'remove', 'alice@example.org'])
  const gone = await run(['user', 'remove', 'alice'])
  const last = await run(['user', 'remove', 'root'])

  assert.match(JSON.parse(added.out).application_password, /^[a-zA-Z0-9]{24}$/)
  assert.equal(again.exitCode, 1)
  assert.notEqual(JSON.parse(renewed.out).application_password, JSON.parse(added.out).application_password)
  assert.deepEqual(
    JSON.parse(listed.out).map(({ name, role, email }: Record<string, string>) => [name, role, email]),
    [
      ['root', 'administrator', ''],
      ['alice', 'editor', 'alice@example.org'],
    ],
  )
  assert.deepEqual([removed.exitCode, gone.exitCode, last.exitCode], [0, 1, 1])
  assert.match(last.err, /only administrator/)
})

test('what the command line and imports write is listed with where it comes from, and old entries are removed', async (t) => {
  const { folder, run } = await startCommands(t)
  await run(['user', 'add', 'root', '--role', 'administrator'])
  const file = join(folder, 'events.json')
  await writeFile(file, givenRecording([tecEvent(1), tecEvent(2)]))
  await run(['import', 'tec', file])

  const users = await run(['audit', 'list', '--kind', 'user', '--json'])
  const people = await run(['audit', 'list', '--actor', 'import', '--action', 'create', '--limit', '1'])
  const wrong = await run(['audit', 'list', '--id', '1'])
  const pruned = await run(['audit', 'prune', '--json'], { AUDIT_RETENTION_DAYS: '1' })

  const { entries, next_cursor } = JSON.parse(users.out)
  const [{ actor, action, item_id }] = entries
  assert.deepEqual([actor, action, item_id], [{ via: 'cli', id: null, name: null }, 'create', 1])
  assert.deepEqual([entries.length, next_cursor], [1, null])
  assert.match(people.out, /^AT .*FIELDS\n.* import .* create .*\n\nMore: --cursor \d+-\d+\n$/)
  assert.deepEqual([wrong.exitCode, JSON.parse(pruned.out)], [2, { removed: 0, retention_days: 1 }])
})

test('keys are added, listed without their secrets, rotated and revoked', async (t) => {
  const { run, serve } = await startCommands(t)
  await run(['user', 'add', 'bot', '--role', 'author'])
  const { api } = await serve()
  const statusOf = async (secret: string) =>
    (await fetch(`${api}/events`, { headers: { authorization: `Bearer ${secret}` } })).status

  const added = JSON.parse((await run(['key', 'add', 'bot', '--label', 'import', '--days', '90', '--json'])).out)
  const rotated = JSON.parse((await run(['key', 'rotate', String(added.id), '--overlap-hours', '1', '--json'])).out)
  const during = [await statusOf(added.secret), await statusOf(rotated.secret)]
  const listed = await run(['key', 'list', '--json'])
  const revoked = await run(['key', 'revoke', String(added.id)])
  const afterwards = [await statusOf(added.secret), await statusOf(rotated.secret)]
  const faulty = await Promise.all([
    run(['key', 'revoke', String(added.id)]),
    run(['key', 'add', 'nobody', '--label', 'x']),
    run(['key', 'add', 'bot', '--label', 'x', '--days', '0']),
  ])

  assert.deepEqual(during, [200, 200])
  assert.deepEqual(
    JSON.parse(listed.out).map(({ user, label }: Record<string, string>) => [user, label]),
    [
      ['bot', 'first'],
      ['bot', 'import'],
    ],
  )
  assert.ok(!listed.out.includes(added.secret) && !listed.out.includes(rotated.secret))
  assert.equal(revoked.exitCode, 0)
  assert.deepEqual(afterwards, [401, 401])
  assert.deepEqual(
    faulty.map(({ exitCode }) => exitCode),
    [1, 1, 2],
  )
})

test('a role is changed, and a person’s password is read from standard input', async (t) => {
  const { run, runAlone, serve } = await startCommands(t)
  await run(['user', 'add', 'root', '--role', 'administrator'])
  await run(['user', 'add', 'alice', '--role', 'editor'])
  const password = 'correct horse battery staple'

  const short = await runAlone(['user', 'account-password', 'alice'], {}, { input: 'too short\n' })
  const set = await runAlone(['user', 'account-password', 'alice'], {}, { input: `${password}\n` })
  const role = await run(['user', 'role', 'alice', 'author', '--json'])
  const last = await run(['user', 'role', 'root', 'editor'])
  const { api } = await serve()
  const answer = await fetch(`${api.replace('/events/v1', '/service/v1')}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'alice', password }),
  })

  assert.deepEqual([short.exitCode, set.exitCode, role.exitCode, last.exitCode], [2, 0, 0, 1])
  assert.ok(!`${set.out}${set.err}`.includes(password))
  assert.match(last.err, /only administrator/)
  assert.equal(((await answer.json()) as { user: { role: string } }).user.role, 'author')
})

test('a user name that cannot be sent is refused', async (t) => {
  const { run } = await startCommands(t)

  assert.equal((await run(['user', 'add', 'a:b', '--role', 'editor'])).exitCode, 2)
})

test('a database that cannot be opened ends with 69 and its name', async (t) => {
  const { folder, run } = await startCommands(t)
  await writeFile(join(folder, 'calendar.sqlite'), 'This is a text and no database at all. '.repeat(50))
  await writeFile(join(folder, 'file'), '')

  const broken = await run(['migrate', '--data-dir', folder])
  const unmakeable = await run(['user', 'list', '--data-dir', join(folder, 'file', 'below')])

  assert.deepEqual([broken.exitCode, unmakeable.exitCode], [69, 69])
  assert.match(broken.err, /calendar\.sqlite cannot be used/)
})

/** A port in use by another server, until the test closes it. */
async function takenPort(t: TestContext) {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const address = other.address()
  assert.ok(typeof address === 'object' && address)
  return { port: address.port, leave: async () => void (await new Promise((resolve) => other.close(resolve))) }
}

test('a port that is taken ends with 69, and the setting that chooses another', async (t) => {
  const { run } = await startShell(t)
  const { port } = await takenPort(t)

  const { exitCode, err } = await run(['serve', '--port', String(port)])
  const elsewhere = await run(['serve', '--host', '203.0.113.9', '--port', '0'])

  assert.equal(exitCode, 69)
  assert.match(
    err,
    new RegExp(`:${port}: the port is in use\\. Set another one with PORT \\(or --port\\), such as PORT=\\d+, or stop`),
  )
  assert.match(elsewhere.err, /this machine does not have this address\. HOST \(or --host\)/)
  const unknown = cannotListen({ host: 'nosuch.invalid', port: 3000 }, 'ENOTFOUND')
  assert.match(unknown, /nosuch\.invalid:3000: this host name is unknown\. HOST/)
})

test('a first start that finds no port makes no administrator; the next one does, and is the calendar’s', async (t) => {
  const { folder, run } = await startShell(t)
  const { port, leave } = await takenPort(t)
  await run(['serve', '--port', String(port), '--data-dir', folder])
  const before = await run(['user', 'list', '--json', '--data-dir', folder])
  await leave()

  const secret = 'aaaabbbbccccddddeeeeffff'
  const config = readConfig({ DATA_DIR: folder, PORT: String(port), ADMIN_PASSWORD: secret, LOG_LEVEL: 'silent' })
  const starting = startService(config)
  // The administrator exists before the first request.
  const authorization = `Basic ${btoa(`admin:${secret}`)}`
  const ask = () => fetch(`http://127.0.0.1:${port}/cal/service/v1/users/me`, { headers: { authorization } })
  let first = await ask().catch(() => undefined)
  while (!first) first = await ask().catch(() => undefined)
  const service = await starting
  await service.close()

  assert.deepEqual(JSON.parse(before.out), [])
  assert.notEqual(first.status, 401)
  const { linkSecret, ...administrator } = service.administrator ?? {}
  assert.deepEqual(administrator, { name: 'admin', secret })
  assert.ok(linkSecret)
  const [calendar, api] = welcome(config, service).split('\n')
  assert.equal(calendar, `Calendar      http://127.0.0.1:${port}/events/`)
  assert.match(api ?? '', /^API /)
})

test('unsafe combinations of HOST, PUBLIC_URL and TRUST_PROXY are told at start, each with what to change', () => {
  const named = (settings: Readonly<Record<string, string>>) =>
    unsafeSettings(readConfig(settings)).map(
      (warning) => warning.match(/PUBLIC_URL is empty|not encrypted|trusts everybody|share the limits/)?.[0],
    )
  const behind = { HOST: '0.0.0.0', PUBLIC_URL: 'https://events.example.org' }

  assert.deepEqual(named({}), [])
  assert.deepEqual(named({ PUBLIC_URL: 'http://localhost:3000' }), [])
  assert.deepEqual(named({ HOST: '0.0.0.0' }), ['PUBLIC_URL is empty'])
  assert.deepEqual(named({ PUBLIC_URL: 'http://events.example.org' }), ['not encrypted'])
  assert.deepEqual(named(behind), ['share the limits'])
  assert.deepEqual(named({ ...behind, TRUST_PROXY: 'true' }), ['trusts everybody'])
  assert.deepEqual(named({ ...behind, TRUST_PROXY: '10.0.0.0/8' }), [])
  assert.deepEqual(named({ ...behind, HOST: '127.0.0.1', TRUST_PROXY: 'true' }), [])
})

test('a data folder that nobody may make is told with the setting that names another', () => {
  const config = readConfig({ DATA_DIR: '/sys/x' })

  for (const code of ['EACCES', 'EPERM']) {
    const fault = Object.assign(new Error(`${code}: raw`), { code, syscall: 'mkdir', path: '/sys/x' })
    const told = unavailable(config, fault)?.message ?? ''
    assert.match(
      told,
      /cannot be used: this user may not create the folder \/sys\/x\. Choose another one with DATA_DIR/,
    )
  }
})

test('a new database is up to date, and a file that is no backup is told by its name', async (t) => {
  const { folder, run, runAlone } = await startCommands(t)
  await writeFile(join(folder, 'README.md'), '# Not a backup')

  const migrated = await run(['migrate'])
  const verified = await run(['backup', 'verify', 'README.md'])
  const restored = await run(['backup', 'restore', 'README.md'])
  const piped = await runAlone(['backup', 'verify', '-'], {}, { input: '# Not a backup' })

  assert.match(migrated.out, /calendar\.sqlite is up to date \(\d{4}-[a-z-]+\)\.$/m)
  assert.equal(verified.err, 'README.md is not a backup of this service, or its beginning is damaged.\n')
  assert.equal(restored.err, verified.err)
  assert.match(piped.err, /^Standard input is not a backup of this service/)
})

test('a file that is not there is told in a sentence that names it and says what to do', async (t) => {
  const { folder, run } = await startCommands(t)
  const none = join(folder, 'none')
  const asked: readonly (readonly [readonly string[], Readonly<Record<string, string>>])[] = [
    [['import', 'tec', none], {}],
    [['import', 'tec', ...recordedFiles.slice(0, 1), '--translation-of', none], {}],
    [['backup', 'verify', none], {}],
    [['backup', 'restore', none], {}],
    [['backup', 'verify', ...recordedFiles.slice(0, 1), '--key-file', none], {}],
    [['config', 'print'], { ENV_FILE: none }],
    [['config', 'print'], { ADMIN_PASSWORD_FILE: none }],
    [['config', 'print'], { SITE_LOGO: `${none}.png` }],
    [['config', 'print'], { SITE_THEME: `${none}.css` }],
    [['config', 'print'], { DATABASE_URL: `postgres://me@127.0.0.1/x?sslmode=verify-full&sslrootcert=${none}` }],
  ]
  for (const [args, more] of asked) {
    const { exitCode, err } = await run(args, more)
    const what = `${args.join(' ')} ${JSON.stringify(more)}: ${err}`
    assert.notEqual(exitCode, 0, what)
    assert.match(err, /the file does not exist\. Check its name and folder/, what)
    assert.ok(err.includes(none), what)
    assert.doesNotMatch(err, /ENOENT|^\s+at /m, what)
  }
  await writeFile(join(folder, 'file'), '')
  const { err } = await run(['user', 'list', '--data-dir', join(folder, 'file')])
  assert.match(err, /file is a file\. DATA_DIR \(or --data-dir\) must name a folder/)
})

test('the help marks the options that have to be given', async (t) => {
  const { run } = await startCommands(t)
  for (const [command, options] of [
    [['user', 'add'], ['--role']],
    [['key', 'add'], ['--label']],
    [
      ['db', 'copy'],
      ['--from', '--to'],
    ],
  ] as const) {
    const { out } = await run([...command, '--help'])
    const marked = out.split(/\n(?= +-)/).filter((line) => line.includes('(required)'))
    assert.deepEqual(
      marked.map((line) => line.trim().split(' ')[0]),
      options,
    )
  }
})

test('recorded lists are imported whole, and a second time changes nothing', async (t) => {
  const { run, runAlone } = await startCommands(t)

  const first = await runAlone(['import', 'tec', ...recordedFiles, '--shift-to-today'])
  const second = await run(['import', 'tec', ...recordedFiles, '--shift-to-today', '--json'])

  assert.equal(first.exitCode, 0, first.err)
  assert.match(first.out, /^39 of 39 events imported from 3 files\.$/m)
  const summary = JSON.parse(second.out)
  assert.deepEqual(summary.events, { created: 0, updated: 0, unchanged: 39, failed: 0 })
})

test('a bad record is named by file and place, and the rest is imported', async (t) => {
  const { folder, run } = await startCommands(t)
  const [file = ''] = recordedFiles
  const recorded = JSON.parse(readRecorded(file))
  recorded.events[12].start_date = 'some day'
  await writeFile(join(folder, 'broken.json'), JSON.stringify(recorded))

  const { exitCode, out, err } = await run(['import', 'tec', 'broken.json', 'missing.json', '--quiet'])

  assert.equal(exitCode, 1)
  assert.match(out, /^23 of 24 events imported/m)
  assert.match(err, /^broken\.json: events\[12\]: start_date “some day”/m)
  assert.match(err, /^missing\.json: cannot be read/m)
})

test('a recorded list that can be read once only is imported as one in a file is', async (t) => {
  const { folder, run } = await startShell(t)
  await writeFile(join(folder, 'list.json'), givenRecording([tecEvent(1), tecEvent(2)]))
  const launcher = ['sh', '-c', 'cat list.json | "$0" "$@"']

  const { exitCode, out, err } = await run(['import', 'tec', '/dev/stdin', '--quiet'], {}, { launcher })

  assert.equal(exitCode, 0, err)
  assert.match(out, /^2 of 2 events imported from 1 file\.$/m)
})

test('an import is rehearsed in a new folder, and makes no administrator before there is something to import', async (t) => {
  const { folder, run } = await startCommands(t)
  await writeFile(join(folder, 'cut.json'), '{')
  const users = async () => (JSON.parse((await run(['user', 'list', '--json'])).out) as readonly unknown[]).length

  const rehearsed = await run(['import', 'tec', ...recordedFiles, '--dry-run', '--quiet'])
  const afterRehearsal = await users()
  const cut = await run(['import', 'tec', 'cut.json', '--quiet'])
  const afterCut = await users()
  const imported = await run(['import', 'tec', 'cut.json', ...recordedFiles, '--quiet'])
  const again = await run(['import', 'tec', ...recordedFiles, '--dry-run', '--quiet'])

  assert.equal(rehearsed.exitCode, 0, rehearsed.err)
  assert.match(rehearsed.out, /^39 of 39 events imported[\s\S]*nothing was changed/)
  assert.equal(rehearsed.err, '')
  assert.equal(cut.exitCode, 1)
  assert.equal(cut.err, 'cut.json: is not valid JSON (it may be cut off)\n')
  assert.match(imported.err, /^The administrator admin was created/)
  assert.deepEqual([afterRehearsal, afterCut, await users()], [0, 0, 1])
  assert.equal(again.exitCode, 0, again.err)
})

test('a category whose parent is in no file is told, and what to do about it', async (t) => {
  const { folder, run } = await startCommands(t)
  const api = 'https://source.test/wp-json/tribe/events/v1'
  const category = (id: number) => ({
    ...{ id, name: `Jazz ${id}`, slug: `jazz-${id}`, description: '', parent: 99, taxonomy: 'tribe_events_cat' },
    urls: { self: `${api}/categories/${id}`, collection: `${api}/categories` },
  })
  await writeFile(join(folder, 'one.json'), JSON.stringify({ categories: [category(1)] }))
  await writeFile(join(folder, 'two.json'), JSON.stringify({ categories: [category(1), category(2)] }))

  const one = await run(['import', 'tec', 'one.json', '--dry-run', '--quiet'])
  const two = await run(['import', 'tec', 'two.json', '--dry-run', '--quiet'])

  assert.match(one.out, /^1 category was moved to the top level, because its parent is in no file\. Import the list/m)
  assert.match(two.out, /^2 categories were moved to the top level, because their parents are in no file\./m)
})

test('a database is copied into an empty one, which serves the same, and into no other', async (t) => {
  const { run, serve } = await startCommands(t)
  await run(['import', 'tec', ...recordedFiles, '--shift-to-today'])
  const copy = ['db', 'copy', '--from', 'sqlite:data/calendar.sqlite', '--to', 'sqlite:copy/calendar.sqlite']

  const first = await run([...copy, '--json'])
  const second = await run(copy)
  const [source, target] = await Promise.all([serve(), serve(['--data-dir', 'copy'])])

  assert.equal(first.exitCode, 0, first.err)
  assert.equal(JSON.parse(first.out).tables.events.rows, 39)
  assert.equal(second.exitCode, 1)
  assert.match(second.err, /^The target is not empty.* events \(39\)/m)
  assert.deepEqual(await titlesOf(target.api), await titlesOf(source.api))
})

test('an address that cannot be copied from is told with its option, and no target is made', async (t) => {
  const { folder, run } = await startCommands(t)

  const wrong = await run(['db', 'copy', '--from', 'mysql://me:secret@db/cal', '--to', 'sqlite:copy.sqlite'])
  const missing = await run(['db', 'copy', '--from', 'sqlite:none.sqlite', '--to', 'sqlite:copy.sqlite'])

  assert.deepEqual([wrong.exitCode, missing.exitCode], [2, 69])
  assert.match(wrong.err, /^--from is “mysql:…” but must be sqlite:PATH/m)
  assert.match(missing.err, /none\.sqlite cannot be used/)
  assert.ok(!existsSync(join(folder, 'copy.sqlite')))
})

test('a backup with a key from the settings is opened by that key only, and restored elsewhere', async (t) => {
  const { folder, run, runAlone } = await startCommands(t)
  await run(['user', 'add', 'alice', '--role', 'editor'])
  const { out: key } = await run(['backup', 'key'])
  await writeFile(join(folder, 'key'), key)

  const created = await run(['backup', 'create', 'backup'], { BACKUP_KEY: /age1\w+/.exec(key)?.[0] ?? '' })
  const verified = await run(['backup', 'verify', 'backup', '--key-file', 'key', '--json'])
  const locked = await run(['backup', 'verify', 'backup'])
  const restored = await run(['backup', 'restore', 'backup', '--data-dir', 'there'], { BACKUP_KEY_FILE: 'key' })
  const users = await run(['user', 'list', '--data-dir', 'there'])
  const revoked = await run(['key', 'revoke', '1', '--data-dir', 'there'])
  const again = ['backup', 'restore', 'backup', '--data-dir', 'there', '--force', '--key-file', 'key']
  const inWords = await run(again)
  await run(['key', 'revoke', '1', '--data-dir', 'there'])
  const asJson = await run([...again, '--json'])
  const streamed = await runAlone(['backup', 'create', '-'])
  const nowhere = await run(['backup', 'create', 'none/backup'])

  assert.match(created.out, /^backup was written: \d+ bytes, encrypted, SHA-256 /)
  assert.equal(JSON.parse(verified.out).tables.users.rows, 1)
  assert.deepEqual([verified.exitCode, locked.exitCode, restored.exitCode], [0, 1, 0])
  assert.match(locked.err, /is encrypted\. Give its key with --key-file/)
  assert.match(users.out, /alice/)
  assert.match(
    restored.out,
    /0 sessions and 0 links .*\nKeys that were revoked after the backup was made are valid again/,
  )
  assert.deepEqual([revoked.exitCode, inWords.exitCode, asJson.exitCode], [0, 0, 0], inWords.err)
  assert.match(inWords.out, /had been revoked or replaced and are valid again.*\n\nID +USER +LABEL +SCOPE\n1 +alice /)
  assert.deepEqual(
    JSON.parse(asJson.out).returnedKeys.map(({ id, user }: { id: number; user: string }) => [id, user]),
    [[1, 'alice']],
  )
  assert.deepEqual([streamed.exitCode, nowhere.exitCode], [0, 1])
  assert.match(nowhere.err, /none\/backup cannot be written: its folder does not exist/)
  // The first byte of zstd data.
  assert.match(streamed.out, /^\(/)
})

test('the author of what is imported is the one that was named', async (t) => {
  const { run, serve } = await startCommands(t)
  const author = await run(['user', 'add', 'bot', '--role', 'author', '--json'])

  const unknown = await run(['import', 'tec', ...recordedFiles, '--author', 'nobody'])
  await run(['import', 'tec', ...recordedFiles, '--author', 'bot', '--shift-to-today'])
  const { api } = await serve()
  const [event] = await eventsOf(api)

  assert.equal(unknown.exitCode, 1)
  assert.equal(event?.author, String(JSON.parse(author.out).id))
})

test('the first start makes an administrator who can sign in; later starts tell no secret', async (t) => {
  const { serve } = await startShell(t)

  const first = await serve()
  const secret = /Application password +((?:\w{4} ){5}\w{4})/.exec(first.out)?.[1]
  const answer = await fetch(`${first.api}/events`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`admin:${secret}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Fair', start_date: '2030-01-01 10:00', end_date: '2030-01-01 11:00' }),
  })
  first.child.kill('SIGTERM')
  const [exitCode] = await once(first.child, 'close')
  const second = await serve()

  assert.equal(answer.status, 201)
  assert.equal(exitCode, 0)
  assert.ok(!second.out.includes('Application password'))
})

test('a service that is killed still has its events when it is started again', async (t) => {
  const { folder, run, serve } = await startShell(t)
  await run(['import', 'tec', ...recordedFiles, '--shift-to-today'])
  const first = await serve()
  const before = await eventsOf(first.api)

  first.child.kill('SIGKILL')
  await once(first.child, 'close')
  const second = await serve()
  const after = await eventsOf(second.api)

  assert.equal(before.length, 39)
  assert.deepEqual(
    after.map(({ id, title }) => [id, title]),
    before.map(({ id, title }) => [id, title]),
  )
  assert.ok((await readFile(join(folder, 'data', 'calendar.sqlite'))).length > 0)
})

test('columns of a table are as wide as their widest cell', () => {
  const text = table(
    ['ID', 'NAME'],
    [
      ['1', 'alice'],
      ['100', ''],
    ],
  )

  assert.equal(text, 'ID   NAME\n1    alice\n100')
})
