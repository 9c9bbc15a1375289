import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig, SETTINGS } from './config.ts'
import { parseDatabaseUrl, serverUrls, withoutPassword } from './database.ts'

test('without an address the database is a file in the data folder', () => {
  const { database } = readConfig({ DATA_DIR: '/srv/calendar' })

  assert.deepEqual(database, { engine: 'sqlite', file: '/srv/calendar/calendar.sqlite' })
})

test('an address names a file or a server', () => {
  assert.deepEqual(parseDatabaseUrl('sqlite:/srv/events.db'), { engine: 'sqlite', file: '/srv/events.db' })
  assert.deepEqual(parseDatabaseUrl('postgresql://cal:secret@db.example.org:5433/cal?sslmode=verify-full'), {
    engine: 'postgres',
    url: 'postgresql://cal:secret@db.example.org:5433/cal?sslmode=verify-full',
    shown: 'postgresql://cal:…@db.example.org:5433/cal?sslmode=verify-full',
  })
})

for (const text of [
  'mysql://cal:secret@db/cal',
  'postgres://cal:secret/cal',
  'postgres://cal:secret@db/cal?sslmode=prefer',
  'postgres://cal:secret@db/cal?sslmode=verify-ca',
  'secret',
  'sqlite:',
]) {
  test(`${withoutPassword(text)} (${text.length} letters) is refused, and nothing of its password is told`, () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: text, DATABASE_POOL_SIZE: '1' }),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.deepEqual(
          error.faults.map((fault) => fault.split(' ')[0]),
          ['DATABASE_URL', 'DATABASE_POOL_SIZE'],
        )
        assert.ok(!error.message.includes('secret'), error.message)
        return true
      },
    )
  })
}

test('passwords are hidden wherever an address has them', () => {
  assert.equal(withoutPassword('postgres://cal:a%40b@db/cal'), 'postgres://cal:…@db/cal')
  assert.equal(withoutPassword('postgres://cal@db/cal?password=secret'), 'postgres://cal@db/cal?password=…')
  assert.equal(withoutPassword('postgres://cal:secret@/cal?host=/run'), 'postgres://cal:…@localhost/cal?host=/run')
})

test('replicas are a list of servers, and nothing of their passwords is told', () => {
  const url = 'postgres://cal:secret@db/cal'
  const replicas = 'postgres://cal:sec,ret@one/cal, postgresql://cal:secret@two/cal'

  const { databaseReplicas } = readConfig({ DATABASE_URL: url, DATABASE_REPLICA_URL: replicas })

  assert.deepEqual(
    databaseReplicas.map(({ shown }) => shown),
    ['postgres://cal:…@one/cal', 'postgresql://cal:…@two/cal'],
  )
  assert.equal(SETTINGS.databaseReplicas.shown(replicas), 'postgres://cal:…@one/cal, postgresql://cal:…@two/cal')
  assert.deepEqual(readConfig({ DATABASE_URL: url }).databaseReplicas, [])
})

for (const [what, environment] of [
  ['a file', { DATABASE_URL: 'postgres://cal@db/cal', DATABASE_REPLICA_URL: 'sqlite:/srv/events.db' }],
  ['something else', { DATABASE_URL: 'postgres://cal@db/cal', DATABASE_REPLICA_URL: 'secret' }],
  ['a server, while the database is a file', { DATABASE_REPLICA_URL: 'postgres://cal:secret@db/cal' }],
] as const) {
  test(`a replica that is ${what} is refused`, () => {
    assert.throws(
      () => readConfig(environment),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.faults.join('\n'), /^DATABASE_REPLICA_URL .*\.$/)
        assert.ok(!error.message.includes('secret'), error.message)
        return true
      },
    )
  })
}

test('an address may name several servers, as in libpq', () => {
  const text = 'postgres://cal:sec,ret@cal:1,two:2,[::1]:3/cal?target_session_attrs=read-write&sslmode=require'

  assert.deepEqual(serverUrls(text), [
    'postgres://cal:sec,ret@cal:1/cal?sslmode=require',
    'postgres://cal:sec,ret@two:2/cal?sslmode=require',
    'postgres://cal:sec,ret@[::1]:3/cal?sslmode=require',
  ])
  assert.equal(
    withoutPassword(text),
    'postgres://cal:…@cal:1,two:2,[::1]:3/cal?target_session_attrs=read-write&sslmode=require',
  )
  assert.throws(() => parseDatabaseUrl('postgres://cal@one,/cal'), /postgres:/)
  assert.throws(
    () => parseDatabaseUrl('postgres://cal@one/cal?target_session_attrs=standby'),
    /any, read-write, primary/,
  )
})
