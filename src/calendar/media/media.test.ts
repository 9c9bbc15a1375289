import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenVenue } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { collectUnused } from './media.collection.ts'

const media = '//cal/service/v1/media'

async function givenPicture(app: TestApp, bytes?: Buffer, name?: string) {
  const answer = await app.send({
    as: 'author',
    method: 'POST',
    path: app.deps.config.restPrefix === '' ? media : `/${app.deps.config.restPrefix}/cal/service/v1/media`,
    ...form(bytes ?? (await picture(640, 480)), name),
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const pathOf = (url: string) => `/${new URL(url).pathname}`

async function storedFiles(app: TestApp): Promise<readonly string[]> {
  assert.equal(app.deps.config.media.kind, 'folder')
  const { folder } = app.deps.config.media as { readonly folder: string }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test('a picture is made in the sizes of the contract, each only where it is smaller', async (t) => {
  const app = await startTestApp(t)

  const large = await givenPicture(app, await picture(2000, 1500), 'Été à Montréal.JPG')
  const small = await givenPicture(app, await picture(100, 80, 'png'), 'dot.png')

  const measures = Object.entries(large.sizes as Record<string, { width: number; height: number }>)
  assert.deepEqual(
    measures.map(([name, { width, height }]) => [name, width, height]),
    [
      ['medium', 300, 225],
      ['large', 1024, 768],
      ['thumbnail', 150, 150],
      ['medium_large', 768, 576],
      ['1536x1536', 1536, 1152],
    ],
  )
  assert.match(large.url, /^http:\/\/calendar\.test\/uploads\/2030\/01\/ete-a-montreal-[0-9a-f]{10}\.jpg$/)
  assert.deepEqual([large.width, large.height, large.extension, large.title], [2000, 1500, 'jpg', 'Été à Montréal'])
  assert.deepEqual([small.width, small.height, small.extension, small.sizes], [100, 80, 'png', undefined])
})

test('every file of a picture is served as what it is, whole or in part, for ever', async (t) => {
  const app = await startTestApp(t)
  const { url, filesize, sizes } = await givenPicture(app)

  const whole = await app.send({ path: pathOf(url) })
  const part = await app.send({ path: pathOf(url), headers: { range: 'bytes=0-9' } })
  const end = await app.send({ path: pathOf(url), headers: { range: 'bytes=-5' } })
  const beyond = await app.send({ path: pathOf(url), headers: { range: `bytes=${filesize}-` } })
  const known = await app.send({ path: pathOf(url), headers: { 'if-none-match': whole.headers.etag ?? '' } })
  const head = await app.send({ method: 'HEAD', path: pathOf(url) })
  const medium = await app.send({ path: pathOf(sizes.medium.url) })

  assert.equal(whole.status, 200)
  assert.equal(whole.headers['content-type'], 'image/jpeg')
  assert.equal(whole.bytes.length, filesize)
  assert.match(whole.headers['cache-control'] ?? '', /immutable/)
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.match(whole.headers['content-security-policy'] ?? '', /sandbox/)
  assert.deepEqual([part.status, part.bytes], [206, whole.bytes.subarray(0, 10)])
  assert.equal(part.headers['content-range'], `bytes 0-9/${filesize}`)
  assert.deepEqual([end.status, end.bytes], [206, whole.bytes.subarray(-5)])
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${filesize}`])
  assert.deepEqual([known.status, known.bytes.length], [304, 0])
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(filesize), 0])
  assert.deepEqual([medium.status, (await sharp(medium.bytes).metadata()).width], [200, 300])
})

test('no path leads out of the folder of pictures', async (t) => {
  const app = await startTestApp(t)
  await givenPicture(app)

  for (const path of [
    ...[
      'calendar.sqlite',
      '../calendar.sqlite',
      '..%2fcalendar.sqlite',
      '%2e%2e/calendar.sqlite',
      '2030/01/../../x.jpg',
    ],
    ...['2030/01/', '2030/01', '2030/01/.jpg', '2030/01/a%00.jpg', '//etc/passwd', '2030\\01\\a.jpg', 'a'.repeat(5000)],
    ...['2030/13/a.jpg', '2030/01/a.svg', '2030/01/a.jpg.part', '2030/01/none.jpg'],
  ]) {
    const { status, text } = await app.send({ path: `//uploads/${path}` })
    assert.equal(status, 404, path)
    // Some of these paths leave the folder and match no route. The response is then a page.
    assert.ok(text.length < 300 || text.startsWith('<!doctype html>'), path)
  }
})

test('a picture stands upright and says nothing of where and with what it was taken', async (t) => {
  const app = await startTestApp(t)
  const bytes = await sharp(await picture(400, 200))
    .withExif({ IFD0: { Make: 'Camera', Copyright: 'Somebody' }, IFD3: { GPSLatitude: '45/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.ok((await sharp(bytes).metadata()).exif)

  const { url, width, height } = await givenPicture(app, bytes)

  const stored = await sharp((await app.send({ path: pathOf(url) })).bytes).metadata()
  assert.deepEqual([width, height], [200, 400])
  assert.deepEqual(
    [stored.exif, stored.orientation, stored.icc, stored.xmp],
    [undefined, undefined, undefined, undefined],
  )
})

test('pictures of all kinds are taken, moving ones stand still', async (t) => {
  const app = await startTestApp(t)
  const frame = await picture(60, 40, 'png')
  const frames = [frame, await sharp(frame).negate().toBuffer()]
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.equal((await sharp(moving, { animated: true }).metadata()).pages, 2)

  for (const format of ['png', 'webp', 'avif'] as const) {
    const { url, extension } = await givenPicture(app, await picture(320, 200, format), 'misleading.exe')
    const { headers } = await app.send({ path: pathOf(url) })
    assert.deepEqual([extension, headers['content-type']], [format, `image/${format}`])
  }
  const { url } = await givenPicture(app, moving, 'moving.gif')
  const still = await sharp((await app.send({ path: pathOf(url) })).bytes, { animated: true }).metadata()
  assert.deepEqual([still.format, still.pages ?? 1, still.height], ['gif', 1, 40])
})

test('a picture comes as the body as well, named by a header', async (t) => {
  const app = await startTestApp(t)
  const payload = await picture(20, 20, 'png')
  const send = (headers: Record<string, string>) =>
    app.send({ as: 'author', method: 'POST', path: media, payload, headers })

  const named = await send({ 'content-type': 'image/png', 'content-disposition': 'attachment; filename="my dot.png"' })
  const unnamed = await send({ 'content-type': 'image/png' })

  assert.equal(named.status, 201, named.text)
  assert.equal(named.body.title, 'my dot')
  assert.equal(named.headers.location, `http://calendar.test/cal/service/v1/media/${named.body.id}`)
  assert.equal(unnamed.status, 400)
  assert.equal(unnamed.headers['content-type'], 'application/problem+json; charset=UTF-8')
  assert.deepEqual([unnamed.body.status, unnamed.body.code], [400, 'media-no-file'])
  const nowhere = await app.send({ path: '//fr/cal/service/v1/nothing' })
  assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'rest_no_route'])
  assert.equal(nowhere.headers['content-type'], 'application/problem+json; charset=UTF-8')
})

test('who may not upload adds, lists and removes nothing', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app)

  for (const as of [undefined, 'subscriber', 'contributor'] as const) {
    const who = as ? { as } : {}
    const status = as ? 403 : 401
    assert.equal((await app.send({ ...who, method: 'POST', path: media, ...form(await picture(9, 9)) })).status, status)
    assert.equal((await app.send({ ...who, path: media })).status, status)
    assert.equal((await app.send({ ...who, path: `${media}/${id}` })).status, status)
    assert.equal((await app.send({ ...who, method: 'DELETE', path: `${media}/${id}` })).status, status)
  }
  assert.equal((await app.send({ as: 'editor', path: media })).headers['x-tec-total'], '1')
})

test('everybody may read the pictures that published records show without a password, and no others', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json' })
  const original = '//wp-json/wp/v2/media'
  const add = async () => {
    const body = form(await picture(20, 20))
    return (await app.send({ as: 'author', method: 'POST', path: original, ...body })).body.id as number
  }
  const [shown, ofVenue, draft, hidden, trashed, unused] = [
    await add(),
    await add(),
    await add(),
    await add(),
    await add(),
    await add(),
  ]
  const image = (id: number) => ({ image: String(id) })
  await givenEvent(app, image(shown))
  await givenEvent(app, { ...image(shown), title: 'Second' })
  await givenVenue(app, image(ofVenue))
  const { id: draftId } = await givenEvent(app, { ...image(draft), title: 'Draft', status: 'draft' })
  await givenEvent(app, { ...image(hidden), title: 'Hidden', event_password: 'secret' })
  const { id: trashedId } = await givenEvent(app, { ...image(trashed), title: 'Trashed' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${trashedId}` })

  const idsFor = async (as?: 'subscriber' | 'contributor' | 'author') => {
    const { body, headers } = await app.send({ ...(as ? { as } : {}), path: original })
    return [body.map((media: { id: number }) => media.id), headers['x-wp-total']]
  }
  for (const as of [undefined, 'subscriber', 'contributor'] as const) {
    const who = as ? { as } : {}
    assert.deepEqual(await idsFor(as), [[ofVenue, shown], '2'])
    const one = await app.send({ ...who, path: `${original}/${shown}` })
    assert.deepEqual([one.status, one.body.link, one.body.alt_text], [200, one.body.source_url, ''])
    for (const id of [draft, hidden, trashed, unused, 999, draftId]) {
      const refused = await app.send({ ...who, path: `${original}/${id}` })
      assert.deepEqual([refused.status, refused.body.code], [as ? 403 : 401, 'rest_forbidden'], String(id))
    }
  }
  assert.equal((await idsFor('author'))[1], '6')

  await changed(app, `/events/${draftId}`, { status: 'publish' })
  assert.deepEqual(await idsFor(), [[draft, ofVenue, shown], '3'])
  const page = await app.send({ path: `${original}?per_page=2&page=2` })
  assert.deepEqual(
    page.body.map((media: { id: number }) => media.id),
    [shown],
  )
  assert.deepEqual((await app.send({ path: `${original}?page=9` })).body, [])
})

test('a list of pictures for visitors costs the same however many there are', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json' })
  const path = '//wp-json/wp/v2/media'
  const costOf = async () => {
    app.statements()
    await app.send({ path })
    const first = app.statements().length
    await app.send({ path })
    return [first, app.statements().length]
  }
  const add = async (title: string) => {
    const { id } = await givenPicture(app)
    await givenEvent(app, { title, image: String(id) })
  }

  await add('One')
  const one = await costOf()
  await add('Two')
  await add('Three')
  const three = await costOf()
  assert.deepEqual(three, one)
  const [first = 0, second = 0] = one
  assert.ok(second < first, 'they are counted once after each change')
})

test('an upload that is too large is refused, and leaves nothing behind', async (t) => {
  const app = await startTestApp(t)
  const bytes = Buffer.concat([await picture(20, 20), Buffer.alloc(15 * 1024 * 1024)])

  const answer = await app.send({ as: 'author', method: 'POST', path: '//fr/cal/service/v1/media', ...form(bytes) })

  assert.equal(answer.status, 413)
  assert.match(answer.body.title, /requête/)
  assert.deepEqual(await storedFiles(app), [])
})

test('an event keeps its picture until it is taken away', async (t) => {
  const app = await startTestApp(t)
  const { id, url } = await givenPicture(app)
  const event = await givenEvent(app, { image: id })
  const [listed] = (await app.send({ path: '/events' })).body.events

  const renamed = await changed(app, `/events/${event.id}`, { title: 'Renamed' })
  const single = (await app.send({ path: `/events/${event.id}` })).body
  const without = await changed(app, `/events/${event.id}`, { image: '' })

  assert.deepEqual(
    [event, listed, renamed, single].map(({ image }) => image.url),
    [url, url, url, url],
  )
  assert.deepEqual(Object.keys(single.image), ['url', 'id', 'extension', 'width', 'height', 'filesize', 'sizes'])
  assert.equal(without.image, false)
})

test('a picture that something shows is removed only by force, and then from there as well', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenPicture(app)
  const venue = await givenVenue(app, { image: id })
  const other = (await givenPicture(app)).id

  const refused = await app.send({ as: 'author', method: 'DELETE', path: `${media}/${id}` })
  const strangers = await app.send({ as: 'author', method: 'DELETE', path: `${media}/${id + 1000}` })
  const forced = await app.send({ as: 'editor', method: 'DELETE', path: `${media}/${id}?force=true` })
  const unused = await app.send({ as: 'author', method: 'DELETE', path: `${media}/${other}` })

  assert.deepEqual([refused.status, refused.body.code], [409, 'media-in-use'])
  assert.equal(strangers.status, 404)
  assert.deepEqual([forced.status, forced.body.previous.id, unused.status], [200, id, 200])
  assert.equal((await app.send({ path: `/venues/${venue.id}` })).body.image, undefined)
  assert.deepEqual(await storedFiles(app), [])
})

test('clients of the original interface find pictures where they look for them', async (t) => {
  const app = await startTestApp(t, { REST_PREFIX: '/wp-json', VENDOR_WORD: 'tribe' })
  const { body, status } = await app.send({
    as: 'author',
    method: 'POST',
    path: '//wp-json/wp/v2/media',
    ...form(await picture(400, 300), 'a.jpg', { title: 'A <b>' }),
  })
  const missing = await app.send({ as: 'author', path: '//wp-json/wp/v2/media/999' })

  assert.equal(status, 201)
  assert.deepEqual([body.type, body.media_type, body.mime_type], ['attachment', 'image', 'image/jpeg'])
  assert.deepEqual([body.media_details.width, body.media_details.sizes.thumbnail.width], [400, 150])
  assert.equal(body.title.rendered, 'A &lt;b&gt;')
  assert.equal((await app.send({ path: pathOf(body.source_url) })).status, 200)
  assert.deepEqual([missing.status, missing.body.code, missing.body.data], [404, 'media-not-found', { status: 404 }])
  const plain = await startTestApp(t)
  assert.equal((await plain.send({ as: 'author', path: '//wp/v2/media' })).status, 404)
})

test('what nothing shows is found after a while, and removed when that is asked for', async (t) => {
  const app = await startTestApp(t)
  const used = await givenPicture(app)
  await givenEvent(app, { image: used.id })
  await givenPicture(app)
  await app.deps.pictures.store.write('2030/01/left-behind.jpg', (await storedFiles(app))[0] ?? '', 'image/jpeg')
  const collect = (isDry: boolean, graceSeconds = 0) => collectUnused(app.deps, { graceSeconds, isDry })
  const year = 365 * 86_400
  app.pass(year)

  const young = await collect(true, 20 * year)
  const dry = await collect(true)
  const before = await storedFiles(app)
  const removed = await collect(false)

  assert.deepEqual(young, { pictures: 0, files: 0 })
  assert.deepEqual(dry, { pictures: 1, files: 4 })
  assert.deepEqual(removed, dry)
  assert.equal((await storedFiles(app)).length, before.length - 4)
  assert.equal((await app.send({ path: pathOf(used.url) })).status, 200)
})
