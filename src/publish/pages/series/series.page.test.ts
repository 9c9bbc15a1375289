import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, plainEvent } from '../../../../test/support/given.ts'
import { dataIn, elementIn, page } from '../../../../test/support/pages.ts'

const yoga = {
  ...{
    title: 'Yoga',
    start_date: '2030-01-04 18:30:00',
    end_date: '2030-01-04 19:30:00',
    description: '<p>Breathe</p>',
  },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
}

/** Returns the ids of the dates of a series by their day. */
async function dateIds(app: TestApp, id: number): Promise<Readonly<Record<string, number>>> {
  const query = `series=${id}&start_date=2020-01-01&end_date=2040-01-01&per_page=100&status=any`
  const { body } = await app.send({ as: 'administrator', path: `/events?${query}` })
  return Object.fromEntries(
    body.events.map((event: { id: number; start_date: string }) => [event.start_date.slice(0, 10), event.id]),
  )
}

/** Returns the links to dates on a page, without the address that they share. */
function linksTo({ text }: { readonly text: string }, base: string): readonly string[] {
  return [...text.matchAll(new RegExp(`<a (?:[^>]* )?href="/event/${base}/([^"]+)"`, 'g'))].map(([, end = '']) => end)
}

test('the page of a series shows its next date, the other ones, and when it repeats', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  const answer = await page(app, '/event/yoga/')

  assert.equal(answer.status, 200)
  assert.equal(elementIn(answer, 'h1'), 'Yoga')
  assert.match(
    answer.text,
    /<p class="kind">Next date<\/p>\s*<p class="event-when"><time datetime="2030-01-18T18:30:00/,
  )
  assert.match(
    answer.text,
    /<p class="event-repeats">Every Friday, 5 times · <a href="\/event\/yoga\/all\/">See all dates/,
  )
  assert.deepEqual(linksTo(answer, 'yoga'), ['all/', '2030-01-18/ical/', '2030-01-25/', '2030-02-01/', 'all/'])
  assert.match(answer.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/">/)
})

test('a date has an address of its own, and leads to the dates before and after it', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  const answer = await page(app, '/event/yoga/2030-01-11/')
  const first = await page(app, '/event/yoga/2030-01-04/')

  assert.match(answer.text, /<time datetime="2030-01-11T18:30:00/)
  assert.match(answer.text, /<a rel="prev" href="\/event\/yoga\/2030-01-04\/"/)
  assert.match(answer.text, /<a rel="next" href="\/event\/yoga\/2030-01-18\/"/)
  assert.match(answer.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/2030-01-11\/">/)
  assert.match(answer.text, /Every Friday, 5 times/)
  assert.doesNotMatch(first.text, /rel="prev"/)
})

test('all dates are listed in pages, those to come first', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { ...yoga, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=60' } })

  const [first, second, past, beyond] = [
    await page(app, '/event/yoga/all/'),
    await page(app, '/event/yoga/all/?page=2'),
    await page(app, '/event/yoga/all/?past=1'),
    await page(app, '/event/yoga/all/?page=3'),
  ]

  assert.equal(elementIn(first, 'h2'), '58 upcoming dates')
  assert.equal(linksTo(first, 'yoga').filter((end) => end.startsWith('20')).length, 50)
  assert.equal(linksTo(second, 'yoga').filter((end) => end.startsWith('20')).length, 8)
  assert.deepEqual(
    linksTo(past, 'yoga').filter((end) => end.startsWith('20')),
    ['2030-01-11/', '2030-01-04/'],
  )
  assert.equal(elementIn(past, 'h2'), '2 past dates')
  assert.equal(beyond.status, 404)
  assert.match(second.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/all\/\?page=2">/)
})

test('a date that was removed is gone, and leads to the others', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await dateIds(app, series.id)
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${ids['2030-01-18']}` })

  const gone = await page(app, '/event/yoga/2030-01-18/')
  const bySlug = await page(app, '/event/yoga-2030-01-18/')
  const now = await page(app, '/event/yoga/')

  for (const answer of [gone, bySlug]) {
    assert.equal(answer.status, 410)
    assert.deepEqual(linksTo(answer, 'yoga'), ['all/'])
  }
  assert.match(now.text, /<time datetime="2030-01-25T18:30:00/)
  assert.doesNotMatch(now.text, /2030-01-18/)
})

test('a series in the trash is gone with all its dates', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, yoga)
  const { status, text } = await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}?scope=all` })
  assert.equal(status, 200, text)

  for (const address of ['/event/yoga/', '/event/yoga/all/', '/event/yoga/2030-01-18/', '/series/yoga/']) {
    const answer = await page(app, address)
    assert.equal(answer.status, 410, address)
    assert.deepEqual(linksTo(answer, 'yoga'), [], address)
  }
})

test('private, draft and protected dates are in no list, count, neighbour, sitemap or structured data', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, { ...yoga, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=7' } })
  const ids = await dateIds(app, series.id)
  const [secret, draft, locked] = [ids['2030-01-25'], ids['2030-02-01'], ids['2030-02-08']]
  await changed(app, `/events/${secret}`, { status: 'private', title: 'Hush' })
  await changed(app, `/events/${draft}`, { status: 'draft', title: 'Hush' })
  await changed(app, `/events/${locked}`, { event_password: 'sesame', description: 'Hush' })

  for (const address of ['/event/yoga/', '/event/yoga/all/', '/event/yoga/2030-01-18/', '/event/yoga/2030-02-15/']) {
    const { status, text } = await page(app, address)
    assert.equal(status, 200, address)
    assert.doesNotMatch(text, /Hush|2030-01-25|2030-02-01|2030-02-08|January 25|February 1\b|February 8/, address)
  }
  assert.equal(elementIn(await page(app, '/event/yoga/all/'), 'h2'), '2 upcoming dates')
  const folded = await page(app, '/events/?occurrences=next')
  assert.match(folded.text, /<a href="\/event\/yoga\/all\/">1 more date<\/a>/)
  const sitemap = (await app.send({ path: '//sitemap-1.xml' })).text
  assert.doesNotMatch(sitemap, /2030-01-25|2030-02-01|2030-02-08/)
  assert.match(sitemap, /<loc>http:\/\/calendar\.test\/event\/yoga\/2030-01-18\/<\/loc><lastmod>/)
  assert.match(sitemap, /<loc>http:\/\/calendar\.test\/event\/yoga\/<\/loc>/)
  const answers = await Promise.all(
    ['2030-01-25', '2030-02-01', '2030-03-01'].map((day) => page(app, `/event/yoga/${day}/`)),
  )
  // A date that nobody may see has the same page as one that does not exist, except for the day in its address.
  const [one, ...others] = answers.map(({ status, text }) => `${status}${text.replace(/2030-\d\d-\d\d/g, '')}`)
  assert.match(String(one), /^404/)
  for (const other of others) assert.equal(other, one)
  const open = await page(app, '/event/yoga/2030-02-08/')
  assert.equal(open.status, 200)
  assert.doesNotMatch(open.text, /Every Friday|Hush|"superEvent"|\/event\/yoga\/all\//)
})

test('a series that a password protects has the page of its next date only', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { ...yoga, event_password: 'sesame' })

  for (const address of ['/event/yoga/', '/event/yoga/all/']) {
    const { status, headers } = await app.send({ path: `/${address}` })
    assert.deepEqual([status, headers.location], [302, '/event/yoga/2030-01-18/'], address)
  }
  const locked = await page(app, '/event/yoga/2030-01-18/')
  assert.doesNotMatch(locked.text, /Breathe|Every Friday|\/event\/yoga\/all\//)
  assert.equal((await page(app, '/series/yoga/')).status, 404)
})

test('a series in two languages has pages in both, which lead to each other', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const translated = await app.send({
    ...{ as: 'administrator', method: 'POST', path: `//cal/service/v1/series/${series.id}/translations` },
    json: { ml_language: 'fr-CA', title: 'Yoga doux', description: 'Respirer' },
  })
  assert.equal(translated.status, 201, translated.text)

  const [english, base, all, date] = [
    await page(app, '/event/yoga/'),
    await page(app, '/fr/event/yoga-doux/'),
    await page(app, '/fr/event/yoga-doux/all/'),
    await page(app, '/fr/event/yoga-doux/2030-01-25/'),
  ]

  for (const answer of [base, all, date]) {
    assert.equal(answer.status, 200)
    assert.equal(elementIn(answer, 'h1'), 'Yoga doux')
    assert.match(answer.text, /Tous les vendredis, 5 fois/)
  }
  assert.match(base.text, /<p class="kind">Prochaine date<\/p>/)
  assert.match(base.text, /<h2>Autres dates<\/h2>/)
  for (const answer of [english, base]) {
    assert.match(answer.text, /<link rel="alternate" hreflang="en" href="http:\/\/calendar\.test\/event\/yoga\/">/)
    assert.match(
      answer.text,
      /<link rel="alternate" hreflang="fr-CA" href="http:\/\/calendar\.test\/fr\/event\/yoga-doux\/">/,
    )
  }
  assert.match(date.text, /hreflang="en" href="http:\/\/calendar\.test\/event\/yoga\/2030-01-25\/">/)
  assert.match(base.text, /<a class="language" href="\/event\/yoga\/"/)
  for (const [address, target] of [
    ['/fr/event/yoga/', '/fr/event/yoga-doux/'],
    ['/fr/event/yoga/all/', '/fr/event/yoga-doux/all/'],
    ['/event/yoga-doux/', '/event/yoga/'],
  ] as const) {
    const { status, headers } = await app.send({ path: `/${address}` })
    assert.deepEqual([status, headers.location], [302, target], address)
  }
})

test('a series that was renamed keeps the addresses of its dates, and its old address leads to the new one', async (t) => {
  const app = await startTestApp(t)
  const { id, series } = await givenEvent(app, yoga)
  const renamed = await app.send({
    ...{ as: 'administrator', method: 'PATCH', path: `//cal/service/v1/series/${series.id}` },
    json: { slug: 'pilates', title: 'Pilates' },
  })
  assert.equal(renamed.status, 200, renamed.text)

  const { status, headers } = await app.send({ path: '//event/yoga/all/' })
  const base = await page(app, '/event/pilates/')

  assert.deepEqual([status, headers.location], [301, '/event/pilates/all/'])
  assert.equal(elementIn(base, 'h1'), 'Pilates')
  assert.equal((await page(app, '/event/yoga/2030-01-18/')).status, 200)
  assert.ok(id > 0)
})

test('machines are told of a series and its next dates, and of the series of a date', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, { ...yoga, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=40' } })
  const ids = await dateIds(app, series.id)
  await changed(app, `/events/${ids['2030-01-25']}`, { event_status: 'canceled' })

  const [base, all, date] = [
    dataIn(await page(app, '/event/yoga/')),
    dataIn(await page(app, '/event/yoga/all/')),
    dataIn(await page(app, '/event/yoga/2030-01-25/')),
  ]

  for (const data of [base, all]) {
    assert.deepEqual(
      [data?.['@type'], data?.name, data?.url, data?.startDate, data?.endDate],
      ['EventSeries', 'Yoga', `${site}/event/yoga/`, '2030-01-04', '2030-10-04'],
    )
    const dates = data?.subEvent as readonly Readonly<Record<string, unknown>>[]
    assert.equal(dates.length, 20)
    assert.deepEqual(
      dates.slice(0, 2).map((sub) => [sub['@type'], sub.url, sub.eventStatus]),
      [
        ['Event', `${site}/event/yoga/2030-01-18/`, 'https://schema.org/EventScheduled'],
        ['Event', `${site}/event/yoga/2030-01-25/`, 'https://schema.org/EventCancelled'],
      ],
    )
  }
  assert.deepEqual(date?.superEvent, { '@type': 'EventSeries', name: 'Yoga', url: `${site}/event/yoga/` })
})

test('a canceled date says so, in its page, in the list of dates and beside its neighbours', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await dateIds(app, series.id)
  await changed(app, `/events/${ids['2030-01-18']}`, { event_status: 'canceled' })
  await changed(app, `/events/${ids['2030-01-25']}`, {
    ...{ start_date: '2030-01-26 10:00:00', end_date: '2030-01-26 11:00:00', event_status: 'rescheduled' },
  })

  const [base, all, next] = [
    await page(app, '/event/yoga/'),
    await page(app, '/event/yoga/all/'),
    await page(app, '/event/yoga/2030-02-01/'),
  ]

  // The next date is one that takes place.
  assert.match(base.text, /<p class="kind">Next date<\/p>\s*<p class="event-when"><time datetime="2030-01-26T10:00:00/)
  for (const { text } of [base, all]) {
    assert.match(text, /<a href="\/event\/yoga\/2030-01-18\/"><s>.*?<\/s><\/a> <span class="badge state canceled">/)
  }
  assert.match(all.text, /<a href="\/event\/yoga\/2030-01-25\/"><time datetime="2030-01-26T10:00:00/)
  assert.match(next.text, /rel="prev" href="\/event\/yoga\/2030-01-25\/"[^§]*?<span class="badge state rescheduled">/)
})

test('lists show each date, or each series once, by a link', async (t) => {
  const app = await startTestApp(t)
  const venue = (await app.send({ as: 'administrator', method: 'POST', path: '/venues', json: { venue: 'Hall' } })).body
  await givenEvent(app, { ...yoga, venue: venue.id, recurrence: { rrule: 'FREQ=DAILY;COUNT=60' } })
  await givenEvent(app, { ...plainEvent, venue: venue.id })

  const [each, next, hall, hallEach] = [
    await page(app, '/events/'),
    await page(app, '/events/?occurrences=next'),
    await page(app, '/venue/hall/'),
    await page(app, '/venue/hall/?occurrences=each'),
  ]

  assert.match(each.text, /data-count>50 events<\/p>\s*<a class="quiet" href="\/events\/\?occurrences=next" data-swap>/)
  assert.match(each.text, /More dates:.*<a href="\/event\/yoga\/all\/">See all dates<\/a>/s)
  for (const [answer, back] of [
    [next, '/events/'],
    [hall, '/venue/hall/?occurrences=each'],
  ] as const) {
    assert.match(answer.text, /data-count>2 events<\/p>/)
    assert.match(answer.text, /Every day · <a href="\/event\/yoga\/all\/">48 more dates<\/a>/)
    assert.ok(answer.text.includes(`href="${back}" data-swap>Show every date</a>`), back)
  }
  assert.match(hallEach.text, /data-count>50 events<\/p>\s*<a class="quiet" href="\/venue\/hall\/" data-swap>Show each/)
  assert.match(next.text, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch((await page(app, '/events/month/')).text, /occurrences=/)
})

test('oEmbed and frames know series and dates', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)
  const embedded = async (address: string) =>
    (await app.send({ path: `//oembed/1.0/embed?url=${encodeURIComponent(site + address)}` })).body

  assert.match((await embedded('/event/yoga/')).html, /src="http:\/\/calendar\.test\/event\/yoga\/embed\/"/)
  assert.match((await embedded('/event/yoga/2030-02-01/')).html, /\/event\/yoga\/2030-02-01\/embed\//)
  for (const [address, day] of [
    ['/event/yoga/embed/', '2030-01-18'],
    ['/event/yoga/2030-02-01/embed/', '2030-02-01'],
  ] as const) {
    const { status, text } = await app.send({ path: `/${address}` })
    assert.equal(status, 200)
    assert.match(text, new RegExp(`<time datetime="${day}T18:30`))
  }
  assert.equal((await app.send({ path: '//event/yoga/2030-02-02/embed/' })).status, 404)
})

test('markup in names stays text, and a long series costs no more than its page', async (t) => {
  const app = await startTestApp(t)
  const title = `<script>alert(1)</script>"'><img src=x onerror=alert(1)> & ${'x'.repeat(150)}`
  const { series } = await givenEvent(app, {
    ...{ ...yoga, title, slug: 'odd', description: `<p>${'word '.repeat(2000)}</p>` },
    recurrence: { rrule: 'FREQ=DAILY;COUNT=700' },
  })
  const ids = await dateIds(app, series.id)
  await changed(app, `/events/${ids['2030-01-20']}`, {
    title: 'Own </script><b onclick=alert(1)>&lt;svg onload=alert(1)&gt;',
  })

  for (const address of ['/event/odd/', '/event/odd/all/', '/event/odd/all/?page=14', '/events/?occurrences=next']) {
    const { status, text } = await page(app, address)
    assert.equal(status, 200, address)
    assert.doesNotMatch(text, /<svg|<img src=x|<script>alert|onerror=alert\(1\)>/, address)
    assert.ok(text.length < 260_000, `${address}: ${text.length}`)
  }
})

test('nonsense below a series is a page that does not exist', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  for (const address of [
    ...['/event/yoga/2030-01-19/', '/event/yoga/2030-01-18/2/', '/event/yoga/2030-99-99/', '/event/yoga/all/x/'],
    ...[
      '/event/yoga/all/?page=0',
      '/event/yoga/all/?page=99999',
      '/event/%/2030-01-18/',
      '/event/yoga/2030-01-18/all/',
    ],
    ...['/series/yoga/x/', '/series/nope/', '/event/nope/all/', '/event/yoga__trashed/'],
  ]) {
    assert.equal((await page(app, address)).status, 404, address)
  }
})

test('a date on another day says instead of which day it takes place', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await dateIds(app, series.id)
  await changed(app, `/events/${ids['2030-01-25']}`, {
    ...{ start_date: '2030-01-26 10:00:00', end_date: '2030-01-26 11:00:00' },
  })

  const [date, all, other] = [
    await page(app, '/event/yoga/2030-01-25/'),
    await page(app, '/event/yoga/all/'),
    await page(app, '/event/yoga/2030-02-01/'),
  ]

  assert.match(date.text, /<strong>Instead of Friday, January 25, 2030<\/strong>/)
  assert.match(all.text, /2030-01-26T10:00:00.*<span class="instead">Instead of Friday, January 25, 2030<\/span>/)
  assert.doesNotMatch(other.text, /Instead of/)
})

test('a page of a series that is kept shows the next date from the end of the one before it', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const times = { start_date: '2030-01-15 12:00:05', end_date: '2030-01-15 12:00:10' }
  await givenEvent(app, { ...yoga, ...times, recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } })

  const shown = []
  for (let second = 0; second <= 12; second += 1) {
    for (const path of ['/event/yoga/', '/event/yoga/all/']) {
      const text = await (await fetch(`${url}${path}`)).text()
      const [, day] = /class="event-when"><time datetime="([0-9-]{10})|Next date: \w+, (January \d+)/.exec(text) ?? []
      if (path === '/event/yoga/') shown.push(day)
      else assert.match(text, second <= 10 ? /Next date: Tuesday/ : /Next date: Wednesday/, String(second))
    }
    app.pass(1)
  }

  assert.deepEqual(shown, [...Array(11).fill('2030-01-15'), ...Array(2).fill('2030-01-16')])
})
