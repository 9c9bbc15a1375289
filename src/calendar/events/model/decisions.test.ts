// One test for each row of events.md §8, "Where we do better", with the name of the row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import {
  changed,
  givenEvent,
  givenOrganizer,
  givenTerm,
  givenVenue,
  listedIds,
  plainEvent,
} from '../../../../test/support/given.ts'

test('row 1: an update leaves alone what it leaves out, by all three methods', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const organizer = await givenOrganizer(app)
  const before = await givenEvent(app, {
    description: 'Words',
    excerpt: 'Few',
    status: 'draft',
    cost: '10',
    website: 'https://example.org/',
    all_day: true,
    timezone: 'America/Toronto',
    show_map: true,
    featured: true,
    sticky: true,
    hide_from_listings: true,
    categories: ['Music'],
    tags: ['Loud'],
    venue: venue.id,
    organizer: [organizer.id],
  })

  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const { status, body } = await app.send({ as: 'administrator', method, path: `/events/${before.id}`, json: {} })
    assert.equal(status, 200)
    assert.deepEqual({ ...body, modified: '', modified_utc: '' }, { ...before, modified: '', modified_utc: '' })
  }
})

test('row 2: a zone alone keeps the clock and moves the instant; a date alone moves that end', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { timezone: 'America/Toronto' })

  const zoned = await changed(app, `/events/${id}`, { timezone: 'Europe/Paris' })
  assert.equal(zoned.start_date, '2030-01-22 19:00:00')
  assert.equal(zoned.utc_start_date, '2030-01-22 18:00:00')

  const moved = await changed(app, `/events/${id}`, { end_date: '2030-01-23 01:00' })
  assert.equal(moved.start_date, '2030-01-22 19:00:00')
  assert.equal(moved.end_date, '2030-01-23 01:00:00')
  assert.equal(moved.utc_end_date, '2030-01-23 00:00:00')
})

test('row 3: empty values clear description, excerpt, cost, website, image, venue and organizer; title and dates stay', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const full = {
    description: 'd',
    excerpt: 'e',
    cost: '5',
    website: 'https://example.org/',
    venue: venue.id,
    organizer: { organizer: 'Club' },
  }
  const empties = {
    description: ['', null],
    excerpt: ['', null],
    cost: ['', null, false, []],
    website: ['', null, 0, false],
    venue: ['', null, 0, [], {}, false],
    organizer: ['', null, 0, [], {}, false],
  }
  for (const [name, values] of Object.entries(empties)) {
    for (const value of values) {
      const { id } = await givenEvent(app, full)
      const body = await changed(app, `/events/${id}`, { [name]: value })
      assert.deepEqual(
        body[name],
        name === 'venue' || name === 'organizer' ? [] : '',
        `${name}: ${JSON.stringify(value)}`,
      )
    }
  }
  const { id } = await givenEvent(app, full)
  for (const name of ['title', 'start_date', 'end_date']) {
    const { status, body } = await app.send({
      as: 'administrator',
      method: 'PATCH',
      path: `/events/${id}`,
      json: { [name]: '' },
    })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.data.params), [name])
  }
})

test('row 4: venue and organizer take ids, objects, lists and comma-separated ids; unknown ids stay 400', async (t) => {
  const app = await startTestApp(t)
  const [one, two] = [await givenVenue(app, { venue: 'One' }), await givenVenue(app, { venue: 'Two' })]
  const [first, second] = [
    await givenOrganizer(app, { organizer: 'First' }),
    await givenOrganizer(app, { organizer: 'Second' }),
  ]

  for (const venue of [
    one.id,
    String(one.id),
    [one.id, two.id],
    `${one.id},${two.id}`,
    { id: one.id },
    [{ id: one.id }],
  ]) {
    assert.equal((await givenEvent(app, { venue })).venue.id, one.id, JSON.stringify(venue))
  }
  for (const organizer of [
    [first.id, second.id],
    `${first.id},${second.id}`,
    [{ id: first.id }, { organizer: 'Second' }],
  ]) {
    const event = await givenEvent(app, { organizer })
    assert.deepEqual(
      event.organizer.map((entry: { id: number }) => entry.id),
      [first.id, second.id],
      JSON.stringify(organizer),
    )
  }
  assert.equal((await givenEvent(app, { organizer: { organizer: 'First' } })).organizer[0].id, first.id)
  for (const wrong of [
    { venue: 999_999 },
    { venue: [0] },
    { venue: first.id },
    { organizer: one.id },
    { organizer: ['x'] },
  ]) {
    const { status, body } = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, ...wrong },
    })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.data.params), Object.keys(wrong))
  }
})

test('row 5: by slug only those may write who may write by id', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { title: 'Guarded' })
  const path = `/events/by-slug/${event.slug}`

  assert.equal((await app.send({ method: 'PATCH', path, json: { title: 'x' } })).status, 401)
  for (const as of ['subscriber', 'contributor', 'author'] as const) {
    assert.equal((await app.send({ as, method: 'PATCH', path, json: { title: 'x' } })).status, 403, as)
    assert.equal((await app.send({ as, method: 'DELETE', path })).status, 403, as)
  }
  assert.equal((await app.send({ path: `/events/${event.id}` })).body.title, 'Guarded')
})

test('row 6: the path wins; a slug in the body of by-slug is the new slug; only a POST stands for another method', async (t) => {
  const app = await startTestApp(t)
  const [mine, other] = [await givenEvent(app, { title: 'Mine' }), await givenEvent(app, { title: 'Other' })]

  const body = await changed(app, `/events/${mine.id}?id=${other.id}`, { id: other.id, title: 'Changed' })
  assert.equal(body.id, mine.id)
  assert.equal((await changed(app, '/events/by-slug/mine', { slug: 'renamed' })).slug, 'renamed')
  const read = await app.send({ as: 'administrator', path: `/events/${other.id}?_method=DELETE` })
  assert.equal(read.body.status, 'publish')
  const trashed = await app.send({ as: 'administrator', method: 'POST', path: `/events/${other.id}?_method=DELETE` })
  assert.equal(trashed.body.status, 'trash')
})

test('row 7: contributors see in lists what they could read, and may not hide, name authors or invent statuses', async (t) => {
  const app = await startTestApp(t)
  const published = await givenEvent(app)
  await givenEvent(app, { status: 'draft' })
  await givenEvent(app, { status: 'private' })
  const own = await givenEvent(app, { status: 'draft' }, 'contributor')

  const list = await app.send({ as: 'contributor', path: '/events' })
  assert.deepEqual(list.body.events.map((event: { id: number }) => event.id).sort(), [published.id, own.id])
  assert.equal(list.body.total, 2)
  assert.equal((await givenEvent(app, { status: 'private' }, 'contributor')).status, 'pending')
  const foreign = await app.send({ as: 'author', method: 'POST', path: '/events', json: { ...plainEvent, author: 1 } })
  assert.equal(foreign.status, 403)
  assert.equal(foreign.body.code, 'rest_forbidden')
  for (const status of ['auto-draft', 'inherit', 'request-pending', 'Publish', 'any']) {
    const answer = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, status },
    })
    assert.equal(answer.status, 400, status)
  }
})

test('row 8: a private venue is not shown in a public event; drafts go live with the event', async (t) => {
  const app = await startTestApp(t)
  const hidden = await givenVenue(app, { venue: 'Hidden', status: 'private' })
  const draft = await givenVenue(app, { venue: 'Draft', status: 'draft' })
  const withHidden = await givenEvent(app, { venue: hidden.id })
  const withDraft = await givenEvent(app, { venue: draft.id })

  assert.deepEqual((await app.send({ path: `/events/${withHidden.id}` })).body.venue, [])
  assert.equal((await app.send({ path: `/events/${withHidden.id}` })).body.json_ld.location, undefined)
  assert.equal((await app.send({ as: 'editor', path: `/events/${withHidden.id}` })).body.venue.id, hidden.id)
  assert.equal((await app.send({ path: `/events/${withDraft.id}` })).body.venue.id, draft.id)
  assert.equal((await app.send({ path: `/venues/${draft.id}` })).body.status, 'publish')
})

test('row 9: an end before the start becomes the start, of whole days the end of the first', async (t) => {
  const app = await startTestApp(t)
  const dates = { start_date: '2030-01-22 19:00', end_date: '2030-01-20 10:00' }

  const timed = await givenEvent(app, dates)
  assert.deepEqual([timed.end_date, timed.utc_end_date], ['2030-01-22 19:00:00', '2030-01-22 19:00:00'])
  const wholeDay = await givenEvent(app, { ...dates, all_day: true })
  assert.deepEqual([wholeDay.start_date, wholeDay.end_date], ['2030-01-22 00:00:00', '2030-01-22 23:59:59'])
  assert.deepEqual((await listedIds(app, 'start_date=2030-01-22&end_date=2030-01-22')).length, 2)
})

test('row 10: offsets are fixed, in quarter hours from −12 to +14', async (t) => {
  const app = await startTestApp(t)
  const july = { start_date: '2030-07-01 10:00', end_date: '2030-07-01 11:00' }

  const instants = {
    'UTC-5': '15:00:00',
    'UTC+5.5': '04:30:00',
    'UTC+5:45': '04:15:00',
    'UTC+14': '20:00:00',
    'UTC-12': '22:00:00',
  }
  for (const [timezone, time] of Object.entries(instants)) {
    const event = await givenEvent(app, { ...july, timezone })
    assert.equal(event.utc_start_date.slice(11), time, timezone)
    assert.equal(event.timezone, timezone)
  }
  for (const timezone of ['UTC+abc', 'UTC+99', 'UTC+5:10', 'UTC-13', 'UTC+14.5']) {
    const answer = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...july, title: 'x', timezone },
    })
    assert.equal(answer.status, 400, timezone)
  }
})

test('row 11: an offset in start and end is ignored: clients send the local time', async (t) => {
  const app = await startTestApp(t)

  const event = await givenEvent(app, {
    start_date: '2030-02-01T10:00:00+05:00',
    end_date: '2030-02-01T12:00:00Z',
    timezone: 'America/Toronto',
  })

  assert.deepEqual([event.start_date, event.end_date], ['2030-02-01 10:00:00', '2030-02-01 12:00:00'])
})

test('row 12: strict dates without an offset are UTC, on a site east of it too, in summer and winter', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'Europe/Paris' })
  const summer = await givenEvent(app, { start_date: '2030-07-01 12:00', end_date: '2030-07-01 13:00' })

  assert.deepEqual(await listedIds(app, 'strict_dates=1&start_date=2030-07-01 10:00&end_date=2030-07-02'), [summer.id])
  assert.deepEqual(await listedIds(app, 'strict_dates=1&start_date=2030-07-01 10:01&end_date=2030-07-02'), [])
  assert.deepEqual(
    await listedIds(
      app,
      `strict_dates=1&start_date=${encodeURIComponent('2030-07-01 12:00+02:00')}&end_date=2030-07-02`,
    ),
    [summer.id],
  )
})

test('row 13: on a site of another zone the events’ own clocks are compared; the window lies wholly around an event', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const tokyo = await givenEvent(app, {
    start_date: '2030-02-01 00:30',
    end_date: '2030-02-01 01:30',
    timezone: 'Asia/Tokyo',
  })
  const allDay = await givenEvent(app, { start_date: '2030-02-01', end_date: '2030-02-01', all_day: true })

  assert.deepEqual(await listedIds(app, 'start_date=2030-02-01&end_date=2030-02-01'), [allDay.id, tokyo.id])
  assert.deepEqual(await listedIds(app, 'ends_before=2030-02-01&starts_after=2030-01-20'), [tokyo.id])
  assert.deepEqual(await listedIds(app, 'start_date=2030-02-01 01:00&end_date=2030-02-01&strict_dates=1'), [])
})

test('row 14: include shows past and far events, unless a relative date is sent', async (t) => {
  const app = await startTestApp(t)
  const past = await givenEvent(app, { start_date: '2020-01-01 10:00', end_date: '2020-01-01 11:00' })
  const far = await givenEvent(app, { start_date: '2050-01-01 10:00', end_date: '2050-01-01 11:00' })

  assert.deepEqual(await listedIds(app, `include=${far.id},${past.id},999999&start_date=2030-01-01`), [past.id, far.id])
  assert.deepEqual(await listedIds(app, `include=${far.id},${past.id}&starts_after=2040-01-01`), [far.id])
})

test('row 15: starts_after and start_date count together, and so do ends_before and end_date', async (t) => {
  const app = await startTestApp(t)
  const early = await givenEvent(app, { start_date: '2030-02-01 10:00', end_date: '2030-02-01 11:00' })
  const late = await givenEvent(app, { start_date: '2030-02-10 10:00', end_date: '2030-02-10 11:00' })

  assert.deepEqual(await listedIds(app, 'start_date=2030-02-05&starts_after=2030-01-01'), [late.id])
  assert.deepEqual(await listedIds(app, 'end_date=2030-02-05&ends_before=2031-01-01'), [early.id])
})

test('row 16: addresses are encoded and carry every filter, so that the next page is one of the same list', async (t) => {
  const app = await startTestApp(t)
  const category = await givenTerm(app, 'categories', { name: 'Jazz' })
  for (const day of ['01', '02', '03']) {
    await givenEvent(app, {
      title: `Jazz & "blues" ${day}`,
      start_date: `2030-02-${day} 10:00`,
      end_date: `2030-02-${day} 11:00`,
      categories: [category.id],
    })
  }
  await givenEvent(app, { title: 'Other', start_date: '2030-02-02 10:00', end_date: '2030-02-02 11:00' })

  const query = `per_page=1&categories=${category.id}&featured=false&strict_dates=true&search=${encodeURIComponent('"blues"')}&start_date=2030-02-01`
  const first = (await app.send({ path: `/events?${query}` })).body
  assert.match(first.rest_url, /^[\x21-\x7e]+$/)
  const url = new URL(first.next_rest_url)
  assert.deepEqual(
    [...url.searchParams.keys()],
    ['per_page', 'start_date', 'end_date', 'search', 'status', 'categories', 'strict_dates', 'featured', 'page'],
  )
  const second = (await app.send({ path: `/${url.pathname}${url.search}` })).body
  assert.equal(second.total, first.total)
  assert.equal(second.total, 3)
  assert.notEqual(second.events[0].id, first.events[0].id)
})

test('row 17: a term is found by id, slug or name; a known tag is attached; objects work; other types are 400', async (t) => {
  const app = await startTestApp(t)
  const numeric = await givenTerm(app, 'tags', { name: 'Year', slug: '2030' })
  const known = await givenTerm(app, 'tags', { name: 'Known tag' })

  const event = await givenEvent(app, {
    tags: ['known-tag', 'KNOWN TAG', { id: numeric.id }, { slug: 'known-tag' }, { name: 'Brand new' }],
  })
  const names = event.tags.map((tag: { name: string }) => tag.name)
  assert.deepEqual(names, ['Brand new', 'Known tag', 'Year'])
  assert.deepEqual(await listedIds(app, 'tags=2030'), [event.id])
  assert.equal((await app.send({ path: '/tags?hide_empty=0' })).body.total, 3)
  assert.equal(event.tags.find((tag: { id: number }) => tag.id === known.id)?.count, 1)
  for (const tags of [[true], [[1]], [{ title: 'x' }]]) {
    const { status } = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, tags },
    })
    assert.equal(status, 400, JSON.stringify(tags))
  }
})

test('row 18: a cost of 0 is free; a decimal comma and a range keep the currency sign', async (t) => {
  const app = await startTestApp(t)

  const shown = async (cost: unknown) => (await givenEvent(app, { cost })).cost
  assert.equal(await shown(0), 'Free')
  assert.equal(await shown('0'), 'Free')
  assert.equal(await shown('10,50 €'), '10,50€')
  assert.equal(await shown('$10 - $20'), '$10 – $20')
  assert.equal(await shown('$5, $10'), '$5 – $10')
  assert.equal(await shown('1,000.50'), '$1,000.50')
})

test('row 19: a website keeps its percent escapes; only http, https, ftp and mailto are websites', async (t) => {
  const app = await startTestApp(t)

  const website = 'https://example.org/a%20b?q=%C3%A9'
  assert.equal((await givenEvent(app, { website })).website, website)
  assert.equal((await givenEvent(app, { website: 'https://example.org/été' })).website, 'https://example.org/été')
  for (const wrong of [
    'javascript://example.org/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'example.org',
    5,
  ]) {
    const { status, body } = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, website: wrong },
    })
    assert.equal(status, 400, String(wrong))
    assert.deepEqual(Object.keys(body.data.params), ['website'])
  }
})

test('row 20: nobody stores scripts, administrators neither', async (t) => {
  const app = await startTestApp(t)
  const hostile = 'Kept<script>alert(1)</script><img src=x onerror=alert(1)>'

  const event = await givenEvent(app, { title: hostile, description: hostile, excerpt: hostile })
  const shown = (await app.send({ path: `/events/${event.id}` })).text
  assert.doesNotMatch(shown, /<script|onerror|alert/)
  assert.match(event.title, /^Kept/)
})

test('row 21: a picture by address is not fetched from wherever the address points', async (t) => {
  const app = await startTestApp(t)

  for (const image of ['http://127.0.0.1/x.png', 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd']) {
    const { status, body } = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, image },
    })
    assert.equal(status, 400, image)
    assert.deepEqual(Object.keys(body.data.params), ['image'])
  }
})

test('row 22: blank and overlong titles and wrong types are 400', async (t) => {
  const app = await startTestApp(t)

  for (const title of ['   ', 'x'.repeat(65 * 1024), '0', 5, ['a'], { a: 1 }]) {
    const { status, body } = await app.send({
      as: 'administrator',
      method: 'POST',
      path: '/events',
      json: { ...plainEvent, title },
    })
    assert.equal(status, 400)
    assert.equal(body.code, 'rest_invalid_param')
  }
  assert.equal((await givenEvent(app, { slug: 'y'.repeat(300) })).slug.length, 200)
})

test('row 23: an event that fails leaves no venue, organizer or term behind', async (t) => {
  const app = await startTestApp(t)

  const { status } = await app.send({
    as: 'administrator',
    method: 'POST',
    path: '/events',
    json: {
      ...plainEvent,
      title: ' ',
      venue: { venue: 'Left over' },
      categories: ['Left over'],
      organizer: { organizer: 'Left over' },
      tags: [true],
    },
  })
  assert.equal(status, 400)
  for (const list of ['venues', 'organizers', 'categories', 'tags']) {
    assert.equal((await app.send({ as: 'administrator', path: `/${list}?hide_empty=0` })).body.total, 0, list)
  }
})

test('row 24: backslashes and bracket macros stay as they are', async (t) => {
  const app = await startTestApp(t)

  const event = await givenEvent(app, { title: 'C:\\dir', description: 'a\\b [gallery] [x y="1"] end' })
  assert.equal(event.title, 'C:\\dir')
  assert.match(event.description, /a\\b \[gallery\] \[x y=.*\] end/)
})

test('row 25: json_ld keeps its keys and is the same at every request', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, {
    organizer: { organizer: 'Club', email: 'club@example.org' },
    venue: { venue: 'Hall' },
    cost: '5',
  })

  const [first, second] = [
    await app.send({ path: `/events/${event.id}` }),
    await app.send({ path: `/events/${event.id}` }),
  ]
  assert.equal(first.text, second.text)
  assert.deepEqual(Object.keys(first.body.json_ld), [
    ...[
      '@context',
      '@type',
      'name',
      'description',
      'url',
      'eventAttendanceMode',
      'eventStatus',
      'startDate',
      'endDate',
    ],
    ...['location', 'organizer', 'offers', 'performer'],
  ])
  assert.equal(first.body.json_ld.organizer.email, 'club@example.org')
})

test('row 26: the odd types of the interface stay', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenEvent(app, { status: 'draft' })

  assert.deepEqual(
    [draft.author, draft.image, draft.venue, draft.organizer, draft.custom_fields, draft.date_utc],
    ['5', false, [], [], [], '0000-00-00 00:00:00'],
  )
})

test('row 27: unknown slugs are 400 on GET and DELETE, 404 on update; what is not public is 403 to visitors', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenEvent(app, { status: 'draft' })
  const path = '/events/by-slug/unknown'

  assert.equal((await app.send({ path })).status, 400)
  assert.equal((await app.send({ as: 'editor', method: 'DELETE', path })).status, 400)
  assert.equal((await app.send({ as: 'editor', method: 'PATCH', path, json: {} })).status, 404)
  assert.equal((await app.send({ path: `/events/${draft.id}` })).body.code, 'event-not-accessible')
  assert.equal((await app.send({ method: 'POST', path: '/events', json: { title: '' } })).status, 400)
})

test('row 28: modified is the time of the change; date stays through updates', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { date: '2019-05-06 07:08:09' })
  assert.equal(event.modified, '2030-01-15 12:00:00')

  app.pass(60)
  const body = await changed(app, `/events/${event.id}`, { title: 'Later' })
  assert.deepEqual([body.date, body.modified], ['2019-05-06 07:08:09', '2030-01-15 12:01:00'])
})

test('row 29: browsers of other origins may read the totals', async (t) => {
  const app = await startTestApp(t)

  const { headers } = await app.send({ path: '/events', headers: { origin: 'https://app.example' } })
  const exposed = headers['access-control-expose-headers'] ?? ''
  for (const name of ['X-TEC-Total', 'X-TEC-TotalPages']) assert.ok(exposed.includes(name), name)
})

test('row 30: a password opens one event and the masked entries of a list, and is in no address', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { description: 'Secret words', event_password: 'hush' })
  const path = `/events/${event.id}`

  for (const as of [undefined, 'administrator'] as const) {
    const answer = await app.send({ ...(as ? { as } : {}), path })
    assert.equal(answer.body.code, 'event-password-protected')
  }
  assert.equal((await app.send({ path: `${path}?password=wrong` })).status, 403)
  const opened = await app.send({ path: `${path}?password=hush` })
  assert.match(opened.body.description, /Secret words/)
  assert.equal(opened.body.json_ld, undefined)
  const [masked] = (await app.send({ path: '/events' })).body.events
  assert.deepEqual([masked.description, masked.featured, masked.image, masked.categories], ['', null, false, []])
  const list = await app.send({ path: '/events?password=hush' })
  assert.match(list.body.events[0].description, /Secret words/)
  assert.doesNotMatch(list.body.rest_url, /hush/)
  assert.equal((await app.send({ as: 'editor', path: `${path}?context=edit` })).status, 200)
})

test('row 31: query names of other pages do not filter the list', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)

  assert.deepEqual(await listedIds(app, 'eventDisplay=past&tribe-bar-date=2001-01-01&order=desc&orderby=title'), [
    event.id,
  ])
})

test('row 32: a page holds up to the site’s most, and its address says how many', async (t) => {
  const app = await startTestApp(t, { MAX_PER_PAGE: '60' })

  const { body } = await app.send({ path: '/events?per_page=1000' })
  assert.match(body.rest_url, /per_page=60&/)
})

test('of several venues that are sent the first is the place, and the others are not made', async (t) => {
  const app = await startTestApp(t)

  const event = await givenEvent(app, { venue: [{ venue: 'Hall' }, { venue: 'Park' }] })

  assert.equal(event.venue.venue, 'Hall')
  const { body } = await app.send({ as: 'administrator', path: '/venues?status=any' })
  assert.deepEqual(
    body.venues.map(({ venue }: { venue: string }) => venue),
    ['Hall'],
  )
})
