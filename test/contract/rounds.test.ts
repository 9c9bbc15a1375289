import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'

// What an answer gives may be sent back, and changes nothing (rulings.md 44).

/** Names as people write them. */
const names = [
  'Plain',
  'R&B',
  "D'or & fils",
  'A &amp; B',
  '<b>Bold</b> & more',
  'Un « mot », deux',
  'x < y',
  '“Q” – 5 > 4',
  'Été, l’autre',
]
const websites = ['https://a.example/?x=1&y=2', "https://a.example/it's?a=1&amp;b=2", '']

async function read(app: TestApp, path: string) {
  const { status, body } = await app.send({ as: 'editor', path: `${path}?context=edit` })
  assert.equal(status, 200, path)
  return body
}

/** Without what each change changes. */
function lasting(body: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (/^modified|^json_ld$/.test(name) ? undefined : value)))
}

async function assertUnchanged(
  app: TestApp,
  path: string,
  methods: readonly ('PUT' | 'POST')[] = ['PUT', 'POST', 'PUT'],
) {
  const before = await read(app, path)
  for (const method of methods) {
    const { status, body } = await app.send({ as: 'editor', method, path, json: await read(app, path) })
    assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`)
    assert.deepEqual(lasting(await read(app, path)), lasting(before), `${method} ${path}`)
  }
}

test('an event that is given back whole stays as it was', async (t) => {
  const app = await startTestApp(t)
  const [venue, organizer] = [
    await givenVenue(app, { venue: "D'or & fils" }),
    await givenOrganizer(app, { organizer: 'R&B' }),
  ]
  for (const title of names) {
    for (const website of websites) {
      const { id } = await givenEvent(app, {
        ...{ title, description: `<p>${title}</p>`, excerpt: title, website, venue: venue.id, organizer: organizer.id },
        ...{ categories: ['R&B', 'Rock, pop'], tags: ["l'été"], cost: '5 – 10', featured: true },
      })
      await assertUnchanged(app, `/events/${id}`)
    }
  }
  const { id } = await givenEvent(app, { title: 'No website', event_password: 'open' })
  await assertUnchanged(app, `/events/${id}`)
  const { body } = await app.send({ path: `/events/${id}` })
  assert.equal(body.code, 'event-password-protected')
})

test('drafts, private and scheduled records that are given back whole stay as they were', async (t) => {
  const app = await startTestApp(t)
  for (const status of ['draft', 'pending', 'private', 'future'] as const) {
    const sent = { status, ...(status === 'future' ? { date: '2031-01-01 10:00:00' } : {}) }
    const event = await givenEvent(app, { title: "D'or & fils", all_day: true, ...sent })
    await assertUnchanged(app, `/events/${event.id}`)
    const venue = await givenVenue(app, { venue: "D'or & fils", ...sent })
    await assertUnchanged(app, `/venues/${venue.id}`)
    const organizer = await givenOrganizer(app, { organizer: "D'or & fils", ...sent })
    await assertUnchanged(app, `/organizers/${organizer.id}`)
  }
})

test('an empty slug is only that of a draft that has none', async (t) => {
  const app = await startTestApp(t)
  for (const own of [{}, { status: 'draft', slug: 'mine' }]) {
    const { id } = await givenEvent(app, { title: 'Named', ...own })
    const { status, body } = await app.send({
      ...{ as: 'editor', method: 'POST', path: `/events/${id}` },
      json: { slug: '' },
    })
    assert.deepEqual([status, Object.keys(body.data.params)], [400, ['slug']])
  }
})

test('venues, organizers and terms that are given back whole stay as they were', async (t) => {
  const app = await startTestApp(t)
  for (const [place, name] of names.entries()) {
    const website = websites[place % 3]
    const venue = await givenVenue(app, { venue: name, website, address: name, city: name, description: name })
    await assertUnchanged(app, `/venues/${venue.id}`)
    const organizer = await givenOrganizer(app, { organizer: name, website, phone: name, description: name })
    await assertUnchanged(app, `/organizers/${organizer.id}`)
    for (const kind of ['categories', 'tags'] as const) {
      const term = await givenTerm(app, kind, { name, description: name })
      await assertUnchanged(app, `/${kind}/${term.id}`)
    }
  }
})
