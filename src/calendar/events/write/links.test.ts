import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenVenue, plainEvent } from '../../../../test/support/given.ts'

const sending = (app: TestApp, json: object) =>
  app.send({ as: 'administrator', method: 'POST', path: '/events', json: { ...plainEvent, ...json } })

const idsOf = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id)

test('an object is one record if it has an id or a name, and else a list with named indexes', async (t) => {
  const app = await startTestApp(t)
  const [first, second] = [await givenOrganizer(app), await givenOrganizer(app, { organizer: 'Band' })]
  const refusalOf = async (organizer: unknown) => {
    const { status, body } = await sending(app, { organizer })
    return [status, body.data?.params?.organizer]
  }

  const { headers, body } = await sending(app, { organizer: { id: first.id, phone: 999_999, é: 1 } })
  assert.deepEqual(idsOf(body.organizer), [first.id])
  assert.equal(headers['x-ignored-parameters'], 'organizer.phone, organizer.%C3%A9')
  const named = await givenEvent(app, { organizer: { organizer: '2030' } })
  assert.equal(named.organizer[0].organizer, '2030')
  const listed = await givenEvent(app, { organizer: { x: second.id, y: String(first.id) } })
  assert.deepEqual(idsOf(listed.organizer), [second.id, first.id])

  const [unknownStatus, unknown] = await refusalOf(999_999)
  const [namelessStatus, nameless] = await refusalOf({ phone: 'no' })
  assert.deepEqual([unknownStatus, namelessStatus], [400, 400])
  assert.notEqual(unknown, nameless)
  for (const organizer of [{ x: first.id, phone: 'no' }, { organizer: null }, { organizer: ' ' }]) {
    assert.deepEqual(await refusalOf(organizer), [400, nameless], JSON.stringify(organizer))
  }
  for (const organizer of [{ id: 'x' }, { id: 999_999, organizer: 'Club' }, [[first.id]], [true], true, 'Club']) {
    assert.deepEqual(await refusalOf(organizer), [400, unknown], JSON.stringify(organizer))
  }
})

test('links are distinct, at most a hundred, and texts may have blanks and an end of ids', async (t) => {
  const app = await startTestApp(t)
  const [first, second] = [await givenOrganizer(app), await givenOrganizer(app, { organizer: 'Band' })]
  const repeated = (count: number) => Array.from({ length: count }, () => first.id)

  for (const organizer of [` ${first.id} , ${second.id}`, [first.id, second.id, first.id, { id: second.id }]]) {
    assert.deepEqual(idsOf((await givenEvent(app, { organizer })).organizer), [first.id, second.id])
  }
  for (const organizer of [repeated(100), repeated(100).join()]) {
    assert.equal((await sending(app, { organizer })).status, 201)
  }
  for (const organizer of [repeated(101), repeated(101).join()]) {
    const { status, body } = await sending(app, { organizer })
    assert.equal(status, 400)
    assert.match(body.data.params.organizer, /\b100\b/)
  }
  // Zero in a form is none, as in JSON.
  for (const organizer of ['0', '']) {
    const form = new URLSearchParams({ ...plainEvent, organizer }).toString()
    const { status, body } = await app.send({ as: 'administrator', method: 'POST', path: '/events', form })
    assert.deepEqual([status, body.organizer], [201, []], organizer)
  }
})

test('only one venue counts, and the answer says so', async (t) => {
  const app = await startTestApp(t)
  const [hall, park] = [await givenVenue(app), await givenVenue(app, { venue: 'Park' })]
  const adjusted = async (venue: unknown) => {
    const { status, body, headers } = await sending(app, { venue })
    return [status, body.venue.id, headers['x-adjusted-parameters']]
  }

  assert.deepEqual(await adjusted([hall.id]), [201, hall.id, undefined])
  const [status, id, header] = await adjusted([park.id, hall.id])
  assert.deepEqual([status, id], [201, park.id])
  assert.match(String(header), /^venue\b/)
})

test('a fault of a new record is reported under its name, and texts of all of them are limited', async (t) => {
  const app = await startTestApp(t)

  const wrong = await sending(app, { venue: { venue: 'Hall', zip: ['x'] } })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.data.params.venue, /venue\.zip/)
  const long = { organizer: 'Club', description: 'x '.repeat(12_000) }
  const some = await sending(app, { organizer: [long, { ...long, organizer: 'Band' }] })
  assert.equal(some.status, 201, some.text)
  const all = await sending(app, {
    organizer: [long, long, long].map((each, at) => ({ ...each, organizer: `C${at}` })),
  })
  assert.equal(all.status, 400)
  assert.match(all.body.data.params.organizer, /\b64\b/)
})
