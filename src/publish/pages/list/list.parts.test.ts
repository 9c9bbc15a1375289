import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestAnswer } from '../../../../test/support/app.ts'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../../test/support/given.ts'
import { page, titlesIn } from '../../../../test/support/pages.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { dateShortcuts } from './list.dates.ts'

const on = (day: string, title: string, more: object = {}) => ({
  title,
  start_date: `${day} 19:00:00`,
  end_date: `${day} 21:00:00`,
  ...more,
})
const lasting = (title: string, end = '2030-03-01', more: object = {}) => ({
  title,
  start_date: '2029-12-01 10:00:00',
  end_date: `${end} 17:00:00`,
  ...more,
})
/** Returns one section of a page, starting at its class. */
const part = ({ text }: TestAnswer, name: string) =>
  new RegExp(`<(section|details|div|nav|dl|ul)[^>]*class="[^"]*\\b${name}\\b.*?</\\1>`, 's').exec(text)?.[0] ?? ''
const plain = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('what is on already stands in one line that opens, and pushes nothing to other pages', async (t) => {
  const app = await startTestApp(t)
  for (let number = 1; number <= 24; number += 1) await givenEvent(app, lasting(`Show ${number}`))
  await givenEvent(app, on('2030-01-16', 'Tomorrow'))

  const answer = await page(app, '/events/')
  const ongoing = part(answer, 'going')

  assert.match(ongoing, /<h2>On now<\/h2>/)
  assert.equal([...ongoing.matchAll(/<h3>/g)].length, 20)
  assert.match(ongoing, /^<details class="going"><summary>/)
  assert.match(plain(ongoing), /^On now Show \d+ · .* 24 Until March 1, 2030 Show \d+/)
  assert.match(ongoing, /<a href="\/events\/2030-01-15\/">See everything on this day<\/a>/)
  assert.equal(titlesIn(answer).at(-1), 'Tomorrow')
  assert.match(answer.text, /data-count>25 events</)
  assert.doesNotMatch(answer.text, /class="pager"/)
})

test('what has ended is not on any more, as soon as it has', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, lasting('Winter show', '2030-01-15'))

  const before = await page(app, '/events/')
  app.pass(6 * 3600)
  const after = await page(app, '/events/')

  assert.match(plain(part(before, 'going')), /1 Ends today Winter show/)
  assert.deepEqual(titlesIn(after), [])
})

test('one title at one place on many dates is one row with its dates', async (t) => {
  const app = await startTestApp(t)
  const [hall, barn] = [await givenVenue(app), await givenVenue(app, { venue: 'Barn' })]
  for (const day of ['2030-01-20', '2030-01-27', '2030-02-03'])
    await givenEvent(app, on(day, 'Yoga', { venue: hall.id, cost: '10', categories: ['Sport'] }))
  await givenEvent(app, {
    ...{ title: 'Yoga', venue: hall.id, cost: '10' },
    ...{ start_date: '2031-02-10 20:00:00', end_date: '2031-02-10 21:00:00' },
  })
  await givenEvent(app, on('2030-01-21', 'Yoga', { venue: barn.id }))
  for (const day of ['2030-01-22', '2030-01-23']) await givenEvent(app, on(day, 'Secret', { event_password: 'x' }))

  const answer = await page(app, '/events/')

  assert.deepEqual(titlesIn(answer), ['Yoga', 'Yoga', 'Secret', 'Secret'])
  assert.match(answer.text, /data-count>7 events</)
  assert.match(plain(part(answer, 'card-dates')), /^More dates: Sun, Jan 27 Sun, Feb 3/)
  assert.match(answer.text, /<a href="\/event\/yoga-4\/">Feb 10, 2031, 8\u00a0p.m.<\/a>/)
  assert.equal(plain(part(answer, 'card-facts')), 'Cost: $10 Sport')
})

test('the usual days are those of the site, and a weekend is what is left of it', () => {
  const of = (day: string) =>
    Object.values(dateShortcuts(`${day} 00:00:00` as LocalDateTime)).map(({ from, to }) => `${from} ${to}`)

  // A Tuesday, a Friday, a Saturday, a Sunday, and the last day of a month.
  assert.deepEqual(of('2030-01-15'), ['2030-01-15 2030-01-15', '2030-01-19 2030-01-20', '2030-01-15 2030-01-31'])
  assert.deepEqual(of('2030-01-18')[1], '2030-01-19 2030-01-20')
  assert.deepEqual(of('2030-01-19')[1], '2030-01-19 2030-01-20')
  assert.deepEqual(of('2030-01-20')[1], '2030-01-20 2030-01-20')
  assert.deepEqual(of('2030-02-28')[2], '2030-02-28 2030-02-28')
})

test('today, this weekend and this month are links that keep the other filters, and lead back', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'Pacific/Kiritimati', WEEK_START: 'monday' })
  await givenEvent(app, on('2030-01-19', 'Saturday fair'))

  // Noon of the 15th in UTC is on the 16th in that zone.
  const first = part(await page(app, '/events/?search=fair'), 'dates')
  const chosen = await page(app, '/events/?search=fair&from=2030-01-19&to=2030-01-20')

  assert.match(first, /href="\/events\/\?search=fair&amp;from=2030-01-16&amp;to=2030-01-16"[^>]*>Today</)
  assert.match(first, /from=2030-01-16&amp;to=2030-01-31"[^>]*>This month</)
  assert.match(part(chosen, 'dates'), /href="\/events\/\?search=fair"[^>]* aria-current="true">This weekend</)
  assert.deepEqual(titlesIn(chosen), ['Saturday fair'])
  assert.match(chosen.text, /<details class="more">/)
  assert.match((await page(app, '/events/?from=2030-01-19')).text, /<details class="more" open>/)
})

test('an empty list offers what comes next, and the way out of its filters', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'categories', { name: 'Empty' })
  for (const day of ['2030-01-20', '2030-01-21', '2030-01-22', '2030-01-23'])
    await givenEvent(app, on(day, `On ${day}`))

  for (const path of ['/events/?search=zzz', '/events/category/empty/']) {
    const answer = await page(app, path)
    const next = part(answer, 'next-up')
    assert.deepEqual(
      [...next.matchAll(/<a [^>]*>([^<]*)/g)].map(([, title]) => title),
      ['On 2030-01-20', 'On 2030-01-21', 'On 2030-01-22'],
      path,
    )
    assert.equal(answer.text.includes('Clear all filters'), path.includes('?'), path)
  }
})

test('lists of categories, tags, venues and organizers have the filters that they are not about', async (t) => {
  const app = await startTestApp(t)
  const [hall, club] = [await givenVenue(app), await givenOrganizer(app)]
  const shared = { venue: hall.id, organizer: club.id, categories: ['Music'], tags: ['Loud'] }
  await givenEvent(app, on('2030-02-01', 'Concert', shared))
  await givenEvent(app, on('2030-02-02', 'Reading', shared))

  for (const [path, missing] of [
    ['/events/category/music/', 'category'],
    ['/tag/loud/', 'tag'],
    ['/venue/hall/', 'venue'],
    ['/organizer/club/', undefined],
  ] as const) {
    const { text } = await page(app, path)
    const fields = [...text.matchAll(/ id="f-(\w+)"/g)].map(([, name]) => name)
    assert.deepEqual(
      fields,
      ['search', 'category', 'tag', 'venue', 'from', 'to'].filter((name) => name !== missing),
      path,
    )
    const found = await page(app, `${path}?search=concert`)
    assert.deepEqual(titlesIn(found), ['Concert'], path)
    assert.match(found.text, /<meta name="robots" content="noindex">/)
    assert.match(found.text, /type="text\/calendar"[^>]*href="[^"]*search=concert/)
    assert.deepEqual(titlesIn(await page(app, `${path}?from=2030-02-02`)), ['Reading'], path)
    assert.equal((await page(app, `${path}?from=2030-02-30`)).status, 400, path)
  }
})

test('a list says the whole day of an event once, before its title and its place', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app)
  await givenEvent(app, on('2030-02-01', 'Concert', { venue: hall.id }))

  const { text } = await page(app, '/events/')
  const [, card = ''] = /<li class="card dense">(.*?)<\/li>/s.exec(text) ?? []
  const read = plain(card)

  assert.match(read, /^Friday, February 1, 2030, 7.*p\.m\. Concert Hall$/)
})

test('a day says of what began earlier only until when it lasts, with the year if that is another one', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, lasting('Exhibition'))

  const hoursOn = async (path: string) => /class="card-hours">([^<]*)/.exec((await page(app, path)).text)?.[1]

  assert.equal(await hoursOn('/events/2029-12-01/'), '10\u00a0a.m., until Friday, March 1, 2030')
  assert.equal(await hoursOn('/events/2030-02-01/'), 'until Friday, March 1, 2030')
})

test('texts of another language than the page say so, and the link to the other language where it leads', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA' })
  const { url } = await givenEvent(app, on('2030-02-01', 'Concert', { venue: venue.id }))

  const list = await page(app, '/events/')
  const event = await page(app, new URL(url).pathname)

  assert.match(list.text, /<p class="card-place"><span lang="fr-CA">Salle<\/span>/)
  assert.match(list.text, /<h3><a href="\/event\/concert\/">Concert/)
  assert.match(event.text, /<p lang="fr-CA"><a href="\/fr\/venue\/salle\/">/)
  assert.match(list.text, /class="language"[^>]*>Français<span class="unseen"> – Cette page en français</)
  assert.match(event.text, /class="language"[^>]*>Français<span class="unseen"> – Tous les événements en français</)
})

test('an event leads to the one before and the one after, and to what else is on at its venue', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app)
  const venue = { venue: hall.id }
  await givenEvent(app, on('2030-01-20', 'Before'))
  await givenEvent(app, on('2030-01-21', 'Now', venue))
  // Events at the same time are listed in the order of their creation.
  await givenEvent(app, on('2030-01-21', 'After'))
  await givenEvent(app, on('2030-01-22', 'Draft', { ...venue, status: 'draft' }))
  await givenEvent(app, on('2030-01-22', 'Récital', { ...venue, ml_language: 'fr-CA' }))
  for (let number = 1; number <= 7; number += 1)
    await givenEvent(app, on(`2030-02-0${number}`, `Here ${number}`, venue))

  const answer = await page(app, '/event/now/')
  const nav = part(answer, 'neighbours')

  assert.match(nav, /rel="prev" href="\/event\/before\/"/)
  assert.match(nav, /rel="next" href="\/event\/after\/"/)
  assert.doesNotMatch(part(await page(app, '/event/before/'), 'neighbours'), /rel="prev"/)
  assert.equal(
    [...part(answer, 'also-here').matchAll(/>(Here \d)</g)].map(([, title]) => title).join(),
    'Here 1,Here 2,Here 3,Here 4,Here 5',
  )
  app.pass(86_400 * 19)
  assert.match(part(await page(app, '/event/now/'), 'also-here'), /Here 7/)
})

test('the page of an event costs as many queries among many events as among few', async (t) => {
  const app = await startTestApp(t)
  const { id: venue } = await givenVenue(app)
  const count = async (number: number) => {
    await givenEvent(app, on('2030-01-21', `Asked ${number}`, { venue }))
    await page(app, '/events/')
    app.statements()
    await page(app, `/event/asked-${number}/`)
    return app.statements().length
  }
  await givenEvent(app, on('2030-01-20', 'Before', { venue }))
  await givenEvent(app, on('2030-01-22', 'After', { venue }))
  const few = await count(1)
  for (let number = 0; number < 8; number += 1) await givenEvent(app, on('2030-01-22', `More ${number}`, { venue }))

  assert.equal(await count(2), few)
})

test('what ended this morning is not counted among what is on, and machines are told what is on', async (t) => {
  const app = await startTestApp(t)
  const given = (title: string, start_date: string, end_date: string) =>
    givenEvent(app, { title, start_date, end_date })
  for (let number = 1; number <= 20; number += 1) await given(`Show ${number}`, '2030-01-10 10:00', '2030-03-01 10:00')
  for (let number = 1; number <= 5; number += 1) await given(`Over ${number}`, '2030-01-02 10:00', '2030-01-15 08:00')

  const { text } = await app.send({ path: '//events/' })

  assert.match(text, /data-count>20 events</)
  assert.match(text, /"@type":"Event","name":"Show 20"/)
  assert.doesNotMatch(text, /Over \d/)
})

test('read aloud, a card says its day and hours as one sentence, and what it costs only where that is a price', async (t) => {
  const app = await startTestApp(t, { EVENTS_FALLBACK: 'any', CURRENCY_CODE: 'CAD' })
  const evening = { start_date: '2030-01-20 19:00:00', end_date: '2030-01-20 20:30:00' }
  await givenEvent(app, { title: 'Concert', ...evening, cost: '28' })
  await givenEvent(app, { title: 'Fair', start_date: '2030-01-21', end_date: '2030-01-21', all_day: true, cost: '0' })

  const read = async (path: string) => {
    const { text } = await page(app, path)
    const parts = text.matchAll(/<p class="card-when">(?<when>.*?)<\/p>.*?<ul class="card-facts">(?<facts>.*?)<\/ul>/gs)
    return [...parts].flatMap(({ groups }) =>
      Object.values(groups ?? {}).map((one) =>
        one
          .replace(/<[^>]*>/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    )
  }

  assert.deepEqual(await read('/fr/events/'), [
    ...['Dimanche 20 janvier 2030, de 19 h à 20 h 30', 'Prix : 28 $'],
    ...['Lundi 21 janvier 2030, toute la journée', 'Gratuit'],
  ])
  assert.deepEqual(await read('/events/'), [
    ...['Sunday, January 20, 2030, 7–8:30 p.m.', 'Cost: $28'],
    ...['Monday, January 21, 2030, all day', 'Free'],
  ])
})
