import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenVenue } from '../../../../test/support/given.ts'
import { dataIn, elementIn, page } from '../../../../test/support/pages.ts'

const path = (url: string) => url.slice(site.length)

test('the page of an event says when, where, by whom and for how much', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const venue = await givenVenue(app, { venue: 'Hall & Garden', address: '1 Main Street', city: 'Laval' })
  const organizer = await givenOrganizer(app)
  const { url } = await givenEvent(app, {
    ...{ title: 'Fish & <em>Chips</em>', description: '<p>All <b>welcome</b></p>', cost: '10' },
    ...{ venue: venue.id, organizer: organizer.id, timezone: 'America/Toronto' },
  })

  const answer = await page(app, path(url))

  assert.equal(answer.status, 200)
  assert.equal(elementIn(answer, 'h1'), 'Fish &amp; Chips')
  assert.match(
    answer.text,
    /<time datetime="2030-01-22T19:00:00-05:00"[^>]*>Tuesday, January 22, 2030, 7–9\u00a0p\.m\.</,
  )
  for (const part of ['Hall &amp; Garden', '1 Main Street', 'Club', '$10', '<b>welcome</b>', '>Eastern Time (EST)<']) {
    assert.ok(answer.text.includes(part), part)
  }
})

test('a French page is written as in Québec: hours, zone, price, and texts that do not break before a colon', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto', CURRENCY_CODE: 'CAD' })
  const { url } = await givenEvent(app, {
    ...{ title: 'Verre sur la plage / : l’œuvre', cost: '10.5', ml_language: 'fr-CA', timezone: 'America/Toronto' },
    ...{ start_date: '2030-05-01 19:00:00', end_date: '2030-05-01 20:30:00', description: '<p>Où ?</p>' },
  })
  const free = await givenEvent(app, { title: 'Rien', cost: '0', ml_language: 'fr-CA' })

  const { text } = await page(app, path(url))
  const seen = text.replaceAll('\u00a0', '~')

  for (const part of [
    '>Mercredi 1er mai 2030, de~19~h à~20~h~30</time>',
    '>Heure de l’Est (HAE)</span>',
    '<h1>Verre sur la plage /~: l’œuvre</h1>',
    '<p>Où~?</p>',
    '<dt>Prix</dt><dd>10,50~$</dd>',
    '>Mai 2030</a>',
  ]) {
    assert.ok(seen.includes(part), part)
  }
  assert.match((await page(app, path(free.url))).text, /<dt>Prix<\/dt><dd>Gratuit<\/dd>/)
  const { body } = await app.send({ path: `/events/${free.id}` })
  assert.equal(body.cost, 'Free')
})

test('machines are told of an event in the words of schema.org and Open Graph, in both languages', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { city: 'Laval', geo_lat: 45.5, geo_lng: -73.7 })
  const english = await givenEvent(app, { title: 'Fish & Chips', cost: '10', venue: venue.id })
  const french = await givenEvent(app, { title: 'Poisson', ml_language: 'fr-CA', ml_translation_of: english.id })

  const answer = await page(app, path(english.url))
  const data = dataIn(answer)

  assert.deepEqual(
    [data?.['@type'], data?.name, data?.startDate, data?.inLanguage, data?.url],
    ['Event', 'Fish & Chips', '2030-01-22T19:00:00+00:00', 'en', english.url],
  )
  assert.deepEqual((data?.location as { geo: object } | undefined)?.geo, {
    '@type': 'GeoCoordinates',
    latitude: 45.5,
    longitude: -73.7,
  })
  assert.equal((data?.offers as { price: string } | undefined)?.price, '10')
  for (const part of [
    `<link rel="canonical" href="${english.url}">`,
    `<link rel="alternate" hreflang="fr-CA" href="${french.url}">`,
    '<meta property="og:title" content="Fish &amp; Chips">',
    `<meta property="og:url" content="${english.url}">`,
  ]) {
    assert.ok(answer.text.includes(part), part)
  }
  assert.equal(dataIn(await page(app, path(french.url)))?.inLanguage, 'fr-CA')
})

interface Described {
  readonly location: Readonly<Record<string, unknown>>
  readonly offers: Readonly<Record<'@type' | 'price' | 'lowPrice' | 'highPrice' | 'priceCurrency', string>>
  readonly isAccessibleForFree?: boolean
}

test('the structured data of an event has a place, an address and the parsed price, whatever the record has', async (t) => {
  const app = await startTestApp(t, { SITE_NAME: 'Town', CURRENCY_CODE: 'CAD' })
  const bare = await givenVenue(app, { venue: 'Salle' })
  const described = async (fields: object) => {
    const { url } = await givenEvent(app, { title: 'Concert', ...fields })
    return dataIn(await page(app, path(url))) as unknown as Described
  }
  const offerOf = async (cost: string) => {
    const { offers } = await described({ cost })
    const { '@type': type, price, lowPrice, highPrice, priceCurrency } = offers
    return [type, price ?? [lowPrice, highPrice].join('–'), priceCurrency]
  }

  assert.deepEqual((await described({})).location, {
    ...{ '@type': 'Place', name: 'Town', url: `${site}/`, address: 'Town' },
  })
  assert.deepEqual((await described({ venue: bare.id })).location, {
    ...{ '@type': 'Place', name: 'Salle', url: bare.url, address: 'Salle' },
  })
  assert.equal((await described({ attendance: 'online' })).location['@type'], 'VirtualLocation')
  assert.deepEqual(await offerOf('9,000'), ['Offer', '9000', 'CAD'])
  assert.deepEqual(await offerOf('€12'), ['Offer', '12', 'EUR'])
  assert.deepEqual(await offerOf('10 $ à 25 $'), ['AggregateOffer', '10–25', 'CAD'])
  const free = await described({ cost: 'Entrée libre' })
  assert.deepEqual([free.offers.price, free.isAccessibleForFree], ['0', true])
})

test('of a protected event a page shows no more than a list, until its password comes', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { venue: 'Hidden Hall' })
  const sent = {
    title: 'Members',
    description: '<p>Behind the door</p>',
    excerpt: 'Behind',
    venue: venue.id,
    tags: ['Hush'],
  }
  const { url } = await givenEvent(app, { ...sent, event_password: 'sesame', featured: true })
  const secrets = /Behind|Hidden Hall|Hush|Featured|og:|ld\+json/
  const form = (password: string) =>
    app.send({
      ...{ method: 'POST' as const, path: `/${path(url)}`, form: new URLSearchParams({ password }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  const locked = await page(app, path(url))
  const [wrong, opened] = [await form('please'), await form('sesame')]

  // Terms and venues are public, so filters name them.
  const [, listed = ''] = (await page(app, '/events/')).text.split('data-results')
  for (const text of [locked.text, wrong.text, listed]) assert.doesNotMatch(text, secrets)
  assert.deepEqual([locked.status, wrong.status, opened.status], [200, 403, 200])
  assert.match(locked.text, /<meta name="robots" content="noindex">/)
  assert.match(opened.text, /Behind the door/)
  assert.equal(opened.headers['cache-control'], 'no-store')
})

test('what visitors may not see is not there, and what is in the trash is gone', async (t) => {
  const app = await startTestApp(t)
  const statusOf = async (address: string) => (await page(app, address)).status
  const [draft, own] = [
    await givenEvent(app, { status: 'draft', slug: 'draft' }),
    await givenEvent(app, { title: 'Own', status: 'private' }),
  ]
  const shown = await givenEvent(app, { title: 'Shown' })
  const never = await givenEvent(app, { title: 'Never', status: 'draft', slug: 'never' })
  for (const { id } of [shown, never]) await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })

  assert.deepEqual(
    await Promise.all([`/event/${draft.slug}/`, path(own.url), '/event/none/'].map(statusOf)),
    [404, 404, 404],
  )
  assert.deepEqual(await Promise.all([path(shown.url), '/event/never/'].map(statusOf)), [410, 404])
  for (const odd of ['%00', '%ED%A0%80', '%', 'a'.repeat(1900), '%F0%9F%8E%89', "'--", '..%2f']) {
    assert.equal(await statusOf(`/event/${odd}/`), 404, odd)
  }
})

test('a slug of the other language leads to the page there', async (t) => {
  const app = await startTestApp(t)
  const { url } = await givenEvent(app, { title: 'Récital', ml_language: 'fr-CA' })

  const answer = await app.send({ path: '//event/recital/' })

  assert.deepEqual([answer.status, answer.headers.location], [302, path(url)])
})

test('a description brings neither styles of its own nor pictures of others into the page', async (t) => {
  const app = await startTestApp(t)
  const description =
    '<h1>Head</h1><p style="color:red" class="site">Text</p><img src="https://elsewhere.test/p.png" alt="Poster">' +
    `<a href="https://elsewhere.test/"><img src="https://elsewhere.test/q.png"></a><img src="${site}/uploads/r.png" alt="Ours">`
  const { url } = await givenEvent(app, { description })

  const { text } = await page(app, path(url))

  assert.doesNotMatch(text, /style=|<h1>Head|src="https:\/\/elsewhere/)
  assert.match(text, /<a class="outside" rel="nofollow noopener" href="https:\/\/elsewhere.test\/p.png">Poster<\/a>/)
  assert.match(text, /<a href="https:\/\/elsewhere.test\/"[^>]*>Picture<\/a>/)
  assert.match(text, /<img [^>]*src="http:\/\/calendar.test\/uploads\/r.png" alt="Ours"/)
})

test('an event tells the way to where it takes place, and only there', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall', address: '1 Main Street', city: 'Laval', show_map_link: true })
  const way = async (fields: object) => {
    const { url } = await givenEvent(app, { venue: hall.id, show_map_link: true, ...fields })
    return /<a [^>]*href="([^"]*directions[^"]*)">Directions</.exec((await page(app, path(url))).text)?.[1]
  }

  assert.equal(await way({}), 'https://www.openstreetmap.org/directions?to=1%20Main%20Street%2C%20Laval')
  for (const other of [{ attendance: 'online' }, { event_status: 'canceled' }, { show_map_link: false }])
    assert.equal(await way(other), undefined, JSON.stringify(other))
})

test('pages run and load only what comes from here', async (t) => {
  const app = await startTestApp(t)
  const { url } = await givenEvent(app)

  const { headers, text } = await page(app, path(url))
  const policy = String(headers['content-security-policy'])
  const [, style = '', script = ''] =
    /<link rel="stylesheet" href="([^"]+)">[\s\S]*<script type="module" src="([^"]+)"/.exec(text) ?? []

  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  for (const file of [style, script]) {
    const answer = await app.send({ path: `/${file}` })
    assert.deepEqual(
      [answer.status, answer.headers['cache-control']],
      [200, 'public, max-age=31536000, immutable'],
      file,
    )
  }
  assert.equal((await app.send({ path: '//assets/site-0000000000000000.css' })).status, 404)
})

test('too many wrong passwords are told to wait, even with the right one, and the page stays a page', async (t) => {
  const app = await startTestApp(t, { FAILURE_LIMIT: '1/600' })
  const { url } = await givenEvent(app, { event_password: 'open' })
  const send = (password: string) => app.send({ path: `/${path(url)}`, method: 'POST', form: `password=${password}` })

  const statuses: number[] = []
  // The limit of one event is ten times that of one client. Requests of tests have no client key.
  for (let time = 0; time < 11; time += 1) statuses.push((await send('wrong')).status)
  const right = await send('open')

  assert.deepEqual(statuses, [...Array(10).fill(403), 429])
  assert.equal(right.status, 429)
  assert.ok(Number(right.headers['retry-after']) > 0)
  assert.match(right.text, /<h1>/)
  assert.equal((await app.send({ path: `/${path(url)}` })).status, 200)
})
