import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent } from '../../../../test/support/given.ts'
import { availabilityFrom } from './offers.ts'

const adults = {
  ...{ name: 'Adults', url: 'https://example.org/tickets?a=1&b=2', price: '12.50', currency: 'CAD' },
  ...{ valid_from: '2030-01-10 00:00:00', valid_through: '2030-01-20 23:59:59', availability: 'limited_availability' },
}

async function read(app: TestApp, id: number) {
  return (await app.send({ path: `/events/${id}` })).body
}

test('an event has its offers only if somebody sent them, and reads them back as they were sent', async (t) => {
  const app = await startTestApp(t, { CURRENCY_CODE: 'CAD' })
  const plain = await givenEvent(app)
  const event = await givenEvent(app, { offers: [adults], availability: 'sold_out', capacity: 120 })

  for (const name of ['offers', 'availability', 'capacity', 'ticketed']) assert.ok(!(name in plain), name)
  const shown = await read(app, event.id)
  assert.deepEqual([shown.offers, shown.availability, shown.capacity], [[adults], 'sold_out', 120])
  assert.deepEqual(shown.ticketed, ['offers'])
  await changed(app, `/events/${event.id}`, { offers: shown.offers, availability: 'SoldOut', capacity: '120' })
  assert.deepEqual((await read(app, event.id)).offers, [adults])
  await changed(app, `/events/${event.id}`, { capacity: 0, availability: 'https://schema.org/InStock' })
  const { capacity, availability } = await read(app, event.id)
  assert.deepEqual([capacity, availability], [0, 'in_stock'])
  const cleared = await changed(app, `/events/${event.id}`, { offers: [], availability: '', capacity: null })
  for (const name of ['offers', 'availability', 'capacity', 'ticketed']) assert.ok(!(name in cleared), name)
})

test('offers are read from forms, and completed', async (t) => {
  const app = await startTestApp(t, { CURRENCY_CODE: 'CAD' })
  const { id } = await givenEvent(app)
  const put = async (offers: string) => {
    const form = `offers${offers}`
    const { status, text, body } = await app.send({ as: 'editor', method: 'POST', path: `/events/${id}`, form })
    assert.equal(status, 200, text)
    return body.offers
  }

  assert.deepEqual(await put(`=${encodeURIComponent('[{"low_price":10,"high_price":20.5}]')}`), [
    { low_price: '10', high_price: '20.5', currency: 'CAD' },
  ])
  assert.deepEqual(await put('[0][name]=A&offers[0][price]=5&offers[1][low_price]=7&offers[1][currency]=eur'), [
    { name: 'A', price: '5', currency: 'CAD' },
    { price: '7', currency: 'EUR' },
  ])
  assert.deepEqual(await put('[0][valid_from]=2030-01-10&offers[0][valid_through]=2030-01-11&offers[0][name]='), [
    { valid_from: '2030-01-10 00:00:00', valid_through: '2030-01-11 23:59:59' },
  ])
  assert.equal(await put('='), undefined)
})

test('offers that make no sense are refused', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const refusals: readonly (readonly [offers: unknown, message: RegExp])[] = [
    ['free', /must be a list of objects/],
    ['{"price":1}', /must be a list of objects/],
    [{ price: 1 }, /must be a list of objects/],
    [7, /must be a list/],
    [[1], /must be a list/],
    [[[]], /must be a list/],
    [Array(21).fill({ price: 1 }), /at most 20 items/],
    [[{ price: -1 }], /“offers.0.price” must be a number/],
    [[{ price: '1e9' }], /“offers.0.price”/],
    [[{ price: '12,50' }], /“offers.0.price”/],
    [[{}, { low_price: 5, high_price: 4 }], /“offers.1.high_price”/],
    [[{ price: 5, currency: 'XYZW' }], /“offers.0.currency” must be the code/],
    [[{ url: 'javascript:alert(1)' }], /“offers.0.url” must be a full address/],
    [[{ name: 'x'.repeat(201) }], /“offers.0.name” must have 0 to 200/],
    [[{ name: {} }], /“offers.0.name” must be text/],
    [[{ availability: 'many' }], /“offers.0.availability” must be one of/],
    [[{ valid_from: 'tomorrow' }], /“offers.0.valid_from” must be a day/],
    [[{ valid_from: '2030-01-11', valid_through: '2030-01-10' }], /“offers.0.valid_through” must not be before/],
  ]
  for (const [offers, message] of refusals) {
    const { status, body } = await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { offers } })
    assert.equal(status, 400, JSON.stringify(offers))
    assert.match(body.data.params.offers, message)
  }
  for (const capacity of [-1, 1.5, 'many', 1e10, true, []]) {
    const { status } = await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { capacity } })
    assert.equal(status, 400, String(capacity))
  }
  const strict = await app.send({
    ...{ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { offers: [{ prize: 1 }] } },
    headers: { prefer: 'handling=strict' },
  })
  assert.equal(strict.status, 400)
  assert.deepEqual(Object.keys(strict.body.data.params), ['offers.0.prize'])
})

test('markup in the name of an offer is removed', async (t) => {
  const app = await startTestApp(t)

  const { offers } = await givenEvent(app, {
    offers: [{ name: '<b onclick="x">Adults</b> & <script>alert(1)</script>' }],
  })

  assert.ok(!/[<>]/.test(offers[0].name), offers[0].name)
})

test('the cost follows from the offers if the event states none', async (t) => {
  const app = await startTestApp(t, { CURRENCY_CODE: 'CAD' })
  const { id } = await givenEvent(app, { offers: [{ price: 20 }, { low_price: 0, high_price: 5 }] })
  const costOf = async () => {
    const { cost, cost_details: details } = await read(app, id)
    return [cost, details.values]
  }

  assert.deepEqual(await costOf(), ['Free – $20', ['0', '5', '20']])
  await changed(app, `/events/${id}`, {
    offers: [
      { price: 20, currency: 'EUR' },
      { price: 5, currency: 'CAD' },
    ],
  })
  assert.deepEqual(await costOf(), ['€20', ['20']])
  assert.match((await app.send({ path: '/events.csv' })).text, /€20/)
  await changed(app, `/events/${id}`, { cost: 'Donation' })
  assert.equal((await costOf())[0], 'Donation')
  await changed(app, `/events/${id}`, { cost: '', title: 'Other' })
  assert.equal((await costOf())[0], '€20')
})

test('an offer with an address makes an event ticketed, and tickets of the operator stay', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { offers: [{ price: 5 }] })
  const own = await givenEvent(app)
  await app.deps.storage.write(async (tx) => {
    await tx.updateTable('events').set({ tickets: '[{}]', has_tickets: 1 }).where('record_id', '=', own.id).execute()
  })
  const listed = async (ticketed: boolean) => {
    const { body } = await app.send({ path: `/events?ticketed=${ticketed}` })
    return body.events.map((event: { id: number }) => event.id)
  }

  assert.deepEqual([await listed(true), await listed(false)], [[own.id], [id]])
  const offers = [{ url: 'https://example.org/' }]
  await changed(app, `/events/${id}`, { offers })
  await changed(app, `/events/${own.id}`, { offers })
  assert.deepEqual([await listed(true), await listed(false)], [[id, own.id], []])
  await changed(app, `/events/${id}`, { offers: null })
  await changed(app, `/events/${own.id}`, { offers: null })
  assert.deepEqual([await listed(true), await listed(false)], [[own.id], [id]])
})

test('a password hides the offers, and no filter reveals them', async (t) => {
  const app = await startTestApp(t)
  const sent = { offers: [adults], availability: 'sold_out', capacity: 5, event_password: 'open' }
  const { id } = await givenEvent(app, sent)

  const { body } = await app.send({ path: '/events' })
  const [masked] = body.events
  for (const name of ['offers', 'availability', 'capacity', 'ticketed']) assert.ok(!(name in masked), name)
  assert.equal(masked.cost, '')
  assert.equal((await app.send({ path: '/events?ticketed=true' })).body.total, 0)
  assert.equal((await app.send({ as: 'editor', path: '/events?ticketed=true' })).body.total, 1)
  const opened = await app.send({ path: `/events/${id}?password=open` })
  assert.deepEqual(opened.body.offers, [adults])
})

test('translations share offers, availability and capacity', async (t) => {
  const app = await startTestApp(t)
  const original = await givenEvent(app, { ml_language: 'en', offers: [adults], capacity: 10 })
  const translation = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: original.id })
  assert.deepEqual([translation.offers, translation.capacity], [[adults], 10])

  await changed(app, `/events/${translation.id}`, { availability: 'sold_out', offers: [] })

  const { offers, availability, capacity } = await read(app, original.id)
  assert.deepEqual([offers, availability, capacity], [undefined, 'sold_out', 10])
})

test('structured data has the offers in place of the cost', async (t) => {
  const app = await startTestApp(t, { CURRENCY_CODE: 'CAD' })
  const event = await givenEvent(app, {
    ...{ timezone: 'America/Toronto', cost: '30', availability: 'in_stock' },
    offers: [adults, { low_price: 5, high_price: 9 }],
  })
  const priced = await givenEvent(app, { cost: '30', availability: 'sold_out' })

  const { json_ld } = await read(app, event.id)
  const expected = [
    {
      ...{ '@type': 'Offer', name: 'Adults', price: '12.50', priceCurrency: 'CAD', url: adults.url },
      availability: 'https://schema.org/LimitedAvailability',
      ...{ validFrom: '2030-01-10T00:00:00-05:00', validThrough: '2030-01-20T23:59:59-05:00' },
    },
    {
      ...{ '@type': 'AggregateOffer', lowPrice: '5', highPrice: '9', priceCurrency: 'CAD', url: event.url },
      availability: 'https://schema.org/InStock',
    },
  ]
  assert.deepEqual(json_ld.offers, expected)
  const { offers } = (await read(app, priced.id)).json_ld
  assert.deepEqual([offers.price, offers.availability], ['30', 'https://schema.org/SoldOut'])
  const { text } = await app.send({ path: `/${new URL(event.url).pathname}` })
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
  assert.deepEqual(JSON.parse(data).offers, expected)
})

test('a page shows the offers with prices and availability in its language', async (t) => {
  const app = await startTestApp(t, { CURRENCY_CODE: 'CAD' })
  const event = await givenEvent(app, {
    ...{ timezone: 'UTC', availability: 'sold_out', capacity: 120 },
    offers: [
      { ...adults, name: 'Adults & <b>more</b>' },
      { price: 0, valid_through: '2030-01-14' },
      { low_price: 5, high_price: 9, valid_from: '2030-01-18' },
    ],
  })
  const translation = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: event.id })
  const page = async ({ url }: { readonly url: string }) => {
    const { text } = await app.send({ path: `/${new URL(url).pathname}` })
    const [section = ''] = /<section class="offers".*?<\/section>/s.exec(text) ?? []
    return section.replaceAll('\u00a0', ' ')
  }

  const [english, french] = [await page(event), await page(translation)]
  assert.match(english, /Sold out · Room for 120 people/)
  assert.match(english, /href="https:\/\/example.org\/tickets\?a=1&amp;b=2">Adults &amp; more<\/a>: \$12.50, Few left/)
  assert.match(english, /Free, no longer on sale/)
  assert.match(english, /\$5 – \$9, on sale from /)
  assert.match(french, /Complet · 120 places/)
  assert.match(french, /12,50 \$, Dernières places/)
  assert.match(french, /Gratuit, vente terminée/)
  const plain = await givenEvent(app)
  const { text } = await app.send({ path: `/${new URL(plain.url).pathname}` })
  assert.ok(!text.includes('class="offers"'))
})

test('availability is known under the names of schema.org', () => {
  for (const name of ['InStock', 'https://schema.org/InStock', 'in_stock', 'IN-STOCK', 'In stock']) {
    assert.equal(availabilityFrom(name), 'in_stock', name)
  }
  for (const name of ['', 'OutOfStock', 'constructor']) assert.equal(availabilityFrom(name), undefined, name)
})
