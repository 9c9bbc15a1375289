import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { type ImportOptions, importRecordings } from './import.service.ts'
import { remarkText } from './import.texts.ts'
import { planImport } from './plan.ts'
import type { ImportRemark } from './source.ts'
import { readTecRecording } from './tec.ts'

const administrator = 5 as UserId
const api = 'https://source.test/wp-json/tribe/events/v1'

function importFiles(app: TestApp, files: readonly (object | string)[], options: Partial<ImportOptions> = {}) {
  const recordings = files.map((file, place) =>
    readTecRecording(`${place}.json`, typeof file === 'string' ? file : JSON.stringify(file)),
  )
  return importRecordings(app.deps, recordings, { authorId: administrator, ...options })
}

const category = (id: number, name: string, parent = 0) => ({
  ...{ id, name, slug: name.toLowerCase(), description: '', parent, taxonomy: 'tribe_events_cat' },
  urls: { self: `${api}/categories/${id}`, collection: `${api}/categories` },
})

const venue = (id: number, name: string, sent: object = {}) => ({
  ...{ id, venue: name, slug: name.toLowerCase(), status: 'publish', global_id: `source.test?id=${id}`, ...sent },
})

const saidIn = (remarks: readonly ImportRemark[]) => remarks.map((one) => remarkText(DEFAULT_TEXT_LANGUAGE, one))

test('an event whose content a password protects is refused, counted, and told how to record', async (t) => {
  const app = await startTestApp(t)
  const masked = tecEvent(1, { title: 'Secret', all_day: null, description: '', featured: null })

  const summary = await importFiles(app, [givenRecording([masked, tecEvent(2)])])

  assert.deepEqual([summary.events.created, summary.events.failed, summary.protectedEvents], [1, 1, 1])
  assert.match(saidIn(summary.failures)[0] ?? '', /Secret.*id 1.*password=.*--event-password-file/)
  const { body } = await app.send({ path: '/events?start_date=2000-01-01&end_date=2100-01-01' })
  assert.deepEqual(
    body.events.map(({ slug }: { slug: string }) => slug),
    ['fair-2'],
  )
})

test('a protected event that was recorded with its password is protected again', async (t) => {
  const app = await startTestApp(t)
  const recorded = tecEvent(1, { title: 'Secret', description: '<p>Behind the door.</p>' })

  const summary = await importFiles(app, [recorded], { eventPassword: 'sesame' })
  const again = await importFiles(app, [recorded], { eventPassword: 'sesame' })

  assert.deepEqual([summary.events.created, again.events.unchanged], [1, 1])
  const list = (query: string) => app.send({ path: `/events?start_date=2000-01-01&end_date=2100-01-01${query}` })
  assert.equal((await list('')).body.events[0].description, '')
  const { id } = (await list('')).body.events[0]
  const open = await app.send({ path: `/events/${id}?password=sesame` })
  assert.match(open.body.description, /Behind the door/)
})

test('an event that was imported as public is protected once its password is given', async (t) => {
  const app = await startTestApp(t)
  await importFiles(app, [tecEvent(1)])

  const summary = await importFiles(app, [tecEvent(1)], { eventPassword: 'sesame' })

  assert.equal(summary.events.updated, 1)
  const { body } = await app.send({ path: '/events?start_date=2000-01-01&end_date=2100-01-01' })
  assert.equal(body.events[0].description, '')
})

test('categories keep the ones above them where the list of categories was recorded, before or after', async (t) => {
  const app = await startTestApp(t)
  const leaf = { id: 3, name: 'Jazz', slug: 'jazz', parent: 2 }
  const events = givenRecording([tecEvent(1, { categories: [leaf] })])
  const list = { categories: [category(3, 'Jazz', 2), category(2, 'Concerts', 1), category(1, 'Music')], total: 3 }
  const parents = async () => {
    const { body } = await app.send({ path: '/categories?hide_empty=false' })
    const names = new Map(body.categories.map((one: { id: number; name: string }) => [one.id, one.name]))
    return Object.fromEntries(
      body.categories.map((one: { name: string; parent: number }) => [one.name, names.get(one.parent)]),
    )
  }

  const alone = await importFiles(app, [events])
  assert.deepEqual([alone.lostParents, await parents()], [1, { Jazz: undefined }])
  assert.match(saidIn(alone.warnings)[0] ?? '', /parent of “Jazz” is in no file/)
  const whole = await importFiles(app, [events, list])
  assert.equal(whole.lostParents, 0)
  assert.deepEqual(await parents(), { Jazz: 'Concerts', Concerts: 'Music', Music: undefined })
  const later = await importFiles(app, [givenRecording([tecEvent(9, { categories: [leaf] })])])
  assert.deepEqual([later.lostParents, later.categories.unchanged], [0, 1])
})

test('venues, organizers and tags that no event names come along from lists of their own', async (t) => {
  const app = await startTestApp(t)
  const times = { date_utc: '2020-01-01 10:00:00', modified_utc: '2021-02-03 04:05:06' }
  const organizer = { id: 8, organizer: 'Club', email: 'club@example.org', url: 'https://source.test/organizer/club/' }

  const summary = await importFiles(app, [
    { venues: [venue(7, 'Hall', { city: 'Laval', ...times })], total: 1 },
    { organizers: [organizer, { id: 9, organizer: 'Nobody knows where' }] },
    { tags: [{ ...category(4, 'Free'), urls: { self: `${api}/tags/4` } }] },
  ])

  assert.deepEqual([summary.venues.created, summary.organizers.created, summary.tags.created], [1, 1, 1])
  assert.deepEqual(
    summary.failures.map((one) => [one.file, one.path, ...saidIn([one])]),
    [['1.json', 'organizers[1]', 'has no address that identifies its site']],
  )
  const { body } = await app.send({ path: '/venues' })
  const { city, date_utc, modified_utc } = body.venues[0]
  assert.deepEqual({ city, date_utc, modified_utc }, { city: 'Laval', ...times })
})

test('drafts keep their date, and everything keeps when it was changed', async (t) => {
  const app = await startTestApp(t)
  const never = '0000-00-00 00:00:00'
  const draft = { status: 'draft', date: '2021-05-06 07:08:09', date_utc: never, modified_utc: '2021-06-07 08:09:10' }

  await importFiles(app, [givenRecording([tecEvent(1, draft), tecEvent(2)])])

  const list = async (status: string) => {
    const query = `status=${status}&start_date=2000-01-01&end_date=2100-01-01`
    return (await app.send({ as: 'administrator', path: `/events?${query}` })).body.events[0]
  }
  const { date, date_utc, modified_utc } = await list('draft')
  assert.deepEqual([date, date_utc, modified_utc], [draft.date, never, draft.modified_utc])
  assert.equal((await list('publish')).modified_utc, '2022-01-02 12:00:00')
  const changed = tecEvent(2, { title: 'Another fair', modified_utc: '2023-03-04 05:06:07' })
  await importFiles(app, [givenRecording([changed])])
  assert.equal((await list('publish')).modified_utc, '2023-03-04 05:06:07')
})

test('what vanishes on the way is counted', async (t) => {
  const app = await startTestApp(t)
  const video = '<p>See</p><iframe src="https://video.test/1"></iframe><IFRAME src="https://video.test/2"></IFRAME>'
  const page = (number: number, events: readonly object[]) => ({
    ...{ events, total: 5, rest_url: `${api}/events/?page=${number}&per_page=2&start_date=2000-01-01` },
  })

  const summary = await importFiles(app, [
    page(1, [tecEvent(1, { description: video }), tecEvent(2, { hide_from_listings: true })]),
    page(2, [tecEvent(3)]),
  ])

  const { removedEmbeds, hiddenEvents, unrecordedEvents } = summary
  assert.deepEqual(
    { removedEmbeds, hiddenEvents, unrecordedEvents },
    { removedEmbeds: 2, hiddenEvents: 1, unrecordedEvents: 2 },
  )
  assert.match(saidIn(summary.warnings).join(), /removed from the description: iframe/)
})

test('a file that holds no recorded answer is named, whatever it holds', async () => {
  for (const text of ['', '[]', 'null', '{"events": {}}', '{"id": 5}', '{"venues": 3}', '\u0000']) {
    const { faults, events } = readTecRecording('a.json', text)
    assert.deepEqual([events.length, faults.length], [0, 1], text)
  }
  for (const [text, fault] of [
    ['{', 'import.file.json'],
    ['[]', 'import.file.answer'],
  ] as const) {
    assert.deepEqual(readTecRecording('a.json', text).faults, [{ file: 'a.json', path: '', text: { key: fault } }])
  }
  const odd = readTecRecording('a.json', JSON.stringify({ venues: [null, 5, [], { id: 0 }], categories: ['x'] }))
  assert.equal(odd.faults.length, 5)
})

test('an event that a list tells to be protected is not made public by another file of the same run', async (t) => {
  const app = await startTestApp(t)
  const list = givenRecording([tecEvent(1, { title: 'Secret', all_day: null, description: '' }), tecEvent(2)])
  const opened = tecEvent(1, { title: 'Secret', description: '<p>Behind the door.</p>' })

  for (const files of [
    [list, opened],
    [opened, list],
  ]) {
    const summary = await importFiles(app, files)
    assert.match(saidIn(summary.failures).join(), /as a list in another file tells/)
  }
  const query = '/events?start_date=2000-01-01&end_date=2100-01-01'
  assert.deepEqual((await app.send({ path: query })).body.total, 1)
  await importFiles(app, [opened], { eventPassword: 'sesame' })
  const { body } = await app.send({ path: query })
  assert.equal(JSON.stringify(body).includes('Behind the door'), false)
})

test('what is wrong in a list is counted where it stands, and no event', async (t) => {
  const app = await startTestApp(t)

  const summary = await importFiles(app, [{ categories: [{ bad: 1 }, { x: 2 }] }, { venues: [{ id: 3 }] }])

  assert.deepEqual(
    [summary.found, summary.events.failed, summary.categories.failed, summary.venues.failed],
    [0, 0, 2, 1],
  )
})

test('a long line of categories, each below the next, is put in order', async () => {
  const deep = Array.from({ length: 20_000 }, (_, place) => category(place + 1, `C${place}`, place + 2))
  const plan = await planImport([readTecRecording('a.json', JSON.stringify({ categories: deep }))])

  assert.deepEqual([plan.terms[0]?.name, plan.terms.at(-1)?.name], ['C19999', 'C0'])
})
