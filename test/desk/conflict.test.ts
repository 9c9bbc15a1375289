import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'
import { givenEvent, givenTerm } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

const readIn = async (app: TestApp, language = 'en') =>
  (await app.send({ as: 'editor', path: `/events?ml_language=${language}` })).body.events[0]

/** Returns what a page offers: the name of each choice, and what is chosen. */
function choicesIn({ text }: { readonly text: string }): Readonly<Record<string, string>> {
  const radios = [...text.matchAll(/<input type="radio"[^>]*name="pick\.([^"]*)" value="([^"]*)" required( checked)?/g)]
  const names = radios.map(([, name = '']) => name)
  const chosen = radios.flatMap(([, name = '', value = '', isOn]) => (isOn ? [[name, value] as const] : []))
  return { ...Object.fromEntries(names.map((name) => [name, ''])), ...Object.fromEntries(chosen) }
}

const plain = (text: string) => text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

async function givenConflict(app: TestApp) {
  const { id } = await givenEvent(app, { title: 'Fair', description: 'First text', cost: '5' })
  const mine = await givenDesk(app, 'editor')
  const theirs = await givenDesk(app, 'administrator')
  const path = `/admin/events/${id}/`
  await mine.get(path)
  await theirs.get(path)
  return { id, mine, theirs, path }
}

test('two editors who change one event choose field by field, and nothing is lost', async (t) => {
  const app = await startTestApp(t)
  const { mine, theirs, path } = await givenConflict(app)

  await theirs.send(path, { 'title.en': 'Their Fair', cost: '20', all_day: '1', to: 'save' })
  const typed = { 'title.en': 'My Fair', 'description.en': 'My text', 'title.fr-CA': 'Ma foire' }
  const conflict = await mine.send(path, { ...typed, to: 'save' })
  const between = await readIn(app)
  const undecided = await mine.send(path, { to: 'merge' })
  const saved = await mine.send(path, { 'pick.title.en': 'mine', to: 'merge' })
  const [english, french] = [await readIn(app), await readIn(app, 'fr-CA')]

  assert.equal(conflict.status, 409)
  assert.deepEqual(choicesIn(conflict), {
    ...{ 'title.en': '', 'description.en': 'mine', 'title.fr-CA': 'mine' },
    ...{ start: 'theirs', cost: 'theirs' },
  })
  assert.match(plain(conflict.text), /Your version My Fair Saved by administrator Their Fair Before ?Fair/)
  assert.match(conflict.text, /<mark>My <\/mark>Fair/)
  assert.match(plain(conflict.text), /Start: Tue, January 22, 2030, 7:00 p.m./)
  assert.equal(between.title, 'Their Fair')
  assert.equal(undecided.status, 422)
  assert.match(undecided.text, /<a href="#f-pick.title.en">Title \(English\)<\/a> Choose one of the versions/)
  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual([english.title, english.cost, english.all_day, french.title], ['My Fair', '$20', true, 'Ma foire'])
  assert.match(english.description, /My text/)
})

test('the other version is kept, the editor continues with the choice, and a third save is compared again', async (t) => {
  const app = await startTestApp(t)
  const { mine, theirs, path } = await givenConflict(app)
  const french = `/fr${path}`
  const clash = async (title: string) => {
    await theirs.get(path)
    await theirs.send(path, { 'title.en': title, to: 'save' })
  }

  await mine.get(french)
  await clash('Theirs')
  const conflict = await mine.send(french, { 'title.en': 'Mine', cost: '7', to: 'save' })
  const edited = await mine.send(french, { 'pick.title.en': 'theirs', to: 'merge-edit' })
  await clash('Theirs again')
  const later = await mine.send(french, { 'title.en': 'Mine & <i>all</i>', to: 'save' })
  await clash('Theirs at last')
  const third = await mine.send(french, { 'pick.title.en': 'mine', to: 'merge' })
  const kept = await mine.send(french, { 'pick.title.en': 'theirs', to: 'merge' })
  const event = await readIn(app)

  assert.match(conflict.text, /Votre version[\s\S]*Enregistré par administrator[\s\S]*Avant/)
  assert.equal(edited.status, 200)
  assert.match(edited.text, /name="title\.en"[^>]* value="Theirs"/)
  assert.match(edited.text, /name="cost"[^>]* value="7"/)
  assert.equal(later.status, 409)
  assert.match(later.text, /Mine &amp; &lt;i&gt;all/)
  assert.deepEqual([third.status, choicesIn(third)['title.en']], [409, 'mine'])
  assert.match(third.text, /Theirs (?:<mark>)?at last/)
  assert.equal(kept.status, 303, kept.text)
  assert.deepEqual([event.title, event.cost], ['Theirs at last', '$7'])
})

test('a language that somebody else has written, a picture and a session that ends are in no conflict’s way', async (t) => {
  const app = await startTestApp(t)
  const { id, mine, theirs, path } = await givenConflict(app)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const image = { bytes: await picture(60, 40), name: 'x.jpg' }

  await theirs.send(path, {
    'title.fr-CA': 'Leur foire',
    categories: [String(music.id)],
    event_status: 'canceled',
    to: 'save',
  })
  const typed = {
    'title.fr-CA': 'Ma foire',
    'alt.en': 'A tent',
    'offer.0.price': '4',
    'offer.0.currency': 'CAD',
    to: 'publish',
  }
  const conflict = await mine.sendFile(path, image, typed)
  mine.forget()
  const signedOut = await mine.send(path, { 'pick.title.fr-CA': 'mine', to: 'merge' })
  const again = await mine.send('/admin/sign-in/', { login: 'editor', password: 'correct horse battery staple' })
  const saved = await mine.send(path, { 'pick.title.fr-CA': 'mine', to: 'merge' })
  const twice = await mine.send(path, { 'pick.title.fr-CA': 'mine', to: 'merge' })
  const [english, french] = [await readIn(app), await readIn(app, 'fr-CA')]

  assert.deepEqual(choicesIn(conflict), {
    ...{ 'title.fr-CA': '', 'description.fr-CA': 'theirs', 'slug.fr-CA': 'theirs', image: 'mine', offers: 'mine' },
    ...{ categories: 'theirs', event_status: 'theirs' },
  })
  assert.match(plain(conflict.text), /Music/)
  assert.equal(signedOut.status, 403)
  assert.match(again.text, /Someone else has saved this event/)
  assert.deepEqual([saved.status, twice.status], [303, 303], twice.text)
  assert.deepEqual([french.title, french.event_status], ['Ma foire', 'canceled'])
  assert.deepEqual([english.id, english.image.alt, english.offers[0].price], [id, 'A tent', '4'])
  assert.deepEqual(
    english.categories.map((term: { readonly name: string }) => term.name),
    ['Music'],
  )
})

test('changes of two people to different fields are both saved, and the message names them', async (t) => {
  const app = await startTestApp(t)
  const { mine, theirs, path } = await givenConflict(app)

  await theirs.send(path, { cost: '20', 'title.fr-CA': 'La foire', to: 'save' })
  const saved = await mine.send(path, { 'title.en': 'My Fair', to: 'save' })
  const twice = await mine.send(path, { 'title.en': 'My Fair', to: 'save' })
  const [english, french] = [await readIn(app), await readIn(app, 'fr-CA')]

  assert.match(
    toldAfter(saved)[1],
    /^“My Fair” is saved\. Meanwhile, administrator changed: .*Price.*\. Everything is kept\.$/,
  )
  assert.equal(twice.status, 303, twice.text)
  assert.deepEqual([english.title, english.cost, french.title], ['My Fair', '$20', 'La foire'])
})

test('the editor names who else has an event open, in any of its languages', async (t) => {
  const app = await startTestApp(t)
  const { id, mine, theirs, path } = await givenConflict(app)
  const { id: other } = await givenEvent(app, { title: 'Le marché', ml_language: 'fr-CA', ml_translation_of: id })

  const alone = await givenDesk(app, 'author')
  const shown = await mine.get(`/fr/admin/events/${other}/`)
  const checked = await theirs.send(path, { to: 'checks' })
  app.pass(601)
  const later = await theirs.get(path)
  // The note is written in the background.
  while (app.deps.storage.waitingWrites() > 0) await new Promise(setImmediate)
  const again = await mine.get(path)

  assert.equal((await alone.get(path)).status, 404)
  assert.match(shown.text, /data-others>administrator a aussi ouvert cet événement\.</)
  assert.equal(checked.body.others, 'editor has this event open, too.')
  assert.match(later.text, /data-others></)
  assert.match(again.text, /data-others>administrator has this event open, too\.</)
})
