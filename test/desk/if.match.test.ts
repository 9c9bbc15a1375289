import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'
import { givenEvent } from '../support/given.ts'

const strict = { REQUIRE_IF_MATCH: 'true' }

test('with REQUIRE_IF_MATCH, events are made, changed, trashed and restored at the desk', async (t) => {
  const app = await startTestApp(t, strict)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  const page = `/admin/events/${id}/`
  const shown = async () => {
    const { status, body } = await app.send({ path: `/events/${id}` })
    return status === 200 ? body.title : status
  }

  await desk.get(page)
  const saved = await desk.send(page, { 'title.en': 'Fair', to: 'save' })
  const afterSave = await shown()
  const trashed = await desk.send(`${page}trash/`)
  const whileIn = await shown()
  const restored = await desk.send(`${page}restore/`)

  assert.equal(toldAfter(saved)[1], '“Fair” is saved.')
  assert.equal(afterSave, 'Fair')
  assert.equal(toldAfter(trashed)[1], '“Fair” is in the trash.')
  assert.equal(whileIn, 403)
  assert.equal(toldAfter(restored)[1], '“Fair” is back.')
  assert.equal(await shown(), 'Fair')
})

test('with REQUIRE_IF_MATCH, a series is made, changed and removed at the desk, date by date', async (t) => {
  const app = await startTestApp(t, strict)
  const desk = await givenDesk(app, 'editor')
  const dates = async (): Promise<readonly { readonly id: number; readonly title: string }[]> =>
    (await app.send({ path: '/events?start_date=2029-01-01&end_date=2040-01-01' })).body.events
  const titles = async () => (await dates()).map(({ title }) => title)

  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', {
    ...{ 'title.en': 'Yoga', start: 'Feb 1, 2030, 7pm', end: '8 p.m.' },
    ...{ repeat: 'weekly', repeat_ends: 'count', repeat_count: '4', to: 'publish' },
  })
  const [first, second, , last] = await dates()
  const { body } = await app.send({ path: `/events/${first?.id}` })
  const page = `/admin/series/${body.series.id}/`

  await desk.get(`/admin/events/${second?.id}/`)
  await desk.send(`/admin/events/${second?.id}/`, { 'title.en': 'Pilates', to: 'save', scope: 'following' })
  assert.deepEqual(await titles(), ['Yoga', 'Pilates', 'Pilates', 'Pilates'])
  await desk.get('/admin/events/')
  const asked = await desk.send(`/admin/events/${last?.id}/trash/`)
  assert.match(asked.text, /This date only[\s\S]*1 date to the trash[\s\S]*All dates[\s\S]*4 dates/)
  const gone = await desk.send(`/admin/events/${last?.id}/trash/`, { scope: 'this' })
  assert.equal(toldAfter(gone)[1], '“Pilates” is in the trash.')
  assert.equal((await dates()).length, 3)

  const counts: number[] = []
  for (const fields of [
    { to: `remove.${second?.id}` },
    { to: `return.${second?.id}` },
    { to: 'add', start: 'Mar 20, 2030, 6pm' },
    { to: 'end', day: 'Mar 1, 2030' },
    { to: 'trash' },
    { to: 'restore' },
  ]) {
    await desk.get(page)
    const answer = await desk.send(page, fields)
    // The desk asks before it removes many dates.
    const { status, text } = answer.status === 200 ? await desk.send(page) : answer
    assert.equal(status, 303, text)
    counts.push((await dates()).length)
  }
  assert.deepEqual(counts, [2, 3, 4, 3, 0, 3])
})

test('an event that was not moved to the trash, or back, is said', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'author')

  await desk.get('/admin/events/')
  const trashed = await desk.send(`/admin/events/${id}/trash/`, { back: 'q=concert' })
  const table = await desk.get(trashed.headers.location ?? '')
  const restored = await desk.send('/admin/events/999/restore/')

  assert.equal(toldAfter(trashed)[0], '/admin/events/?q=concert')
  assert.match(table.text, /The event was not moved to the trash\./)
  assert.equal(toldAfter(restored)[1], 'The event was not restored.')
})
