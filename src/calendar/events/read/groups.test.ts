import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue, listedIds } from '../../../../test/support/given.ts'
import { publishDue } from '../write/schedule.ts'

const french = (of: { readonly id: number }) => ({ title: 'Fête', ml_language: 'fr-CA', ml_translation_of: of.id })

async function given(t: Parameters<typeof startTestApp>[0]) {
  const app = await startTestApp(t)
  const lost = await givenTerm(app, 'categories', { name: 'Lost' })
  const gained = await givenTerm(app, 'categories', { name: 'Gained' })
  const counts = async () => [await countOf(app, lost.id), await countOf(app, gained.id)]
  return { app, lost, gained, counts }
}

async function countOf(app: TestApp, id: number): Promise<number> {
  return (await app.send({ path: `/categories/${id}` })).body.count
}

test('a translation that brings other terms takes the old ones off the counts', async (t) => {
  const { app, lost, gained, counts } = await given(t)
  const event = await givenEvent(app, { categories: [lost.id] })

  await givenEvent(app, { ...french(event), categories: [gained.id] })

  assert.deepEqual(await counts(), [0, 1])
})

test('an event that leaves its group and changes its terms at once is counted once', async (t) => {
  const { app, lost, gained, counts } = await given(t)
  const event = await givenEvent(app, { categories: [lost.id] })
  const translation = await givenEvent(app, french(event))

  await changed(app, `/events/${translation.id}`, { ml_translation_of: 0, categories: [gained.id] })

  assert.deepEqual(await counts(), [0, 2])
})

test('an event that joins another as its translation is counted with it', async (t) => {
  const { app, lost, counts } = await given(t)
  const event = await givenEvent(app, { categories: [lost.id] })
  const alone = await givenEvent(app, { title: 'Fête', ml_language: 'fr-CA', categories: [lost.id] })
  assert.deepEqual(await counts(), [2, 0])

  await changed(app, `/events/${alone.id}`, { ml_translation_of: event.id })

  assert.deepEqual(await counts(), [1, 0])
})

test('an event that is published and leaves its group, or none, at once is counted once', async (t) => {
  const { app, lost, counts } = await given(t)
  const event = await givenEvent(app, { categories: [lost.id] })
  const translation = await givenEvent(app, { ...french(event), status: 'draft' })
  const alone = await givenEvent(app, { categories: [lost.id], status: 'draft' })

  await changed(app, `/events/${translation.id}`, { ml_translation_of: 0, status: 'publish' })
  await changed(app, `/events/${alone.id}`, { ml_translation_of: 0, status: 'publish' })

  assert.deepEqual(await counts(), [3, 0])
})

test('what is sent with a translation comes before what it takes over, for all of the group', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)

  const sent = { start_date: '2030-03-03 10:00:00', end_date: '2030-03-03 11:00:00', featured: true }
  const translation = await givenEvent(app, { ...french(event), ...sent })

  const { body } = await app.send({ path: `/events/${event.id}` })
  for (const { start_date, end_date, featured } of [translation, body]) {
    assert.deepEqual({ start_date, end_date, featured }, sent)
  }
})

test('a translation of nothing needs its dates', async (t) => {
  const app = await startTestApp(t)

  const json = { title: 'Concert', ml_language: 'en', ml_translation_of: '0' }
  const answer = await app.send({ as: 'editor', method: 'POST', path: '/events', json })

  assert.deepEqual(answer.body.data.params, ['start_date', 'end_date'])
})

test('a draft venue goes live with an event that is published on time', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { status: 'draft' })
  const event = await givenEvent(app, { venue: venue.id, date: '2030-01-16 00:00:00' })
  app.pass(86_400)

  await publishDue(app.deps)

  assert.equal((await app.send({ path: `/events/${event.id}` })).body.venue.id, venue.id)
})

test('a draft venue goes live with a published version that shares it', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { status: 'draft' })
  const event = await givenEvent(app)
  const translation = await givenEvent(app, { ...french(event), status: 'draft' })

  await changed(app, `/events/${translation.id}`, { venue: venue.id })

  assert.equal((await app.send({ path: `/events/${event.id}` })).body.venue.id, venue.id)
})

test('slugs of full length are numbered without a clash', async (t) => {
  const app = await startTestApp(t)
  const slugs = new Set<string>()

  for (const title of Array(12).fill('é日本'.repeat(40))) slugs.add((await givenEvent(app, { title })).slug)

  assert.equal(slugs.size, 12)
})

test('lists do not tell what the password of an event hides, but to those who may edit it', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const category = await givenTerm(app, 'categories', { name: 'Music' })
  const hidden = { venue: venue.id, categories: [category.id], event_password: 'secret' }
  const { id } = await givenEvent(app, hidden, 'author')

  for (const path of [`/venues?event=${id}`, `/categories?event=${id}`, `/categories?post=${id}`]) {
    assert.equal((await app.send({ path })).status, 400, path)
    assert.equal((await app.send({ path, as: 'subscriber' })).status, 400, path)
    assert.equal((await app.send({ path, as: 'author' })).body.total, 1, path)
  }
  assert.deepEqual(await listedIds(app, ''), [id])
})
