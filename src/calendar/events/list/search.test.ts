import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { runs } from '../../../../test/support/long.ts'

/** Words that contain each other, in many scripts and spellings, and runs that are too long for a word. */
const vocabulary = [
  ...['dance', 'Danse', 'danses', 'abundance', 'dan', 'da', 'd', 'music', 'Musique', 'musicale', 'été', 'ETE', 'Œuvre'],
  ...["l'été", 'tai-chi', '100%', 'a_b', '東京都庁', 'Ελλάδα', 'хор', 'naïve', 'x1', '2030', '<em>dance</em>', 'C++'],
  ...[`${'long'.repeat(700)}end`, 'หนังสือ', 'ﬁlm'],
]
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))

/** A part of a word, or several adjacent words. */
const piece = fc
  .tuple(text, fc.nat(30), fc.integer({ min: 1, max: 9 }))
  .map(([from, start, length]) => [...from].slice(start % from.length, (start % from.length) + length).join(''))
const searched = fc
  .array(
    fc.oneof(
      piece,
      fc.constantFrom(...vocabulary),
      piece.map((words) => `"${words}"`),
      piece.map((word) => `-${word}`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => terms.join(' ').slice(0, 900))

const day = (number: number) => new Date(Date.UTC(2029, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
const made = fc.record({
  title: text,
  description: text,
  start: fc.nat(90),
  days: fc.constantFrom(0, 0, 0, 3, 40, 300),
  category: fc.nat(2),
  password: fc.integer({ min: 0, max: 9 }).map((draw) => (draw === 0 ? 'open' : '')),
})
const window = fc.oneof(
  fc.constant({}),
  fc.record({ start_date: fc.nat(90).map(day) }),
  fc.record({ ends_after: fc.nat(90).map(day), starts_before: fc.nat(90).map(day) }),
  fc.record({ start_date: fc.nat(40).map(day), end_date: fc.integer({ min: 50, max: 120 }).map(day) }),
  fc.record({ ends_before: fc.nat(120).map(day) }),
)
const question = fc.record({
  search: searched,
  window,
  page: fc.constantFrom(1, 1, 2),
  filter: fc.constantFrom({}, {}, { featured: 'false' }, { categories: 'true' }),
  language: fc.constantFrom(undefined, 'fr-CA'),
})

async function answer(app: TestApp, query: URLSearchParams, as?: 'editor') {
  const { body, headers, status } = await app.send({ ...(as ? { as } : {}), path: `/events?${query}` })
  return { ids: body.events?.map(({ id }: { id: number }) => id), total: headers['x-tec-total'], status }
}

for (const zone of ['America/Toronto', 'UTC']) {
  test(`on a site in ${zone}, what visitors find by words is what editors find by reading the texts`, async (t) => {
    const app = await startTestApp(t, { SITE_TIMEZONE: zone })
    const write = (path: string, json: object, method: 'POST' | 'DELETE' = 'POST') =>
      app.send({ as: 'administrator', method, path, json })
    const { body: category } = await write('/categories', { name: 'True' })
    const drawn = fc.sample(made, { numRuns: 80, seed: 8 })
    for (const [number, { title, description, start, days, category: kind, password }] of drawn.entries()) {
      const { body } = await write('/events', {
        title: `${title} ${number}`,
        description,
        start_date: `${day(start)} ${String(number % 24).padStart(2, '0')}:00:00`,
        end_date: `${day(start + days + 1)} 09:00:00`,
        timezone: ['UTC', 'America/Toronto', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'][number % 4],
        ...(kind === 0 ? { categories: [category.id] } : {}),
      })
      assert.ok(body.id, JSON.stringify(body))
      // A search no longer finds the earlier text.
      if (number % 5 === 0) await write(`/events/${body.id}`, { description: drawn[number + 1]?.title ?? '' })
      if (number % 7 === 0) await write(`/events/${body.id}`, { start_date: day(number), end_date: day(number + 2) })
      if (number % 4 === 0) {
        await write('/events?ml_language=fr-CA', { title: `${description} fr`, ml_translation_of: body.id })
      }
      if (number % 9 === 0) await write(`/events/${body.id}`, {}, 'DELETE')
      // Searches do not find a protected event. They find it again after its password is removed.
      if (password !== '') await write(`/events/${body.id}`, { event_password: password })
      if (password !== '') await write(`/events/${body.id}`, { event_password: '' })
    }

    let found = 0
    await fc.assert(
      fc.asyncProperty(question, async ({ search, window, page, filter, language }) => {
        const query = new URLSearchParams({ per_page: '7', page: String(page), search, ...window })
        if ('featured' in filter) query.set('featured', 'false')
        if ('categories' in filter) query.set('categories', String(category.id))
        if (language) query.set('ml_language', language)
        const visitors = await answer(app, query)
        query.set('status', 'publish')
        const editors = await answer(app, query, 'editor')
        assert.deepEqual(visitors, editors, search)
        if (visitors.status === 200 && visitors.total !== '0') found += 1
      }),
      { numRuns: runs(80, 250), seed: 8 },
    )
    assert.ok(found > runs(20, 60), `${found} searches found something`)
  })
}

for (const zone of ['America/Toronto', 'UTC']) {
  test(`on a site in ${zone}, what begins or ends at the edges of a window is found as it is listed`, async (t) => {
    const app = await startTestApp(t, { SITE_TIMEZONE: zone })
    for (const [number, at] of ['2029-03-01', '2029-03-02', '2029-04-10', '2029-04-11', '2029-04-12'].entries()) {
      for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const times = { start_date: `${at} ${4 + number * 4}:00:00`, end_date: `${at} 21:30:00`, timezone }
        await app.send({ as: 'editor', method: 'POST', path: '/events', json: { title: 'Dance', ...times } })
      }
    }
    for (const window of [
      { start_date: '2029-03-01 05:00:00', end_date: '2029-04-11 21:45:00' },
      { starts_after: '2029-03-01 12:00:00', starts_before: '2029-04-11 17:00:00' },
      { ends_after: '2029-03-02 21:00:00', starts_before: '2029-04-12 12:00:00' },
      { starts_after: '2029-03-02 07:00:00', ends_before: '2029-04-20 12:00:00' },
    ]) {
      const query = new URLSearchParams({ search: 'danc', per_page: '50', ...window })
      const listed = new URLSearchParams({ per_page: '50', ...window })
      const found = await answer(app, query)
      assert.notEqual(found.total, '0')
      assert.deepEqual(found, await answer(app, listed), JSON.stringify(window))
    }
  })
}

test('an event is not found by its words while it has a password, nor by words that it had', async (t) => {
  const app = await startTestApp(t)
  const write = (path: string, json: object) => app.send({ as: 'editor', method: 'POST', path, json })
  const { body: event } = await write('/events', { title: 'Zebra', start_date: '2030-02-01', end_date: '2030-02-02' })
  const isFound = async (search: string) => (await answer(app, new URLSearchParams({ search }))).total === '1'

  assert.deepEqual([await isFound('zeb'), await isFound('lion')], [true, false])
  await write(`/events/${event.id}`, { event_password: 'open' })
  assert.deepEqual([await isFound('zeb'), await isFound('lion')], [false, false])
  await write(`/events/${event.id}`, { title: 'Lion' })
  assert.deepEqual([await isFound('zeb'), await isFound('lion')], [false, false])
  await write(`/events/${event.id}`, { event_password: '' })
  assert.deepEqual([await isFound('zeb'), await isFound('lion')], [false, true])
})
