import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { SETTINGS } from './config.ts'
import { readEnvFile } from './env.file.ts'
import { editDistance, ignoredFileSettings, misspelledSettings } from './misspelled.settings.ts'
import { resolveSettings, type SettingTexts } from './sources.ts'

const secret = 'abcd efgh ijkl mnop'

/** Writes a file with this content and returns its path. */
async function givenFile(t: TestContext, content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-config-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'file')
  await writeFile(file, content)
  return file
}

function find(environment: SettingTexts, file: SettingTexts = {}) {
  const { found, faults } = resolveSettings([
    { source: 'environment', texts: environment },
    { source: '.env', texts: file },
  ])
  const of = (name: string) => {
    const one = found.find(({ setting }) => setting.name === name)
    return [one?.text, one?.source]
  }
  return { of, faults }
}

const secrets = Object.values(SETTINGS).flatMap(({ name, isSecret }) => (isSecret ? [name] : []))

test('every secret may stand in a file, without the line break behind it', async (t) => {
  const file = await givenFile(t, `${secret}\r\n`)

  const { of, faults } = find(Object.fromEntries(secrets.map((name) => [`${name}_FILE`, file])))

  assert.deepEqual(faults, [])
  for (const name of secrets) assert.deepEqual(of(name), [secret, 'file'], name)
  for (const name of ['ADMIN_PASSWORD', 'BACKUP_KEY', 'DATABASE_URL'])
    assert.ok(
      secrets.some((one) => one === name),
      name,
    )
})

test('of a secret that ends with several line breaks only the last is taken off', async (t) => {
  const file = await givenFile(t, 'first\nsecond\n\n')

  assert.deepEqual(find({ BACKUP_KEY_FILE: file }).of('BACKUP_KEY'), ['first\nsecond\n', 'file'])
})

test('a secret and a file for it in one place are one too many; between places the higher one counts', async (t) => {
  const file = await givenFile(t, secret)

  assert.deepEqual(find({ BACKUP_KEY: 'x', BACKUP_KEY_FILE: file }).faults, [
    'Only one of BACKUP_KEY and BACKUP_KEY_FILE can be set.',
  ])
  assert.deepEqual(find({ BACKUP_KEY: '', BACKUP_KEY_FILE: file }).of('BACKUP_KEY'), [secret, 'file'])
  assert.deepEqual(find({ BACKUP_KEY: 'x', BACKUP_KEY_FILE: '' }).of('BACKUP_KEY'), ['x', 'environment'])
  assert.deepEqual(find({ BACKUP_KEY: 'x' }, { BACKUP_KEY_FILE: file }).of('BACKUP_KEY'), ['x', 'environment'])
  assert.deepEqual(find({ BACKUP_KEY_FILE: file }, { BACKUP_KEY: 'x' }).of('BACKUP_KEY'), [secret, 'file'])
})

test('files of secrets that are missing, empty or far too large are all named at once', async (t) => {
  const empty = await givenFile(t, ' \n')
  const large = await givenFile(t, 'x'.repeat(70_000))

  const { faults } = find({ ADMIN_PASSWORD_FILE: '/none', BACKUP_KEY_FILE: empty, DATABASE_URL_FILE: large })

  assert.deepEqual(
    faults
      .map((fault) => /^(\w+): .*(cannot be read: the file does not exist|is too large|is empty)/.exec(fault)?.slice(1))
      .toSorted(),
    [
      ['ADMIN_PASSWORD_FILE', 'cannot be read: the file does not exist'],
      ['BACKUP_KEY_FILE', 'is empty'],
      ['DATABASE_URL_FILE', 'is too large'],
    ],
  )
})

test('a file of settings is read where it is named, and must be there then', async (t) => {
  const file = await givenFile(t, '# ours\n\nexport PORT=1001\nSITE_NAME="Fêtes\n& Cie" # both lines\nHOST = ::1\n')

  const { texts, faults } = readEnvFile({ ENV_FILE: file })
  assert.deepEqual({ ...texts }, { PORT: '1001', SITE_NAME: 'Fêtes\n& Cie', HOST: '::1' })
  assert.deepEqual(faults, [])
  assert.match(
    readEnvFile({ ENV_FILE: '/none' }).faults.join(),
    /^The file \/none cannot be read: the file does not exist/,
  )
  assert.match(readEnvFile({ ENV_FILE: tmpdir() }).faults.join(), /cannot be read: it is a folder/)
})

test('lines of a file of settings that say nothing are named, and what they say is not', async (t) => {
  const file = await givenFile(t, `PORT=1001\n${secret}\nKEY='a\nb'\n=x\n`)
  const latin = await givenFile(t, Buffer.from('SITE_NAME=F\xeate', 'latin1'))

  assert.deepEqual(readEnvFile({ ENV_FILE: file }).faults, [
    `The file ${file} has lines that are not NAME=value: 2, 5.`,
  ])
  assert.match(readEnvFile({ ENV_FILE: latin }).faults.join(), /cannot be read: .*utf-8/)
})

test('a name that is nearly a setting is told, in an environment only one that nobody else has', () => {
  const names = ['PUBLIC_URI', 'DATABSE_URL', 'PORTS', 'LANGUAGE', 'PAGER', 'PUBLIC_URL', 'DATABASE_URL_FILE', 'HOME']

  assert.deepEqual(
    misspelledSettings(names, { isOurs: false }).map((line) => line.match(/[A-Z]{3,}\w*/g)),
    [
      ['PUBLIC_URI', 'PUBLIC_URL'],
      ['DATABSE_URL', 'DATABASE_URL'],
    ],
  )
  assert.match(
    misspelledSettings(names, { isOurs: true }).join('\n'),
    /PORTS is not a setting and has no effect\. Did you mean PORT\?/,
  )
  assert.deepEqual(ignoredFileSettings(['SITE_NAME_FILE', 'BACKUP_KEY_FILE']), [
    'SITE_NAME_FILE has no effect: only secrets can be read from files.',
  ])
})

test('slips between two texts are none for the same, the same both ways, and one for a swap', () => {
  const text = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.equal(editDistance(one, one), 0)
      assert.equal(editDistance(one, other), editDistance(other, one))
      assert.ok(editDistance(one, other) <= Math.max(one.length, other.length))
      assert.ok(editDistance(`${one}ab`, `${one}ba`) === 1)
    }),
  )
})
