// Signs that people cannot tell apart are one sign in searches and names (rulings.md 45).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue, listedIds } from '../support/given.ts'

const likeNames = [
  "L'Anti-Bar œuvre 5 à 7",
  'L’Anti‑Bar œuvre\u00a05 à 7',
  'LʼAnti–Bar OEUVRE 5 à\u202f7',
  'L`An\u00adti—Bar  œuvre 5 à 7\u200b',
  '\ufeffl´anti-bar ｏeuvre 5 à 7',
]

test('an event is found by any form of its signs, and by phrases in any quotes', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, {
    title: 'Soirée d’ouverture',
    description: '<p>Jazz&nbsp;&ndash; «\u00a0Le Cid\u00a0» n°&nbsp;5</p>',
  })
  await givenEvent(app, { title: 'Soirée d’une ouverture' })

  for (const search of [
    ...[..."'’‘ʼ′`´"].map((sign) => `d${sign}ouverture`),
    ...["“soirée d'ouverture”", '«\u00a0soirée d’ouverture\u00a0»', '„soirée d’ouverture“', '"soirée d’ouverture"'],
    ...['"jazz - "le', '"jazz — “Le Cid”', "''Le Cid''", 'nº 5', 'ou\u00advert\u200bure "le cid'],
    'ouverture –une',
  ])
    assert.deepEqual(await listedIds(app, `search=${encodeURIComponent(search)}`), [id], search)
})

test('venues and organizers of names that look alike are one', async (t) => {
  const app = await startTestApp(t)
  const [name = '', ...others] = likeNames
  const venue = await givenVenue(app, { venue: name })
  const organizer = await givenOrganizer(app, { organizer: name })

  for (const other of others) {
    const event = await givenEvent(app, { venue: { venue: other }, organizer: { organizer: other } })
    assert.deepEqual([event.venue.id, event.organizer[0].id], [venue.id, organizer.id], other)
    for (const plural of ['venues', 'organizers']) {
      const found = await app.send({ path: `/${plural}?search=${encodeURIComponent(other)}` })
      assert.equal(found.body.total, 1, `${plural} ${other}`)
    }
  }
})

test('categories and tags of names that look alike are one, with other accents they are two', async (t) => {
  const app = await startTestApp(t)
  const [name = '', ...others] = likeNames
  for (const plural of ['categories', 'tags'] as const) {
    const { id } = await givenTerm(app, plural, { name })
    for (const other of others) {
      const again = await app.send({ as: 'administrator', method: 'POST', path: `/${plural}`, json: { name: other } })
      assert.deepEqual([again.status, again.body.data.term_id], [400, id], again.text)
      const event = await givenEvent(app, { [plural]: [other] })
      assert.deepEqual(
        event[plural].map((term: { id: number }) => term.id),
        [id],
        other,
      )
      const found = await app.send({ path: `/${plural}?search=${encodeURIComponent(other)}` })
      assert.equal(found.body.total, 1, other)
      assert.equal((await listedIds(app, `${plural}=${encodeURIComponent(other)}`)).length > 0, true, other)
    }
    const other = await givenTerm(app, plural, { name: "L'Anti-Bar œuvre 5 a 7" })
    assert.notEqual(other.id, id)
  }
})
