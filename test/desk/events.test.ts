import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveSubscription } from '../../src/exchange/calendars/subscription.repository.ts'
import type { Subscription } from '../../src/exchange/calendars/subscription.ts'
import { startTestApp, type TestAnswer } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'

const titlesIn = ({ text }: TestAnswer) =>
  [...text.matchAll(/<th scope="row">(?:<a [^>]*>)?([^<]*)/g)].map(([, title]) => title?.trim())
const concert = { 'title.en': 'Concert', start: '2030-02-01 19:00', end: '21:00' }

test('the table is paged, filtered and counted by state, and shows the languages of each event', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const first = await givenEvent(app, { title: 'First', venue: hall.id, categories: [music.id] })
  await givenEvent(app, { title: 'Premier', ml_language: 'fr-CA', ml_translation_of: first.id })
  await givenEvent(app, { title: 'Past', start_date: '2029-01-01 10:00:00', end_date: '2029-01-01 11:00:00' })
  await givenEvent(app, { title: 'Seul', ml_language: 'fr-CA', status: 'draft' })
  for (let number = 1; number <= 30; number += 1) await givenEvent(app, { title: `Meeting ${number}` })
  const desk = await givenDesk(app, 'editor')

  const all = await desk.get('/admin/events/')
  const french = await desk.get('/fr/admin/events/?q=premier')
  const drafts = await desk.get('/admin/events/?status=draft')
  const second = await desk.get('/admin/events/?page=2')
  const past = await desk.get('/admin/events/?from=&to=2029-12-31')
  const filtered = await desk.get(`/admin/events/?category=${music.id}&venue=${hall.id}`)

  assert.equal(titlesIn(all).length, 25)
  assert.match(all.text, /Everything <span class="number">32</)
  assert.match(all.text, /Draft <span class="number">1</)
  assert.deepEqual(titlesIn(french), ['Premier'])
  assert.match(french.text, /title="en anglais">EN<[\s\S]*title="en français canadien">FR</)
  assert.deepEqual(titlesIn(drafts), ['Seul'])
  assert.equal(titlesIn(second).length, 7)
  assert.deepEqual(titlesIn(past), ['Past'])
  assert.deepEqual(titlesIn(filtered), ['First'])
})

test('an event in the table is moved to the trash, and back with Undo', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  const statusOf = async () => (await app.send({ as: 'editor', path: `/events/${id}` })).status

  await desk.get('/admin/events/?q=concert')
  const trashed = await desk.send(`/admin/events/${id}/trash/`, { back: 'q=concert' })
  const whileIn = await statusOf()
  const table = await desk.get(trashed.headers.location ?? '')
  const restored = await desk.send(`/admin/events/${id}/restore/`)

  assert.equal(toldAfter(trashed)[0], '/admin/events/?q=concert')
  assert.equal(whileIn, 403)
  assert.match(table.text, /” is in the trash\.<\/p><form method="post" action="\/admin\/events\/\d+\/restore\/">/)
  assert.match(toldAfter(restored)[1], /” is back\.$/)
  assert.equal(await statusOf(), 200)
})

test('an editor publishes an event with a new venue, then its French version', async (t) => {
  const app = await startTestApp(t)
  const empty = await givenTerm(app, 'categories', { name: 'Theatre' })
  const desk = await givenDesk(app, 'editor')

  const page = await desk.get('/admin/events/new/')
  assert.match(page.text, new RegExp(`name="categories" value="${empty.id}"> <span>Theatre<`))
  const description = { 'description.en': '<p>Bach &amp; more</p>' }
  const fields = { ...concert, ...description, venue: 'New Hall', tags: 'One, Two', cost: '15' }
  const made = await desk.send('/admin/events/new/', { ...fields, to: 'publish' })
  const id = Number(/events\/(\d+)\//.exec(made.headers.location ?? '')?.[1])
  await desk.get(`/fr/admin/events/${id}/`)
  const translated = await desk.send(`/fr/admin/events/${id}/`, { 'title.fr-CA': 'Le concert', to: 'save' })
  const { body } = await app.send({ path: `/events/${id}?ml_language=en` })
  const french = await app.send({ path: '/events?ml_language=fr-CA' })

  assert.equal(toldAfter(made)[1], '“Concert” is public.')
  assert.equal(translated.status, 303, translated.text)
  assert.deepEqual(
    [body.title, body.status, body.start_date, body.end_date, body.venue.venue, body.cost],
    ['Concert', 'publish', '2030-02-01 19:00:00', '2030-02-01 21:00:00', 'New Hall', '$15'],
  )
  assert.deepEqual(body.tags.map(({ name }: { readonly name: string }) => name).sort(), ['One', 'Two'])
  assert.equal(french.body.events[0].title, 'Le concert')
})

test('a double click makes one event', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')

  const made = await Promise.all([1, 2].map(() => desk.send('/admin/events/new/', { ...concert, to: 'publish' })))

  assert.equal(made[0]?.headers.location, made[1]?.headers.location)
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
})

test('only what was changed is saved, and faults are told at their fields', async (t) => {
  const app = await startTestApp(t)
  const one = await givenOrganizer(app, { organizer: 'One' })
  const two = await givenOrganizer(app, { organizer: 'Two' })
  const { id } = await givenEvent(app, {
    organizer: [one.id, two.id],
    description: 'a\n\nb',
    title: 'It’s "old" & <b>bold</b>',
  })
  const desk = await givenDesk(app, 'editor')

  const page = await desk.get(`/admin/events/${id}/`)
  const faulty = await desk.send(`/admin/events/${id}/`, {
    'title.en': '',
    end: '2029-01-01 10:00',
    timezone: 'Nowhere',
    to: 'save',
  })
  const refused = await desk.send(`/admin/events/${id}/`, { 'title.en': 'New', end: '2030-01-22 21:00', to: 'save' })
  const saved = await desk.send(`/admin/events/${id}/`, { timezone: 'America/Toronto', to: 'save' })
  const { body } = await app.send({ path: `/events/${id}` })
  const source = await app.send({ as: 'editor', path: `//cal/service/v1/events/${id}/source` })

  assert.match(page.text, /This event has several/)
  assert.equal(source.body.description, 'a\n\nb')
  assert.match(page.text, /<textarea [^>]*>\na\n\nb<\/textarea>/)
  assert.equal(faulty.status, 422)
  assert.match(faulty.text, /2 fields need your attention/)
  assert.match(refused.text, /<a href="#f-timezone">Time zone<\/a>/)
  assert.equal(toldAfter(saved)[1], '“New” is saved.')
  assert.deepEqual([body.title, body.organizer.length, body.timezone], ['New', 2, 'America/Toronto'])
})

test('a contributor submits for review and may not publish, nor change what others wrote', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Of others', status: 'draft' })
  const desk = await givenDesk(app, 'contributor')

  const page = await desk.get('/admin/events/new/')
  const submitted = await desk.send('/admin/events/new/', { ...concert, to: 'pending' })
  await desk.get('/admin/events/new/')
  const forced = await desk.send('/admin/events/new/', { ...concert, 'title.en': 'Forced', to: 'publish' })
  const other = await desk.get(`/admin/events/${id}/`)
  const today = await desk.get('/admin/')

  assert.match(page.text, /Submit for review/)
  assert.doesNotMatch(page.text, /value="publish"/)
  assert.equal(toldAfter(submitted)[1], '“Concert” is waiting for review.')
  assert.equal((await app.send({ path: '/events' })).body.total, 0, forced.text)
  assert.equal(other.status, 404)
  assert.match(
    today.text,
    /Waiting for review <span class="number">2<\/span><\/h2>\s*<ul class="rows"><li><span><a [^>]*>Concert</,
  )
})

test('the table leads a contributor to no page that refuses him, also for the series of others', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Yoga', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  await givenEvent(app, { title: 'Own', status: 'draft' }, 'contributor')
  const desk = await givenDesk(app, 'contributor')
  const { text } = await desk.get('/admin/events/')
  const rows = text.slice(text.indexOf('<tbody>'), text.indexOf('</tbody>'))
  const links = [...rows.matchAll(/href="(\/admin\/[^"]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'))
  const answers = await Promise.all(links.map(async (path) => [path, (await desk.get(path)).status]))

  assert.deepEqual(
    answers.filter(([, status]) => status !== 200),
    [],
  )
  assert.match(rows, /<a href="https?:[^"]*\/event\/yoga\/[^"]*">Yoga</)
  assert.match(rows, /<li><a href="https?:[^"]*\/event\/yoga\/2030-/)
})

test('administrators see which subscribed calendars fail, since when and why; others do not', async (t) => {
  const app = await startTestApp(t)
  const add = (source: string, state: object, more: object = {}) =>
    app.deps.storage.writeWithoutRevision((tx) =>
      saveSubscription(tx, {
        source,
        isPaused: false,
        state: { nextAt: 0, found: 0, ...state },
        ...more,
      } as Subscription),
    )
  const since = Date.UTC(2030, 0, 3, 12) / 1000
  await add('club', { failure: 'status 404', failingSince: since })
  await add('team', { failure: 'fewer', failingSince: since })
  await add('rest', { failure: 'user', failingSince: since }, { isPaused: true })
  await add('sound', {})
  const admin = await givenDesk(app, 'administrator')
  const editor = await givenDesk(app, 'editor')

  const { text: page } = await admin.get('/admin/')
  const { text: french } = await admin.get('/fr/admin/')

  const linesOf = (html: string) =>
    [...html.matchAll(/<li><strong>(\w+)<\/strong> <span class="hint">([^<]*)/g)].map(
      ([, name, line]) => `${name} ${line}`,
    )
  assert.deepEqual(linesOf(page), [
    'club Since Thursday, January 3, 2030: the site answers with the status 404',
    'team Since Thursday, January 3, 2030: less than half of the earlier events; nothing was changed. If that is right, run “subscription fetch team --accept”',
  ])
  assert.match(linesOf(french)[0] ?? '', /^club Depuis le jeudi 3 janvier 2030\u00a0: le site répond par le code 404$/)
  assert.doesNotMatch((await editor.get('/admin/')).text, /Subscribed calendars/)
})

test('markup in any field is shown as text', async (t) => {
  const app = await startTestApp(t)
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  await givenVenue(app, { venue: `Hall ${hostile}` })
  const desk = await givenDesk(app, 'administrator')

  await desk.get('/admin/events/new/')
  const typed = {
    'title.en': hostile,
    'description.en': hostile,
    venue: hostile,
    organizer: hostile,
    cost: hostile,
    tags: hostile,
  }
  const shown = [
    await desk.send('/admin/events/new/', { ...typed, start: hostile, timezone: hostile, to: 'draft' }),
    await desk.get(`/admin/search/?q=${encodeURIComponent(hostile)}`),
    await desk.get(`/admin/events/?q=${encodeURIComponent(hostile)}&result=${encodeURIComponent(hostile)}`),
    await desk.get(`/admin/sign-in/?to=${encodeURIComponent(`/admin/${hostile}`)}`),
  ]
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...typed, ...concert, 'title.en': `Concert ${hostile}`, to: 'publish' })
  const pages = ['/admin/', '/admin/events/', '/admin/search/?q=concert', '/admin/events/new/', '/admin/users/']
  for (const path of pages) shown.push(await desk.get(path))

  for (const { text } of shown)
    assert.doesNotMatch(text, /<script(?! type="module" src="\/admin\/assets\/)|<img src=x|onerror=alert\(1\)>/)
})

test('an event that waits for review is published in all its languages from the start page, and back', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'pending' }, 'contributor')
  const french = { title: 'La foire', status: 'pending', ml_language: 'fr-CA', ml_translation_of: id }
  const { id: other } = await givenEvent(app, french, 'contributor')
  const desk = await givenDesk(app, 'editor')
  const contributor = await givenDesk(app, 'contributor')
  const states = () =>
    Promise.all(
      [id, other].map(
        async (one) => (await app.send({ as: 'editor', path: `/events/${one}?context=edit` })).body.status,
      ),
    )

  await desk.get('/admin/')
  const approved = await desk.send('/admin/events/many/')
  const after = await states()
  const today = await desk.get(approved.headers.location ?? '')
  const undone = await desk.send('/admin/events/many/undo/')
  const table = await desk.get('/admin/events/?status=pending&from=')
  const theirs = await contributor.get('/admin/')

  assert.deepEqual(toldAfter(approved), ['/admin/', '“Fair” is public.'])
  assert.deepEqual(after, ['publish', 'publish'])
  assert.doesNotMatch(today.text, /Waiting for review/)
  assert.deepEqual(toldAfter(undone), ['/admin/', 'One event is as it was before.'])
  assert.deepEqual(await states(), ['pending', 'pending'])
  assert.match(table.text, /Publish<span class="unseen">: Fair</)
  assert.match(theirs.text, /Waiting for review/)
  assert.doesNotMatch(theirs.text, /Publish<span class="unseen">/)
})
