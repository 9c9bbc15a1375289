import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { goodPassword, service } from '../support/signing.ts'

const path = '/admin/pictures/'

async function givenPicture(app: TestApp, name: string, as: 'editor' | 'author' = 'editor'): Promise<number> {
  const { body } = await app.send({ as, method: 'POST', path: service('/media'), ...form(await picture(60, 40), name) })
  return body.id
}

const mediaOf = async (app: TestApp, id: number) =>
  (await app.send({ as: 'editor', path: service(`/media/${id}`) })).body
const titlesIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<li class="panel" id="p-\d+">\n<h2>([^<]*)/g)].map(([, title]) => title)

test('the library shows where each picture is used, finds it, and lists those without a description', async (t) => {
  const app = await startTestApp(t)
  const [tent, crowd, icon] = [
    await givenPicture(app, 'tent.jpg'),
    await givenPicture(app, 'crowd é.jpg'),
    await givenPicture(app, 'icon.jpg'),
  ]
  const write = (id: number, json: object) =>
    app.send({ as: 'editor', method: 'PATCH', path: service(`/media/${id}`), json })
  await write(tent, { alt_texts: { en: 'A tent', 'fr-CA': 'Une tente' } })
  await write(crowd, { alt_texts: { en: 'The text "fr-CA": is no language' } })
  await write(icon, { decorative: true })
  for (let number = 1; number <= 6; number += 1) await givenEvent(app, { title: `Fair <b>${number}</b>`, image: tent })
  await givenVenue(app, { venue: 'Hall', image: tent })
  await givenEvent(app, { title: 'Secret', status: 'draft', image: crowd })
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const contributor = await givenDesk(app, 'contributor')

  const all = await desk.get(path)
  const found = await desk.get(`${path}?q=CROWD%20e`)
  const missing = await desk.get(`/fr${path}?without=fr-CA`)
  const ofAuthor = await author.get(path)
  const refused = await contributor.get(path)
  const usage = await app.send({ as: 'editor', path: service(`/media/usage?id=${tent}`) })

  assert.deepEqual(titlesIn(all), ['icon', 'crowd é', 'tent'])
  assert.match(
    all.text,
    /Shown by 7 entries<\/p><ul class="uses"><li><a href="\/admin\/venues\/\d+\/">Hall<\/a>[\s\S]*Fair 6[\s\S]*and 2 more/,
  )
  assert.match(all.text, /Not used anywhere/)
  assert.deepEqual(titlesIn(found), ['crowd é'])
  assert.deepEqual(titlesIn(missing), ['crowd é'])
  assert.match(ofAuthor.text, /Shown by 1 entry<\/p><ul class="uses"><li>and 1 more/)
  assert.doesNotMatch(ofAuthor.text, /Secret|name="alt\.\d/)
  assert.equal(refused.status, 403)
  assert.deepEqual([usage.body.total, usage.body.items[0].uses, usage.body.items[0].version], [1, 7, 1])
})

test('what a picture shows is written in place, and nobody overwrites what somebody else has written', async (t) => {
  const app = await startTestApp(t)
  const id = await givenPicture(app, 'tent.jpg')
  const desk = await givenDesk(app, 'editor')
  const other = await givenDesk(app, 'administrator')
  const at = `${path}${id}/`
  const typed = (text: string) => ({ [`alt.${id}.en`]: text, [`alt.${id}.fr-CA`]: `fr ${text}` })

  await desk.get(`${path}?q=tent`)
  await other.get(path)
  const saved = await desk.send(at, typed('A tent'))
  const conflict = await other.send(at, typed('Another'))
  const between = await mediaOf(app, id)
  const again = await other.send(at, {})
  const after = await mediaOf(app, id)
  await desk.get(path)
  const long = await desk.send(at, typed('x'.repeat(1001)))
  desk.forget()
  const signedOut = await desk.send(at, typed('Kept'))
  const old = await app.send({
    ...{ as: 'editor', method: 'PATCH', path: service(`/media/${id}`), json: { alt_text: 'Old' } },
    headers: { 'if-match': '"0"' },
  })

  assert.equal(toldAfter(saved)[0], `${path}?q=tent#p-${id}`)
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Someone else has changed this picture[\s\S]*value="Another"/)
  assert.deepEqual(between.alt_texts, { en: 'A tent', 'fr-CA': 'fr A tent' })
  assert.equal(again.status, 303)
  assert.deepEqual(after.alt_texts, { en: 'Another', 'fr-CA': 'fr Another' })
  assert.equal(long.status, 422)
  assert.match(long.text, new RegExp(`<a href="#f-alt.${id}.en">`))
  assert.match(signedOut.text, /value="Kept"/)
  assert.deepEqual([old.status, old.headers['x-record-version']], [412, '2'])
})

test('a picture is uploaded with its descriptions, and deleting it asks first', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const file = { bytes: await picture(60, 40), name: 'Été.jpg' }

  await desk.get(path)
  const none = await desk.send(path, {})
  const added = await desk.sendFile(path, file, { 'alt.new.en': 'Summer', 'alt.new.fr-CA': '' })
  const refused = await desk.sendFile(path, { bytes: Buffer.from('no picture'), name: 'x.jpg' }, {})
  const { body } = await app.send({ as: 'editor', path: service('/media/usage') })
  const [{ media }] = body.items
  const { id: eventId } = await givenEvent(app, { title: 'Fair', image: media.id })
  const asked = await desk.get(`${path}${media.id}/delete/`)
  const still = await mediaOf(app, media.id)
  const removed = await desk.send(`${path}${media.id}/delete/`, {})
  const event = await app.send({ path: `/events/${eventId}` })

  assert.equal(none.status, 422)
  assert.equal(toldAfter(added)[1], '“Été” is in the library.')
  assert.match(refused.text, /<a href="#f-picture">/)
  assert.deepEqual([media.title, media.alt_texts], ['Été', { en: 'Summer' }])
  assert.match(asked.text, /Delete “Été”\?[\s\S]*Shown by 1 entry[\s\S]*Fair/)
  assert.equal(still.id, media.id)
  assert.equal(toldAfter(removed)[1], 'The picture is deleted.')
  assert.equal(event.body.image, false)
})

test('descriptions that were typed with a picture stay when it is refused, when they are refused, and after signing in', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const file = { bytes: await picture(60, 40), name: 'Summer.jpg' }
  const fields = { 'alt.new.en': 'A beach', 'alt.new.fr-CA': 'Une plage' }

  await desk.get(path)
  const refused = await desk.sendFile(path, { bytes: Buffer.from('no picture'), name: 'x.jpg' }, fields)
  const long = await desk.sendFile(path, file, { ...fields, 'alt.new.fr-CA': 'é'.repeat(1001) })
  const { body } = await app.send({ as: 'editor', path: service('/media/usage') })
  const [{ media }] = body.items
  await desk.get(path)
  desk.forget()
  await desk.sendFile(path, file, fields)
  const again = await desk.send('/admin/sign-in/', { login: 'editor', password: goodPassword })

  assert.equal(refused.status, 422)
  assert.match(refused.text, /<details class="more panel" open>[\s\S]*value="A beach"[\s\S]*value="Une plage"/)
  assert.equal(long.status, 422)
  assert.match(long.text, new RegExp(`<a href="#f-alt\\.${media.id}\\.`))
  assert.match(long.text, new RegExp(`name="alt\\.${media.id}\\.en"[^>]*value="A beach"`))
  assert.match(long.text, new RegExp(`name="alt\\.${media.id}\\.fr-CA"[^>]*value="é{1001}"`))
  assert.match(again.text, /<details class="more panel" open>[\s\S]*value="A beach"[\s\S]*value="Une plage"/)
})

test('an event takes a picture of the library with its descriptions, and nothing typed is lost', async (t) => {
  const app = await startTestApp(t)
  const [tent, crowd] = [await givenPicture(app, 'tent.jpg'), await givenPicture(app, 'crowd.jpg')]
  const json = { alt_texts: { en: 'A tent', 'fr-CA': 'Une tente' } }
  await app.send({ as: 'editor', method: 'PATCH', path: service(`/media/${tent}`), json })
  const { id } = await givenEvent(app, { title: 'Fair', image: crowd })
  const desk = await givenDesk(app, 'editor')
  const at = `/admin/events/${id}/`

  await desk.get(at)
  const library = await desk.send(at, { 'title.en': 'Typed', picture_search: 'TENT', to: 'pictures' })
  const before = await app.send({ path: `/events/${id}` })
  const saved = await desk.send(at, { chosen_image: String(tent), to: 'save' })
  const { body } = await app.send({ path: `/events/${id}` })
  const [kept, other] = [await mediaOf(app, tent), await mediaOf(app, crowd)]

  assert.match(library.text, new RegExp(`name="chosen_image" value="${tent}"`))
  assert.doesNotMatch(library.text, new RegExp(`name="chosen_image" value="${crowd}"`))
  assert.match(library.text, /name="title\.en"[^>]* value="Typed"/)
  assert.equal(before.body.title, 'Fair')
  assert.equal(saved.status, 303, saved.text)
  assert.deepEqual([body.title, body.image.id, body.image.alt], ['Typed', tent, 'A tent'])
  assert.deepEqual([kept.alt_texts, other.alt_texts], [json.alt_texts, {}])
})
