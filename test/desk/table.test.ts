import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readMoment } from '../../src/desk/events/editor.dates.ts'
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts'
import { givenSeries } from '../support/desk.series.ts'
import { type DeskBrowser, fieldsIn, givenDesk, shownAfter, toldAfter } from '../support/desk.ts'
import { changed, givenCopies, givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { service } from '../support/signing.ts'

const titlesIn = ({ text }: TestAnswer) =>
  [...text.matchAll(/<th scope="row">(?:<a [^>]*>)?([^<]*)/g)].map(([, title]) => title?.trim())
const numberOf = ({ text }: TestAnswer, name: string) =>
  Number(new RegExp(`${name} <span class="number">(\\d+)<`).exec(text)?.[1])
const every = 'start_date=0001-01-01&end_date=9999-12-31'

/** Returns an event as the interface shows it to its editors. */
async function eventOf(app: TestApp, id: number) {
  const { body } = await app.send({ as: 'administrator', path: `/events/${id}?context=edit` })
  return body
}

/** Selects events in the table, chooses an action, answers what it asks for, and reads what was done. */
async function many(desk: DeskBrowser, to: string, ids: readonly number[], asked?: Readonly<Record<string, string>>) {
  const selected = await desk.send('/admin/events/many/', { ids: ids.map(String), to })
  if (asked === undefined) return shownAfter(desk, selected)
  return shownAfter(desk, await desk.send('/admin/events/many/', { ...asked, ids: ids.map(String) }))
}

test('venues beyond the first hundred are found by their names, in the filters and for many events', async (t) => {
  const app = await startTestApp(t)
  const zoo = await givenVenue(app, { venue: 'Zoo & Co', city: 'Laval' })
  await givenVenue(app, { venue: 'Zoo & Co', city: 'Sutton', apart: true })
  const few = await (await givenDesk(app, 'editor')).get('/admin/events/')
  await givenCopies(app, (await givenVenue(app, { venue: 'Salle x0' })).id, 100)
  const there = await givenEvent(app, { title: 'There', venue: zoo.id })
  const elsewhere = await givenEvent(app, { title: 'Elsewhere' })
  const desk = await givenDesk(app, 'editor')

  const typed = await desk.get('/admin/events/?from=&venue=zoo+%26+co,+laval')
  const found = await desk.get(typed.headers.location ?? '')
  // What the form shows means the venue that is filtered by, also if several are called like that.
  const kept = await desk.get(`/admin/events/?from=2030-01-01&venue=Zoo+%26+Co&known=${zoo.id}&shown=Zoo+%26+Co`)
  const number = await desk.get('/admin/events/?from=&venue=1234&known=&shown=')
  const unclear = await desk.get('/admin/events/?from=&venue=Zoo+%26+Co')
  await desk.get('/admin/events/?from=')
  const ids = [String(elsewhere.id)]
  const ask = await desk.send('/admin/events/many/', { ids, to: 'venue' })
  const wrong = await desk.send('/admin/events/many/', { ids, named: 'Zoo & Co' })
  const done = await desk.send('/admin/events/many/', { ids, named: 'Zoo & Co, Laval' })

  assert.match(few.text, /<select id="f-venue"/)
  assert.deepEqual([typed.status, typed.headers.location], [303, `/admin/events/?from=&venue=${zoo.id}`])
  assert.deepEqual(titlesIn(found), ['There'])
  assert.match(
    found.text,
    /<input id="f-venue" name="venue" type="text" value="Zoo &amp; Co, Laval" list="known-venues"/,
  )
  assert.equal(kept.headers.location, `/admin/events/?from=2030-01-01&venue=${zoo.id}`)
  assert.match(
    found.text,
    new RegExp(`name="known" value="${zoo.id}"><input type="hidden" name="shown" value="Zoo &amp; Co, Laval"`),
  )
  assert.match(toldAfter(number)[1], /No venue is called “1234”/)
  const [address, told] = toldAfter(unclear)
  assert.deepEqual(
    [address, /No venue is called “Zoo & Co”, or several are/.test(told)],
    ['/admin/events/?from=', true],
  )
  assert.match(ask.text, /<input id="f-named"[\s\S]*<datalist id="known-venues">/)
  assert.deepEqual([wrong.status, done.status], [422, 303])
  assert.match(wrong.text, /<p class="fault" id="x-named">No venue is called “Zoo &amp; Co”/)
  assert.equal((await eventOf(app, elsewhere.id)).venue.id, zoo.id)
  assert.equal((await eventOf(app, there.id)).venue.id, zoo.id)
})

test('places, people and categories are named in the language of the page, and keep their ids', async (t) => {
  const app = await startTestApp(t)
  const inFrench = (id: number) => ({ ml_language: 'fr-CA', ml_translation_of: id })
  const hall = await givenVenue(app, { venue: 'Concert hall' })
  await givenVenue(app, { venue: 'Salle de concert', ...inFrench(hall.id) })
  const guild = await givenOrganizer(app, { organizer: 'The guild' })
  await givenOrganizer(app, { organizer: 'La guilde', ...inFrench(guild.id) })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Musique', ...inFrench(music.id) })
  const art = await givenTerm(app, 'categories', { name: 'Art only here' })
  const start_date = '2027-02-01 19:00:00'
  await givenEvent(app, { start_date, venue: hall.id, organizer: guild.id, categories: [art.id, music.id] })
  const read = async (query: string) => {
    const { body } = await app.send({ as: 'editor', path: service(`/events?${every}${query}`) })
    const [{ venue, organizer, categories }] = body.events
    return { venue, organizer, categories }
  }

  const [own, french] = [await read(''), await read('&names_language=fr-CA')]
  const wrong = await app.send({ as: 'editor', path: service('/events?names_language=de') })
  const desk = await givenDesk(app, 'editor')
  const table = await desk.get('/fr/admin/events/?from=2027-01-01')

  assert.deepEqual(own.venue, [{ id: hall.id, venue: 'Concert hall' }])
  assert.deepEqual(french, {
    venue: [{ id: hall.id, venue: 'Salle de concert' }],
    organizer: [{ id: guild.id, organizer: 'La guilde' }],
    categories: own.categories.map((one: { readonly id: number }) =>
      one.id === music.id ? { ...one, name: 'Musique' } : one,
    ),
  })
  assert.equal(wrong.status, 400)
  assert.match(table.text, /<td class="venue" title="Salle de concert">/)
  assert.match(table.text, /<td class="category" title="[^"]*Musique/)
})

test('the list of editors is counted by state, sorted, and checked for what is missing', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app)
  const first = await givenEvent(app, { title: 'Alpha', venue: hall.id })
  await givenEvent(app, { title: 'Alpha en français', ml_language: 'fr-CA', ml_translation_of: first.id })
  const twice = [await givenEvent(app, { title: 'Twice' }), await givenEvent(app, { title: 'Twice' })]
  await givenEvent(app, { title: 'Waiting', status: 'pending', venue: hall.id }, 'contributor')
  await givenEvent(app, { title: 'Seul', ml_language: 'fr-CA', venue: hall.id })
  const read = async (path: string, as: 'editor' | 'contributor' = 'editor') => {
    const { status, body, text } = await app.send({ as, path: service(`/events${path}`) })
    assert.equal(status, 200, text)
    return body
  }
  const found = async (query: string) =>
    (await read(`?${every}&${query}`)).events.map(({ title }: { readonly title: string }) => title)

  const counts = { any: 5, publish: 4, future: 0, draft: 0, pending: 1, private: 0, trash: 0 }
  assert.deepEqual(await read(`/counts?${every}`), counts)
  assert.deepEqual(await read(`/counts?${every}&search=twice`), { ...counts, any: 2, publish: 2, pending: 0 })
  assert.deepEqual(await read(`/counts?${every}&without_language=fr-CA`), { ...counts, any: 3, publish: 2 })
  assert.equal((await read(`/counts?${every}`, 'contributor')).pending, 1)
  assert.deepEqual(await found('orderby=title&order=desc'), ['Waiting', 'Twice', 'Twice', 'Seul', 'Alpha'])
  assert.deepEqual(await found('without_language=en'), ['Seul'])
  assert.deepEqual(await found('check=no-venue'), ['Twice', 'Twice'])
  assert.deepEqual(await found('check=double&status=publish'), ['Twice', 'Twice'])
  assert.equal((await found('check=no-picture')).length, 5)
  assert.deepEqual(await found('check=outdated'), [])
  app.pass(60)
  await changed(app, `/events/${first.id}`, { venue: [] })
  assert.deepEqual(await found('check=outdated'), [])
  app.pass(60)
  await changed(app, `/events/${first.id}`, { title: 'Alpha, revised' })
  assert.deepEqual(await found('check=outdated'), ['Alpha, revised'])
  assert.equal((await app.send({ as: 'editor', path: service('/events?check=nothing') })).status, 400)
  assert.equal((await app.send({ as: 'subscriber', path: service('/events') })).status, 403)

  const desk = await givenDesk(app, 'editor')
  const sorted = await desk.get('/admin/events/?sort=title&order=desc')
  assert.deepEqual(titlesIn(sorted), ['Waiting', 'Twice', 'Twice', 'Seul', 'Alpha, revised'])
  assert.match(sorted.text, /<th scope="col" aria-sort="descending"><a class="sort" href="[^"]*sort=title[^"]*"/)
  assert.equal(numberOf(sorted, 'In review'), 1)
  const french = await desk.get('/fr/admin/events/?without=en')
  assert.deepEqual(titlesIn(french), ['Seul'])
  const today = await desk.get('/admin/')
  for (const [title, number] of [
    ['Waiting for review', 1],
    ['The next seven days', 4],
    ['Not yet Canadian French', 3],
    ['Without a venue', 3],
    ['Entered twice\\?', 2],
    ['Changed after their translation', 1],
    ['Changed lately', 5],
  ] as const) {
    assert.match(today.text, new RegExp(`(?:${title}) <span class="number">${number}<`), title)
  }
  const links = [...today.text.matchAll(/<li><a href="([^"]*\/admin\/events\/\?[^"]*)">[^<]*<span class="number">/g)]
  assert.equal(links.length, 6)
  for (const [, link = ''] of links) {
    const shown = await desk.get(link.replaceAll('&amp;', '&'))
    assert.ok(titlesIn(shown).length > 0, link)
  }
  assert.equal(twice.length, 2)
})

test('many events are changed at once, and Undo brings back what nobody has changed since', async (t) => {
  const app = await startTestApp(t)
  const [hall, park] = [await givenVenue(app), await givenVenue(app, { venue: 'Park' })]
  const [club, guild] = [
    await givenOrganizer(app, { organizer: 'Club' }),
    await givenOrganizer(app, { organizer: 'Guild' }),
  ]
  const [music, free] = [
    await givenTerm(app, 'categories', { name: 'Music' }),
    await givenTerm(app, 'categories', { name: 'Free' }),
  ]
  const links = { venue: hall.id, organizer: club.id, categories: [music.id], status: 'draft' }
  const [one, two] = [
    await givenEvent(app, { title: 'One', ...links }),
    await givenEvent(app, { title: 'Two', ...links }),
  ]
  const ids = [one.id, two.id]
  const desk = await givenDesk(app, 'editor')
  const seen = async () => {
    const [first, second] = [await eventOf(app, one.id), await eventOf(app, two.id)]
    return [first, second].map((event) => [
      ...[event.status, event.start_date, event.end_date, event.venue.id],
      event.categories.map(({ id }: { readonly id: number }) => id).sort(),
      event.organizer.map(({ organizer }: { readonly organizer: string }) => organizer).join(),
    ])
  }
  const before = await seen()

  for (const [to, asked, place, value, text] of [
    ['publish', undefined, 0, 'publish', 'are public'],
    ['shift', { days: '–2' }, 1, '2030-01-20 19:00:00', 'have moved to other days'],
    ['venue', { venue: String(park.id) }, 3, park.id, 'have a new venue: Park'],
    ['organizer', { organizer: String(guild.id) }, 5, 'Guild', 'have a new organizer: Guild'],
    ['organizer', { organizer: '0' }, 5, '', 'have no organizer now'],
    ['category', { category: String(free.id) }, 4, [music.id, free.id].sort(), 'have one more category: Free'],
    ['trash', undefined, 0, 'trash', 'are in the trash'],
  ] as const) {
    await desk.get('/admin/events/')
    const result = await many(desk, to, ids, asked)
    assert.ok(result.text.includes(`2 events at ${hall.venue} on Tuesday, January 22 ${text}.`), to)
    assert.match(result.text, /<h1 id="title">Events</, to)
    if (to !== 'trash')
      assert.deepEqual(
        (await seen()).map((event) => event[place]),
        [value, value],
        to,
      )
    else assert.equal((await app.send({ as: 'editor', path: `/events/${one.id}` })).status, 403)
    const undone = await shownAfter(desk, await desk.send('/admin/events/many/undo/'))
    assert.match(undone.text, /2 events are as they were before\./, to)
    assert.deepEqual(await seen(), before, to)
  }

  await desk.get('/admin/events/')
  await changed(app, `/events/${two.id}`, { title: 'Two, changed' })
  const partly = await many(desk, 'publish', ids)
  assert.match(partly.text, /“One” is public\./)
  assert.match(partly.text, /One was not changed<\/summary>\s*<ul><li>Two <span class="hint">Somebody else/)
  await changed(app, `/events/${one.id}`, { title: 'One, changed' })
  const kept = await shownAfter(desk, await desk.send('/admin/events/many/undo/'))
  assert.match(kept.text, /No event was changed back\./)
  assert.equal((await eventOf(app, one.id)).status, 'publish')

  await desk.get('/admin/events/')
  const fields = { ids: [String(two.id)], to: 'publish' }
  const clicks = await Promise.all([desk.send('/admin/events/many/', fields), desk.send('/admin/events/many/', fields)])
  assert.equal(clicks[0]?.headers.location, clicks[1]?.headers.location)
  for (const click of clicks) assert.match((await shownAfter(desk, click)).text, /“Two, changed” is public\./)
  await desk.get('/admin/events/')
  assert.match((await desk.send('/admin/events/many/', { to: '', back: '' })).text, /Select at least one event/)
})

test('what was done with many events is told in the table, whose address says it if that is not too long', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  // Words that do not compress.
  const noise = (place: number) =>
    [1, 2, 3, 4, 5].map((part) => createHash('sha512').update(`${place} ${part}`).digest('base64')).join(' ')
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, place) => givenEvent(app, { title: `Event ${noise(place)}`, status: 'draft' })),
  )
  const ids = made.map(({ id }) => String(id))
  const other = await givenDesk(app, 'administrator')

  await desk.get('/admin/events/')
  const few = await desk.send('/admin/events/many/', { ids: ids.slice(0, 2), to: 'publish' })
  const address = few.headers.location ?? ''
  const shown = await desk.get(address)
  const foreign = await other.get(address)
  await desk.get('/admin/events/')
  await desk.send('/admin/events/many/', { all: '1', to: 'publish' })
  const all = await desk.send('/admin/events/many/', { ids })
  const undone = await desk.send('/admin/events/many/undo/')

  assert.equal(few.status, 303)
  assert.match(shown.text, /2 events on Tuesday, January 22 are public\.[\s\S]*>Undo</)
  assert.doesNotMatch(foreign.text, /are public|Undo/)
  assert.equal(all.status, 200)
  assert.match(all.text, /20 events on Tuesday, January 22 are public\.[\s\S]*<h1 id="title">Events</)
  assert.match((await shownAfter(desk, undone)).text, /20 events are as they were before/)
})

test('a storm is canceled in two steps, with a reason in both languages, and taken back', async (t) => {
  const app = await startTestApp(t)
  const day = { start_date: '2030-02-02 19:00:00', end_date: '2030-02-02 21:00:00' }
  const concert = await givenEvent(app, day)
  const french = await givenEvent(app, {
    ...day,
    title: 'Spectacle',
    ml_language: 'fr-CA',
    ml_translation_of: concert.id,
  })
  const fair = await givenEvent(app, { ...day, title: 'Fair' })
  const draft = await givenEvent(app, { ...day, title: 'Draft', status: 'draft' })
  const other = await givenEvent(app, { title: 'Another day' })
  const desk = await givenDesk(app, 'editor')
  const stateOf = async (id: number) => {
    const { event_status, event_status_reason } = await eventOf(app, id)
    return [event_status, event_status_reason]
  }

  await desk.get('/admin/events/?from=2030-02-02&to=2030-02-02')
  const asked = await desk.send('/admin/events/many/', { all: '1', to: 'cancel' })
  const ids = [concert.id, fair.id, draft.id].map(String)
  const reasons = { 'reason.en': 'Storm', 'reason.fr-CA': 'Tempête', ids }
  const clicks = [
    await desk.send('/admin/events/many/', reasons),
    await desk.send('/admin/events/many/', reasons),
  ] as const
  const done = await shownAfter(desk, clicks[0])
  const states = await Promise.all([concert.id, french.id, fair.id, draft.id, other.id].map(stateOf))
  const table = await desk.get('/admin/events/?from=2030-02-02&to=2030-02-02')

  assert.match(asked.text, /<h1>Cancel 3 events<\/h1>/)
  assert.equal(clicks[1].headers.location, clicks[0].headers.location)
  assert.match(
    done.text,
    /2 events on Saturday, February 2 are canceled\. One was canceled before, is a draft[\s\S]*>Undo</,
  )
  assert.deepEqual(states, [
    ['canceled', 'Storm'],
    ['canceled', 'Tempête'],
    ['canceled', 'Storm'],
    [undefined, undefined],
    [undefined, undefined],
  ])
  assert.equal(table.text.match(/<span class="status off">Canceled</g)?.length, 2)
  const again = await many(desk, 'cancel', [concert.id], {})
  assert.match(again.text, /No event was changed\./)
  await desk.get('/admin/events/?from=2030-02-02&to=2030-02-02')
  const postponed = await desk.send('/admin/events/many/', { ids: [String(other.id)], to: 'cancel' })
  assert.match(postponed.text, /Select at least one event/)
})

test('one row is edited in short and repeated a week later, and nothing of others is overwritten', async (t) => {
  const app = await startTestApp(t)
  const [hall, park] = [await givenVenue(app), await givenVenue(app, { venue: 'Park' })]
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const event = await givenEvent(app, {
    title: 'Jam',
    venue: hall.id,
    description: 'Bring it',
    cost: '5',
    website: 'https://jam.example/',
  })
  await givenEvent(app, { title: 'Bœuf', description: 'Apportez', ml_language: 'fr-CA', ml_translation_of: event.id })
  const desk = await givenDesk(app, 'editor')
  const quick = `/admin/events/${event.id}/quick/`

  await desk.get(`${quick}?back=${encodeURIComponent('sort=title&from=2030-01-01')}`)
  const fields = { venue: 'Park', status: 'draft', categories: [String(music.id)] }
  const wrong = await desk.send(quick, { ...fields, end: '2030-01-01 21:00' })
  const saved = await desk.send(quick, { ...fields, start: 'Jan 23, 2030, 7 pm', end: '9 pm' })
  const { body } = { body: await eventOf(app, event.id) }
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /<a href="#f-end">/)
  assert.equal(toldAfter(saved)[0], `/admin/events/?sort=title&from=2030-01-01#e-${event.id}`)
  assert.deepEqual(
    [body.start_date, body.end_date, body.venue.id, body.status, body.categories.length],
    ['2030-01-23 19:00:00', '2030-01-23 21:00:00', park.id, 'draft', 1],
  )
  await desk.get(quick)
  await changed(app, `/events/${event.id}`, { title: 'Jam session' })
  const stale = await desk.send(quick, { status: 'publish', venue: 'Park', categories: [String(music.id)] })
  assert.equal(stale.status, 409)
  assert.equal((await eventOf(app, event.id)).status, 'draft')

  const copying = await desk.get(`/admin/events/${event.id}/copy/`)
  assert.equal(fieldsIn(copying.text).start, 'Wed, January 30, 2030, 7:00 p.m.')
  const twice = await Promise.all(
    [1, 2].map(() => desk.send(`/admin/events/${event.id}/copy/`, { start: 'Jan 30, 2030, 6 pm', to: 'publish' })),
  )
  const id = Number(/events\/(\d+)\//.exec(twice[0]?.headers.location ?? '')?.[1])
  const copy = await eventOf(app, id)
  assert.deepEqual(twice[0] && toldAfter(twice[0]), [`/admin/events/${id}/`, '“Jam session” is public.'])
  assert.equal(twice[1]?.headers.location, twice[0]?.headers.location)
  assert.deepEqual(
    [copy.title, copy.status, copy.start_date, copy.end_date, copy.venue.id, copy.cost, copy.website],
    ['Jam session', 'publish', '2030-01-30 18:00:00', '2030-01-30 21:00:00', park.id, '$5', 'https://jam.example/'],
  )
  const { body: french } = await app.send({ path: '/events?ml_language=fr-CA&start_date=2030-01-30' })
  assert.deepEqual(
    french.events.map(({ title }: { readonly title: string }) => title),
    ['Bœuf'],
  )
})

test('a copy of a protected event stays protected, and keeps its capacity, availability and website', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const website = 'https://a.example/?x=1&y=2'
  const copyOf = async (id: number) => {
    await desk.get(`/admin/events/${id}/copy/`)
    const sent = await desk.send(`/admin/events/${id}/copy/`, { to: 'publish' })
    return Number(/events\/(\d+)\//.exec(sent.headers.location ?? '')?.[1])
  }
  const secret = await givenEvent(app, {
    ...{ event_password: 'open', description: 'Secret' },
    capacity: 40,
    availability: 'sold_out',
    website,
  })
  const id = await copyOf(await copyOf(secret.id))

  assert.equal((await app.send({ path: `/events/${id}` })).body.code, 'event-password-protected')
  assert.equal((await app.send({ path: `/events/${id}?password=wrong` })).status, 403)
  const { body } = await app.send({ path: `/events/${id}?password=open` })
  assert.match(body.description, /Secret/)
  assert.deepEqual([body.capacity, body.availability], [40, 'sold_out'])
  assert.equal(body.website, 'https://a.example/?x=1&amp;y=2')

  const plain = await copyOf((await givenEvent(app, { title: 'Plain' })).id)
  const copy = await eventOf(app, plain)
  assert.equal(copy.website, copy.url)
})

test('a copy has the password and the cost of each language, and how an online event is shown', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const shared = { event_password: 'open', website: 'https://jam.example/it’s' }
  const event = await givenEvent(app, {
    ...{ ...shared, title: 'Jam', cost: '5', attendance: 'online', virtual_url: 'https://jam.example/' },
    virtual_video_source: 'zoom',
  })
  await givenEvent(app, { ...shared, title: 'Bœuf', cost: '7', ml_language: 'fr-CA', ml_translation_of: event.id })

  await desk.get(`/admin/events/${event.id}/copy/`)
  const sent = await desk.send(`/admin/events/${event.id}/copy/`, { to: 'publish' })

  const id = Number(/events\/(\d+)\//.exec(sent.headers.location ?? '')?.[1])
  const read = async (path: string) =>
    (await app.send({ path: `${path}${path.includes('?') ? '&' : '?'}password=open` })).body
  const copy = await read(`/events/${id}`)
  const [french] = (await read('/events?ml_language=fr-CA&start_date=2030-01-29')).events
  assert.equal((await app.send({ path: `/events/${french.id}` })).body.code, 'event-password-protected')
  assert.deepEqual(
    [copy, french].map((one) => [one.title, one.cost, one.website, one.virtual_video_source]),
    [
      ['Jam', '$5', shared.website, 'zoom'],
      ['Bœuf', '$7', shared.website, 'zoom'],
    ],
  )
})

test('a copy is a week later, or on the next such day of the week if the event is over', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  // Today is Tuesday, January 15, 2030.
  const days = {
    '2030-01-22': '2030-01-29',
    '2030-01-11': '2030-01-18',
    '2030-01-01': '2030-01-15',
    '2029-03-07': '2030-01-16',
  }
  for (const [day, expected] of Object.entries(days)) {
    const { id } = await givenEvent(app, { start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` })
    const { start = '' } = fieldsIn((await desk.get(`/admin/events/${id}/copy/`)).text)
    assert.deepEqual(readMoment(start, '2030-01-15'), { day: expected, time: '10:00' }, day)
  }
})

test('forms for many events obey tokens, roles and versions, and show markup as text', async (t) => {
  const app = await startTestApp(t)
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const own = await givenEvent(app, { title: `Own ${hostile}`, status: 'draft' }, 'contributor')
  const other = await givenEvent(app, { title: `Other ${hostile}` })
  await givenTerm(app, 'categories', { name: `Music ${hostile}` })
  const desk = await givenDesk(app, 'contributor')

  const table = await desk.get('/admin/events/')
  assert.doesNotMatch(table.text, /<option value="(?:publish|cancel)">/)
  assert.doesNotMatch(table.text, new RegExp(`name="ids" value="${other.id}"`))
  const was = fieldsIn(table.text)[`was.${own.id}`] ?? ''
  const forged = was.replace(`"id":${own.id}`, `"id":${other.id}`)
  const foreign = await desk.send('/admin/events/many/', { csrf: 'x', ids: [String(own.id)], to: 'trash' })
  assert.match(foreign.text, /so nothing was saved/)
  assert.equal((await eventOf(app, own.id)).status, 'draft')
  await desk.get('/admin/events/')
  const refused = await desk.send('/admin/events/many/', {
    ids: [String(other.id)],
    [`was.${other.id}`]: forged,
    to: 'trash',
  })
  const told = await shownAfter(desk, refused)
  assert.match(told.text, /No event was changed\./)
  await desk.get('/admin/events/')
  const published = await many(desk, 'publish', [own.id])
  assert.match(published.text, /No event was changed\.|“[^”]*” is public\./)
  assert.notEqual((await eventOf(app, own.id)).status, 'publish')
  const shown = [table, refused, published]
  await desk.get('/admin/events/')
  shown.push(await desk.send('/admin/events/many/', { ids: [String(own.id)], to: 'category' }))
  shown.push(
    await shownAfter(
      desk,
      await desk.send('/admin/events/many/undo/', {
        undo: JSON.stringify({
          done: [{ id: other.id, version: 1, title: hostile, body: { status: 'draft', title: 'Stolen' } }],
        }),
      }),
    ),
  )
  for (const undo of [
    '',
    'null',
    '[]',
    '{"done":[null]}',
    '{"done":[{"id":1,"version":1,"title":"","body":null}]}',
    `{"cancellation":${other.id},"count":1}`,
  ]) {
    await desk.get('/admin/events/')
    const { text } = await shownAfter(desk, await desk.send('/admin/events/many/undo/', { undo }))
    assert.match(text, /No event was changed back/, undo)
  }
  for (const path of [
    `/admin/events/${own.id}/quick/`,
    `/admin/events/${own.id}/copy/`,
    '/admin/',
    `/admin/events/?back=${encodeURIComponent(hostile)}`,
  ]) {
    shown.push(await desk.get(path))
  }
  shown.push(await desk.get(`/admin/events/${own.id}/quick/?back=${encodeURIComponent(hostile)}`))
  const elsewhere = await desk.send(`/admin/events/${own.id}/quick/`, { back: '//evil.example', status: 'draft' })
  assert.match(elsewhere.headers.location ?? '', /^\/admin\/events\/\?/)
  assert.equal((await eventOf(app, other.id)).status, 'publish')
  assert.equal((await eventOf(app, other.id)).title.startsWith('Other'), true)
  for (const { text } of shown)
    assert.doesNotMatch(
      text,
      /<script(?! type="module" src="\/admin\/assets\/[\w.-]+"><\/script>)|<img src=x|onerror=alert\(1\)>/,
    )
  const subscriber = await givenDesk(app, 'subscriber')
  for (const path of ['many/', `${own.id}/quick/`, `${own.id}/copy/`]) {
    assert.equal((await subscriber.get(`/admin/events/${path}`)).status, 403, path)
  }
})

test('all events of the list are counted with each date of its series, on whichever page they are', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  for (let day = 1; day <= 26; day += 1) {
    await givenEvent(app, { title: `Walk ${day}`, start_date: `2030-01-${day}`, end_date: `2030-01-${day}` })
  }
  await givenSeries(app, desk, { repeat_except: '' })

  const list = await desk.get('/admin/events/?from=2030-01-01')
  const asked = await desk.send('/admin/events/many/', { all: '1', to: 'shift' })
  const faulty = await desk.send('/admin/events/many/', { days: 'x' })
  const checked = await desk.get('/admin/events/?from=2030-02-01&check=no-picture')
  const walks = await desk.get('/admin/events/?from=2030-01-01&to=2030-01-31')
  const plain = await desk.send('/admin/events/many/', { all: '1', to: 'shift' })
  const narrow = await desk.get('/admin/events/?from=2030-01-01&each=1')
  const french = await desk.get('/fr/admin/events/?from=2030-02-01')

  assert.ok(!list.text.includes('↻'), 'the series is on the second page')
  assert.match(
    list.text,
    /<p role="status" class="hint">30 events in 27 rows [\s\S]*A series is one row[\s\S]*All 30 events of the list/,
  )
  assert.match(asked.text, /<h1>Move 30 events[\s\S]*Dates of series change one by one/)
  assert.match(faulty.text, /Dates of series change one by one/)
  assert.match(checked.text, /All 4 events of the list/)
  assert.match(walks.text, /All 26 events of the list/)
  assert.doesNotMatch(walks.text, /A series is one row/)
  assert.doesNotMatch(plain.text, /Dates of series change/)
  assert.match(narrow.text, /class="hint">30 events<[\s\S]*All 30 events of the list/)
  assert.match(french.text.replaceAll('\u00a0', ' '), /class="hint">4 événements sur 1 ligne ·/)
})
