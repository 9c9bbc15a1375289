import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict } from 'entities'
import { site, startTestApp } from '../../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'

const vendor = { VENDOR_WORD: 'tribe', REST_PREFIX: '/wp-json', LANGUAGE_PARAMETER: 'wpml_language' }

test('every page says where the interface is, as the interface does', async (t) => {
  for (const [environment, prefix, word] of [
    [{}, '', 'cal'],
    [vendor, '/wp-json', 'tribe'],
  ] as const) {
    const app = await startTestApp(t, environment)
    await givenEvent(app, { title: 'Concert' })
    for (const [path, language] of [
      ...['/events/', '/events/month/', '/events/2030-01-22/', '/events/map/', '/event/concert/'].map(
        (address) => [address, ''] as const,
      ),
      ['/fr/events/', '/fr'],
    ] as const) {
      const { headers, text } = await app.send({ path: `/${path}` })
      const root = `${site}${prefix}${language}/${word}/events/v1/`
      assert.deepEqual(
        [headers['x-tec-api-version'], headers['x-tec-api-root'], headers['x-tec-api-origin'], headers.link],
        ['v1', root, site, `<${site}${prefix}${language}/>; rel="https://api.w.org/"`],
        path,
      )
      for (const element of [
        '<meta name="tec-api-version" content="v1">',
        `<meta name="tec-api-origin" content="${site}">`,
        `<link rel="https://theeventscalendar.com/" href="${root}">`,
        `<link rel="alternate" href="${root}">`,
        `<link rel="https://api.w.org/" href="${site}${prefix}${language}/">`,
      ])
        assert.ok(text.includes(element), `${path}: ${element}`)
      assert.equal((await app.send({ path: `/${root.slice(site.length)}` })).body.namespace, `${word}/events/v1`)
    }
  }
})

test('the root says what clients ask of a site', async (t) => {
  for (const [zone, offset, name] of [
    ['America/Toronto', -5, 'America/Toronto'],
    ['Asia/Kolkata', 5.5, 'Asia/Kolkata'],
    ['UTC', 0, 'UTC'],
    ['UTC-3:30', -3.5, ''],
    ['UTC+0', 0, ''],
  ] as const) {
    const app = await startTestApp(t, { ...vendor, SITE_TIMEZONE: zone })
    const { body } = await app.send({ path: '//wp-json/' })
    assert.deepEqual([body.gmt_offset, body.timezone_string], [offset, name], zone)
    assert.deepEqual(
      [body.page_for_posts, body.page_on_front, body.show_on_front, body.site_logo, body.site_icon, body.site_icon_url],
      [0, 0, 'posts', 0, 0, ''],
    )
  }
  const summer = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  summer.pass(86_400 * 180)
  assert.equal((await summer.send({ path: '//' })).body.gmt_offset, -4)
})

test('the interface is found below the language that stands in the path of a site', async (t) => {
  const app = await startTestApp(t, vendor)
  const { id } = await givenEvent(app)
  const known = async (path: string) => (await app.send({ path: `/${path}` })).text

  for (const below of ['', '/', '/tribe/events/v1', '/tribe/events/v1/', `/tribe/events/v1/events/${id}`, '/tribe/no'])
    assert.equal(await known(`/fr/wp-json${below}`), await known(`/wp-json/fr${below}`), below)
  assert.equal(
    await known('/fr/?rest_route=/tribe/events/v1/venues'),
    await known('/wp-json/fr/tribe/events/v1/venues'),
  )
  const written = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//fr/wp-json/tribe/events/v1/tags', json: { name: 'Fort' } },
  })
  assert.equal(written.status, 201)
  for (const namespace of ['wp/v2', 'tribe/service/v1']) {
    for (const as of ['author', undefined] as const) {
      const ask = (path: string) => app.send({ path, ...(as ? { as } : {}) })
      const [here, there] = [await ask(`//fr/wp-json/${namespace}/media`), await ask(`//wp-json/fr/${namespace}/media`)]
      assert.deepEqual([here.status, here.text], [there.status, there.text])
      assert.ok(as === undefined || here.status === 200, namespace)
    }
  }
})

test('an event may be embedded: its page names the way, and the card is one that any site may frame', async (t) => {
  for (const environment of [{}, vendor] as const) {
    const app = await startTestApp(t, environment)
    const { body: image } = await app.send({
      ...{
        as: 'administrator',
        method: 'POST',
        path: `//${Object.keys(environment).length > 0 ? 'wp-json/tribe' : 'cal'}/service/v1/media`,
      },
      ...form(await picture(1600, 1000)),
    })
    const hall = await givenVenue(app, { venue: 'Hall', city: 'Laval' })
    const { url } = await givenEvent(app, { title: 'Rock & “roll”', venue: hall.id, image: image.id })
    const { text } = await app.send({ path: `/${url.slice(site.length)}` })
    const link = /<link rel="alternate" type="application\/json\+oembed"[^>]* href="([^"]*)">/.exec(text)?.[1] ?? ''
    const address = decodeHTMLStrict(link)

    const { status, body, headers } = await app.send({ path: `/${address.slice(site.length)}` })
    assert.equal(status, 200, address)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.deepEqual(
      [body.version, body.type, body.title, body.provider_name, body.provider_url, body.width, body.height],
      ['1.0', 'rich', 'Rock & “roll”', 'Calendar', site, 600, 320],
    )
    assert.ok(body.thumbnail_url.startsWith(`${site}/`) && body.thumbnail_width <= 1024)
    assert.equal(body.thumbnail_height, Math.round((body.thumbnail_width * 1000) / 1600))
    const source = /<iframe src="([^"]*)" width="600" height="320" title="([^"]*)"/.exec(body.html)
    assert.deepEqual([source?.[1], decodeHTMLStrict(source?.[2] ?? '')], [`${url}embed/`, 'Rock & “roll”'])

    const small = await app.send({ path: `/${address.slice(site.length)}&maxwidth=200&maxheight=150` })
    assert.deepEqual([small.body.width, small.body.height], [200, 150])

    const card = await app.send({ path: `/${url.slice(site.length)}embed/` })
    assert.equal(card.status, 200)
    assert.match(String(card.headers['content-security-policy']), /frame-ancestors \*$/)
    assert.doesNotMatch(String(card.headers['content-security-policy']), /unsafe/)
    assert.equal(card.headers['x-frame-options'], undefined)
    assert.match(card.text, /<h1><a href="[^"]*" target="_top">Rock &amp; “roll”<\/a><\/h1>/)
    assert.match(card.text, /Hall, Laval/)
    assert.match(card.text, new RegExp(`<link rel="canonical" href="${url}">`))
  }
})

test('what may not be embedded is told as such, and a card hides what a password protects', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const secret = { event_password: 'sesame', description: 'Knock twice', venue: hall.id }
  await givenEvent(app, { title: 'Members', ...secret })
  await givenEvent(app, { title: 'Draft', status: 'draft', slug: 'draft' })
  const oembed = (query: string) => app.send({ path: `//oembed/1.0/embed?${query}` })
  const of = (url: string) => oembed(`url=${encodeURIComponent(url)}`)

  for (const url of [
    `${site}/event/nope/`,
    `${site}/event/draft/`,
    `${site}/events/`,
    'https://x.example/event/members/',
    'x',
  ]) {
    const { status, body } = await of(url)
    assert.deepEqual([status, body.code], [404, 'oembed_invalid_url'], url)
  }
  const unnamed = await oembed('')
  assert.deepEqual([unnamed.status, unnamed.body.code], [400, 'rest_missing_callback_param'])
  const xml = await oembed(`url=${encodeURIComponent(`${site}/event/members/`)}&format=xml`)
  assert.equal(xml.status, 501)
  const unset = await oembed(`url=${encodeURIComponent(`${site}/event/members/`)}&format=`)
  assert.equal(unset.status, 200)
  const told = await of(`${site}/event/members/`)
  assert.deepEqual([told.status, told.body.title, told.body.thumbnail_url], [200, 'Members', undefined])
  const card = await app.send({ path: '//event/members/embed/' })
  assert.match(card.text, /Password-protected/)
  assert.doesNotMatch(card.text, /Knock|Hall/)
})

test('what a list tells search engines stays small, however long the names on it are', async (t) => {
  const app = await startTestApp(t)
  for (let number = 1; number <= 20; number += 1) {
    await givenEvent(app, {
      title: `Concert ${number}`,
      start_date: `2030-02-${String(number).padStart(2, '0')} 19:00:00`,
      end_date: `2030-02-${String(number).padStart(2, '0')} 21:00:00`,
      organizer: [{ organizer: `${number} ${'Society of music '.repeat(900)}` }],
    })
  }

  for (const path of ['//events/', '//events/month/2030-02/']) {
    const { text } = await app.send({ path })
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
    assert.ok(data.length > 10_000 && data.length < 250_000, `${path}: ${data.length}`)
  }
})
