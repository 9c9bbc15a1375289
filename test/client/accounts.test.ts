import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key, Media, User } from '../../packages/client/src/api.generated.ts'
import { createClient } from '../../packages/client/src/client.ts'
import { type ApiError, isApiError } from '../../packages/client/src/errors.ts'
import { startClientSite } from '../support/client.site.ts'
import { plainEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

const wordsIn = (members: object) => Object.keys(members).sort()
/** The members of the types in the document. */
const userMembers = { id: 0, name: 0, email: 0, role: 0 } satisfies Record<keyof User, 0>
const keyMembers = {
  ...{ id: 0, label: 0, created_at: 0, expires_at: 0, is_expired: 0, last_used_at: 0, previous_secret_until: 0 },
  made_by: 0,
  scope: 0,
} satisfies Record<keyof Key, 0>
const mediaMembers = {
  ...{ url: 0, id: 0, extension: 0, width: 0, height: 0, filesize: 0, sizes: 0 },
  ...{ title: 0, alt_text: 0, alt_texts: 0, decorative: 0, 'mime-type': 0, author: 0, date: 0, date_utc: 0 },
} satisfies Record<keyof Media, 0>

test('a key alone and a key with a name open as their user; a name may have any letters', async (t) => {
  const site = await startClientSite(t)
  const admin = await site.clientOf('administrator')
  const { application_password: secret } = await admin.users.create({ name: 'Zoé 雪', role: 'author' })
  const open = (credentials: { user: string; secret: string } | { token: string }) =>
    createClient({ baseUrl: site.url, credentials }).me()

  const grouped = secret.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

  assert.deepEqual(await open({ token: grouped }), await open({ user: 'Zoé 雪', secret }))
  assert.equal((await open({ token: grouped })).role, 'author')
  await assert.rejects(open({ user: 'Zoé 雪', secret: 'wrong' }), (error) => isApiError(error, 'incorrect_password'))
})

test('users are added, listed, changed and removed', async (t) => {
  const { users } = await (await startClientSite(t)).clientOf('administrator')

  const { application_password: _secret, ...user } = await users.create({ name: 'eve', role: 'author' })
  const changed = await users.update(user.id, { role: 'editor', email: 'eve@example.org' })
  const listed = await users.list()
  const removed = await users.delete(user.id)

  assert.deepEqual(changed, { ...user, role: 'editor', email: 'eve@example.org' })
  assert.deepEqual(listed.at(-1), changed)
  assert.deepEqual(removed, { deleted: true, previous: changed })
  assert.deepEqual(wordsIn(changed), wordsIn(userMembers))
})

test('a password is not set with a key', async (t) => {
  const { users } = await (await startClientSite(t)).clientOf('administrator')

  await assert.rejects(users.setPassword('me', { password: 'correct horse, battery staple' }), (error) =>
    isApiError(error, 'session-required'),
  )
})

test('keys are made, rotated, listed and revoked, by their user and by an administrator', async (t) => {
  const site = await startClientSite(t)
  const author = await site.clientOf('author')
  const { id } = await author.me()

  const { secret, ...key } = await author.keys.create({ label: 'newsletter', expires_in_days: 30 })
  const rotated = await author.keys.rotate(key.id, { overlap_hours: 1 })
  const { keys: all } = await site.clientOf('administrator')
  const listed = (await all.list({ user: id })).find((one) => one.id === key.id)
  await all.revoke(key.id, { user: id })

  assert.notEqual(rotated.secret, secret)
  assert.deepEqual(wordsIn(key), wordsIn(keyMembers))
  assert.deepEqual([key.expires_at, key.previous_secret_until], ['2030-02-14T12:00:00Z', null])
  assert.deepEqual({ ...listed, previous_secret_until: null }, key)
  assert.equal(listed?.previous_secret_until, '2030-01-15T13:00:00Z')
  await assert.rejects(author.keys.revoke(key.id), (error) => isApiError(error, 'key-not-found'))
})

test('what is wrong with a request of the service’s own namespace is told by name', async (t) => {
  const { users } = await (await startClientSite(t)).clientOf('administrator')

  const error = await users
    .create({ name: 'a:b', role: 'author', email: 'nowhere' })
    .catch((reason: ApiError) => reason)

  assert.ok(isApiError(error, 'rest_invalid_param'))
  assert.deepEqual([error.status, Object.keys(error.faults)], [400, ['name', 'email']])
  assert.match(error.faults.email ?? '', /email/)
})

test('a picture is uploaded, listed, shown by an event and removed', async (t) => {
  const { media, events } = await (await startClientSite(t)).clientOf('author')
  const file = new Blob([new Uint8Array(await picture(400, 300, 'png'))], { type: 'image/png' })

  const first = await media.upload(file, { fileName: 'été.png', title: 'Summer', alt_text: 'A lake' })
  const second = await media.upload(file, { fileName: 'b.png' })
  const event = await events.create({ ...plainEvent, image: first.id })
  const changed = await media.update(second.id, { alt_texts: { 'fr-CA': 'Un lac' } })
  const listed = await media.list({ per_page: 1 })
  const all = await Array.fromAsync(media.all({ per_page: 1 }))
  const inUse = media.delete(first.id)

  assert.deepEqual([first.width, first.height, first.title, first['mime-type']], [400, 300, 'Summer', 'image/png'])
  assert.deepEqual(wordsIn(first), wordsIn(mediaMembers))
  assert.ok(event.image)
  assert.deepEqual([event.image.id, event.image.alt], [first.id, 'A lake'])
  assert.deepEqual([listed.total, listed.totalPages, listed.isLast, listed.items.length], [2, 2, false, 1])
  assert.deepEqual(all.map(({ id }) => id).sort(), [first.id, second.id].sort())
  await assert.rejects(inUse, (error) => isApiError(error, 'media-in-use'))
  assert.deepEqual((await media.delete(second.id)).previous, changed)
  await assert.rejects(media.get(second.id), (error) => isApiError(error, 'media-not-found'))
  assert.equal((await media.delete(first.id, { force: true })).deleted, true)
})
