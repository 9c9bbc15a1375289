import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { page } from '../../../../test/support/pages.ts'
import { advanceSequence } from '../../../storage/database/copies/copy.sequences.ts'

test('the sitemap names every page of what visitors may find, and nothing else', async (t) => {
  const app = await startTestApp(t)
  const arts = await givenTerm(app, 'categories', { name: 'Arts' })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: arts.id })
  const tag = await givenTerm(app, 'tags', { name: 'Étiquette', ml_language: 'fr-CA' })
  const shown = [
    await givenEvent(app, { title: '日本', categories: [music.id] }),
    await givenEvent(app, { title: 'Récital', ml_language: 'fr-CA', tags: [tag.id] }),
    await givenVenue(app),
    { url: `${site}/events/category/arts/music/` },
    { url: `${site}/fr/tag/etiquette/` },
  ]
  for (const more of [
    { status: 'draft' },
    { status: 'private' },
    { event_password: 'x' },
    { hide_from_listings: true },
  ])
    await givenEvent(app, { title: 'Kept back', ...more })

  const index = await app.send({ path: '//sitemap.xml' })
  const file = await app.send({ path: '//sitemap-1.xml' })
  const addresses = [...file.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)

  assert.match(index.text, new RegExp(`<loc>${site}/sitemap-1.xml</loc>`))
  assert.deepEqual(addresses, [`${site}/events/`, `${site}/fr/events/`, ...shown.map(({ url }) => url)])
  for (const address of addresses) assert.equal((await page(app, address.slice(site.length))).status, 200, address)
  for (const number of ['0', '2', '999999']) assert.equal((await page(app, `/sitemap-${number}.xml`)).status, 404)
})

test('a file of the sitemap has few enough records to be written at once', async (t) => {
  const app = await startTestApp(t)
  const { storage } = app.deps
  const first = await givenEvent(app, { title: 'First' })
  await storage.write((tx) => advanceSequence(tx, storage.dialect, { table: 'records', id: 2500 }))
  const later = await givenEvent(app, { title: 'Later' })

  const index = await app.send({ path: '//sitemap.xml' })
  const files = await Promise.all([1, 2].map((number) => app.send({ path: `//sitemap-${number}.xml` })))

  assert.equal(later.id, 2501)
  assert.match(index.text, /sitemap-2\.xml/)
  assert.doesNotMatch(index.text, /sitemap-3\.xml/)
  assert.deepEqual(
    files.map(({ text }) => [first, later].map(({ url }) => text.includes(`<loc>${url}</loc>`))),
    [
      [true, false],
      [false, true],
    ],
  )
})
