import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenOrganizer } from '../../../../test/support/given.ts'
import type { LinkedEvent } from './event.ts'
import { lengthInList } from './length.ts'

const longest = 'x '.repeat(32 * 1024)

test('a list that would tell more text than a process can hold is refused, and a shorter page of it told', async (t) => {
  const app = await startTestApp(t)
  const organizer = []
  for (let number = 0; number < 60; number += 1) {
    organizer.push((await givenOrganizer(app, { organizer: `Club ${number}`, description: longest })).id)
  }
  for (let number = 0; number < 8; number += 1) await givenEvent(app, { title: `Concert ${number}`, organizer })

  const page = (perPage: number, language = '') =>
    app.send({ path: `//${language}cal/events/v1/events?per_page=${perPage}` })
  const [all, one, some, french] = [await page(8), await page(1), await page(3), await page(8, 'fr/')]

  assert.deepEqual([all.status, all.body.code], [400, 'rest_invalid_param'])
  assert.match(all.body.data.params.per_page, /16 million/)
  assert.match(french.body.data.params.per_page, /16 millions de caractères/)
  assert.deepEqual([one.status, one.body.events.length, one.body.total], [200, 1, 8])
  assert.equal(some.status, 200)
})

test('what a password hides does not count', async (t) => {
  const app = await startTestApp(t)
  const organizer = []
  for (let number = 0; number < 90; number += 1) {
    organizer.push((await givenOrganizer(app, { organizer: `Club ${number}`, description: longest })).id)
  }
  for (let number = 0; number < 4; number += 1) {
    await givenEvent(app, { title: `Concert ${number}`, organizer, event_password: 'secret' })
  }

  assert.equal((await app.send({ path: '/events' })).status, 200)
  assert.equal((await app.send({ path: '/events?password=secret' })).status, 400)
})

test('titles, names and fields count as well', async (t) => {
  const app = await startTestApp(t)
  const line = 'x '.repeat(499)
  const organizer = []
  for (let number = 0; number < 100; number += 1) {
    const sent = { organizer: `${number} ${'"'.repeat(900)}`, phone: line, email: line }
    organizer.push((await givenOrganizer(app, sent)).id)
  }
  for (let number = 0; number < 25; number += 1) await givenEvent(app, { organizer })

  assert.equal((await app.send({ path: '/events?per_page=25' })).status, 400)
  assert.equal((await app.send({ path: '/events?per_page=2' })).status, 200)
})

test('an event is as long as its texts and those of all that it links to, which count 500 besides', () => {
  const texts = {
    titleHtml: 'a'.repeat(1),
    slug: 'b'.repeat(2),
    contentHtml: 'c'.repeat(4),
    excerptHtml: 'd'.repeat(8),
  }
  const none = { venues: [], organizers: [], categories: [], tags: [] }
  const event = { ...texts, ...none, cost: [], customFields: {} }
  const length = (more: object) => lengthInList({ ...event, ...more } as unknown as LinkedEvent)
  const own = length({})
  const term = () => ({ name: 'e'.repeat(16), slug: 'f'.repeat(32), description: 'g'.repeat(64) })
  const entry = () => ({ ...texts, fields: { phone: '123', hasMap: true } })

  // Names of properties count, also those of the parts that are empty here.
  assert.ok(own >= 15 && own < 20, String(own))
  assert.equal(length({ cost: ['10', '20'] }), own + '0'.length + '10'.length + '1'.length + '20'.length)
  assert.equal(length({ customFields: { _a: { label: 'b', value: 'cd' } } }), own + '_alabelbvaluecd'.length)
  for (const kind of ['categories', 'tags']) {
    assert.equal(length({ [kind]: [term(), term()] }), own + 2 * (16 + 32 + 64 + 500), kind)
  }
  for (const kind of ['venues', 'organizers']) {
    assert.equal(length({ [kind]: [entry(), entry()] }), own + 2 * (15 + 'phone123hasMap'.length + 500), kind)
  }
})
