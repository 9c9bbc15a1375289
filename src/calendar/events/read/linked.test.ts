import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { form, picture } from '../../../../test/support/pictures.ts'
import { withoutReadCache } from '../../../../test/support/uncached.ts'
import { createApp } from '../../../app.ts'
import type { Tx } from '../../../storage/database/tables.ts'

/**
 * An event with links of every kind, and functions that read its list with and without the read cache. The response
 * cache is off.
 */
async function given(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any', ...environment })
  const config = { ...app.deps.config, cacheMegabytes: 0 }
  const forgetful = createApp({ ...app.deps, config })
  const fresh = createApp({ ...app.deps, config, storage: withoutReadCache(app.deps.storage) })
  t.after(() => Promise.all([forgetful.close(), fresh.close()]))
  const { body: image } = await app.send({
    as: 'editor',
    method: 'POST',
    path: '//cal/service/v1/media',
    ...form(await picture(60, 40)),
  })
  const venue = await givenVenue(app, { image: image.id })
  const organizer = await givenOrganizer(app)
  const category = await givenTerm(app, 'categories', { name: 'Balls' })
  const event = await givenEvent(app, { venue: venue.id, organizer: [organizer.id], categories: [category.id] })
  const lists = ['/events', '/events?ml_language=fr-CA']
  const readFrom = async (server: typeof fresh) => {
    const headers = { host: 'calendar.test' }
    const answers = lists.map((path) => server.inject({ url: `/cal/events/v1${path}`, headers }))
    return (await Promise.all(answers)).map(({ body }) => body)
  }
  const [read, readFresh] = [() => readFrom(forgetful), () => readFrom(fresh)]
  return { app, event, venue, organizer, category, image, read, readFresh }
}

type Given = Awaited<ReturnType<typeof given>>

const byClients: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'the city of the venue': ({ app, venue }) => changed(app, `/venues/${venue.id}`, { city: 'Laval' }),
  'the name of the organizer': ({ app, organizer }) =>
    changed(app, `/organizers/${organizer.id}`, { organizer: 'Ours' }),
  'the picture of the venue': ({ app, venue }) => changed(app, `/venues/${venue.id}`, { image: '' }),
  'a translation of the venue': ({ app, venue }) =>
    givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: venue.id }),
  'a translation of the category': ({ app, category }) =>
    givenTerm(app, 'categories', { name: 'Bals', ml_language: 'fr-CA', ml_translation_of: category.id }),
  'the status of the organizer': ({ app, organizer }) =>
    changed(app, `/organizers/${organizer.id}`, { status: 'private' }),
  'the description of the category': ({ app, category }) =>
    changed(app, `/categories/${category.id}`, { description: 'Waltz' }),
  'another event of the category': ({ app, category }) => givenEvent(app, { categories: [category.id] }),
  'a venue in the trash': ({ app, venue }) =>
    app.send({ as: 'administrator', method: 'DELETE', path: `/venues/${venue.id}` }),
  'a category that is removed': ({ app, category }) =>
    app.send({ as: 'administrator', method: 'DELETE', path: `/categories/${category.id}?force=true` }),
}

for (const [what, change] of Object.entries(byClients)) {
  test(`a list shows ${what} as soon as that is written`, async (t) => {
    const all = await given(t)
    const before = await all.read()

    await change(all)
    const after = await all.read()

    assert.notDeepEqual(after, before)
    assert.deepEqual(after, await all.readFresh())
  })
}

const byOthers: Readonly<Record<string, (tx: Tx, given: Given) => Promise<unknown>>> = {
  'a venue’s own fields': (tx, { venue }) =>
    sql`update venues set city = 'Laval' where record_id = ${venue.id}`.execute(tx),
  'an organizer’s own fields': (tx, { organizer }) =>
    sql`update organizers set phone = '5550100' where record_id = ${organizer.id}`.execute(tx),
  'the name of a venue': (tx, { venue }) =>
    sql`update records set title_html = 'Ours' where id = ${venue.id}`.execute(tx),
  'the file of a picture': (tx, { image }) =>
    sql`update media set width = 61 where record_id = ${image.id}`.execute(tx),
  'the name of a term': (tx, { category }) => sql`update terms set name = 'Ours' where id = ${category.id}`.execute(tx),
}

for (const [what, change] of Object.entries(byOthers)) {
  test(`whoever changes ${what} in the database, a list shows it`, async (t) => {
    const all = await given(t)
    const before = await all.read()

    await all.app.deps.storage.write((tx) => change(tx, all))
    const after = await all.read()

    assert.notDeepEqual(after, before)
    assert.deepEqual(after, await all.readFresh())
  })
}

test('what a write has taken back is not shown, whoever looked meanwhile', async (t) => {
  const { app, venue, read } = await given(t)
  const before = await read()

  const failed = app.deps.storage.write(async (tx) => {
    await sql`update venues set city = 'Laval' where record_id = ${venue.id}`.execute(tx)
    await read()
    throw new Error('taken back')
  })
  await assert.rejects(failed, { message: 'taken back' })

  assert.deepEqual(await read(), before)
})

test('after a change of an event venues, organizers and terms are not read again', async (t) => {
  const { app, event, read } = await given(t)
  await read()
  await changed(app, `/events/${event.id}`, { website: 'https://example.org/' })
  app.statements()

  await read()

  const again = app
    .statements()
    .filter((text) => /from (?:records other|terms|"venues"|"organizers"|"media")/.test(text))
  assert.deepEqual(again, [])
})

/** Of one megabyte, 128 KB are for linked venues, 64 KB for organizers and 64 KB for terms. */
const small = { CACHE_MEGABYTES: '1' }
const longText = 'x '.repeat(25_000)
const tables = { venue: '"venues"', organizer: '"organizers"', category: 'terms' } as const

/** Reads the list twice, and returns the kinds of linked items that the second time reads again. */
async function readAgain({ app, read }: Given): Promise<readonly string[]> {
  await read()
  app.statements()
  await read()
  const statements = app.statements()
  return Object.entries(tables).flatMap(([kind, table]) =>
    statements.some((text) => text.includes(`from ${table}`) || text.includes(`join ${table}`)) ? [kind] : [],
  )
}

test('texts of linked items count for the space of their cache', async (t) => {
  const all = await given(t, small)
  const { app, venue, organizer, category } = all
  assert.deepEqual(await readAgain(all), [])

  await changed(app, `/venues/${venue.id}`, { description: 'x '.repeat(32_700) })
  assert.deepEqual(await readAgain(all), ['venue'])
  await changed(app, `/venues/${venue.id}`, { description: longText })
  await changed(app, `/organizers/${organizer.id}`, { description: longText })
  assert.deepEqual(await readAgain(all), ['organizer'], 'venues have twice the space')
  await changed(app, `/organizers/${organizer.id}`, { description: '' })
  await changed(app, `/categories/${category.id}`, { description: 'x'.repeat(64_000) })
  assert.deepEqual(await readAgain(all), ['category'])
})

test('each linked item takes space in its cache, however short its texts are', async (t) => {
  const all = await given(t, small)
  const names = (count: number) => Array.from({ length: count }, (_, number) => `Tag ${number}`)
  await changed(all.app, `/events/${all.event.id}`, { tags: names(30) })
  assert.deepEqual(await readAgain(all), [])

  await changed(all.app, `/events/${all.event.id}`, { tags: names(40) })

  assert.deepEqual(await readAgain(all), ['category'])
})
