import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { form, picture } from '../support/pictures.ts'
import { adminAuthorization, adminPassword } from '../support/service.process.ts'
import { startShell } from '../support/shell.ts'
import { startStore } from '../support/stuck.store.ts'

// Failures of a command that writes a file: it reports the problem in one line, and leaves no files.

const options = { timeout: 120_000 }
const megabyte = 1024 ** 2

/** A disk of limited size at `disk`, or a read-only one. At the end it lists its files. */
function onDisk(disk: string, kind: string): readonly string[] {
  const mount = `mkdir -p '${disk}' && mount -t tmpfs -o ${kind} none '${disk}'`
  const script = `${mount} && "$0" "$@"; code=$?; find '${disk}' -type f | sed 's/^/left: /'; exit $code`
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script]
}

const settings = { ADMIN_PASSWORD: adminPassword, DATABASE_URL: '' }
const endings: (() => Promise<void>)[] = []
/** The data of a calendar with a picture that cannot be compressed. Each test has a copy. */
let original = ''

before(async () => {
  const shell = await startShell({ after: (work: () => Promise<void>) => endings.push(work) })
  original = join(shell.folder, 'data')
  const served = await shell.serve([], { ...settings, DATA_DIR: original })
  const { payload, headers } = form(await picture(800, 600))
  const answer = await fetch(`${new URL(served.api).origin}/cal/service/v1/media`, {
    ...{ method: 'POST', body: new Uint8Array(payload) },
    headers: { ...headers, authorization: adminAuthorization },
  })
  assert.equal(answer.status, 201)
  served.child.kill('SIGTERM')
  await once(served.child, 'close')
  const files = readdirSync(original, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg'))
  for (const name of files) writeFileSync(join(original, name), randomBytes(megabyte))
  assert.ok(files.length > 0)
})
after(async () => {
  for (const end of endings) await end()
})

async function givenCalendar(t: TestContext) {
  const shell = await startShell(t)
  const data = join(shell.folder, 'data')
  await cp(original, data, { recursive: true })
  return { ...shell, data, environment: { ...settings, DATA_DIR: data } }
}

function assertOneLine(err: string, pattern: RegExp): void {
  assert.match(err, pattern)
  assert.equal(err.trimEnd().split('\n').length, 1, err)
}

test('a backup that finds its disk full says so in one line and leaves nothing', options, async (t) => {
  const { folder, run, environment } = await givenCalendar(t)
  const disk = join(folder, 'disk')
  const file = join(disk, 'backup')

  const sizes = ['4k', '64k', '1m', '1500k']

  const answers = await Promise.all(
    sizes.map((size) => run(['backup', 'create', file], environment, { launcher: onDisk(disk, `size=${size}`) })),
  )

  for (const [index, { exitCode, out, err }] of answers.entries()) {
    assertOneLine(err, /^The file .*backup cannot be written: its disk is full\.\n$/)
    assert.deepEqual([exitCode, out], [1, ''], `${sizes[index]}`)
  }
})

test('a place where no backup can be written is told before anything is read', options, async (t) => {
  const { folder, run, environment } = await givenCalendar(t)
  const disk = join(folder, 'disk')
  await mkdir(join(folder, 'full'))
  writeFileSync(join(folder, 'file'), 'precious')
  const create = (name: string, more: readonly string[] = [], launcher: readonly string[] = []) =>
    run(['backup', 'create', join(folder, name), ...more], environment, { launcher })

  const cases = [
    [create('absent/backup'), /absent\/backup cannot be written: its folder does not exist\.\n$/],
    [create('file/backup'), /file\/backup cannot be written: its folder does not exist\.\n$/],
    [create('full'), /full cannot be written: it is a folder\.\n$/],
    [create('full', ['--force']), /full cannot be written: it is a folder\.\n$/],
    [create('file'), /file already exists\. To replace it, add --force\.\n$/],
    [create('disk/backup', [], onDisk(disk, 'ro')), /backup cannot be written: its disk is read-only\.\n$/],
    [create('n'.repeat(300)), /cannot be written: its name is too long\.\n$/],
  ] as const

  for (const [running, pattern] of cases) {
    const { exitCode, out, err } = await running
    assertOneLine(err, pattern)
    assert.deepEqual([exitCode, out], [1, ''])
  }
  assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'precious')
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('what is printed on a full disk is told in one line', options, async (t) => {
  const { run, environment } = await givenCalendar(t)
  const toFull = ['sh', '-c', 'exec "$0" "$@" > /dev/full']

  const commands = [['backup', 'create', '-'], ['backup', 'key'], ['config', 'print'], ['user', 'list'], ['--help']]

  const answers = await Promise.all(commands.map((args) => run(args, environment, { launcher: toFull })))

  for (const [index, { exitCode, err }] of answers.entries()) {
    assertOneLine(err, /^Standard output cannot be written: its disk is full\.\n$/)
    assert.equal(exitCode, 1, `${commands[index]}`)
  }
})

test('a backup whose reader has gone says so in one line', options, async (t) => {
  const { start, environment } = await givenCalendar(t)
  const child = start(['backup', 'create', '-'], environment)
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  child.stdout?.once('data', () => child.stdout?.destroy())
  const [exitCode] = await once(child, 'close')

  assertOneLine(err, /^Standard output cannot be written: the program that reads it has ended\.\n$/)
  assert.equal(exitCode, 1)
})

test('a restore and a copy that find the disk full say so in one line', options, async (t) => {
  const { folder, run, data, environment } = await givenCalendar(t)
  const backup = join(folder, 'backup')
  assert.equal((await run(['backup', 'create', backup], environment)).exitCode, 0)
  const disk = join(folder, 'disk')
  const launcher = onDisk(disk, 'size=300k')
  const elsewhere = { ...environment, DATA_DIR: join(disk, 'data'), MEDIA_URL: '' }
  const source = `sqlite:${join(data, 'calendar.sqlite')}`

  const restored = await run(['backup', 'restore', backup], elsewhere, { launcher })
  const unpacked = await run(
    ['backup', 'restore', backup],
    { ...environment, DATA_DIR: join(folder, 'elsewhere'), TMPDIR: disk },
    { launcher },
  )
  const copied = await run(
    ['db', 'copy', '--from', source, '--to', `sqlite:${join(disk, 'copy.sqlite')}`],
    environment,
    {
      launcher,
    },
  )

  for (const { exitCode, err } of [restored, copied]) {
    assertOneLine(err, /^The database .* cannot be used: database or disk is full\n$/)
    assert.equal(exitCode, 69)
  }
  assertOneLine(unpacked.err, /^A picture cannot be written to .*: its disk is full\.\n$/)
  assert.equal(unpacked.exitCode, 1)
})

/** A store of pictures that has every picture but delivers none, so its reader hangs in the middle. */
async function givenStuckStore(t: TestContext) {
  let asked = Promise.withResolvers<void>()
  const environment = await startStore(t, (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'content-length': String(megabyte) }).end()
    else asked.resolve()
  })
  const isAsked = async () => {
    await asked.promise
    asked = Promise.withResolvers<void>()
  }
  return { isAsked, environment }
}

test(
  'a backup that is told to end leaves nothing, and the next one removes what a killed one left',
  options,
  async (t) => {
    const { folder, run, start, environment } = await givenCalendar(t)
    const stuck = await givenStuckStore(t)
    const backups = join(folder, 'backups')
    await mkdir(backups)
    const parts = () => readdirSync(backups).filter((name) => name.endsWith('.part'))
    const begin = async (name: string) => {
      const child = start(['backup', 'create', join(backups, name)], { ...environment, ...stuck.environment })
      await stuck.isAsked()
      return child
    }
    const ended = async (name: string, signal: NodeJS.Signals) => {
      const child = await begin(name)
      assert.equal(parts().length, 1)
      child.kill(signal)
      return once(child, 'close')
    }

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      assert.deepEqual(await ended(signal, signal), [null, signal])
      assert.deepEqual(parts(), [])
    }

    await ended('killed', 'SIGKILL')
    const [left = ''] = parts()
    assert.equal(statSync(join(backups, left)).mode & 0o777, 0o600)
    const running = await begin('running')
    const [part = ''] = parts()
    writeFileSync(join(backups, 'somebody-else.part'), 'precious')
    writeFileSync(join(backups, 'other.1a2b3c4d.part'), 'precious')
    assert.notEqual(part, left)
    const next = await run(['backup', 'create', join(backups, 'next')], environment)

    assert.equal(next.exitCode, 0, next.err)
    assert.deepEqual(parts().sort(), [part, 'other.1a2b3c4d.part', 'somebody-else.part'].sort())
    running.kill('SIGTERM')
    await once(running, 'close')
    assert.ok(existsSync(join(backups, 'next')))
  },
)

/** A machine of the same name and another machine-id, as clones on a shared folder are. */
function onClone(etc: string): readonly string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', `mount --bind '${etc}' /etc && exec "$0" "$@"`]
}

test('what a backup of another machine of the same name has begun is left to it', options, async (t) => {
  const { folder, run, start, environment } = await givenCalendar(t)
  const stuck = await givenStuckStore(t)
  const [backups, etc] = [join(folder, 'backups'), join(folder, 'etc')]
  await mkdir(backups)
  await mkdir(etc)
  writeFileSync(join(etc, 'machine-id'), `${'1'.repeat(32)}\n`)
  const parts = () => readdirSync(backups).filter((name) => name.endsWith('.part'))
  const killed = start(['backup', 'create', join(backups, 'killed')], { ...environment, ...stuck.environment })
  await stuck.isAsked()
  killed.kill('SIGKILL')
  await once(killed, 'close')
  const left = parts()

  const elsewhere = await run(['backup', 'create', join(backups, 'elsewhere')], environment, { launcher: onClone(etc) })
  const leftThen = parts()
  const here = await run(['backup', 'create', join(backups, 'here')], environment)

  assert.deepEqual([elsewhere.exitCode, here.exitCode], [0, 0], elsewhere.err + here.err)
  assert.equal(left.length, 1)
  assert.deepEqual([leftThen, parts()], [left, []])
})
