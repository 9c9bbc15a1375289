import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, givenDesk } from '../support/desk.ts'
import { changed, givenEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

// An event goes away while somebody writes. What was typed must never be lost, without scripts too.

const trash = (app: TestApp, id: number) => app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })
const read = async (app: TestApp, id: number) => (await app.send({ as: 'editor', path: `/events/${id}` })).body
const idIn = (location: string | undefined) => Number(/events\/(\d+)\//.exec(location ?? '')?.[1])

const typed = {
  ...{ 'title.en': 'My Fair & fun', 'description.en': '\nA long\n\ntext', 'title.fr-CA': 'Ma foire', cost: '7' },
  ...{ venue: 'The Hall', start: 'Jan 25 2030, 8 pm', end: '10 pm', 'offer.0.price': '3', 'offer.0.currency': 'CAD' },
}
/** How the form says what was typed. */
const shown = {
  ...{ 'title.en': 'My Fair & fun', 'description.en': '\nA long\n\ntext', 'title.fr-CA': 'Ma foire', cost: '7' },
  ...{ venue: 'The Hall', 'offer.0.price': '3' },
}

function assertShows(text: string, expected: Readonly<Record<string, string>>) {
  const fields = fieldsIn(text)
  const own = Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name]]))
  assert.deepEqual(own, expected)
}

test('a save of an event that went to the trash shows all that was typed, and restores the event with it', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', description: 'First text', cost: '5' })
  const desk = await givenDesk(app, 'editor')
  const path = `/admin/events/${id}/`

  await desk.get(path)
  await trash(app, id)
  const lost = await desk.send(path, { ...typed, to: 'save' })
  const copied = await desk.send(path, { to: 'copy.fr-CA' })
  const again = await desk.send(path, { to: 'save', cost: '8' })
  const faulty = await desk.send(path, { 'title.en': '', to: 'restore' })
  const status = (await app.send({ as: 'editor', path: `/events?status=trash` })).body.events.length
  const saved = await desk.send(path, { 'title.en': 'My Fair & fun', to: 'restore' })
  const twice = await desk.send(path, { 'title.en': 'My Fair & fun', to: 'restore' })
  const event = await read(app, id)

  assert.equal(lost.status, 409)
  assert.match(lost.text, /moved to the trash while you were editing it/)
  assert.match(lost.text, /value="restore">Restore the event and save<[\s\S]*value="as-new"[^>]*>Save as a new event</)
  assertShows(lost.text, shown)
  assert.doesNotMatch(lost.text, /data-autosaves/)
  assert.match(fieldsIn(copied.text)['description.fr-CA'] ?? '', /A long/)
  assertShows(again.text, { ...shown, cost: '8' })
  assert.equal(faulty.status, 422)
  assert.match(faulty.text, /<a href="#f-title.en">/)
  assert.equal(status, 1, 'nothing is restored before everything can be saved')
  assert.equal(saved.status, 303, saved.text)
  assert.equal(twice.status, 303, twice.text)
  assert.deepEqual(
    [event.status, event.title, event.cost, event.start_date, event.venue.venue, event.offers[0].price],
    ['publish', 'My Fair &amp; fun', '$8', '2030-01-25 20:00:00', 'The Hall', '3'],
  )
  assert.match(event.description, /A long/)
})

test('the text becomes a new event, also if the old one is deleted for good', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'publish' })
  const desk = await givenDesk(app, 'editor')
  const path = `/fr/admin/events/${id}/`

  await desk.get(path)
  await trash(app, id)
  const lost = await desk.sendFile(path, { bytes: await picture(60, 40), name: 'x.jpg' }, { ...typed, to: 'publish' })
  await app.send({ as: 'administrator', method: 'DELETE', path: `//cal/service/v1/trash/events/${id}` })
  const gone = await desk.send(path, { to: 'restore' })
  const saved = await desk.send(path, { to: 'as-new' })
  const made = await read(app, idIn(saved.headers.location))

  assert.equal(lost.status, 409)
  assert.match(lost.text, /mis à la corbeille pendant que vous y travailliez/)
  assertShows(lost.text, shown)
  for (const { text } of [lost, gone]) assert.match(text, /<img class="thumbnail" src="[^"]+" alt=""/)
  assert.equal(gone.status, 409)
  assert.match(gone.text, /Cet événement n’existe plus/)
  assert.doesNotMatch(gone.text, /value="restore"/)
  assertShows(gone.text, shown)
  assert.equal(saved.status, 303, saved.text)
  assert.notEqual(made.id, id)
  assert.deepEqual(
    [made.status, made.title, made.slug, made.image.id > 0, made.venue.venue],
    ['draft', 'My Fair &amp; fun', '', true, 'The Hall'],
  )
})

test('a date of a series becomes one event, and what others changed before is shown', async (t) => {
  const app = await startTestApp(t)
  const series = await givenEvent(app, { title: 'Yoga', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  const { id } = await givenEvent(app, { title: 'Fair', cost: '5' })
  const desk = await givenDesk(app, 'editor')

  await desk.get(`/admin/events/${series.id}/`)
  await trash(app, series.id)
  const lostDate = await desk.send(`/admin/events/${series.id}/`, { 'title.en': 'One class', to: 'save' })
  const alone = await desk.send(`/admin/events/${series.id}/`, { to: 'as-new' })
  const date = (await app.send({ as: 'editor', path: `/events/${idIn(alone.headers.location)}?context=edit` })).body
  await desk.get(`/admin/events/${id}/`)
  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { cost: '9' } })
  await trash(app, id)
  await desk.send(`/admin/events/${id}/`, { 'title.en': 'My fair', to: 'save' })
  const conflict = await desk.send(`/admin/events/${id}/`, { to: 'restore' })
  const merged = await desk.send(`/admin/events/${id}/`, { to: 'merge' })
  const event = await read(app, id)

  assert.equal(lostDate.status, 409)
  assert.deepEqual([alone.status, date.title, date.series], [303, 'One class', undefined])
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Someone else has saved this event in the meantime/)
  assert.equal(merged.status, 303, merged.text)
  assert.deepEqual([event.title, event.cost], ['My fair', '$9'])
})

test('a session that ends, a page of a conflict and the script lose nothing either', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft' })
  const mine = await givenDesk(app, 'editor')
  const theirs = await givenDesk(app, 'administrator')
  const path = `/admin/events/${id}/`

  await mine.get(path)
  await theirs.get(path)
  await theirs.send(path, { 'title.en': 'Their fair', to: 'save' })
  const conflict = await mine.send(path, { ...typed, to: 'save' })
  await trash(app, id)
  const merge = await mine.send(path, { to: 'merge' })
  mine.forget()
  await mine.send(path, { to: 'restore' })
  const again = await mine.send('/admin/sign-in/', { login: 'editor', password: 'correct horse battery staple' })
  const scripted = await mine.send(path, { to: 'autosave' })
  const author = await givenDesk(app, 'author')
  await author.get('/admin/events/new/')
  const foreign = await author.send(path, { ...typed, to: 'restore' })

  assert.equal(conflict.status, 409)
  assert.equal(merge.status, 409)
  assertShows(merge.text, { ...shown, 'title.en': 'My Fair & fun' })
  assertShows(again.text, shown)
  assert.match(again.text, /value="restore"/)
  assert.deepEqual([scripted.status, scripted.body], [409, { isGone: true }])
  assert.match(foreign.text, /no longer exists, or you may no longer change it/)
  assert.equal((await app.send({ as: 'editor', path: `/events?status=trash` })).body.events.length, 1)
})

test('a lost event comes back in all languages whose texts are kept', async (t) => {
  const app = await startTestApp(t)
  const pair = async (title: string) => {
    const { id } = await givenEvent(app, { title })
    const french = await givenEvent(app, { title: `${title} fr`, ml_language: 'fr-CA', ml_translation_of: id })
    return [Number(id), Number(french.id)] as const
  }
  const pairs = [await pair('Fair'), await pair('Feast')] as const
  const desk = await givenDesk(app, 'editor')
  const states: string[] = []

  for (const [place, [english, french]] of pairs.entries()) {
    const path = `/admin/events/${english}/`
    await desk.get(path)
    for (const id of [english, french]) await trash(app, id)
    // Somebody empties the French title of the second one, so it stays in the trash.
    const typedTexts = place === 0 ? { 'title.fr-CA': 'La foire' } : { 'title.fr-CA': '', 'title.en': 'A feast' }
    await desk.send(path, { ...typedTexts, to: 'save' })
    const { status, text } = await desk.send(path, { to: 'restore' })
    assert.equal(status, 303, text)
    for (const id of [english, french]) {
      const source = await app.send({ as: 'editor', path: `//cal/service/v1/events/${id}/source` })
      states.push(`${source.body.status} ${source.body.title}`)
    }
  }

  assert.deepEqual(states, ['publish Fair', 'publish La foire', 'publish A feast', 'trash Feast fr'])
})

test('a language that one may not restore stays in the trash, and what was typed in it is not lost unseen', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'contributor')
  const { id: english } = await givenEvent(app, { title: 'Fair', status: 'draft' }, 'contributor')
  const texts = { title: 'Foire', status: 'draft', ml_language: 'fr-CA', ml_translation_of: english }
  const { id: french } = await givenEvent(app, texts, 'contributor')
  const path = `/admin/events/${english}/`
  const states = async () => {
    const all: string[] = []
    for (const id of [english, french]) {
      const { body } = await app.send({ as: 'editor', path: `//cal/service/v1/events/${id}/source` })
      all.push(`${body.status} ${body.title}`)
    }
    return all
  }

  await desk.get(path)
  await changed(app, `/events/${french}`, { status: 'publish' })
  for (const id of [english, french]) await trash(app, id)
  await desk.send(path, { 'title.en': 'My fair', 'title.fr-CA': 'Ma foire', to: 'save' })
  const refused = await desk.send(path, { to: 'restore' })
  const before = await states()
  const saved = await desk.send(path, { 'title.fr-CA': 'Foire', to: 'restore' })

  assert.equal(refused.status, 422)
  assert.match(refused.text, /href="#f-title.fr-CA">[^<]*<\/a> You may not restore the event in this language/)
  assertShows(refused.text, { 'title.en': 'My fair', 'title.fr-CA': 'Ma foire' })
  assert.deepEqual(before, ['trash Fair', 'trash Foire'])
  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual(await states(), ['draft My fair', 'trash Foire'])
})
