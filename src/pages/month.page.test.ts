import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer } from '../../test/support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../../test/support/given.ts'
import { elementIn, page, titlesIn } from '../../test/support/pages.ts'

const at = (start: string, end: string, title: string, more: object = {}) => ({
  ...{ title, start_date: start, end_date: end },
  ...more,
})

/** What a day of a month says: its label and the titles on it. */
function dayIn({ text }: TestAnswer, day: string): readonly [string, readonly string[]] {
  const [, cell = ''] = text.split(`datetime="${day}"`)
  const [own = ''] = cell.split('<a class="day-link"')
  const label = /<span class="unseen">, ([^<]*)</.exec(own)?.[1] ?? ''
  return [label, [...own.matchAll(/(?:<\/span> ?)?([^<>]+)<\/a><\/li>/g)].map(([, title = '']) => title.trim())]
}

test('a month shows each event on its days, nights on the day on which they begin', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, at('2030-01-30 10:00:00', '2030-02-02 12:00:00', 'Fair'))
  await givenEvent(app, at('2030-02-01 22:00:00', '2030-02-02 03:00:00', 'Night'))
  await givenEvent(app, at('2030-01-31 20:00:00', '2030-02-01 00:00:00', 'Eve'))
  await givenEvent(app, at('2030-02-03', '2030-02-03', 'Whole', { all_day: true }))

  const february = await page(app, '/events/month/2030-02/')

  assert.equal(elementIn(february, 'h1'), 'February 2030')
  assert.deepEqual(dayIn(february, '2030-02-01'), ['2 events', ['Fair', 'Night']])
  assert.deepEqual(dayIn(february, '2030-02-02'), ['1 event', ['Fair']])
  assert.deepEqual(dayIn(february, '2030-02-03'), ['1 event', ['Whole']])
  assert.deepEqual(dayIn(february, '2030-02-04'), ['No events', []])
  assert.equal(february.text.match(/class="day-link"/g)?.length, 28)
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
  const reads = app.statements().filter((sql) => sql.includes('event_listings'))

  assert.deepEqual([dayIn(answer, '2030-02-05')[0], dayIn(answer, '2030-02-05')[1].length], ['30 events', 5])
  assert.match(answer.text, />25 more</)
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
  // What a visitor may not read, what is not there, and parts of names are said as they were sent.
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

test('a field for months has no attribute that means nothing on it', async (t) => {
  const app = await startTestApp(t)

  assert.doesNotMatch((await page(app, '/events/month/')).text, /<input type="month"[^>]* pattern=/)
})
