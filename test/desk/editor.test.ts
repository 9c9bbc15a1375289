import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { startTestApp } from '../support/app.ts'
import { givenDesk } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

const idIn = (location: string | undefined) => Number(/events\/(\d+)\//.exec(location ?? '')?.[1])

test('one save writes both languages, with a new venue, tickets and a time in words', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/fr/admin/events/new/')

  const typed = {
    ...{ 'title.fr-CA': 'Le concert', 'description.fr-CA': 'Bach', 'excerpt.fr-CA': 'Un soir', 'slug.fr-CA': 'bach' },
    ...{
      'title.en': 'The concert',
      start: 'ven. 1er fév. 2030, 22 h',
      end: '2 h',
      venue: 'La Salle',
      venue_city: 'Laval',
    },
    ...{ 'offer.0.name': 'Adultes', 'offer.0.price': '12,50', 'offer.0.currency': 'CAD' },
    ...{ 'offer.1.price': '10 – 20', 'offer.1.valid_through': '2030-01-31 12:00:00', capacity: '80' },
    ...{ event_status: 'canceled', 'event_status_reason.fr-CA': 'Tempête', 'event_status_reason.en': 'Storm' },
  }
  const made = await desk.send('/fr/admin/events/new/', { ...typed, to: 'publish' })
  const id = idIn(made.headers.location)
  const shown = await desk.get(`/fr/admin/events/${id}/`)
  const [french, english] = await Promise.all(
    ['fr-CA', 'en'].map(
      async (language) => (await app.send({ path: `/events?ml_language=${language}` })).body.events[0],
    ),
  )

  assert.equal(made.status, 303, made.text)
  assert.match(shown.text, /<p class="state-line">.*<span class="status off">Annulé<\/span>/s)
  assert.deepEqual(
    [french.title, french.slug, french.start_date, french.end_date, french.venue.city, french.event_status_reason],
    ['Annulé\u00a0: Le concert', 'bach', '2030-02-01 22:00:00', '2030-02-02 02:00:00', 'Laval', 'Tempête'],
  )
  assert.deepEqual(
    [english.title, english.status, english.venue.id, english.event_status_reason, english.offers, english.capacity],
    ['Canceled: The concert', 'publish', french.venue.id, 'Storm', french.offers, 80],
  )
  assert.deepEqual([french.offers[0].price, french.offers[1].high_price], ['12.50', '20'])
  for (const part of [
    'value="ven. 1 févr. 2030, 22 h"',
    'value="10 – 20"',
    'name="title.en"[^>]* value="The concert"',
  ]) {
    assert.match(
      shown.text.replaceAll('\u00a0', ' '),
      new RegExp(part.replace('1 févr.', '1(?:er)? févr[^"]*').replace('. 2030', ' 2030')),
    )
  }
})

test('an event without an end ends when it begins, also if its end is cleared', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  const made = await desk.send('/admin/events/new/', { 'title.en': 'Open', start: '2030-02-01 22:00', to: 'publish' })
  assert.equal(made.status, 303, made.text)
  const { id } = await givenEvent(app, { title: 'Fair' })
  await desk.get(`/admin/events/${id}/`)
  assert.equal((await desk.send(`/admin/events/${id}/`, { end: '', to: 'save' })).status, 303)

  const open = (await app.send({ path: `/events/${idIn(made.headers.location)}` })).body
  const fair = (await app.send({ path: `/events/${id}` })).body

  assert.deepEqual([open.start_date, open.end_date], ['2030-02-01 22:00:00', '2030-02-01 22:00:00'])
  assert.equal(fair.end_date, fair.start_date)
})

test('a start without its time is the only fault, and its day does not stay behind as the end', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')

  const timeless = await desk.send('/admin/events/new/', { 'title.en': 'Craft', start: '2030-02-01', to: 'publish' })
  const mended = await desk.send('/admin/events/new/', { start: '2030-02-01 19:00', to: 'publish' })

  assert.equal(timeless.text.match(/class="fault"/g)?.length, 1, timeless.text)
  assert.equal(mended.status, 303, mended.text)
})

test('a language is held back or copied, nothing unchanged is written, and a refused language refuses both', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', description: 'Text', cost: '5' })
  const desk = await givenDesk(app, 'editor')
  const path = `/admin/events/${id}/`
  const read = async (language: string) => (await app.send({ path: `/events?ml_language=${language}` })).body.events[0]

  const moved = await desk.get(`/admin/events/new/?of=${id}&lang=fr-CA`)
  await desk.get(path)
  const copied = await desk.send(path, { to: 'copy.fr-CA', cost: '7' })
  const held = await desk.send(path, { 'title.fr-CA': 'La foire', 'hold.fr-CA': '1', to: 'save' })
  const drafts = (await app.send({ as: 'editor', path: '/events?status=draft&ml_language=fr-CA' })).body.events
  const english = await read('en')
  await desk.get(path)
  const opened = await desk.send(path, { 'hold.fr-CA': '', to: 'save' })
  const after = await read('fr-CA')
  await desk.get(path)
  const refused = await desk.send(path, { 'title.en': 'Other', 'title.fr-CA': '', timezone: 'Nowhere', to: 'save' })
  const broken = await desk.send(path, { 'title.fr-CA': 'Autre', timezone: 'Nowhere', start: '03/04/2030', to: 'save' })
  const unknown = await desk.send(path, { timezone: 'Nowhere', start: '2030-01-22 19:00', to: 'save' })

  assert.equal(moved.headers.location, path)
  assert.match(copied.text, /name="description\.fr-CA"[^>]*>\nText</)
  assert.match(copied.text, /Nothing is saved yet/)
  assert.equal(held.status, 303, held.text)
  assert.deepEqual([drafts[0].title, drafts.length, english.status, english.cost], ['La foire', 1, 'publish', '$7'])
  assert.equal(opened.status, 303, opened.text)
  assert.deepEqual([after.status, after.title], ['publish', 'La foire'])
  assert.match(refused.text, /<a href="#f-title.fr-CA">Title \(Canadian French\)<\/a>/)
  assert.match(broken.text, /Write the month as a word/)
  assert.match(unknown.text, /<a href="#f-timezone">/)
  assert.equal((await read('en')).title, 'Fair')
})

test('an editor schedules, hides and clears what an event has', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const { id } = await givenEvent(app, {
    venue: hall.id,
    cost: '5',
    capacity: 9,
    status: 'draft',
    offers: [{ price: '3' }],
  })
  const desk = await givenDesk(app, 'editor')
  const path = `/admin/events/${id}/`
  const read = async () => (await app.send({ as: 'editor', path: `/events/${id}` })).body

  await desk.get(path)
  const faulty = await desk.send(path, { date: '2031-01-01', to: 'publish' })
  const cleared = {
    venue: '',
    cost: '',
    capacity: '',
    'offer.0.price': '',
    hide_from_listings: '1',
    attendance: 'online',
  }
  const saved = await desk.send(path, { ...cleared, date: 'Jan 1 2031 9am', all_day: '1', to: 'publish' })
  const scheduled = await read()
  await desk.get(path)
  await desk.send(path, { date: '', visibility: 'private', to: 'publish' })
  const hidden = await read()

  assert.match(faulty.text, /Add the time/)
  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual(
    [scheduled.status, scheduled.date, scheduled.venue, scheduled.cost, scheduled.capacity, scheduled.offers],
    ['future', '2031-01-01 09:00:00', [], '', undefined, undefined],
  )
  assert.deepEqual(
    [scheduled.all_day, scheduled.end_date, scheduled.attendance, scheduled.hide_from_listings],
    [true, '2030-01-22 23:59:59', 'online', true],
  )
  assert.deepEqual([hidden.status, hidden.date], ['private', '2030-01-15 12:00:00'])
})

test('a preview shows the real page to those who may change the event, to nobody else, and is kept nowhere', async (t) => {
  const app = await startTestApp(t)
  const french = {
    title: 'Le secret',
    description: 'Chut',
    status: 'draft',
    ml_language: 'fr-CA',
    event_password: 'sesame',
  }
  const { id } = await givenEvent(app, french)
  const desk = await givenDesk(app, 'editor')
  const contributor = await givenDesk(app, 'contributor')

  const moved = await desk.get(`/admin/events/${id}/preview/`)
  const shown = await desk.get(`/fr/admin/events/${id}/preview/`)
  const others = [
    await contributor.get(`/fr/admin/events/${id}/preview/`),
    await app.send({ path: `//fr/admin/events/${id}/preview/` }),
    await app.send({ as: 'editor', path: `//fr/admin/events/${id}/preview/` }),
    await app.send({ path: '//fr/events/' }),
    await desk.get('/fr/admin/events/999/preview/'),
  ]
  await desk.get(`/admin/events/${id}/`)
  const saved = await desk.send(`/admin/events/${id}/`, { 'title.en': 'The secret', to: 'preview' })

  assert.equal(moved.headers.location, `/fr/admin/events/${id}/preview/`)
  assert.match(shown.text, /<html lang="fr-CA">[\s\S]*pas encore public[\s\S]*<h1>Le secret<[\s\S]*Chut/)
  assert.match(shown.text, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(shown.text, /og:title|ld\+json/)
  const { 'cache-control': kept, 'x-robots-tag': robots, 'x-frame-options': framed, etag } = shown.headers
  assert.deepEqual([kept, robots, framed, etag], ['no-store', 'noindex, nofollow', 'DENY', undefined])
  for (const { text } of others) assert.doesNotMatch(text, /Chut|Le secret/)
  assert.equal(saved.headers.location, `/admin/events/${id}/preview/`)
  assert.equal((await app.send({ path: '/events' })).body.total, 0)
})

test('a picture is uploaded with the form, described in both languages, and removed', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  const path = `/admin/events/${id}/`
  const imageOf = async () => (await app.send({ path: `/events/${id}` })).body.image
  const bytes = await picture(60, 40)

  await desk.get(path)
  const typed = { 'alt.en': 'A circle', 'alt.fr-CA': 'Un cercle', 'title.en': 'With "é"', to: 'save' }
  const saved = await desk.sendFile(path, { bytes, name: 'été.jpg' }, typed)
  const image = await imageOf()
  const shown = await desk.get(path)
  const refused = await desk.sendFile(path, { bytes: Buffer.from('no picture'), name: 'x.jpg' }, { to: 'save' })
  const long = await desk.sendFile(
    path,
    { bytes, name: 'x.jpg' },
    { 'description.en': 'x'.repeat(600_000), to: 'save' },
  )
  await desk.get(path)
  await desk.send(path, { remove_image: '1', to: 'save' })
  const removed = await imageOf()
  await desk.get(path)
  desk.forget()
  const kept = await desk.sendFile(path, { bytes, name: 'x.jpg' }, { 'title.en': 'Typed', to: 'save' })

  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual([image.width, image.alt], [60, 'A circle'])
  assert.match(shown.text, /name="alt\.fr-CA"[^>]* value="Un cercle"[\s\S]*/)
  assert.match(refused.text, /<a href="#f-picture">Picture<\/a>/)
  assert.equal(long.status, 413)
  assert.equal(removed, false)
  assert.deepEqual([kept.status, /name="carried.title.en" value="Typed"/.test(kept.text)], [403, true])
})

test('the editor points at what a good editor would look at, and saves all the same', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const description = '<p>Join us on <b>Thursday</b>, not on Tuesday.</p>'
  const { id } = await givenEvent(app, { title: 'Fair', description, venue: hall.id })
  await givenEvent(app, {
    title: 'Dance',
    venue: hall.id,
    start_date: '2030-01-22 20:00:00',
    end_date: '2030-01-22 23:00:00',
  })
  const desk = await givenDesk(app, 'editor')
  const checksIn = ({ text }: { readonly text: string }) =>
    [
      ...(/<details class="checks"[^>]*>[\s\S]*?<\/details>/.exec(text)?.[0] ?? '').matchAll(
        /<a href="#f-([^"]*)">([^<]*)/g,
      ),
    ].map(([, field, said]) => `${field}: ${said}`)

  const fresh = await desk.get('/admin/events/new/')
  const shown = await desk.get(`/admin/events/${id}/`)
  const saved = await desk.send(`/admin/events/${id}/`, {
    ...{
      'title.fr-CA': 'La foire',
      'description.en': 'Tuesday',
      'description.fr-CA': 'Vendredi',
      start: '2030-01-22 17:00',
    },
    ...{ end: '20:00', to: 'save' },
  })
  const after = await desk.get(`/admin/events/${id}/`)

  assert.deepEqual(checksIn(fresh), [])
  assert.deepEqual(checksIn(shown), [
    'title.fr-CA: No text yet: Canadian French.',
    'picture: No picture.',
    'description.en: The text says “Thursday”, but the event begins on a Tuesday.',
    'venue: At the same time in the same place: Dance.',
  ])
  assert.equal(saved.status, 303)
  assert.deepEqual(checksIn(after), [
    'picture: No picture.',
    'description.fr-CA: The text says “vendredi”, but the event begins on a Tuesday.',
  ])
})

test('those who may change an event see what changed field by field, and restore an earlier version', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'First', description: '<b>Old</b>', cost: '5', all_day: true })
  const write = (json: object) => app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json } as never)
  await write({ title: 'Second', cost: '7', all_day: false, start_date: '2030-01-22 19:00:00', featured: true })
  await write({ title: 'Third', description: 'New', event_password: 'sesame', event_status: 'moved_online' })
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const own = await givenEvent(app, { title: 'Own' }, 'author')
  await app.send({ as: 'author', method: 'PATCH', path: `/events/${own.id}`, json: { status: 'draft' } })
  const read = (as: Role, of: number) => app.send({ as, path: `//cal/service/v1/events/${of}/history?per_page=2` })

  const [asEditor, asAuthor, asOwner] = [
    await read('editor', id),
    await read('author', id),
    await read('author', own.id),
  ]
  const history = await desk.get(`/admin/events/${id}/history/`)
  const links = [...history.text.matchAll(/restore=(\d+)/g)].map(([, entry]) => entry)
  const inFrench = await author.get(`/fr/admin/events/${own.id}/history/`)
  const refused = await author.get(`/admin/events/${id}/history/`)
  const ignored = await author.get(`/admin/events/${id}/?restore=${links.at(-1)}`)
  const opened = await desk.get(`/admin/events/${id}/?restore=${links.at(-1)}`)
  const before = (await app.send({ as: 'editor', path: `/events/${id}?context=edit` })).body.title
  const saved = await desk.send(`/admin/events/${id}/`, { to: 'save' })
  const { body } = await app.send({ as: 'editor', path: `/events/${id}?context=edit` })

  assert.match(
    history.text,
    /<title>History: English – Third – [\s\S]*<h1>History: English\u00a0– <span lang="en" dir="auto">Third<\/span><\/h1>/,
  )
  assert.match(
    opened.text,
    /<title>Edit event – Third – [\s\S]*<h1>Edit event\u00a0– <span lang="en" dir="auto">Third<\/span><\/h1>/,
  )
  assert.match(history.text, /<dt>Title<\/dt><dd><del>Second<\/del> <ins>Third<\/ins>/)
  assert.match(history.text, /<dt>Password<\/dt><dd>changed</)
  assert.match(history.text, /<del>As planned<\/del> <ins>Moved online</)
  assert.match(inFrench.text, /<dt>État de publication<\/dt><dd><del>Publié<\/del> <ins>Brouillon</)
  assert.match(history.text, /<del>yes<\/del> <ins>no</)
  assert.match(history.text, /<del>&lt;b&gt;Old/)
  assert.deepEqual([refused.status, ignored.status, asAuthor.status], [404, 404, 403])
  assert.deepEqual([asOwner.status, asOwner.body.entries[0].by], [200, 'author'])
  assert.doesNotMatch(asEditor.text, /address|request_id|127\.0\.0\.1|sesame/)
  assert.deepEqual(
    [asEditor.body.entries.length, asEditor.body.entries[0].changes.title, asEditor.body.entries[0].by],
    [2, { before: 'Second', after: 'Third' }, 'editor'],
  )
  assert.match(opened.text, /This is an earlier version/)
  assert.equal(before, 'Third')
  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual(
    [body.title, body.cost, body.all_day, body.featured, body.start_date],
    ['First', '$5', true, false, '2030-01-22 00:00:00'],
  )
  assert.match(body.description, /Old/)
})

test('a fault names the field as the page does, not the parameter', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  const long = 'x'.repeat(20_000)

  const faults: string[] = []
  for (const path of [`/admin/events/${id}/`, `/fr/admin/events/${id}/`]) {
    await desk.get(path)
    const { text } = await desk.send(path, { 'title.en': long, to: 'save' })
    faults.push(/<p class="fault"[^>]*>([^<]*(?:Title|Titre)[^<]*)</.exec(text)?.[1] ?? '')
  }

  assert.match(faults[0] ?? '', /^“Title \(English\)” must have /)
  assert.match(faults[1] ?? '', /^«\u00a0Titre – anglais\u00a0» doit compter /)

  const offers: string[] = []
  for (const path of [`/admin/events/${id}/`, `/fr/admin/events/${id}/`]) {
    await desk.get(path)
    // The first row is empty, so it is not an offer.
    const bad = { 'offer.1.price': 'free!', 'offer.1.currency': 'CAD', 'offer.2.price': '3', 'offer.2.currency': 'CAD' }
    const { status, text } = await desk.send(path, { ...bad, to: 'save' })
    assert.equal(status, 422)
    offers.push(/[“«][^<]*(?:Ticket|Billet) \d[^<]*/.exec(text.slice(text.indexOf('class="faults"')))?.[0] ?? '')
    assert.doesNotMatch(text, /offers\.\d/)
  }
  assert.match(offers[0] ?? '', /^“Ticket 1 – Price, or from – to”/)
  assert.match(offers[1] ?? '', /^«\u00a0Billet 1 – Prix, ou de – à\u00a0»/)
})

test('before an event is public without one of its languages, the desk asks once, without scripts too', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const questions = { '': 'Still empty: Title (Canadian French)', '/fr': 'Encore vide : Titre – anglais' }
  for (const [prefix, question] of Object.entries(questions)) {
    const path = `${prefix}/admin/events/new/`
    const [title, times] = [prefix === '' ? 'title.en' : 'title.fr-CA', { start: '2030-03-05 19:00', end: '21:00' }]
    const total = async () => (await app.send({ path: '/events?start_date=2030-03-01' })).body.total
    const before = await total()
    await desk.get(path)
    const asked = await desk.send(path, { [title]: `Fair${prefix}`, ...times, asked_once: '', to: 'publish' })
    assert.equal(asked.status, 200)
    assert.match(
      asked.text.replaceAll('\u00a0', ' '),
      new RegExp(`<dialog [^>]* open><p id="ask">${RegExp.escape(question)}`),
    )
    assert.equal(await total(), before)
    const back = await desk.send(path, { to: 'back' })
    assert.match(back.text, new RegExp(`name="${title}" type="text" value="Fair${prefix}"`))
    const done = await desk.send(path, { to: 'publish' })
    assert.equal(done.status, 303, done.text)
  }
})
