// Translations that share no fields: SHARE_FIELDS=false (languages.md §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue, listedIds } from '../../../test/support/given.ts'

const independent = { SHARE_FIELDS: 'false' }
const french = (of: { readonly id: number }) => ({ ml_language: 'fr-CA', ml_translation_of: of.id })

async function idsOf(app: TestApp, kind: string, query: string): Promise<readonly number[]> {
  const { body, status, text } = await app.send({ path: `/${kind}?hide_empty=0&${query}` })
  assert.equal(status, 200, text)
  assert.equal(body.total, body[kind].length)
  return body[kind].map(({ id }: { id: number }) => id)
}

/** An event and its translation, each with a venue, an organizer, a category and a tag of its own. */
async function givenTwoEvents(app: TestApp) {
  const linked = (word: string) => ({
    venue: { venue: `${word} hall` },
    organizer: { organizer: `${word} club` },
    categories: [`${word} category`],
    tags: [`${word} tag`],
  })
  const one = await givenEvent(app, linked('One'))
  const other = await givenEvent(app, { ...french(one), ...linked('Other') })
  const linkIds = ({ venue, organizer, categories, tags }: Awaited<ReturnType<typeof givenEvent>>) =>
    [venue, organizer[0], categories[0], tags[0]].map(({ id }) => id)
  return { one, other, links: [linkIds(one), linkIds(other)] }
}

const kinds = ['venues', 'organizers', 'categories', 'tags']

test('an event by which names are filtered stands for all its translations', async (t) => {
  const app = await startTestApp(t, independent)
  const { one, other, links } = await givenTwoEvents(app)

  for (const [place, kind] of kinds.entries()) {
    const all = links.map((ids) => ids[place]).sort()
    for (const { id } of [one, other]) {
      assert.deepEqual([...(await idsOf(app, kind, `event=${id}`))].sort(), all, kind)
    }
  }
  const byPost = await idsOf(app, 'tags', `post=${one.id}`)
  assert.deepEqual([...byPost].sort(), links.map((ids) => ids[3]).sort())
})

test('of an event by which names are filtered no translation counts that the caller may not read', async (t) => {
  const app = await startTestApp(t, independent)
  const { one, other, links } = await givenTwoEvents(app)
  const own = links[0] ?? []

  for (const hidden of [{ status: 'draft' }, { status: 'publish', event_password: 'secret' }, { status: 'trash' }]) {
    await changed(app, `/events/${other.id}`, hidden)
    for (const [place, kind] of kinds.entries()) {
      assert.deepEqual(await idsOf(app, kind, `event=${one.id}`), [own[place]], `${kind} ${hidden.status}`)
      assert.equal((await app.send({ path: `/${kind}?event=${other.id}` })).status, 400, kind)
    }
  }
})

test('a version that is hidden from lists hides none of its translations', async (t) => {
  const app = await startTestApp(t, independent)
  const one = await givenEvent(app)
  const other = await givenEvent(app, french(one))
  const listed = async () => [await listedIds(app, ''), await listedIds(app, '', 'editor')]

  await changed(app, `/events/${one.id}`, { hide_from_listings: true })
  assert.deepEqual(await listed(), [[other.id], [other.id]])
  assert.deepEqual(await listedIds(app, `include=${one.id}`), [other.id])
  await changed(app, `/events/${one.id}`, { hide_from_listings: false })
  assert.deepEqual(await listed(), [[one.id], [one.id]])
})

test('where fields are shared, all versions are hidden together', async (t) => {
  const app = await startTestApp(t)
  const one = await givenEvent(app)
  await givenEvent(app, french(one))

  await changed(app, `/events/${one.id}`, { hide_from_listings: true })

  assert.deepEqual(await listedIds(app, ''), [])
})

test('what was copied to a translation is its own from then on', async (t) => {
  const app = await startTestApp(t, independent)
  const event = await givenEvent(app, { featured: true, tags: ['Loud'] })
  const hall = await givenVenue(app, { venue: 'Hall', zip: 'K1A' })
  const other = await givenEvent(app, { title: 'Fête', ...french(event) })
  const salle = await givenVenue(app, { venue: 'Salle', ...french(hall) })
  assert.deepEqual([other.featured, other.tags.length, salle.zip], [true, 1, 'K1A'])

  await changed(app, `/events/${event.id}`, { featured: false, tags: [], start_date: '2030-01-22 08:00:00' })
  await changed(app, `/venues/${hall.id}`, { zip: 'H2X' })

  const shown = (await app.send({ path: `/events/${other.id}` })).body
  assert.deepEqual([shown.featured, shown.tags.length, shown.start_date], [true, 1, other.start_date])
  assert.equal((await app.send({ path: `/venues/${salle.id}` })).body.zip, 'K1A')
})

for (const [isShared, environment] of [
  [true, {}],
  [false, independent],
] as const) {
  test(`a category moves ${isShared ? 'with its translations' : 'alone where fields are not shared'}`, async (t) => {
    const app = await startTestApp(t, environment)
    const given = (sent: Readonly<Record<string, unknown>>) => givenTerm(app, 'categories', sent)
    const above = await given({ name: 'Above' })
    const below = await given({ name: 'Below', parent: above.id })
    const dessous = await given({ name: 'Dessous', ...french(below) })
    const seul = await given({ name: 'Seul', ml_language: 'fr-CA' })
    assert.equal(dessous.parent, above.id)

    const joined = await changed(app, `/categories/${seul.id}`, {
      ml_translation_of: (await given({ name: 'Alone', parent: above.id })).id,
    })
    await changed(app, `/categories/${below.id}`, { parent: 0 })

    assert.equal(joined.parent, isShared ? above.id : 0)
    assert.equal((await app.send({ path: `/categories/${dessous.id}` })).body.parent, isShared ? 0 : above.id)
  })
}
