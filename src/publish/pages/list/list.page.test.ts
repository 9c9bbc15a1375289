import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { elementIn, page, titlesIn } from '../../../../test/support/pages.ts'
import { form, picture } from '../../../../test/support/pictures.ts'

const on = (day: string, title: string, more: object = {}) => ({
  title,
  start_date: `${day} 19:00:00`,
  end_date: `${day} 21:00:00`,
  ...more,
})

test('the list shows what ends today or later, the next first, and what is over the other way round', async (t) => {
  const app = await startTestApp(t)
  for (const [day, title] of [
    ['2030-01-14', 'Yesterday'],
    ['2029-12-01', 'Long ago'],
    ['2030-01-16', 'Tomorrow'],
  ] as const)
    await givenEvent(app, on(day, title))
  await givenEvent(app, { title: 'This morning', start_date: '2030-01-15 08:00:00', end_date: '2030-01-15 09:00:00' })
  await givenEvent(app, { title: 'All winter', start_date: '2029-12-21 08:00:00', end_date: '2030-03-20 09:00:00' })

  assert.deepEqual(titlesIn(await page(app, '/events/')), ['All winter', 'This morning', 'Tomorrow'])
  assert.deepEqual(titlesIn(await page(app, '/events/?past=1')), ['Yesterday', 'Long ago'])
  const found = await page(app, '/events/?past=1&search=yesterday')
  assert.deepEqual(titlesIn(found), ['Yesterday'])
  assert.match(found.text, /<title>1 event with “yesterday” – /)
})

test('each filter narrows the list, and what fits nothing says so', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const hall = await givenVenue(app)
  await givenEvent(app, on('2030-02-01', 'Concert', { categories: [music.id], venue: hall.id, tags: ['Loud'] }))
  await givenEvent(app, on('2030-02-02', 'Reading'))

  for (const query of ['search=concert', 'category=music', 'tag=loud', 'venue=hall', 'to=2030-02-01']) {
    assert.deepEqual(titlesIn(await page(app, `/events/?${query}`)), ['Concert'], query)
  }
  assert.deepEqual(titlesIn(await page(app, '/events/?from=2030-02-02')), ['Reading'])
  for (const query of ['search=zzz', 'category=none', 'tag=loud&from=2030-02-02', 'venue=nowhere']) {
    const answer = await page(app, `/events/?${query}`)
    assert.deepEqual([answer.status, titlesIn(answer)], [200, []], query)
    assert.match(answer.text, /No events match your search/)
  }
})

test('where there are too many names to choose from, a part of one narrows as well', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Salle André-Mathieu' })
  const other = await givenVenue(app, { venue: 'Salle Alfred-Pellan' })
  await givenVenue(app, { venue: 'Salle du conseil', status: 'draft' })
  for (let number = 1; number <= 48; number += 1) await givenVenue(app, { venue: `Place ${number}` })
  const { text: whole } = await page(app, '/events/')
  const [select = ''] = /<select id="f-venue".*?<\/select>/s.exec(whole) ?? []
  assert.equal([...select.matchAll(/<option/g)].length, 51, 'any of them, and each of fifty')
  await givenVenue(app, { venue: 'Place 49' })
  await givenEvent(app, on('2030-02-01', 'Concert', { venue: hall.id }))
  await givenEvent(app, on('2030-02-02', 'Reading', { venue: other.id, categories: ['Books, old'] }))
  await givenEvent(app, on('2030-02-03', 'Elsewhere'))

  const { text } = await page(app, '/fr/events/?venue=salle')
  assert.match(text, /<input type="text" id="f-venue" name="venue" value="salle"[^>]* placeholder="Tapez un nom…"/)
  assert.match(text, /data-names="\/fr\/[^"]*\/venues\?per_page=10&amp;[a-z_]+=fr-CA"/)
  for (const [query, titles] of [
    ['venue=salle', ['Concert', 'Reading']],
    ['venue=ANDRE-m', ['Concert']],
    ['venue=salle-alfred-pellan', ['Reading']],
    ['venue=conseil', []],
    ['venue=%25', []],
    ['category=books,', ['Reading']],
    ['category=newspapers', []],
  ] as const) {
    const answer = await page(app, `/events/?${query}`)
    assert.deepEqual(titlesIn(answer), titles, query)
    const [, address = ''] = /type="application\/rss\+xml"[^>]* href="([^"]+)"/.exec(answer.text) ?? []
    const { pathname, search } = new URL(address.replaceAll('&amp;', '&'))
    const feed = await app.send({ path: `/${pathname}${search}` })
    assert.deepEqual(
      [...feed.text.matchAll(/<item>\s*<title>([^<]*)/g)].map(([, title]) => title).sort(),
      titles,
      query,
    )
  }
})

test('what makes no sense is told, and nothing of it breaks a page', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app)

  for (const [query, status] of [
    ...(['from=2030-02-30', 'to=yesterday', 'from=2030-02-02&to=2030-02-01', 'from=0000-01-01'] as const).map(
      (query) => [query, 400] as const,
    ),
    ...(['page=0', 'page=2', 'page=x', 'page=99999999999', 'page[]=1'] as const).map((query) => [query, 404] as const),
    ...(
      ['from=0001-01-01', 'to=9999-12-31', 'search[]=x', 'category=%00', 'search=%F0%9F', 'category=%ED%A0%80'] as const
    ).map((query) => [query, 200] as const),
  ]) {
    const answer = await page(app, `/events/?${query}`)
    assert.equal(answer.status, status, query)
    assert.doesNotMatch(answer.text, /undefined|NaN|\[object/, query)
  }
})

test('a long list is shown page by page, and a page stays small', async (t) => {
  const app = await startTestApp(t)
  const description = `<p>${'A long evening of many words. '.repeat(200)}</p>`
  for (let number = 1; number <= 21; number += 1)
    await givenEvent(app, on('2030-02-01', `${'Very long title '.repeat(12)}${number}`, { description }))

  const [first, second] = [await page(app, '/events/'), await page(app, '/events/?page=2')]

  assert.deepEqual([titlesIn(first).length, titlesIn(second).length], [20, 1])
  assert.match(first.text, /rel="next" href="\/events\/\?page=2"/)
  assert.match(second.text, /rel="prev" href="\/events\/"/)
  assert.ok(first.bytes.length < 60_000, `${first.bytes.length} bytes`)
})

test('French pages show French events in French', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, on('2030-02-01', 'Concert'))
  await givenEvent(app, on('2030-02-01', 'Récital', { ml_language: 'fr-CA' }))

  const [english, french] = [await page(app, '/events/'), await page(app, '/fr/events/')]

  assert.deepEqual([titlesIn(english), titlesIn(french)], [['Concert'], ['Récital']])
  assert.deepEqual([elementIn(english, 'h1'), elementIn(french, 'h1')], ['Upcoming events', 'Événements à venir'])
  assert.match(french.text, /<html lang="fr-CA">/)
  assert.match(french.text, /href="\/fr\/event\/recital\/"/)
})

test('a page is given again from memory until something is written or the day ends', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app)
  const first = await page(app, '/events/')
  app.statements()

  const again = await page(app, '/events/')
  const asked = app.statements().filter((sql) => !sql.includes('revisions'))
  const { etag = '' } = first.headers
  const known = await app.send({ path: '//events/', headers: { 'if-none-match': etag } })

  assert.deepEqual([again.text, asked], [first.text, []])
  assert.equal(known.status, 304)
  app.pass(86_400 * 30)
  assert.deepEqual(titlesIn(await page(app, '/events/')), [])
  await givenEvent(app, on('2030-03-01', 'New'))
  assert.deepEqual(titlesIn(await page(app, '/events/')), ['New'])
})

test('a list costs as many queries for many events as for one', async (t) => {
  const app = await startTestApp(t)
  const count = async () => {
    // The cached venues and terms are then not the newest.
    await Promise.all([givenVenue(app), givenTerm(app, 'tags', { name: `Tag ${randomUUID()}` })])
    app.statements()
    await page(app, '/events/')
    return app.statements().length
  }
  const venue = await givenVenue(app)
  await givenEvent(app, { venue: venue.id, tags: ['a'] })
  const few = await count()
  for (let number = 0; number < 8; number += 1) await givenEvent(app, { venue: venue.id, tags: ['a', `b${number}`] })

  assert.equal(await count(), few)
})

test('pages can be switched off, and leave addresses of the interface alone', async (t) => {
  const app = await startTestApp(t, { PAGES: 'false' })
  const other = await startTestApp(t, { VENDOR_WORD: 'event' })

  assert.equal((await app.send({ path: '//events/' })).body.code, 'rest_no_route')
  assert.deepEqual((await other.send({ path: '/events' })).body.events, [])
})

test('the pictures that are seen at once are asked for at once, and the others when they come near', async (t) => {
  const app = await startTestApp(t)
  const { body } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(800, 600)),
  })
  for (const day of ['2030-01-20', '2030-01-21', '2030-01-22', '2030-02-01'])
    await givenEvent(app, on(day, day, { image: body.id }))

  const { text } = await page(app, '/events/')
  const pictures = [...text.matchAll(/<img [^>]*uploads[^>]*>/g)].map(([element]) => element.includes('loading="lazy"'))

  assert.deepEqual(pictures, [false, false, true, true])
})

test('a name of which nothing is left once it is compared finds nothing, in every view', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Zydeco', venue: { venue: 'Hall' }, tags: ['jazz'], categories: ['Music'] })

  for (const view of ['', 'month/2030-01/', 'map/']) {
    for (const name of ['venue', 'category', 'tag']) {
      const { status, text } = await app.send({ path: `//fr/events/${view}?${name}=%CC%81` })
      assert.equal(status, 200, `${view} ${name}`)
      assert.doesNotMatch(text, /Zydeco/, `${view} ${name}`)
    }
  }
})

test('a field for days takes no year that is being typed, and what an address asks for is valid in it', async (t) => {
  const app = await startTestApp(t)
  const fields = async (query: string) =>
    [
      ...(await page(app, `/events/${query}`)).text.matchAll(/<input type="date"[^>]* value="([^"]*)" min="([^"]*)"/g),
    ].map(([, value, min]) => [value, min])

  assert.deepEqual(await fields('?from=2030-02-01'), [
    ['2030-02-01', '1970-01-01'],
    ['', '1970-01-01'],
  ])
  assert.deepEqual(await fields('?from=1867-07-01&to=2030-02-30'), [
    ['1867-07-01', '1867-07-01'],
    ['', '1970-01-01'],
  ])
})
