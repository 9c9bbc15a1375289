import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { goodPassword, openBrowser } from '../../../test/support/signing.ts'
import { Problem } from '../../base/problems.ts'
import { hashPassword, isPassword, needsRehash } from './password.hash.ts'
import { findUserByLogin, putPasswordHash } from './user.repository.ts'

/** Returns a hash with costs other than ours. */
function cheapHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef')
  const hash = argon2Sync('argon2id', {
    message: password,
    nonce: salt,
    memory: 64,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=64,t=1,p=1$${plain(salt)}$${plain(hash)}`
}

test('a password is hashed with a salt of its own, and found again however its letters are composed', async () => {
  const [one, other] = await Promise.all([hashPassword('été à Montréal'), hashPassword('été à Montréal')])

  assert.notEqual(one, other)
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await isPassword(one, 'été à Montréal'.normalize('NFD')), true)
  assert.equal(await isPassword(one, 'été a Montréal'), false)
})

test('without a hash no password is right, not even that of nobody', async () => {
  assert.equal(await isPassword(undefined, ''), false)
})

test('a hash at other costs is known, and signing in replaces it by one at those of today', async (t) => {
  const app = await startTestApp(t)
  const user = await findUserByLogin(app.deps.storage.db, 'editor')
  assert.ok(user)
  const old = cheapHash(goodPassword)
  await app.deps.storage.write((tx) => putPasswordHash(tx, user.id, { hash: old, at: 0 }))

  await openBrowser(app, 'editor')

  const { hash } = await app.deps.storage.db.selectFrom('account_passwords').select('hash').executeTakeFirstOrThrow()
  assert.deepEqual([needsRehash(old), needsRehash(hash)], [true, false])
  assert.ok(await openBrowser(app, 'editor'))
})

test('of very many passwords at once only so many wait; the others are told to come again', async () => {
  const cheap = cheapHash('right')

  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => isPassword(cheap, 'right')))

  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.equal(refused.length, 40 - 2 - 32)
  assert.ok(refused.every((error) => error instanceof Problem && error.code === 'service_unavailable'))
  assert.equal(await isPassword(cheap, 'right'), true)
})
