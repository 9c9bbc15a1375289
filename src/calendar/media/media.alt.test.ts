import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'

const media = '//cal/service/v1/media'
const attachments = '//wp-json/wp/v2/media'
const original = { REST_PREFIX: '/wp-json' }

async function givenPicture(app: TestApp, fields: Readonly<Record<string, string>> = {}, path = media) {
  const answer = await app.send({
    as: 'author',
    method: 'POST',
    path,
    ...form(await picture(400, 300), 'hall.jpg', fields),
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const patch = (app: TestApp, id: number, json: object, query = '') =>
  app.send({ as: 'author', method: 'PATCH', path: `${media}/${id}${query}`, json })

test('what a picture shows is written by language, with the upload or later', async (t) => {
  const app = await startTestApp(t)
  const uploaded = await givenPicture(app, { alt_text: 'A full <b>hall</b>\n with lights' })

  assert.equal(uploaded.alt_text, 'A full hall with lights')
  const french = await patch(app, uploaded.id, { alt_text: 'Une salle comble' }, '?ml_language=fr-CA')
  assert.equal(french.body.alt_text, 'Une salle comble')
  const read = await app.send({ as: 'author', path: `//fr/cal/service/v1/media/${uploaded.id}` })
  assert.equal(read.body.alt_text, 'Une salle comble')
  assert.deepEqual(read.body.alt_texts, { en: 'A full hall with lights', 'fr-CA': 'Une salle comble' })
  const inBody = await patch(app, uploaded.id, { alt_text: 'Une salle pleine', ml_language: 'fr-CA' })
  assert.deepEqual([inBody.body.alt_text, inBody.body.alt_texts.en], ['Une salle pleine', 'A full hall with lights'])
  const form = await givenPicture(app, { alt_text: 'Une scène', ml_language: 'fr-CA' })
  assert.deepEqual(form.alt_texts, { 'fr-CA': 'Une scène' })
  assert.equal((await patch(app, uploaded.id, { alt_text: 'x', ml_language: 'de' })).status, 400)
  await patch(app, uploaded.id, { alt_text: 'Une salle comble', ml_language: 'fr-CA' })
  const cleared = await patch(app, uploaded.id, { alt_texts: { en: null } })
  assert.deepEqual(cleared.body.alt_texts, { 'fr-CA': 'Une salle comble' })
})

test('of two who write what a picture shows, the one who has not seen the other is refused', async (t) => {
  for (const [path, environment] of [
    [media, {}],
    [attachments, original],
  ] as const) {
    const app = await startTestApp(t, environment)
    const { id } = await givenPicture(app, {}, path)
    const read = await app.send({ as: 'author', path: `${path}/${id}` })
    const etag = String(read.headers.etag)
    assert.match(etag, /^"0-[\w-]+"$/)
    assert.equal(read.headers['x-record-version'], '0')
    const known = await app.send({ as: 'author', path: `${path}/${id}`, headers: { 'if-none-match': etag } })
    assert.equal(known.status, 304)
    const send = (method: 'PATCH' | 'DELETE', json: object, version: string) =>
      app.send({ as: 'author', method, path: `${path}/${id}?force=1`, json, headers: { 'if-match': version } })

    const first = await send('PATCH', { alt_text: 'The stage' }, etag)
    const late = await send('PATCH', { alt_text: 'The hall' }, etag)
    const removal = await send('DELETE', {}, '"0"')
    const same = await send('PATCH', { alt_text: 'The stage' }, '"1"')

    assert.deepEqual([first.status, first.headers['x-record-version']], [200, '1'])
    assert.deepEqual([late.status, late.body.code, late.headers['x-record-version']], [412, 'precondition-failed', '1'])
    assert.equal(removal.status, 412)
    assert.equal(same.headers['x-record-version'], '1', 'nothing changed')
    assert.equal((await app.send({ as: 'author', path: `${path}/${id}` })).body.alt_text, 'The stage')
    assert.equal((await send('DELETE', {}, '"1"')).status, 200)
  }
})

test('REQUIRE_IF_MATCH counts for pictures', async (t) => {
  const app = await startTestApp(t, { REQUIRE_IF_MATCH: 'true' })
  const { id } = await givenPicture(app)

  const without = await patch(app, id, { alt_text: 'The stage' })
  const stranger = await app.send({ as: 'contributor', method: 'PATCH', path: `${media}/${id}`, json: { title: 'x' } })

  assert.deepEqual([without.status, without.body.code], [428, 'precondition-required'])
  assert.equal(stranger.status, 403)
})

test('a picture only decorates until somebody writes what it shows', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app, { decorative: 'true' })

  const told = await patch(app, id, { alt_text: 'The stage' })
  const again = await patch(app, id, { decorative: true })

  assert.deepEqual([told.body.decorative, told.body.alt_text], [false, 'The stage'])
  assert.deepEqual([again.body.decorative, again.body.alt_texts], [true, {}])
})

test('words of a picture that make no sense are refused, and nothing is changed', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app, { alt_text: 'The stage' })

  for (const [json, name] of [
    [{ alt_text: 'x'.repeat(1001) }, 'alt_text'],
    [{ alt_text: ['x'] }, 'alt_text'],
    [{ alt_texts: { de: 'x' } }, 'alt_texts'],
    [{ alt_texts: 'x' }, 'alt_texts'],
    [{ decorative: 'perhaps' }, 'decorative'],
    [{ title: '' }, 'title'],
  ] as const) {
    const { status, body } = await patch(app, id, json)
    assert.deepEqual([status, Object.keys(body.errors)], [400, [name]], name)
  }
  const tooLong = await app.send({
    as: 'author',
    method: 'POST',
    path: media,
    ...form(await picture(40, 30), 'dot.jpg', { alt_text: 'é'.repeat(1001) }),
  })
  assert.deepEqual([tooLong.status, Object.keys(tooLong.body.errors)], [400, ['alt_text']])
  const { body } = await app.send({ as: 'author', path: `${media}/${id}` })
  assert.equal(body.alt_text, 'The stage')
})

test('only those who may edit a picture change its words', async (t) => {
  const app = await startTestApp(t)
  const { body } = await app.send({
    as: 'administrator',
    method: 'POST',
    path: media,
    ...form(await picture(40, 30), 'dot.jpg'),
  })

  for (const as of ['author', 'contributor', 'subscriber', 'nobody'] as const) {
    const caller = as === 'nobody' ? {} : { as }
    const answer = await app.send({ ...caller, method: 'PATCH', path: `${media}/${body.id}`, json: { alt_text: 'x' } })
    assert.equal(answer.status, as === 'nobody' ? 401 : 403, as)
  }
  assert.equal((await app.send({ as: 'editor', method: 'PATCH', path: `${media}/${body.id}`, json: {} })).status, 200)
  assert.equal((await patch(app, 999, { alt_text: 'x' })).status, 404)
})

test('clients of the original interface change alt texts by all its methods and forms', async (t) => {
  const app = await startTestApp(t, original)
  const { id, alt_text: first } = await givenPicture(app, { alt_text: 'One' }, attachments)
  assert.equal(first, 'One')
  const path = `${attachments}/${id}`

  const byJson = await app.send({
    as: 'author',
    method: 'PUT',
    path,
    json: { alt_text: 'Two', title: { raw: 'Hall' } },
  })
  assert.deepEqual([byJson.status, byJson.body.alt_text, byJson.body.title.rendered], [200, 'Two', 'Hall'])
  const byForm = await app.send({ as: 'author', method: 'POST', path, form: 'alt_text=Three' })
  assert.deepEqual([byForm.status, byForm.body.alt_text], [200, 'Three'])
  const byQuery = await app.send({ as: 'author', method: 'POST', path: `${path}?alt_text=Four` })
  assert.deepEqual([byQuery.status, byQuery.body.alt_text], [200, 'Four'])
})

test('records tell what their picture shows, in their language, and at once', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app)
  const venue = await givenVenue(app, { venue: 'Hall', image: id })
  const event = await givenEvent(app, { title: 'Concert', image: id, venue: venue.id })
  const french = await givenEvent(app, { title: 'Concert', image: id, ml_language: 'fr-CA' })
  const alts = async () => {
    const { body } = await app.send({ path: `/events?include=${event.id},${french.id}&ml_language=en` })
    const shown = body.events.map((one: { image: object }) => one.image)
    const [single] = [await app.send({ path: `/events/${french.id}` })]
    const [own] = [await app.send({ path: `/events/${event.id}` })]
    return [shown[0].alt, own.body.venue.image.alt, single.body.image.alt]
  }

  assert.deepEqual(await alts(), [undefined, undefined, undefined])
  await patch(app, id, { alt_text: 'A hall' })
  assert.deepEqual(await alts(), ['A hall', 'A hall', 'A hall'])
  await patch(app, id, { alt_text: 'Une salle' }, '?ml_language=fr-CA')
  assert.deepEqual(await alts(), ['A hall', 'A hall', 'Une salle'])
})

test('pages, feeds and JSON-LD tell what a picture shows', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app, { alt_text: 'A "hall" & more' })
  const event = await givenEvent(app, { title: 'Concert', image: id })
  const text = async (path: string) => (await app.send({ path })).text

  const page = await text(`/${new URL(event.url).pathname}`)
  assert.match(page, /<img [^>]*alt="A &quot;hall&quot; &amp; more"/)
  assert.match(page, /<meta property="og:image:alt" content="A &quot;hall&quot; &amp; more">/)
  assert.match(page, /"@type":"ImageObject","url":"[^"]+","caption":"A \\"hall\\" (?:&|\\u0026) more"/)
  assert.match(await text('//events/'), /alt="A &quot;hall&quot; &amp; more"/)
  const french = await givenEvent(app, { title: 'Spectacle', image: id, ml_language: 'fr-CA' })
  const frenchPage = await text(`//fr${new URL(french.url).pathname.replace(/^\/fr/, '')}`)
  assert.match(frenchPage, /alt="A &quot;hall&quot; &amp; more" lang="en"/)
  assert.match(await text('/events.rss'), /<media:description type="plain">A &quot;hall&quot; &amp; more<\/media/)
  assert.match(await text('/events.atom'), /rel="enclosure" title="A &quot;hall&quot; &amp; more"/)
  assert.match(await text('/events.csv'), /,image_alt,[^\r]*\r\n[^\r]*,"A ""hall"" & more",[^\r]*\r\n/)
})
