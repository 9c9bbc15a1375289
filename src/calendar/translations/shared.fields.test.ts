import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'

// What translations of an event have in common (languages.md §3), each field by itself.

/** For each field a value that no new event has. The days come last: an all-day event has no times. */
async function sharedValues(app: TestApp): Promise<Readonly<Record<string, unknown>>> {
  const sent = form(await picture(20, 20))
  const { body } = await app.send({ as: 'administrator', method: 'POST', path: '//cal/service/v1/media', ...sent })
  return {
    start_date: '2030-01-22 08:00:00',
    end_date: '2030-03-02 09:30:00',
    timezone: 'America/Toronto',
    venue: [(await givenVenue(app)).id],
    organizer: [(await givenOrganizer(app)).id],
    categories: [(await givenTerm(app, 'categories', { name: 'Music' })).id],
    tags: [(await givenTerm(app, 'tags', { name: 'Free' })).id],
    image: body.id,
    featured: true,
    sticky: true,
    hide_from_listings: true,
    show_map: true,
    show_map_link: true,
    all_day: true,
  }
}

/** What an event shows of the shared fields, and the instants made of them. */
async function shown(app: TestApp, id: number, names: readonly string[]) {
  const { body } = await app.send({ as: 'administrator', path: `/events/${id}` })
  return Object.fromEntries([...names, 'utc_start_date', 'utc_end_date'].map((name) => [name, body[name]]))
}

for (const changedVersion of ['original', 'translation'] as const) {
  test(`what is changed of the ${changedVersion}, each shared field by itself, the other version has as well`, async (t) => {
    const app = await startTestApp(t)
    const original = await givenEvent(app)
    const translation = await givenEvent(app, {
      title: 'Concert',
      ml_language: 'fr-CA',
      ml_translation_of: original.id,
    })
    const values = await sharedValues(app)
    const names = Object.keys(values)
    const [from, to] = changedVersion === 'original' ? [original, translation] : [translation, original]

    for (const [name, value] of Object.entries(values)) {
      const before = await shown(app, from.id, names)
      await changed(app, `/events/${from.id}`, { [name]: value })
      const after = await shown(app, from.id, names)

      assert.notDeepEqual(after[name], before[name], `${name} was changed`)
      assert.deepEqual(await shown(app, to.id, names), after, name)
    }
  })
}

test('a new translation, and one that joins, begin with all that the original has', async (t) => {
  const app = await startTestApp(t)
  const values = await sharedValues(app)
  const names = Object.keys(values)
  const original = await givenEvent(app, values)
  const made = await givenEvent(app, { title: 'Fête', ml_language: 'fr-CA', ml_translation_of: original.id })
  const joining = await givenEvent(app, { title: 'Gig', ml_language: 'en-CA' })

  await changed(app, `/events/${joining.id}`, { ml_translation_of: original.id })

  const expected = await shown(app, original.id, names)
  assert.deepEqual(await shown(app, made.id, names), expected)
  assert.deepEqual(await shown(app, joining.id, names), expected)
})

test('what translations do not share stays with each version', async (t) => {
  const app = await startTestApp(t)
  const original = await givenEvent(app, { cost: '5', website: 'https://example.org/', excerpt: 'Few' })
  const made = await givenEvent(app, { title: 'Fête', ml_language: 'fr-CA', ml_translation_of: original.id })

  await changed(app, `/events/${original.id}`, { title: 'Party', sticky: true, cost: '7', excerpt: 'More' })

  const { body } = await app.send({ path: `/events/${made.id}` })
  assert.deepEqual([body.title, body.excerpt, body.cost, body.sticky], ['Fête', '<p>Few</p>', '$5', true])
})
