import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, plainEvent } from '../../../test/support/given.ts'
import { picture } from '../../../test/support/pictures.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'

/** A stand-in for the network that has one picture and records the requests. */
async function outsideWith(bytes: Buffer) {
  const asked: string[] = []
  return {
    asked,
    fetchOutbound: async (url: string) => {
      asked.push(url)
      if (url.endsWith('/away.jpg')) throw new OutboundError('unreachable')
      if (url.endsWith('/page.jpg')) return Buffer.from('<html>')
      return bytes
    },
  }
}

test('a picture is fetched from its address once, for whoever may upload', async (t) => {
  const outside = await outsideWith(await picture(400, 300))
  const app = await startTestApp(t, {}, outside)
  const image = 'https://pictures.example/summer.jpg'

  const event = await givenEvent(app, { image }, 'author')
  const again = await givenEvent(app, { image, venue: { venue: 'Hall', image } }, 'editor')
  const refused = await app.send({ as: 'contributor', method: 'POST', path: '/events', json: { ...plainEvent, image } })

  assert.deepEqual(outside.asked, [image])
  assert.match(event.image.url, /\/summer-[0-9a-f]{10}\.jpg$/)
  assert.deepEqual([again.image.id, again.venue.image.id], [event.image.id, event.image.id])
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['image']])
})

test('an event whose picture cannot be had is not created, and one that is there stays as it was', async (t) => {
  const outside = await outsideWith(await picture(40, 30))
  const app = await startTestApp(t, {}, outside)
  const event = await givenEvent(app)

  for (const name of ['away.jpg', 'page.jpg']) {
    const json = { ...plainEvent, title: 'New', image: `https://pictures.example/${name}` }
    const created = await app.send({ as: 'author', method: 'POST', path: '/events?ml_language=fr-CA', json })
    const path = `/events/${event.id}`
    const updated = await app.send({
      as: 'administrator',
      method: 'PATCH',
      path,
      json: { title: 'New', image: json.image },
    })

    assert.deepEqual([created.status, created.body.code], [400, 'rest_invalid_param'])
    assert.match(created.body.data.params.image, name === 'away.jpg' ? /injoignable/ : /doit être une image/)
    assert.equal(updated.status, 400)
  }

  assert.equal((await app.send({ as: 'editor', path: '/events?status=any' })).body.total, 1)
  assert.equal((await app.send({ path: `/events/${event.id}` })).body.title, 'Concert')
})

test('nothing is fetched for a request that is refused anyway', async (t) => {
  const outside = await outsideWith(await picture(40, 30))
  const app = await startTestApp(t, {}, outside)
  const event = await givenEvent(app)
  const image = 'https://pictures.example/a.jpg'

  const invalid = await app.send({
    as: 'author',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, image, all_day: 'maybe', author: 'x' },
  })
  const foreign = await app.send({ as: 'author', method: 'PATCH', path: `/events/${event.id}`, json: { image } })
  const visitor = await app.send({ method: 'POST', path: '/events', json: { ...plainEvent, image } })

  assert.deepEqual([invalid.status, foreign.status, visitor.status], [400, 403, 400])
  assert.deepEqual(outside.asked, [])
})

test('a picture that is fetched replaces the one before, which stays for others', async (t) => {
  const outside = await outsideWith(await picture(40, 30))
  const app = await startTestApp(t, {}, outside)
  const event = await givenEvent(app, { image: 'https://pictures.example/a.jpg' })

  const next = await changed(app, `/events/${event.id}`, { image: 'https://pictures.example/b.jpg' })

  assert.notEqual(next.image.id, event.image.id)
  assert.equal((await app.send({ as: 'author', path: `//cal/service/v1/media/${event.image.id}` })).status, 200)
})

test('pictures of a new venue and of new organizers are fetched with the event', async (t) => {
  const outside = await outsideWith(await picture(40, 30))
  const app = await startTestApp(t, {}, outside)
  const json = {
    ...plainEvent,
    venue: { venue: 'Hall', image: 'https://pictures.example/hall.jpg' },
    organizer: [{ organizer: 'Club', image: 'https://pictures.example/club.jpg' }],
  }

  const created = await app.send({ as: 'administrator', method: 'POST', path: '/events', json })
  const away = await app.send({
    as: 'administrator',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, venue: { venue: 'Barn', image: 'https://pictures.example/away.jpg' } },
  })

  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.body.venue.image.width, created.body.organizer[0].image.width], [40, 40])
  assert.deepEqual([away.status, Object.keys(away.body.data.params)], [400, ['venue']])
  assert.match(away.body.data.params.venue, /venue\.image/)
})

test('no request has more than five pictures of new organizers fetched', async (t) => {
  const outside = await outsideWith(await picture(40, 30))
  const app = await startTestApp(t, {}, outside)
  const organizer = Array.from({ length: 6 }, (_, number) => ({
    organizer: `Club ${number}`,
    image: `https://pictures.example/${number}.jpg`,
  }))

  const refused = await app.send({
    as: 'administrator',
    method: 'POST',
    path: '/events',
    json: { ...plainEvent, organizer },
  })

  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['organizer']])
  assert.deepEqual(outside.asked, [])
})
