import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenTerm, plainEvent } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'

const day = (number: number) => new Date(Date.UTC(2029, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)

/** A day within four years, with a time. */
const moment = fc
  .tuple(fc.nat(1460), fc.nat(23))
  .map(([at, hour]) => `${day(at)} ${String(hour).padStart(2, '0')}:00:00`)

const madeEvent = fc.record({
  start_date: moment,
  hours: fc.oneof(fc.nat(30), fc.integer({ min: 24 * 5, max: 24 * 12 }), fc.integer({ min: 24 * 20, max: 24 * 500 })),
  timezone: fc.constantFrom('UTC', 'America/Toronto', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'),
  status: fc.constantFrom('publish', 'publish', 'publish', 'draft', 'private'),
  hide_from_listings: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  featured: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
  category: fc.nat(2),
  venue: fc.nat(3),
  language: fc.constantFrom(undefined, 'fr-CA', 'en-CA'),
})

const windows = fc.oneof(
  fc.record({ start_date: moment, end_date: moment }),
  fc.record({ start_date: moment }),
  fc.record({ ends_after: moment }),
  fc.record({ ends_before: moment }),
  fc.record({ starts_before: moment, ends_after: moment }),
  fc.record({ starts_after: moment, ends_before: moment }),
  fc.record({ starts_after: moment, starts_before: moment }),
  fc.record({ starts_after: moment, ends_after: moment, ends_before: moment }),
  fc.record({ start_date: moment, end_date: moment, ends_after: moment }),
  fc.record({ start_date: moment, starts_after: moment, starts_before: moment, ends_before: moment }),
  fc.record({ end_date: moment, starts_before: moment, ends_after: moment, ends_before: moment }),
)

const question = fc.record({
  window: windows,
  strict_dates: fc.boolean(),
  page: fc.constantFrom(1, 1, 2),
  // Full pages do not reveal the total.
  per_page: fc.constantFrom('2', '7', '7'),
  filter: fc.constantFrom(
    {},
    {},
    {},
    { categories: 0 },
    { categories: 1, venue: 1 },
    { categories: 1, featured: 'true' },
    { venue: 2 },
    { featured: 'true' },
  ),
  others: fc.constantFrom({}, {}, {}, { featured: 'false' }, { search: 'one' }),
  ml_language: fc.constantFrom(undefined, undefined, 'en', 'fr-CA', 'en-CA'),
})

/** Both callers must ask at the same second: the clock of the tests does not advance. */
async function answersOf(app: TestApp, query: URLSearchParams) {
  const shown = async (as: 'editor' | undefined) => {
    const status = as ? '&status=publish' : ''
    const { body, headers } = await app.send({ ...(as ? { as } : {}), path: `/events?${query}${status}` })
    return { ids: body.events?.map(({ id }: { id: number }) => id), total: headers['x-tec-total'], code: body.code }
  }
  return { visitor: await shown(undefined), editor: await shown('editor') }
}

for (const zone of ['UTC', 'America/Toronto']) {
  test(`on a site in ${zone}, the event index lists for visitors what the events themselves list for editors`, async (t) => {
    const app = await startTestApp(t, { SITE_TIMEZONE: zone })
    const categories = [
      await givenTerm(app, 'categories', { name: 'One' }),
      await givenTerm(app, 'categories', { name: 'Two' }),
    ]
    const venues = [1, 2].map((number) => ({ venue: `Hall ${number}` }))
    const placeIds: number[] = []
    const add = async ({ hours, category, venue, language, ...made }: (typeof drawn)[number]) => {
      const end = new Date(new Date(`${made.start_date.replace(' ', 'T')}Z`).getTime() + hours * 3_600_000)
      const { body } = await app.send({
        as: 'administrator',
        method: 'POST',
        path: `/events${language ? `?ml_language=${language}` : ''}`,
        json: {
          title: `Event ${category === 1 ? 'one' : 'other'}`,
          ...made,
          end_date: end.toISOString().slice(0, 19).replace('T', ' '),
          categories: categories.slice(0, category).map(({ id }) => id),
          ...(venue === 0 ? {} : { venue: placeIds[venue - 1] ?? venues[venue - 1] }),
        },
      })
      assert.ok(body.id, JSON.stringify(body))
      return body
    }
    const drawn = fc.sample(madeEvent, { numRuns: 60, seed: 20_261_121 })
    for (const [number, made] of drawn.entries()) {
      const event = await add(made)
      if (made.venue > 0 && event.venue.id) placeIds[made.venue - 1] ??= event.venue.id
      // Every fourth event is translated, and every tenth is changed or deleted.
      if (number % 4 === 0 && made.language === undefined) {
        const translation = { title: 'Traduit', ml_translation_of: event.id, status: made.status }
        await app.send({ as: 'administrator', method: 'POST', path: '/events?ml_language=fr-CA', json: translation })
      }
      if (number % 10 === 3) await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${event.id}` })
      if (number % 10 === 5) {
        await app.send({
          as: 'administrator',
          method: 'POST',
          path: `/events/${event.id}`,
          json: { featured: true, start_date: '2029-06-01' },
        })
      }
    }

    let listed = 0
    await fc.assert(
      fc.asyncProperty(question, async ({ window, filter, others, strict_dates, page, per_page, ml_language }) => {
        const query = new URLSearchParams({ per_page, ...window, ...others })
        if (page > 1) query.set('page', String(page))
        if (strict_dates) query.set('strict_dates', '1')
        if (ml_language) query.set('ml_language', ml_language)
        if ('categories' in filter)
          query.set(
            'categories',
            categories
              .slice(0, Number(filter.categories) + 1)
              .map(({ id }) => id)
              .join(','),
          )
        if ('venue' in filter && placeIds.length > 0)
          query.set('venue', placeIds.slice(0, Number(filter.venue)).join(','))
        if ('featured' in filter) query.set('featured', 'true')

        const { visitor, editor } = await answersOf(app, query)

        listed += visitor.ids?.length ?? 0
        assert.deepEqual(visitor, editor, String(query))
      }),
      { numRuns: runs(80, 250), seed: 20_261_121 },
    )

    assert.ok(listed > runs(90, 300), `Only ${listed} were listed: the test asks for nothing.`)
  })
}

test('the first translation of a linked record writes no row of the event index', async (t) => {
  const app = await startTestApp(t)
  const { body: event } = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, venue: { venue: 'Hall' }, organizer: { organizer: 'Club' }, categories: ['Music'] },
  })
  const items = [
    ['/venues', { venue: 'Salle', ml_translation_of: event.venue.id }],
    ['/organizers', { organizer: 'Cercle', ml_translation_of: event.organizer[0].id }],
    ['/categories', { name: 'Musique', ml_translation_of: event.categories[0].id }],
  ] as const
  app.statements()

  for (const [path, json] of items) {
    const { status, text } = await app.send({
      as: 'editor',
      method: 'POST',
      path,
      json: { ...json, ml_language: 'fr-CA' },
    })
    assert.equal(status, 201, text)
  }

  assert.deepEqual(
    app.statements().filter((text) => /^\s*(?:insert into|delete from) event_(?:order|sets)\b/.test(text)),
    [],
  )
})

test('a record that joins or leaves a group of translations updates the event index of its events', async (t) => {
  const app = await startTestApp(t)
  const send = async (method: 'POST' | 'PATCH', path: string, json: object) => {
    const { status, body, text } = await app.send({ as: 'editor', method, path, json })
    assert.ok(status < 300, text)
    return body
  }
  for (const [plural, filter, name] of [
    ['venues', 'venue', 'venue'],
    ['organizers', 'organizer', 'organizer'],
    ['categories', 'categories', 'name'],
    ['tags', 'tags', 'name'],
  ] as const) {
    const english = await send('POST', `/${plural}`, { [name]: 'Hall', ml_language: 'en' })
    const french = await send('POST', `/${plural}`, { [name]: 'Salle', ml_language: 'fr-CA' })
    const event = await send('POST', '/events', { ...plainEvent, [filter]: [french.id] })
    const listed = async () => {
      const { body } = await app.send({
        path: `/events?start_date=2000-01-01&end_date=2100-01-01&${filter}=${english.id}`,
      })
      return body.events.map(({ id }: { id: number }) => id)
    }
    const found = [await listed()]

    for (const ml_translation_of of [english.id, 0]) {
      await send('PATCH', `/${plural}/${french.id}`, { ml_translation_of })
      found.push(await listed())
    }

    assert.deepEqual(found, [[], [event.id], []], plural)
  }
})
