import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiError, isApiError } from '../../packages/client/src/errors.ts'
import { endOf, startOf, utcDate, venuesOf } from '../../packages/client/src/reading.ts'
import { startClientSite } from '../support/client.site.ts'
import { givenEvent, plainEvent } from '../support/given.ts'

/** The code and status with which a call fails. */
async function refusalOf(call: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await call.then(
    () => assert.fail('It succeeded.'),
    (reason: ApiError) => reason,
  )
  assert.ok(isApiError(error), String(error))
  return [error.status, error.code]
}

test('an event is created, read, found by its slug, changed, listed and deleted', async (t) => {
  const { events } = await (await startClientSite(t)).clientOf('editor')

  const created = await events.create({
    ...plainEvent,
    title: 'Fête',
    timezone: 'America/Toronto',
    venue: { venue: 'Parc Jarry', city: 'Montréal' },
    organizer: [{ organizer: 'Quartier' }],
    categories: ['Music, live'],
  })
  const read = await events.get(created.id)
  const found = await events.bySlug('fete')
  const changed = await events.update(created.id, { cost: 5, featured: true })
  const listed = await events.list({ featured: true, categories: ['Music, live'] })
  const trashed = await events.delete(created.id)

  assert.deepEqual([read.id, read.title, read.start_date], [created.id, 'Fête', plainEvent.start_date])
  assert.deepEqual(found, read)
  assert.deepEqual([changed.title, changed.cost, changed.featured], ['Fête', '$5', true])
  assert.deepEqual(listed, { ...listed, total: 1, totalPages: 1, page: 1, isLast: true })
  assert.deepEqual([listed.items.map(({ id }) => id), trashed.status], [[created.id], 'trash'])
  assert.deepEqual(
    venuesOf(read).map(({ venue, city }) => [venue, city]),
    [['Parc Jarry', 'Montréal']],
  )
  assert.deepEqual(await refusalOf(events.delete(created.id)), [410, 'event-is-in-trash'])
  assert.deepEqual(await refusalOf(events.get(999)), [404, 'rest-event-not-found'])
  assert.equal((await events.restore(created.id)).status, 'publish')
  assert.equal((await events.list()).total, 1)
})

test('venues and organizers are created, read, found by their slug, changed, listed and deleted', async (t) => {
  const { venues, organizers } = await (await startClientSite(t)).clientOf('editor')

  const venue = await venues.create({ venue: 'Théâtre', geo_lat: 45.5, geo_lng: -73.6 })
  const organizer = await organizers.create({ organizer: 'Club', email: 'club@example.org' })
  const changed = [
    await venues.update(venue.id, { city: 'Laval' }),
    await organizers.update(organizer.id, { phone: '514' }),
  ]

  const read = [await venues.get(venue.id), await organizers.get(organizer.id)]
  assert.deepEqual(
    read.map(({ json_ld: _single, ...others }) => others),
    changed,
  )
  assert.deepEqual(read, [await venues.bySlug('theatre'), await organizers.bySlug('club')])
  assert.deepEqual([(await venues.list()).total, (await organizers.list({ search: 'clu' })).total], [1, 1])
  assert.equal((await venues.delete(venue.id)).status, 'trash')
  assert.equal((await organizers.delete(organizer.id)).status, 'trash')
  assert.deepEqual([(await venues.list()).total, (await organizers.list()).total], [0, 0])
  await venues.restore(venue.id)
  await organizers.restore(organizer.id)
  assert.deepEqual([(await venues.list()).total, (await organizers.list()).total], [1, 1])
})

for (const plural of ['categories', 'tags'] as const) {
  test(`${plural} are created, read, found by their slug, changed, listed and deleted`, async (t) => {
    const { [plural]: terms } = await (await startClientSite(t)).clientOf('editor')

    const term = await terms.create({ name: 'Café', slug: 'coffee' })
    const changed = await terms.update(term.id, { description: 'Words' })

    assert.equal(changed.description, 'Words')
    assert.equal((await terms.get(term.id)).name, 'Café')
    assert.equal((await terms.bySlug('coffee'))?.id, term.id)
    assert.equal(await terms.bySlug('tea'), undefined)
    assert.equal((await terms.list({ hide_empty: false })).total, 1)
    assert.equal((await terms.delete(term.id)).id, term.id)
    assert.equal(await terms.bySlug('coffee'), undefined)
  })
}

test('moments are sent as the clock of the event shows them, and read back as the same moments', async (t) => {
  const { events } = await (await startClientSite(t)).clientOf('editor')
  const [start, end] = [new Date('2030-07-01T23:00:00Z'), new Date('2030-07-02T01:30:00Z')]

  const event = await events.create({ title: 'Concert', start_date: start, end_date: end, timezone: 'America/Toronto' })
  const moved = await events.update(event.id, { timezone: 'UTC+5.5', start_date: start, end_date: end })
  const listed = async (starts_before: Date) =>
    (await events.list({ starts_before, strict_dates: true })).items.map(({ id }) => id)

  assert.deepEqual([event.start_date, event.end_date], ['2030-07-01 19:00:00', '2030-07-01 21:30:00'])
  assert.deepEqual([moved.start_date, moved.end_date], ['2030-07-02 04:30:00', '2030-07-02 07:00:00'])
  assert.deepEqual([startOf(event), endOf(event), startOf(moved), endOf(moved)], [start, end, start, end])
  assert.deepEqual([await listed(start), await listed(new Date(start.getTime() + 1000))], [[], [event.id]])
})

test('a time that was never set is none', () => {
  assert.equal(utcDate('0000-00-00 00:00:00'), undefined)
  assert.deepEqual(utcDate('2030-05-01 19:00:00'), new Date('2030-05-01T19:00:00Z'))
})

test('a moment without a zone is refused before anything is sent', async (t) => {
  const { events } = await (await startClientSite(t)).clientOf('editor')
  const now = new Date('2030-07-01T23:00:00Z')
  // @ts-expect-error The types also require a zone.
  const create = () => events.create({ title: 'Concert', start_date: now, end_date: now })

  await assert.rejects(create, TypeError)
  assert.equal((await events.list({ status: 'any' })).total, 0)
})

test('a translation takes its times from the event, and each reader is shown the own language', async (t) => {
  const site = await startClientSite(t)
  const editor = await site.clientOf('editor')
  const english = await editor.events.create({ ...plainEvent, title: 'Concert in the park' })

  const french = await editor.events.translate(english.id, 'fr-CA', { title: 'Concert au parc' })
  const titlesIn = async (language: 'en' | 'fr-CA') =>
    (await site.visitor({ language }).events.list()).items.map(({ title, ml_language }) => [ml_language, title])

  assert.equal(french.start_date, english.start_date)
  assert.deepEqual(french.ml_translations, { en: english.id, 'fr-CA': french.id })
  assert.deepEqual(await titlesIn('en'), [['en', 'Concert in the park']])
  assert.deepEqual(await titlesIn('fr-CA'), [['fr-CA', 'Concert au parc']])
  const once = await site.visitor({ language: 'en' }).events.list({}, { language: 'fr-CA' })
  assert.equal(once.items[0]?.id, french.id)
})

test('messages are in the language of the client, in both namespaces', async (t) => {
  const site = await startClientSite(t)
  const messages = async (options: object) => {
    const client = site.visitor(options)
    return Promise.all(
      [client.events.get(9), client.me()].map((call) => call.catch(({ message }: ApiError) => message)),
    )
  }
  const english = await messages({})

  assert.deepEqual(await messages({ language: 'en-CA' }), english)
  assert.match(String(english), /^Event not found.,Sign in to do this/)
  assert.match(String(await messages({ language: 'fr-CA' })), /^Cet événement.*,Connectez-vous/)
  assert.deepEqual(await messages({ texts: 'fr' }), await messages({ language: 'fr-CA' }))
})

test('what a password protects is opened by it', async (t) => {
  const site = await startClientSite(t)
  const { id } = await givenEvent(site.app, { event_password: 'sesame', description: 'Secret' })
  const { events } = site.visitor()

  assert.deepEqual(await refusalOf(events.get(id)), [403, 'event-password-protected'])
  assert.match((await events.get(id, { password: 'sesame' })).description, /Secret/)
})

test('a feed of the same events is at the address that is given', async (t) => {
  const site = await startClientSite(t)
  await givenEvent(site.app, { title: 'Concert', categories: ['Music'] })
  await givenEvent(site.app, { title: 'Talk' })

  const address = site.visitor().events.feedUrl('ics', { categories: 'music' })
  const calendar = await (await fetch(address)).text()

  assert.match(calendar, /^BEGIN:VCALENDAR.*SUMMARY:Concert/s)
  assert.doesNotMatch(calendar, /Talk/)
})

test('a drop-in with words of its own is spoken to in them, and answers as any other', async (t) => {
  const words = { VENDOR_WORD: 'acme', REST_PREFIX: '/wp-json', LANGUAGE_PARAMETER: 'site_language' }
  const site = await startClientSite(t, words)
  const options = { vendorWord: 'acme', restPrefix: '/wp-json', languageParameter: 'site_language' }
  const editor = await site.clientOf('editor', options)

  const english = await editor.events.create({ ...plainEvent, venue: { venue: 'Hall' } })
  const french = await editor.events.translate(english.id, 'fr-CA', { title: 'Spectacle' })
  const listed = await site.visitor({ ...options, language: 'fr-CA' }).events.list()

  assert.equal((await editor.me()).name, 'editor')
  assert.deepEqual(french.ml_translations, { en: english.id, 'fr-CA': french.id })
  assert.deepEqual(
    listed.items.map((event) => [event.id, event.ml_language, venuesOf(event)[0]?.ml_language]),
    [[french.id, 'fr-CA', 'en']],
  )
  assert.ok(!JSON.stringify(listed).includes('site_'))
})
