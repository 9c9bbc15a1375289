import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer } from '../../../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { elementIn, page, titlesIn } from '../../../../test/support/pages.ts'

const at = (start: string, end: string, title: string, more: object = {}) => ({
  ...{ title, start_date: start, end_date: end },
  ...more,
})

/** Returns the number of events of a day, and the titles that begin on it or continue from the week before. */
function dayIn({ text }: TestAnswer, day: string): readonly [string, readonly string[]] {
  const cell = cellOf(text, day)
  const label = /^[^<]*<\/time>, ([^<,]*)<\/span>/.exec(cell)?.[1] ?? ''
  return [label, [...cell.matchAll(/<a href="[^>]*>(.*?)<\/a>/g)].map(([, link = '']) => withoutMarkup(link))]
}

function cellOf(text: string, day: string): string {
  const [, cell = ''] = text.split(`<span class="unseen"><time datetime="${day}">`)
  return cell.split('<a class="day-link"')[0]?.split('</ol>')[0] ?? ''
}

/** Returns the text of a link without the time. */
function withoutMarkup(link: string): string {
  return link.replace(/<span class="(?:unseen|time)">.*?<\/span> ?/g, '').replace(/<[^>]*>/g, '')
}

test('a month shows each event on its days, nights on the day on which they begin', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, at('2030-01-30 10:00:00', '2030-02-02 12:00:00', 'Fair'))
  await givenEvent(app, at('2030-02-01 22:00:00', '2030-02-02 03:00:00', 'Night'))
  await givenEvent(app, at('2030-01-31 20:00:00', '2030-02-01 00:00:00', 'Eve'))
  await givenEvent(app, at('2030-02-03', '2030-02-03', 'Whole', { all_day: true }))

  const february = await page(app, '/events/month/2030-02/')

  assert.equal(elementIn(february, 'h1'), 'February 2030')
  // An event of several days is named on the first of them in each week.
  assert.deepEqual(dayIn(february, '2030-01-30'), ['1 event', ['Fair']])
  assert.deepEqual(dayIn(february, '2030-01-31'), ['2 events', ['Eve']])
  assert.deepEqual(dayIn(february, '2030-02-01'), ['2 events', ['Night']])
  assert.deepEqual(dayIn(february, '2030-02-02'), ['1 event', []])
  assert.match(february.text, /class="bar lane-1 over-4"><a href="[^"]*"><span class="time">10a<\/span> Fair/)
  assert.match(cellOf(february.text, '2030-02-02'), /<li class="unseen">Fair \(continued\)<\/li>/)
  assert.deepEqual(dayIn(february, '2030-02-03'), ['1 event', ['Whole']])
  assert.deepEqual(dayIn(february, '2030-02-04'), ['No events', []])
  assert.equal(february.text.match(/class="day-link"/g)?.length, 35)
  assert.deepEqual(titlesIn(await page(app, '/events/2030-02-02/')), ['Fair'])
  assert.deepEqual(titlesIn(await page(app, '/events/2030-01-31/')), ['Fair', 'Eve'])
})

test('a day with many events names some and counts the others, in one query, and the page stays small', async (t) => {
  const app = await startTestApp(t)
  for (let number = 10; number < 40; number += 1)
    await givenEvent(
      app,
      at('2030-02-05 10:00:00', '2030-02-05 11:00:00', `Meeting of a club with a long name ${number}`),
    )
  app.statements()

  const answer = await page(app, '/events/month/2030-02/')
  const reads = app.statements().filter((sql) => sql.includes('listed_events'))

  assert.deepEqual([dayIn(answer, '2030-02-05')[0], dayIn(answer, '2030-02-05')[1].length], ['30 events', 5])
  assert.match(answer.text, />25 more</)
  assert.match(answer.text, /class="[^"]*dots-3[^"]*">\s*<h2/)
  assert.equal(reads.length, 1)
  assert.ok(answer.bytes.length < 60_000, `${answer.bytes.length} bytes`)
})

test('an empty month says so and what comes next, and a filter narrows a month', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenEvent(app, at('2030-03-01 10:00:00', '2030-03-01 11:00:00', 'Concert', { categories: [music.id] }))
  await givenEvent(app, at('2030-03-02 10:00:00', '2030-03-02 11:00:00', 'Reading'))

  assert.match((await page(app, '/events/month/2030-02/')).text, /Next event: Concert, Friday, March 1, 2030/)
  const filtered = await page(app, '/events/month/2030-03/?category=music')
  assert.deepEqual([dayIn(filtered, '2030-03-01')[1], dayIn(filtered, '2030-03-02')[1]], [['Concert'], []])
})

test('a month and a day are found at every address that names one, and at no other', async (t) => {
  const app = await startTestApp(t)
  const statuses: readonly (readonly [string, number])[] = [
    ...['month/', 'month/0001-01/', 'month/9999-12/', '0001-01-01/', '9999-12-31/', '2028-02-29/'].map(
      (path) => [path, 200] as const,
    ),
    ...['month/0000-01/', 'month/2030-13/', '2030-02-29/', '0000-01-01/', '2030-01-01/?page=2'].map(
      (path) => [path, 404] as const,
    ),
  ]

  for (const language of ['', '/fr']) {
    for (const [path, status] of statuses) {
      const answer = await page(app, `${language}/events/${path}`)
      assert.equal(answer.status, status, path)
      assert.doesNotMatch(answer.text, /undefined|NaN|Invalid/, path)
    }
  }
  assert.equal(
    (await app.send({ path: '//events/month/?month=2031-05&search=x' })).headers.location,
    '/events/month/2031-05/?search=x',
  )
})

test('the month that it is stands at its own address, until it ends', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })

  assert.equal(elementIn(await page(app, '/events/month/'), 'h1'), 'January 2030')
  app.pass(86_400 * 17)
  assert.equal(elementIn(await page(app, '/fr/events/month/'), 'h1'), 'Février 2030')
})

test('filters in force are named as what they mean is called in the language of the page', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music & Dance', slug: 'music' })
  const french = { name: 'Musique & danse', slug: 'musique', ml_language: 'fr-CA', ml_translation_of: music.id }
  await givenTerm(app, 'categories', french)
  await givenTerm(app, 'tags', { name: 'Tout public', slug: 'tous' })
  await givenVenue(app, { venue: 'Maison de la culture' })
  const hidden = await givenVenue(app, { venue: 'Cave', status: 'draft' })
  assert.ok(hidden.id > 0)
  const note = async (path: string) =>
    /<p class="filter-note">(.*?)\n/
      .exec((await page(app, path)).text)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .replaceAll('\u00a0', '~')

  const query = 'category=music&tag=tous&venue=maison-de-la-culture&search=x'
  assert.equal(
    await note(`/fr/events/month/?${query}`),
    'Filtres~: Recherche x, Catégorie Musique &amp; danse, Étiquette Tout public, Lieu Maison de la culture',
  )
  assert.equal(
    await note(`/events/2030-02-01/?${query}`),
    'Filters: Search x, Category Music &amp; Dance, Tag Tout public, Venue Maison de la culture',
  )
  // Filters without a readable name are shown as they were sent: hidden records, missing ones, and parts of names.
  assert.equal(await note('/events/month/?venue=cave'), 'Filters: Venue cave')
  assert.equal(await note('/events/month/?category=none&tag=tou'), 'Filters: Category none, Tag tou')
})

test('how many queries a month takes does not grow with what it is narrowed by', async (t) => {
  const app = await startTestApp(t)
  const names = Array.from({ length: 12 }, (_, number) => `term-${number}`)
  for (const name of names) await givenTerm(app, 'tags', { name, slug: name })
  const queries = async (tags: readonly string[]) => {
    app.statements()
    await page(app, `/events/month/?tag=${tags.join()}`)
    return app.statements().length
  }

  assert.equal(await queries(names), await queries(names.slice(0, 2)))
})

test('a field for months has no attribute that means nothing on it, and takes no year that is being typed', async (t) => {
  const app = await startTestApp(t)
  const field = async (path: string) => /<input type="month"[^>]*>/.exec((await page(app, path)).text)?.[0] ?? ''

  assert.doesNotMatch(await field('/events/month/'), / pattern=/)
  assert.match(await field('/events/month/'), / value="2030-01" min="1970-01" max="9999-12"/)
  // The form of an old month is valid without changes.
  assert.match(await field('/events/month/1867-07/'), / value="1867-07" min="1867-07"/)
})

test('a long title stands whole in a month, and even many of the longest leave the days small', async (t) => {
  const app = await startTestApp(t)
  const long = `A title of ${'many '.repeat(30)}words`
  await givenEvent(app, at('2030-03-05 10:00:00', '2030-03-05 11:00:00', long))
  for (let day = 10; day < 29; day += 1) {
    for (let number = 0; number < 6; number += 1) {
      const title = `${day} ${number} ${'x'.repeat(15_000)}`
      await givenEvent(app, at(`2030-02-${day} 10:00:00`, `2030-02-${day} 11:00:00`, title))
    }
  }

  assert.deepEqual(dayIn(await page(app, '/events/month/2030-03/'), '2030-03-05'), ['1 event', [long]])
  const [, days = ''] = (await page(app, '/events/month/2030-02/')).text.split(/<ol class="days|<section/)
  assert.match(days, /x{250}…/)
  assert.ok(days.length < 120_000, `${days.length} characters`)
})

test('read aloud, the title of what goes on comes first, and the count of a day is no part of its date', async (t) => {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any' })
  await givenEvent(app, at('2030-01-30', '2030-02-05', 'Fair', { all_day: true }))
  const plain = (markup = '') => markup.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ')

  for (const [path, passing, begun, day] of [
    [
      '',
      'Fair (continued)',
      'Fair (continued, until Tuesday, February 5)',
      '<time datetime="2030-02-03">Sunday, February 3</time>, 1 event',
    ],
    [
      '/fr',
      'Fair (suite)',
      'Fair (suite, jusqu’au mardi 5 février)',
      '<time datetime="2030-02-03">Dimanche 3 février</time>, 1 événement',
    ],
  ] as const) {
    const { text } = await page(app, `${path}/events/month/2030-02/`)
    assert.equal(plain(/<li class="unseen">(.*?)<\/li>/.exec(text)?.[1]), passing)
    assert.equal(plain(/<li class="bar [^"]* begun[^"]*">(.*?)<\/li>/s.exec(text)?.[1]).trim(), begun)
    assert.ok(text.includes(`<span class="unseen">${day}</span>`), day)
  }
})

test('below a month an event is read as in lists: when, then its title, then the place', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Old Hall', city: 'Laval' })
  await givenEvent(app, at('2030-01-20 19:00:00', '2030-01-20 21:00:00', 'Concert', { venue: hall.id }))

  const [, agenda = ''] = (await page(app, '/events/month/?day=2030-01-20')).text.split('data-agenda=')

  assert.match(agenda, /<li>\s*<p class="card-when"><time .*?<h3>.*?<p class="card-place">/s)
})

test('what lasts over weeks is a bar in each of them, in the days of the neighbouring months as well', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, at('2030-01-30', '2030-02-12', 'Fair', { all_day: true }))
  await givenEvent(app, at('2030-03-02 10:00:00', '2030-03-02 11:00:00', 'Next'))

  const { text } = await page(app, '/events/month/2030-02/')
  const bars = [...text.matchAll(/<li class="(bar [^"]*)">/g)].map(([, kinds]) => kinds)
  const days = [...text.matchAll(/<span class="unseen"><time datetime="([^"]*)"/g)].map(([, day]) => day)

  assert.deepEqual(bars, ['bar lane-1 over-4 goes-on', 'bar lane-1 over-7 begun goes-on', 'bar lane-1 over-3 begun'])
  assert.deepEqual([days[0], days.at(-1), days.length], ['2030-01-27', '2030-03-02', 35])
  assert.match(
    text,
    /<li class="outside dots-1">\s*<h2 class="day-head"><a class="day-link" href="\/events\/2030-03-02\/"/,
  )
  assert.deepEqual(dayIn({ text } as TestAnswer, '2030-03-02'), ['1 event', ['Next']])
  // They belong to other months, so the count does not include them.
  assert.match(text, /<p data-count hidden>February 2030, 1 event<\/p>/)
})

test('however much overlaps, a day names some and counts exactly the others', async (t) => {
  const app = await startTestApp(t)
  const long = (number: number) => at('2030-02-04 09:00:00', '2030-02-06 18:00:00', `Long ${number}`)
  for (let number = 1; number <= 7; number += 1) await givenEvent(app, long(number))
  for (let number = 1; number <= 6; number += 1)
    await givenEvent(app, at('2030-02-05 10:00:00', '2030-02-05 11:00:00', `Short ${number}`))
  await givenEvent(app, at('2030-02-03 20:00:00', '2030-02-04 02:00:00', 'Night'))

  const answer = await page(app, '/events/month/2030-02/')

  assert.deepEqual(dayIn(answer, '2030-02-03'), ['1 event', ['Night']])
  assert.deepEqual(dayIn(answer, '2030-02-04'), ['7 events', ['Long 1', 'Long 2', 'Long 3']])
  assert.match(cellOf(answer.text, '2030-02-04'), /class="more"[^>]*>4 more</)
  assert.equal(dayIn(answer, '2030-02-05')[0], '13 events')
  assert.match(cellOf(answer.text, '2030-02-05'), /class="more"[^>]*>5 more</)
  assert.match(cellOf(answer.text, '2030-02-06'), /class="more"[^>]*>4 more</)
  assert.match(answer.text, /<p data-count hidden>February 2030, 14 events</)
})

test('weeks begin as the settings say, also at the ends of all years', async (t) => {
  const sunday = await startTestApp(t, { WEEK_START: 'sunday' })
  const monday = await startTestApp(t, { WEEK_START: 'monday' })
  const daysOf = async (app: typeof sunday, month: string) => {
    const { text } = await page(app, `/events/month/${month}/?search=`)
    const days = [...text.matchAll(/<span class="unseen"><time datetime="([^"]*)"/g)].map(([, day]) => day)
    return [days[0], days.at(-1)]
  }
  for (const app of [sunday, monday]) {
    for (const start_date of ['2030-02-10 10:00:00', '0001-01-10 10:00:00', '9999-12-10 10:00:00'])
      await givenEvent(app, { title: 'Any', start_date, end_date: start_date })
  }

  assert.deepEqual(await daysOf(sunday, '2030-02'), ['2030-01-27', '2030-03-02'])
  assert.deepEqual(await daysOf(monday, '2030-02'), ['2030-01-28', '2030-03-03'])
  assert.deepEqual(await daysOf(sunday, '0001-01'), ['0001-01-01', '0001-02-03'])
  assert.deepEqual(await daysOf(monday, '9999-12'), ['9999-11-29', '9999-12-31'])
  assert.match((await page(sunday, '/events/month/0001-01/')).text, /<ol class="days roomy after-1"/)
})

/** Returns the day whose events are listed below the month, and their titles. */
function agendaIn({ text }: TestAnswer): readonly [string | undefined, readonly string[]] {
  const [, day] = /data-agenda="([^"]*)"/.exec(text) ?? []
  const [, agenda = ''] = text.split('data-agenda=')
  return [day, titlesIn({ text: agenda } as TestAnswer)]
}

test('below a month stand the events of today, of its first day with any, or of the day that is asked for', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Old Hall', city: 'Laval' })
  await givenEvent(app, at('2030-01-20 19:00:00', '2030-01-20 21:00:00', 'Concert', { venue: hall.id }))
  await givenEvent(app, at('2030-02-05 19:00:00', '2030-02-07 21:00:00', 'Long'))
  await givenEvent(app, at('2030-02-06 19:00:00', '2030-02-06 21:00:00', 'Reading'))

  assert.deepEqual(agendaIn(await page(app, '/events/month/2030-01/')), ['2030-01-15', []])
  assert.deepEqual(agendaIn(await page(app, '/events/month/2030-02/')), ['2030-02-05', ['Long']])
  assert.deepEqual(agendaIn(await page(app, '/events/month/2030-02/?day=2030-02-06')), [
    '2030-02-06',
    ['Reading', 'Long'],
  ])
  assert.deepEqual(agendaIn(await page(app, '/events/month/2030-02/?day=2031-02-06')), ['2030-02-05', ['Long']])
  const asked = await page(app, '/events/month/2030-01/?day=2030-01-20')
  assert.match(asked.text, /<p class="card-place">Old Hall, Laval<\/p>/)
  assert.match(asked.text, /<link rel="canonical" href="[^"]*\/events\/month\/2030-01\/">/)
})

test('an empty month or day offers what comes next, without the filters where nothing else fits', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, at('2030-03-01 10:00:00', '2030-03-01 11:00:00', 'Concert'))
  await givenEvent(app, at('2030-04-01 10:00:00', '2030-04-01 11:00:00', 'Reading'))

  for (const path of ['/events/month/2030-02/', '/events/2030-02-05/']) {
    const [open, fitting, unfitting] = await Promise.all(
      ['', '?search=reading', '?search=zzz'].map((query) => page(app, `${path}${query}`)),
    )
    assert.match(open?.text ?? '', /There are no events .*<a href="\/event\/concert\/">Next event: Concert/s, path)
    assert.match(fitting?.text ?? '', /<a href="\/event\/reading\/">Next event: Reading/, path)
    assert.match(
      unfitting?.text ?? '',
      /<a href="\/event\/concert\/">Without the filters, the next event is Concert/,
      path,
    )
    assert.match(unfitting?.text ?? '', new RegExp(`<a href="${path}" data-swap>Clear all filters`), path)
  }
  // Events of these days that the filters hide come first.
  for (const path of ['/events/month/2030-04/', '/events/2030-04-01/']) {
    assert.match((await page(app, `${path}?search=zzz`)).text, /Without the filters, the next event is Reading/, path)
  }
})

test('months and days are narrowed by the form of the list, but for its days', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'categories', { name: 'Music' })
  const music = await givenTerm(app, 'categories', { name: 'Theatre' })
  await givenEvent(app, at('2030-02-05 10:00:00', '2030-02-05 11:00:00', 'Play', { categories: [music.id] }))

  for (const path of ['/events/month/2030-02/', '/events/2030-02-05/', '/fr/events/month/2030-02/']) {
    const { text } = await page(app, `${path}?category=theatre`)
    assert.match(text, new RegExp(`<form class="filters" role="search" method="get" action="${path}"`))
    assert.match(text, /<option value="theatre" selected(?: lang="en")?>/)
    assert.doesNotMatch(text, /name="(?:from|to)"/)
  }
})

test('nights that end in the first hours of a month that is shown take no place of its first day', async (t) => {
  const app = await startTestApp(t)
  for (let number = 1; number <= 6; number += 1) {
    await givenEvent(app, at('2029-12-29 22:00:00', '2029-12-30 02:00:00', `Night ${number}`))
  }
  await givenEvent(app, at('2029-12-30 19:00:00', '2029-12-30 21:00:00', 'Recital'))
  await givenEvent(app, at('2030-01-20 19:00:00', '2030-01-20 21:00:00', 'Concert'))

  const { text } = await page(app, '/events/month/2030-01/')

  assert.match(text, /Recital/)
  assert.doesNotMatch(text, /Night \d/)
})
