import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp, testNow } from '../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenVenue, listedIds } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'

const listed = async (app: TestApp, path: string, as?: Role) =>
  (await app.send({ path, ...(as ? { as } : {}) })).body as {
    total: number
    venues: { id: number }[]
    rest_url: string
  }

test('the region is the one sent, else the state where the country has states, else the province', async (t) => {
  const app = await startTestApp(t)
  const rows: [Record<string, string>, string | undefined][] = [
    [{ state: 'CA' }, 'CA'],
    [{ state: 'CA', country: 'US' }, 'CA'],
    [{ state: 'CA', country: 'United States' }, 'CA'],
    [{ state: 'CA', country: 'Canada' }, undefined],
    [{ province: 'ON', country: 'Canada' }, 'ON'],
    [{ province: 'ON', country: 'US' }, 'ON'],
    [{ state: 'CA', province: 'ON' }, 'CA'],
    [{ state: 'CA', province: 'ON', country: 'Canada' }, 'ON'],
    [{ stateprovince: 'XX', state: 'CA' }, 'XX'],
  ]

  for (const [index, [sent, region]] of rows.entries()) {
    const venue = await givenVenue(app, { venue: `Hall ${index}`, ...sent })
    assert.equal(venue.stateprovince, region, JSON.stringify(sent))
  }
})

test('an update leaves alone what it leaves out, and the region unless it is touched', async (t) => {
  const app = await startTestApp(t)
  const before = await givenVenue(app, {
    ...{ description: 'Words', address: '1 Street', country: 'Canada', province: 'Ontario', status: 'draft' },
    ...{ show_map: 'false', show_map_link: false, website: 'https://example.org/a%20b', geo_lat: 1, geo_lng: 2 },
  })

  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const { body } = await app.send({ as: 'editor', method, path: `/venues/${before.id}`, json: {} })
    assert.deepEqual({ ...body, modified: '', modified_utc: '' }, { ...before, modified: '', modified_utc: '' })
  }
  assert.equal((await changed(app, `/venues/${before.id}`, { province: 'Manitoba' })).stateprovince, 'Manitoba')
})

test('a name that is known gives the record that the caller may edit, changed by what was sent only', async (t) => {
  const app = await startTestApp(t)
  const first = await givenVenue(app, { venue: 'Café Été', city: 'Laval', phone: '1', show_map: 'no' })

  const again = await givenVenue(app, { venue: 'cafe ete ', city: 'Québec' })
  assert.deepEqual(
    [again.id, again.city, again.phone, again.venue, again.show_map],
    [first.id, 'Québec', '1', 'Café Été', false],
  )
  const described = await givenVenue(app, { venue: 'Café Été', description: 'Another one' })
  assert.notEqual(described.id, first.id)
  const other = await givenVenue(app, { venue: 'Café Été', city: 'Taken' }, 'author')
  assert.notEqual(other.id, first.id)
  assert.equal((await app.send({ path: `/venues/${first.id}` })).body.city, 'Québec')
})

test('the trash hides a venue or organizer from its events, and its return shows it again', async (t) => {
  const app = await startTestApp(t)
  const [venue, one, two] = [
    await givenVenue(app),
    await givenOrganizer(app),
    await givenOrganizer(app, { organizer: 'Two' }),
  ]
  const event = await givenEvent(app, { venue: venue.id, organizer: [one.id, two.id] })
  const shown = async () => {
    const { body } = await app.send({ as: 'administrator', path: `/events/${event.id}` })
    return [body.venue.id, ...body.organizer.map((entry: { id: number }) => entry.id)]
  }

  for (const path of [`/venues/${venue.id}`, `/organizers/${one.id}`]) {
    const { body } = await app.send({ as: 'editor', method: 'DELETE', path })
    assert.equal(body.status, 'trash')
    assert.match(body.slug, /__trashed$/)
    assert.equal((await app.send({ as: 'editor', method: 'DELETE', path })).status, 410)
  }
  assert.deepEqual(await shown(), [undefined, two.id])

  await changed(app, `/venues/${venue.id}`, { status: 'publish' })
  await changed(app, `/organizers/${one.id}`, { status: 'publish' })
  assert.deepEqual(await shown(), [venue.id, one.id, two.id])
})

test('lists filter by words, event, events at all and events to come, with honest totals and links', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall', city: 'Montréal', country: 'Canada' })
  const arena = await givenVenue(app, { venue: 'Arena', description: 'In Montréal too' })
  const shed = await givenVenue(app, { venue: 'Shed' })
  const coming = await givenEvent(app, { venue: hall.id })
  await givenEvent(app, { venue: arena.id, start_date: '2029-01-01', end_date: '2029-01-02' })
  await givenEvent(app, { venue: shed.id, status: 'draft' })
  const ids = async (query: string) => (await listed(app, `/venues?${query}`)).venues.map((venue) => venue.id).sort()

  assert.deepEqual(await ids('search=montreal'), [hall.id, arena.id])
  assert.deepEqual(await ids('search=canada HALL'), [hall.id])
  assert.deepEqual(await ids(`event=${coming.id}`), [hall.id])
  assert.deepEqual(await ids('has_events=yes'), [hall.id, arena.id])
  assert.deepEqual(await ids('has_events=0'), [shed.id])
  assert.deepEqual(await ids('only_with_upcoming=true'), [hall.id])
  const { rest_url, total } = await listed(app, '/venues?only_with_upcoming=true&has_events=1&search=hall&per_page=5')
  assert.equal(total, 1)
  assert.match(
    rest_url,
    /\/venues\/\?page=1&per_page=5&search=hall&has_events=1&only_with_upcoming=true&status=publish$/,
  )
})

test('an author lists the drafts that are the author’s own, an editor all of them', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: 'Published' })
  await givenVenue(app, { venue: 'Hidden', status: 'draft' })
  await givenVenue(app, { venue: 'Own', status: 'draft' }, 'author')

  assert.equal((await listed(app, '/venues')).total, 1)
  assert.equal((await listed(app, '/venues', 'author')).total, 2)
  assert.equal((await listed(app, '/venues?status=draft', 'author')).total, 1)
  assert.equal((await listed(app, '/venues', 'editor')).total, 3)
  assert.equal((await app.send({ path: '/venues?status=draft' })).status, 400)
})

test('a slug is found in any letter case, encoded or not, and with blanks', async (t) => {
  const app = await startTestApp(t)
  const { id, slug } = await givenVenue(app, { venue: 'Été à 東京' })

  assert.match(slug, /^ete-a-%e6%9d%b1%e4%ba%ac$/)
  for (const text of [slug, slug.toUpperCase(), 'Ete a 東京', 'ete-a-東京']) {
    assert.equal((await app.send({ path: `/venues/by-slug/${encodeURIComponent(text)}` })).body.id, id, text)
  }
  assert.deepEqual(Object.keys((await app.send({ path: '/venues/by-slug/none' })).body.data.params), ['slug'])
})

test('a website is one of the web, and a blank name or a date of zeros makes no record', async (t) => {
  const app = await startTestApp(t)
  const create = (json: object) => app.send({ as: 'editor', method: 'POST', path: '/organizers', json })

  for (const website of ['javascript://x.example/%0aalert(1)', 'mailto:a@example.org', 'example.org']) {
    assert.equal((await create({ organizer: 'Club', website })).body.code, 'rest_invalid_param', website)
  }
  assert.equal((await create({ organizer: '  ' })).body.code, 'could-not-create-organizer')
  assert.equal(
    (await create({ organizer: 'Club', date: '0000-00-00 00:00:00' })).body.code,
    'could-not-create-organizer',
  )
  assert.equal((await app.send({ path: '/organizers' })).body.total, 0)
})

test('events to come count by their exact time, in every zone, if the caller may read and find them', async (t) => {
  const app = await startTestApp(t)
  const timesOf = (hours: number, timezone = 'UTC') => {
    const start = Temporal.Instant.fromEpochMilliseconds((testNow + hours * 3600) * 1000).toZonedDateTimeISO(timezone)
    return {
      timezone,
      start_date: start.toPlainDateTime().toString(),
      end_date: start.add({ hours: 1 }).toPlainDateTime().toString(),
    }
  }
  const toCome = new Set<number>()
  for (const timezone of ['Pacific/Kiritimati', 'America/Toronto', 'Etc/GMT+12']) {
    for (const hours of [-49, -25, -1, 0, 1, 25, 49, 24 * 400]) {
      const { id } = await givenVenue(app, { venue: `${timezone} ${hours}` })
      await givenEvent(app, { venue: id, ...timesOf(hours, timezone) })
      if (hours >= 0) toCome.add(id)
    }
  }
  const venueOf = async (fields: Record<string, unknown>, as?: Role) => {
    const { id } = await givenVenue(app, { venue: JSON.stringify(fields) })
    await givenEvent(app, { venue: id, ...timesOf(fields.event_password ? 1 : 900), ...fields }, as)
    return id
  }
  await venueOf({ hide_from_listings: true })
  const draft = await venueOf({ status: 'draft' }, 'author')
  const locked = await venueOf({ event_password: 'secret' }, 'author')
  const drafted = await venueOf({ status: 'draft' }, 'editor')
  const ids = async (as?: Role) => {
    const { venues } = await listed(app, '/venues?only_with_upcoming=true&per_page=50', as)
    return new Set(venues.map(({ id }) => id))
  }

  assert.deepEqual(await ids(), toCome)
  assert.deepEqual(await ids('contributor'), toCome)
  assert.deepEqual(await ids('author'), toCome.union(new Set([draft, locked])))
  assert.deepEqual(await ids('editor'), toCome.union(new Set([draft, locked, drafted])))

  for (const id of toCome) {
    const event = (await listedIds(app, `venue=${id}`))[0]
    await app.send({ as: 'editor', method: 'DELETE', path: `/events/${event}` })
  }
  assert.deepEqual(await ids(), new Set())
})
