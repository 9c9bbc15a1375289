// Addresses that people and programs have kept lead on after a new slug or a merge.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { site, startTestApp, type TestApp } from '../support/app.ts'
import { changed, givenEvent, givenOrganizer, givenTerm, givenVenue, listedIds } from '../support/given.ts'
import { service } from '../support/signing.ts'

/** Where an address leads, without the site. */
async function ledTo(app: TestApp, path: string): Promise<string> {
  const { status, headers } = await app.send({ path })
  assert.equal(status, 301, path)
  return new URL(String(headers.location), 'https://x.example').href.replace(/^https?:\/\/[^/]*/, '')
}

async function merge(app: TestApp, plural: string, from: number, into: number): Promise<number> {
  const path = service(`/${plural}/${from}/merge`)
  const { status, body, text } = await app.send({ as: 'editor', method: 'POST', path, json: { into } })
  assert.equal(status, 200, text)
  return body.undo.id
}

test('former slugs of events, venues and organizers lead to the present ones, with all that follows them', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { slug: 'one' })
  await changed(app, `/events/${event.id}`, { slug: 'two' })
  await changed(app, `/events/${event.id}`, { slug: 'three' })
  const french = await givenEvent(app, { slug: 'un', ml_language: 'fr-CA', ml_translation_of: event.id })
  await changed(app, `/events/${french.id}`, { slug: 'deux' })

  assert.equal(await ledTo(app, '//event/one/'), '/event/three/')
  assert.equal(await ledTo(app, '//event/two/?utm=x&ical=1'), '/event/three/?utm=x&ical=1')
  assert.equal(await ledTo(app, '//event/one/embed/'), '/event/three/embed/')
  assert.equal(await ledTo(app, '//fr/event/un/'), '/fr/event/deux/')
  for (const [page, present] of Object.entries({
    '/event/one/': '/event/three/',
    '/fr/event/un/': '/fr/event/deux/',
  })) {
    const url = encodeURIComponent(`${site}${page}`)
    const { body } = await app.send({ path: `//oembed/1.0/embed?url=${url}` })
    assert.match(body.html, new RegExp(`src="${site}${present}embed/"`))
  }
  // Contract: routes of the interface know only the present slug.
  assert.equal((await app.send({ path: '/events/by-slug/one' })).status, 400)

  const other = await givenEvent(app, { slug: 'one' })
  assert.equal((await app.send({ path: '//event/one/' })).status, 200)
  assert.equal((await app.send({ path: '/events/by-slug/one' })).body.id, other.id)

  const paths = { venue: '/venues', organizer: '/organizers' } as const
  for (const [kind, path] of Object.entries(paths)) {
    const given = kind === 'venue' ? givenVenue : givenOrganizer
    const { id } = await given(app, { [kind]: 'Old' })
    await givenEvent(app, { title: 'Held', [kind]: id })
    await app.deps.storage.write((tx) => sql`update records set slug = 'new' where id = ${id}`.execute(tx))
    assert.equal(await ledTo(app, `//${kind}/old/?ical=1`), `/${kind}/new/?ical=1`)
    assert.equal((await app.send({ path: `${path}/by-slug/old` })).body.id, id)
    if (kind === 'organizer') continue
    const { text } = await app.send({ path: '//events/list/?venue=old' })
    assert.deepEqual([/>Held</.test(text), />Concert</.test(text)], [true, false])
  }
})

test('the card of a series that was renamed leads on, for pages of other sites as well', async (t) => {
  const app = await startTestApp(t)
  const json = {
    title: 'Yoga',
    slug: 'yoga',
    status: 'publish',
    ...plainTimes,
    recurrence: { rrule: 'FREQ=DAILY;COUNT=2' },
  }
  const made = await app.send({ as: 'editor', method: 'POST', path: service('/series'), json })
  await changed(app, service(`/series/${made.body.id}`), { slug: 'gentle-yoga' })

  assert.equal(await ledTo(app, '//event/yoga/'), '/event/gentle-yoga/')
  assert.equal(await ledTo(app, '//event/yoga/embed/'), '/event/gentle-yoga/embed/')
  const url = encodeURIComponent(`${site}/event/yoga/`)
  const { body, text } = await app.send({ path: `//oembed/1.0/embed?url=${url}` })
  assert.match(body.html ?? text, /\/event\/gentle-yoga\/embed\//)
})

const plainTimes = { start_date: '2030-02-01 19:00', end_date: '2030-02-01 20:00' }

test('a slug that was a draft’s, or is that of something in the trash, leads nowhere', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenEvent(app, { slug: 'secret', status: 'draft' })
  await changed(app, `/events/${draft.id}`, { slug: 'open', status: 'publish' })
  assert.equal((await app.send({ path: '//event/secret/' })).status, 404)
  const event = await givenEvent(app, { slug: 'was' })
  await changed(app, `/events/${event.id}`, { slug: 'is' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${event.id}` })
  assert.equal((await app.send({ path: '//event/was/' })).status, 404)
  assert.equal((await app.send({ path: '//event/is/' })).status, 410)
})

test('former slugs of categories and tags lead on, in pages, feeds and queries', async (t) => {
  const app = await startTestApp(t)
  for (const [plural, base, parameter] of [
    ['categories', '/events/category', 'category'],
    ['tags', '/tag', 'tag'],
  ] as const) {
    const term = await givenTerm(app, plural, { name: 'Music', slug: 'old' })
    const { id } = await givenEvent(app, { title: 'Held', [plural]: [term.id] })
    await givenEvent(app, { title: 'Other' })
    await changed(app, `/${plural}/${term.id}`, { slug: 'new' })

    for (const below of ['', '?feed=rss2', 'feed/', '?ical=1&past=1', 'month/2030-01/'])
      assert.equal(await ledTo(app, `/${base}/old/${below}`), `${base}/new/${below}`)
    assert.equal(await ledTo(app, `//events/${parameter}/old/`), `${base}/new/`)
    assert.deepEqual(await listedIds(app, `${plural}=old`), [id])
    assert.deepEqual((await app.send({ path: `/${plural}?slug=old` })).body[plural][0].id, term.id)
    const feed = await app.send({ path: `/events.ics?${plural}=old` })
    assert.deepEqual([feed.status, feed.text.match(/^SUMMARY:.*$/gm)?.length], [200, 1])
    const list = await app.send({ path: `//events/list/?${parameter}=old` })
    assert.deepEqual([/>Held</.test(list.text), />Other</.test(list.text)], [true, false])
    assert.equal((await app.send({ path: `/events?${plural}=never` })).status, 400)
    await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })
  }
})

test('a merged category or tag leads to the one that stays, until the merge is undone', async (t) => {
  const app = await startTestApp(t)
  for (const [plural, base] of [
    ['categories', '/events/category'],
    ['tags', '/tag'],
  ] as const) {
    const [one, two, three] = [
      await givenTerm(app, plural, { name: 'One', slug: 'one' }),
      await givenTerm(app, plural, { name: 'Two', slug: 'two' }),
      await givenTerm(app, plural, { name: 'Three', slug: 'three' }),
    ]
    const { id } = await givenEvent(app, { [plural]: [one.id] })
    await merge(app, plural, one.id, two.id)
    const last = await merge(app, plural, two.id, three.id)

    assert.equal(await ledTo(app, `/${base}/one/?feed=rss2`), `${base}/three/?feed=rss2`)
    assert.deepEqual(await listedIds(app, `${plural}=one`), [id])
    assert.deepEqual(await listedIds(app, `${plural}=${one.id}`), [id])
    assert.equal((await app.send({ path: `/${plural}/${one.id}` })).body.id, three.id)
    assert.deepEqual((await app.send({ path: `/${plural}?include=${one.id}` })).body[plural].length, 1)
    for (const method of ['DELETE', 'PATCH'] as const)
      assert.equal((await app.send({ as: 'editor', method, path: `/${plural}/${one.id}`, json: {} })).status, 400)

    const undone = await app.send({
      as: 'editor',
      method: 'POST',
      path: service(`/${plural}/merge/${last}/undo`),
      json: {},
    })
    assert.equal(undone.status, 200)
    assert.equal(await ledTo(app, `/${base}/one/`), `${base}/two/`)
    assert.equal((await app.send({ path: `/${plural}/${two.id}` })).body.id, two.id)
  }
})

test('a merged venue or organizer leads to the one that stays, for good', async (t) => {
  const app = await startTestApp(t)
  for (const kind of ['venue', 'organizer'] as const) {
    const given = kind === 'venue' ? givenVenue : givenOrganizer
    const [one, two] = [await given(app, { [kind]: 'One' }), await given(app, { [kind]: 'Two' })]
    const { id } = await givenEvent(app, { [kind]: one.id })
    const undo = await merge(app, `${kind}s`, one.id, two.id)
    const assertLed = async () => {
      assert.equal(await ledTo(app, `//${kind}/one/?ical=1`), `/${kind}/two/?ical=1`)
      assert.equal(await ledTo(app, `//?p=${one.id}`), `/${kind}/two/`)
      assert.deepEqual(await listedIds(app, `${kind}=${one.id}`), [id])
      assert.equal((await app.send({ path: `/${kind}s/${one.id}` })).body.id, two.id)
      assert.equal((await app.send({ path: `/${kind}s/by-slug/one` })).body.id, two.id)
    }
    await assertLed()
    // Editors still see what is in the trash.
    assert.equal((await app.send({ as: 'editor', path: `/${kind}s/${one.id}` })).body.id, one.id)

    await app.send({ as: 'editor', method: 'POST', path: service(`/${kind}s/merge/${undo}/undo`), json: {} })
    assert.equal((await app.send({ path: `//${kind}/one/` })).status, 200)
    assert.equal((await app.send({ path: `/${kind}s/${one.id}` })).body.id, one.id)

    await merge(app, `${kind}s`, one.id, two.id)
    await app.deps.storage.write((tx) => sql`delete from records where id = ${one.id}`.execute(tx))
    await assertLed()
  }
})
