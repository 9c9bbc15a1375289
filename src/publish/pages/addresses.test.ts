import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict } from 'entities'
import { site, startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { elementIn } from '../../../test/support/pages.ts'
import { form, picture } from '../../../test/support/pictures.ts'

/** Creates records of every kind in both languages, with the same names. */
async function fill(app: TestApp): Promise<{ readonly ids: Readonly<Record<string, number>> }> {
  const { languageParameter } = app.deps.config
  const translation = `${languageParameter.replace(/language$/, '')}translation_of`
  const french = (id: number) => ({ [languageParameter]: 'fr-CA', [translation]: id })
  const arts = await givenTerm(app, 'categories', { name: 'Arts' })
  const artsInFrench = await givenTerm(app, 'categories', { name: 'Arts', ...french(arts.id) })
  const music = await givenTerm(app, 'categories', { name: 'Music', parent: arts.id })
  await givenTerm(app, 'categories', { name: 'Music', parent: artsInFrench.id, ...french(music.id) })
  const loud = await givenTerm(app, 'tags', { name: 'Loud' })
  await givenTerm(app, 'tags', { name: 'Loud', ...french(loud.id) })
  const hall = await givenVenue(app)
  await givenVenue(app, { ...french(hall.id) })
  const club = await givenOrganizer(app)
  await givenOrganizer(app, { ...french(club.id) })
  const linked = { categories: [music.id], tags: [loud.id], venue: hall.id, organizer: club.id }
  const ids: Record<string, number> = {}
  for (const [title, day, more] of [
    ['Over', '2030-01-02', linked],
    ['Cafe', '2030-01-15', {}],
    ['Concert', '2030-01-22', { ...linked, featured: true }],
    ['Reading', '2030-02-10', { categories: [arts.id] }],
    ['Secret', '2030-01-23', { event_password: 'sesame' }],
  ] as const) {
    const event = { title, start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00`, ...more }
    const { id } = await givenEvent(app, event)
    await givenEvent(app, { ...event, ...french(id) })
    ids[title] = id
  }
  return { ids }
}

/** Creates a series with the same name in both languages, which has two dates on its first day, and removes the last one. */
async function fillSeries(app: TestApp): Promise<void> {
  const { languageParameter } = app.deps.config
  const { series } = await givenEvent(app, {
    ...{ title: 'Yoga', start_date: '2030-01-18 19:00:00', end_date: '2030-01-18 20:00:00' },
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', dates: ['2030-01-18 21:00:00'] },
  })
  const json = { title: 'Yoga', [languageParameter]: 'fr-CA' }
  const path = `/${series.rest_url.slice(site.length)}`
  const translated = await app.send({ as: 'administrator', method: 'POST', path: `${path}/translations`, json })
  assert.equal(translated.status, 201, translated.text)
  for (const language of ['en', 'fr-CA']) {
    const query = `series=${series.id}&start_date=2030-02-01&end_date=2031-01-01&${languageParameter}=${language}`
    const { body } = await app.send({ path: `/events?${query}` })
    await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${body.events[0].id}` })
  }
}

/** Returns the names of the events in the structured data of a page. */
function namesTold({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    .flatMap(([, data = '']) => JSON.parse(data))
    .filter((item) => item['@type'] === 'Event')
    .map(({ name }) => name)
}

function canonicalOf({ text }: TestAnswer): string | undefined {
  const address = /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1]
  return address && decodeHTMLStrict(address).slice(site.length)
}

/** Returns the titles of the events of a feed in any format. */
function titlesOf(text: string): readonly string[] {
  const [, ...events] = text.split(/BEGIN:VEVENT|<(?:item|entry)[ >]/)
  return events.map((part) => /(?:SUMMARY[^:]*:|<title[^>]*>)([^<\r]*)/.exec(part)?.[1] ?? '')
}

const all = ['Cafe', 'Concert', 'Reading']
const january = ['Cafe', 'Concert']

/**
 * Addresses of views: the canonical one, and the events that it shows. `{v}` is the vendor's word, `{l}` the language.
 */
const views: readonly (readonly [string, string, readonly string[]])[] = [
  // Lists
  ...[
    ...['/events/', '/events/list/', '/event/', '/?post_type={v}_events', '/?post_type={v}_events&eventDisplay=list'],
    ...['/events/page/1/', '/events/list/page/1/', '/index.php?post_type={v}_events', '/events/?eventDisplay=list'],
  ].map((address) => [address, '/events/', all] as const),
  ['/events/list/?eventDisplay=past', '/events/?past=1', ['Over']],
  ['/events/?past=1', '/events/?past=1', ['Over']],
  ['/events/featured/', '/events/?featured=1', ['Concert']],
  ['/events/list/featured/', '/events/?featured=1', ['Concert']],
  ['/events/?tribe-bar-search=cafe', '/events/?search=cafe', ['Cafe']],
  ['/events/?{v}-bar-search=cafe', '/events/?search=cafe', ['Cafe']],
  ['/events/list/?tribe-bar-date=2030-02-01', '/events/?from=2030-02-01', ['Reading']],
  ['/events/list/?tribe-bar-date=2030-02', '/events/?from=2030-02-01', ['Reading']],
  // Months
  ...[
    ...['/events/month/', '/events/month/2030-01/', '/events/2030-01/', '/events/?eventDisplay=month'],
    ...['/events/?eventDisplay=month&eventDate=2030-01', '/?post_type={v}_events&eventDisplay=month'],
  ].map((address) => [address, '/events/month/2030-01/', january] as const),
  ['/events/month/featured/', '/events/month/2030-01/?featured=1', ['Concert']],
  ['/events/month/2030-02/', '/events/month/2030-02/', ['Reading']],
  // Days
  ['/events/today/', '/events/2030-01-15/', ['Cafe']],
  ['/events/2030-01-22/', '/events/2030-01-22/', ['Concert']],
  ['/?post_type={v}_events&eventDisplay=day&eventDate=2030-01-22', '/events/2030-01-22/', ['Concert']],
  // Categories and tags
  ['/events/category/arts/', '/events/category/arts/', ['Concert', 'Reading']],
  ...[
    '/events/category/music/',
    '/events/category/MUSIC/list/',
    '/events/category/arts/music/',
    '/events/category/music/page/1/',
  ].map((address) => [address, '/events/category/arts/music/', ['Concert']] as const),
  ['/events/category/music/?eventDisplay=past', '/events/category/arts/music/?past=1', ['Over']],
  ['/events/category/arts/featured/', '/events/?category=arts&featured=1', ['Concert']],
  ['/events/category/arts/?tribe-bar-search=read', '/events/?search=read&category=arts', ['Reading']],
  ['/events/category/music/month/', '/events/month/2030-01/?category=music', ['Concert']],
  ['/events/category/arts/music/2030-01/', '/events/month/2030-01/?category=music', ['Concert']],
  ['/events/category/arts/2030-02/', '/events/month/2030-02/?category=arts', ['Reading']],
  ['/events/category/music/today/', '/events/2030-01-15/?category=music', []],
  ['/events/category/music/2030-01-22/', '/events/2030-01-22/?category=music', ['Concert']],
  ['/events/category/music/day/2030-01-22/', '/events/2030-01-22/?category=music', ['Concert']],
  ...['/events/tag/loud/', '/events/tag/Loud/list/', '/tag/loud/'].map(
    (address) => [address, '/tag/loud/', ['Concert']] as const,
  ),
  ['/events/tag/loud/month/', '/events/month/2030-01/?tag=loud', ['Concert']],
  ['/events/tag/loud/2030-01-22/', '/events/2030-01-22/?tag=loud', ['Concert']],
  // Records
  ['/event/concert/', '/event/concert/', ['Concert']],
  ['/event/CONCERT/', '/event/concert/', ['Concert']],
  ['/?{v}_events=concert', '/event/concert/', ['Concert']],
  ['/venue/hall/', '/venue/hall/', ['Concert']],
  ['/organizer/club/', '/organizer/club/', ['Concert']],
]

const mine = ['Cafe', 'Concert', 'Secret', 'Reading']

/** Addresses of calendars and news feeds, and their content. */
const feeds: readonly (readonly [
  string,
  'text/calendar' | 'application/rss+xml' | 'application/atom+xml',
  readonly string[],
])[] = [
  ...[
    ...['/events/?ical=1', '/events/list/?ical=1', '/events/ical/', '/?post_type={v}_events&ical=1&eventDisplay=list'],
    ...['/events/?outlook-ical=1', '/events/photo/?ical=1', '/events/list/ical/', '/?ical=1'],
  ].map((address) => [address, 'text/calendar', mine] as const),
  ['/events/month/?ical=1', 'text/calendar', ['Over', 'Cafe', 'Concert', 'Secret']],
  ['/events/2030-01/?ical=1', 'text/calendar', ['Over', 'Cafe', 'Concert', 'Secret']],
  ['/events/week/2030-02-11/?ical=1', 'text/calendar', ['Reading']],
  ['/events/today/?ical=1', 'text/calendar', ['Cafe']],
  ['/events/2030-01-22/?ical=1', 'text/calendar', ['Concert']],
  ['/events/category/music/?ical=1', 'text/calendar', ['Concert']],
  ['/events/category/music/list/?ical=1', 'text/calendar', ['Concert']],
  ['/events/category/music/ical/', 'text/calendar', ['Concert']],
  ['/events/category/arts/music/month/?ical=1', 'text/calendar', ['Over', 'Concert']],
  ['/events/category/wrong/music/?ical=1', 'text/calendar', ['Concert']],
  ['/events/tag/loud/?ical=1', 'text/calendar', ['Concert']],
  ['/events/tag/loud/list/?outlook-ical=1', 'text/calendar', ['Concert']],
  ['/events/featured/?ical=1', 'text/calendar', ['Concert']],
  ['/event/concert/?ical=1', 'text/calendar', ['Concert']],
  ['/event/concert/ical/', 'text/calendar', ['Concert']],
  ['/event/concert/?outlook-ical=1', 'text/calendar', ['Concert']],
  ['/?{v}_events=concert&ical=1', 'text/calendar', ['Concert']],
  ['/event/over/?ical=1', 'text/calendar', ['Over']],
  ['/venue/hall/?ical=1', 'text/calendar', ['Concert']],
  ['/organizer/club/?ical=1', 'text/calendar', ['Concert']],
  ...['/events/feed/', '/events/?feed=rss2', '/?feed=rss2&post_type={v}_events', '/feed/', '/events/feed/rss2/'].map(
    (address) => [address, 'application/rss+xml', mine] as const,
  ),
  ...['/events/feed/atom/', '/events/?feed=atom', '/feed/atom/'].map(
    (address) => [address, 'application/atom+xml', mine] as const,
  ),
  ['/events/category/music/feed/', 'application/rss+xml', ['Concert']],
  ['/events/tag/loud/feed/', 'application/rss+xml', ['Concert']],
  ['/tag/loud/feed/atom/', 'application/atom+xml', ['Concert']],
]

/** Addresses that redirect. `{id}` is that of the concert. */
const leading: readonly (readonly [string, 301 | 302, string])[] = [
  ['/events/list?a=b', 301, '/events/list/?a=b'],
  ['/events/category/music/month?x=1&y=2', 301, '/events/category/music/month/?x=1&y=2'],
  ['/event/concert?ical=1', 301, '/event/concert/?ical=1'],
  ['/?{v}_events_cat=music', 301, '/events/category/music/'],
  ['/?post_type={v}_events&{v}_events_cat=music&ical=1', 301, '/events/category/music/?ical=1'],
  ['/?{v}_events_cat=music&eventDisplay=month&x=1', 301, '/events/category/music/?eventDisplay=month&x=1'],
  ['/events/week/', 302, '/events/month/'],
  ['/events/week/2030-02-11/?tribe-bar-search=read', 302, '/events/month/2030-02/?search=read'],
  ['/events/photo/?category=music&tag=loud', 302, '/events/?category=music&tag=loud'],
  ['/events/photo/page/2/?tribe-bar-date=2030-02-01', 302, '/events/?from=2030-02-01&page=2'],
  ['/events/summary/', 302, '/events/'],
  ['/events/past/', 302, '/events/?past=1'],
  ['/events/day/2030-01-22/?search=x', 302, '/events/2030-01-22/?search=x'],
  ['/events/category/music/week/2030-01-21/', 302, '/events/category/music/month/2030-01/'],
  ['/events/category/music/photo/?search=x', 302, '/events/category/music/?search=x'],
  ['/events/tag/loud/summary/', 302, '/tag/loud/'],
  ['/events/?eventDisplay=week&eventDate=2030-02-11', 302, '/events/month/2030-02/'],
  ['/event/concert/2030-01-22/', 302, '/event/concert/'],
  ['/event/concert/all/?ical=1', 302, '/event/concert/?ical=1'],
]

/** Addresses of a series that next takes place on January 18, twice, and on January 25. The date in February is gone. */
const ofSeries: readonly (readonly [address: string, status: 200 | 301 | 302 | 404 | 410, target?: string])[] = [
  ['/event/yoga/', 200, '/event/yoga/'],
  ['/event/YOGA/', 200, '/event/yoga/'],
  ['/?{v}_events=yoga', 200, '/event/yoga/'],
  ['/event/yoga/all/', 200, '/event/yoga/all/'],
  ['/event/yoga/all/?page=1', 200, '/event/yoga/all/'],
  ['/event/yoga/all/?past=1', 200, '/event/yoga/all/?past=1'],
  ['/event/yoga/2030-01-18/', 200, '/event/yoga/2030-01-18/'],
  ['/event/yoga/2030-01-18/2/', 200, '/event/yoga/2030-01-18/2/'],
  ['/event/yoga/2030-01-25/', 200, '/event/yoga/2030-01-25/'],
  ['/event/yoga', 301, '/event/yoga/'],
  ['/event/yoga/all', 301, '/event/yoga/all/'],
  ['/event/yoga/2030-01-18?ical=1', 301, '/event/yoga/2030-01-18/?ical=1'],
  ['/event/yoga-2030-01-18/', 301, '/event/yoga/2030-01-18/'],
  ['/event/yoga-2030-01-18-2/', 301, '/event/yoga/2030-01-18/2/'],
  ['/?{v}_events=yoga-2030-01-25', 301, '/event/yoga/2030-01-25/'],
  ['/series/yoga/', 301, '/event/yoga/all/'],
  ['/series/yoga/?ical=1', 301, '/event/yoga/all/?ical=1'],
  ['/event/yoga/2030-02-01/', 410],
  ['/event/yoga-2030-02-01/', 410],
  ['/event/yoga/2030-02-01/?ical=1', 410],
  ['/event/yoga/2030-01-19/', 404],
  ['/event/yoga/2030-01-18/3/', 404],
  ['/event/yoga/2030-01-18/1/', 404],
  ['/event/yoga/2030-01-19/ical/', 404],
  ['/event/yoga/2030-01-19/embed/', 404],
  ['/series/nope/', 404],
]

/** Calendars of a series: all of it, or of one date. */
const seriesCalendars: readonly (readonly [address: string, entries: number, hasRule: boolean])[] = [
  ...['/event/yoga/?ical=1', '/event/yoga/ical/', '/event/yoga/all/?ical=1', '/event/yoga/all/ical/'].map(
    (address) => [address, 1, true] as const,
  ),
  ...['/event/yoga/2030-01-18/?ical=1', '/event/yoga/2030-01-18/2/?outlook-ical=1', '/event/yoga/2030-01-25/ical/'].map(
    (address) => [address, 1, false] as const,
  ),
]

const missing = [
  ...['/events/category/nope/', '/events/category/nope/month/', '/events/tag/nope/', '/event/nope/', '/venue/nope/'],
  ...['/event/nope/embed/', '/event/nope/ical/', '/event/nope/?ical=1', '/events/category/nope/?ical=1', '/nothing/'],
  ...['/series/x/', '/events/nothing/', '/events/2030-13-01/', '/?p=999999', '/wp-login.php', '/calendar'],
]

const modes = [
  { words: ['cal', 'tribe'], environment: {} },
  {
    words: ['tribe'],
    environment: { VENDOR_WORD: 'tribe', REST_PREFIX: '/wp-json', LANGUAGE_PARAMETER: 'wpml_language' },
  },
] as const

for (const { words, environment } of modes) {
  for (const [language, path] of [
    ['en', ''],
    ['fr', '/fr'],
  ] as const) {
    test(`public addresses in the words of ${words[0]}, ${language}`, async (t) => {
      const app = await startTestApp(t, environment)
      const { ids } = await fill(app)
      const get = (address: string, accept = '*/*') => app.send({ path: `/${path}${address}`, headers: { accept } })
      const spelled = (address: string) => [...new Set(words.map((word) => address.replaceAll('{v}', word)))]

      for (const [pattern, canonical, names] of views) {
        for (const address of spelled(pattern)) {
          const answer = await get(address)
          assert.deepEqual([answer.status, canonicalOf(answer)], [200, `${path}${canonical}`], address)
          assert.deepEqual(namesTold(answer).toSorted(), [...names].toSorted(), address)
          assert.equal((await get(address, 'text/html')).text, answer.text, address)
          assert.equal((await get(address, 'application/json')).text, answer.text, address)
        }
      }
      for (const [pattern, type, titles] of feeds) {
        for (const address of spelled(pattern)) {
          for (const accept of ['*/*', 'text/html', 'application/json']) {
            const { status, headers, text } = await get(address, accept)
            assert.deepEqual([status, headers['content-type']?.split(';')[0]], [200, type], `${address}: ${text}`)
            const found = titlesOf(text)
            assert.deepEqual(found.toSorted(), [...titles].toSorted(), address)
          }
        }
      }
      for (const [pattern, status, target] of [
        ...leading,
        [`/?p=${ids.Concert}`, 301, '/event/concert/'] as const,
        [`/?post_type={v}_events&p=${ids.Concert}`, 301, '/event/concert/'] as const,
        [`/?p=${ids.Concert}&ical=1`, 301, '/event/concert/?ical=1'] as const,
      ]) {
        for (const address of spelled(pattern)) {
          const { status: found, headers } = await get(address)
          // An id names its record, no matter in which language it is requested.
          const before = pattern.includes('p=') && /[?&]p=/.test(pattern) ? '' : path
          assert.deepEqual([found, headers.location], [status, `${before}${target}`], address)
        }
      }
      for (const address of missing) {
        const answer = await get(address)
        assert.equal(answer.status, 404, address)
        assert.match(String(answer.headers['content-type']), /^text\/html/, address)
        assert.match(answer.text, new RegExp(`<html lang="${language}`), address)
      }
      for (const address of ['/nothing/', '/event/nope/ical/']) {
        const told = await get(address, 'application/json')
        assert.deepEqual([told.status, told.body?.data.status], [404, 404], address)
        assert.match(String((await get(address, 'text/html,application/json')).headers['content-type']), /^text\/html/)
      }
    })
  }
}

for (const { words, environment } of modes) {
  test(`addresses of series in the words of ${words[0]}, in both languages`, async (t) => {
    const app = await startTestApp(t, environment)
    await fillSeries(app)
    for (const path of ['', '/fr']) {
      const get = (address: string) => app.send({ path: `/${path}${address}`, headers: { accept: '*/*' } })
      for (const [pattern, status, target] of ofSeries) {
        for (const address of new Set(words.map((word) => pattern.replaceAll('{v}', word)))) {
          const answer = await get(address)
          const found = answer.status === 200 ? canonicalOf(answer) : answer.headers.location
          assert.deepEqual([answer.status, found], [status, target && `${path}${target}`], `${path}${address}`)
        }
      }
      for (const [address, entries, hasRule] of seriesCalendars) {
        const { status, headers, text } = await get(address)
        assert.deepEqual([status, headers['content-type']?.split(';')[0]], [200, 'text/calendar'], address)
        assert.deepEqual(
          [titlesOf(text).length, /^(?:RRULE|RDATE)/m.test(text)],
          [entries, hasRule],
          `${address}: ${text}`,
        )
      }
    }
  })
}

test('the API tells in JSON what it has not, whoever asks', async (t) => {
  for (const { environment } of modes) {
    const app = await startTestApp(t, environment)
    const { restPrefix, vendorWord } = app.deps.config
    for (const path of [
      ...[`${restPrefix}/${vendorWord}/events/v1/nothing`, `${restPrefix}/${vendorWord}/events/v9`],
      ...[`${restPrefix}/fr/${vendorWord}/nothing`, '/?rest_route=/nothing', '/fr/?rest_route=/nothing'],
    ]) {
      const { status, body } = await app.send({ path: `/${path}`, headers: { accept: 'text/html' } })
      assert.deepEqual([status, body?.code], [404, 'rest_no_route'], path)
    }
  }
})

test('pages two and on of a list are found in the path as in the query', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  for (let number = 0; number < 21; number += 1)
    await givenEvent(app, { title: `Event ${number}`, categories: [music.id] })

  for (const [address, canonical] of [
    ['/events/page/2/', '/events/?page=2'],
    ['/events/list/page/2/', '/events/?page=2'],
    ['/?post_type=cal_events&paged=2', '/events/?page=2'],
    ['/events/category/music/page/2/', '/events/category/music/?page=2'],
    ['/events/category/music/list/page/2/', '/events/category/music/?page=2'],
  ] as const) {
    const answer = await app.send({ path: `/${address}` })
    assert.deepEqual([answer.status, canonicalOf(answer), namesTold(answer).length], [200, canonical, 1], address)
  }
  assert.equal((await app.send({ path: '//events/page/3/' })).status, 404)
})

test('a category whose slug is the name of a view has its own address', async (t) => {
  const app = await startTestApp(t)
  const { id: parent } = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Month', parent })
  await givenTerm(app, 'categories', { name: '2030', parent })

  for (const path of ['/events/category/music/month/', '/events/category/music/2030/', '/events/category/month/']) {
    const { text } = await app.send({ path: `/${path}` })
    assert.match(text, /<p class="kind">Category<\/p><h1>(?:Month|2030)<\/h1>/, path)
  }
  const other = await app.send({ path: '//events/category/music/today/' })
  assert.equal(elementIn(other, 'h1'), 'Tuesday, January 15, 2030')
})

test('a long list tells machines of no more than it shows, and of nothing that is protected', async (t) => {
  const app = await startTestApp(t)
  const long = `<p>${'word '.repeat(2000)}</p>`
  for (let day = 1; day <= 28; day += 1) {
    const date = `2030-03-${String(day).padStart(2, '0')}`
    for (let number = 0; number < 3; number += 1) {
      const times = { start_date: `${date} 10:00:00`, end_date: `${date} 11:00:00` }
      await givenEvent(app, { title: `Event ${day}.${number}`, description: long, ...times })
    }
  }
  await givenEvent(app, {
    ...{ title: 'Members', event_password: 'sesame', description: 'Knock twice' },
    ...{ start_date: '2030-03-01 09:00:00', end_date: '2030-03-01 10:00:00' },
  })

  for (const [path, count] of [
    ['/events/', 19],
    ['/events/month/2030-03/', 50],
    ['/events/2030-03-01/', 3],
  ] as const) {
    const answer = await app.send({ path: `/${path}` })
    const names = namesTold(answer)
    assert.equal(names.length, count, path)
    assert.ok(!names.includes('Members'), path)
    assert.doesNotMatch(answer.text, /Knock/)
    assert.ok(answer.text.length < 150_000, `${path}: ${answer.text.length}`)
  }
})

test('a picture has no page, and caches are told where a page and JSON stand at one address', async (t) => {
  const app = await startTestApp(t)
  const made = await app.send({
    as: 'author',
    method: 'POST',
    path: '//cal/service/v1/media',
    ...form(await picture(40, 30)),
  })
  const html = { accept: 'text/html' }
  const json = { accept: 'application/json' }

  assert.equal((await app.send({ path: `//?p=${made.body.id}` })).status, 404)
  for (const path of ['//', '//nowhere']) {
    for (const headers of [html, json]) {
      assert.match((await app.send({ path, headers })).headers.vary ?? '', /(?:^|, )Accept(?:,|$)/, path)
    }
  }
  assert.doesNotMatch((await app.send({ path: '/events', headers: json })).headers.vary ?? '', /(?:^|, )Accept(?:,|$)/)
})
