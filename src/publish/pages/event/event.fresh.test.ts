import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../../../test/support/given.ts'
import { createApp } from '../../../app.ts'

// A cached page may be served exactly until the second at which a new one would differ.

test('a page that is kept says that its event is on from its first second to its last', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const forgetful = createApp({ ...app.deps, config: { ...app.deps.config, cacheMegabytes: 0 } })
  t.after(() => forgetful.close())
  const venue = await givenVenue(app)
  const times = { start_date: '2030-01-15 12:00:10', end_date: '2030-01-15 12:00:20' }
  const alone = await givenEvent(app, { title: 'Alone', ...times })
  const placed = await givenEvent(app, { title: 'Placed', ...times, venue: venue.id })

  // The tests begin at 12:00:00. The page is requested in every second, so that each request can be answered from the
  // result of the previous one.
  for (const { slug } of [alone, placed]) {
    const states = []
    for (let second = 0; second <= 22; second += 1) {
      const path = `/event/${slug}/`
      const text = await (await fetch(`${url}${path}`)).text()
      const made = await forgetful.inject({ url: path, headers: { host: new URL(url).host } })
      assert.equal(text, made.body, `${slug} at second ${second}`)
      states.push(/class="notice on"/.test(text) ? 'on' : /class="notice"/.test(text) ? 'over' : 'ahead')
      app.pass(1)
    }
    app.pass(-23)
    assert.deepEqual(states, [...Array(10).fill('ahead'), ...Array(11).fill('on'), ...Array(2).fill('over')])
  }
})

test('a page is kept for all of its last second', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { slug } = await givenEvent(app, { start_date: '2030-01-15 12:00:10', end_date: '2030-01-15 12:00:20' })
  const ask = async () => {
    app.statements()
    await (await fetch(`${url}/event/${slug}/`)).text()
    // The cache checks for changes on every request.
    return app.statements().filter((text) => text.includes('records')).length > 0
  }

  const isMade = []
  for (const seconds of [9, 0, 1, 10, 0, 1, 0, 100]) {
    app.pass(seconds)
    isMade.push(await ask())
  }

  assert.deepEqual(isMade, [true, false, true, false, false, true, false, false])
})

test('a page that is first asked for in the last second of its event does not say later that it is on', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { slug } = await givenEvent(app, { start_date: '2030-01-15 12:00:10', end_date: '2030-01-15 12:00:20' })
  const isOn = async () => /class="notice on"/.test(await (await fetch(`${url}/event/${slug}/`)).text())

  app.pass(20)
  const before = await isOn()
  app.pass(1)

  assert.deepEqual([before, await isOn()], [true, false])
})
