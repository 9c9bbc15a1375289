import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, givenVenue } from '../../../../test/support/given.ts'
import { dataIn, elementIn, page, titlesIn } from '../../../../test/support/pages.ts'
import { givenEventsInStates } from '../../../../test/support/states.ts'

const zone = { SITE_TIMEZONE: 'America/Toronto' }

async function startCalendar(t: Parameters<typeof startTestApp>[0], environment = {}): Promise<TestApp> {
  const app = await startTestApp(t, { ...zone, ...environment })
  await givenEventsInStates(app)
  return app
}

/** Returns the texts of the first element with this class, with its tags `s` and its hidden words. */
function partIn(text: string, name: string, end: string): string {
  const from = text.indexOf(`class="${name}`)
  assert.ok(from >= 0, name)
  const part = text.slice(text.indexOf('>', from) + 1, text.indexOf(end, from))
  return part
    .replace(/<(?!\/?s>)[^>]*>/g, ' ')
    .replace(/[ \n]+/g, ' ')
    .trim()
}

test('the page of an event tells below its title what happens to it, why, and since when', async (t) => {
  const app = await startCalendar(t)

  for (const [path, banner] of [
    ['/event/winter-recital/', 'This event is canceled. The hall has no heating. Announced on January 15, 2030'],
    [
      '/event/craft-fair/',
      'This event is postponed. The new date is not yet known. A storm is coming. We will tell you more soon. Announced on January 15, 2030',
    ],
    [
      '/event/the-seagull/',
      'This event has a new date. An actor is ill. Formerly: <s>Thursday, January 24, 2030, 7–9~p.m.</s> Announced on January 15, 2030',
    ],
    ['/event/talk-on-birds/', 'This event has moved online. The roads are icy. Announced on January 15, 2030'],
    ['/fr/event/recital-dhiver/', 'Cet événement est annulé. La salle n’est pas chauffée. Annoncé le 15 janvier 2030'],
    [
      '/fr/event/foire-dartisanat/',
      'Cet événement est reporté. La nouvelle date n’est pas encore connue. Une tempête approche. Annoncé le 15 janvier 2030',
    ],
    [
      '/fr/event/la-mouette/',
      'Cet événement a une nouvelle date. Un comédien est malade. Auparavant~: <s>Jeudi 24 janvier 2030, de~19~h à~21~h</s> Annoncé le 15 janvier 2030',
    ],
    [
      '/fr/event/conference-sur-les-oiseaux/',
      'Cet événement a été déplacé en ligne. Les routes sont glacées. Annoncé le 15 janvier 2030',
    ],
  ] as const) {
    const { text } = await page(app, path)
    assert.equal(partIn(text, 'event-state', '</div>').replaceAll('\u00a0', '~'), banner, path)
    assert.match(text, /<\/h1>\s*<div class="event-state/, path)
  }
  const [usual = ''] = (await page(app, '/event/chess-club/')).text.split('</article>')
  assert.doesNotMatch(usual, /event-state|<s>|class="[^"]*state /)
})

test('the time of a canceled event is struck out, and screen readers hear why', async (t) => {
  const app = await startCalendar(t)
  const timeOf = async (path: string) =>
    partIn((await page(app, path)).text, 'event-when', '</p>').replaceAll('\u00a0', ' ')

  assert.match(await timeOf('/event/winter-recital/'), /^Canceled: <s> Tuesday, January 22, 2030, 7–9 p\.m\. <\/s>/)
  assert.match(await timeOf('/fr/event/recital-dhiver/'), /^Annulé : <s> Mardi 22 janvier 2030/)
  assert.match(await timeOf('/event/craft-fair/'), /^Formerly: <s> January 23–25, 2030 <\/s>/)
  assert.match(await timeOf('/event/the-seagull/'), /^Tuesday, January 29, 2030, 7–9 p\.m\./)
})

test('titles that stand alone tell the status, unless they are set not to, and the heading is bare', async (t) => {
  const app = await startCalendar(t, { SITE_NAME: 'Town' })
  const oembed = async (from: TestApp, path: string) =>
    (await from.send({ path: `//oembed/1.0/embed?url=${encodeURIComponent(`${site}${path}`)}` })).body
  const bare = await startCalendar(t, { SITE_NAME: 'Town', STATUS_IN_TITLES: 'v1' })

  for (const [from, path, heading, title] of [
    [app, '/event/winter-recital/', 'Winter recital', 'Canceled: Winter recital'],
    [app, '/fr/event/recital-dhiver/', 'Récital d’hiver', 'Annulé : Récital d’hiver'],
    [app, '/event/the-seagull/', 'The Seagull', 'The Seagull'],
    [bare, '/event/winter-recital/', 'Winter recital', 'Winter recital'],
  ] as const) {
    const answer = await page(from, path)
    const frame = await page(from, `${path}embed/`)
    const { title: shared, html } = await oembed(from, path)
    const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ')
    assert.equal(elementIn(answer, 'h1'), heading)
    assert.deepEqual(
      [answer, frame].map((one) => plain(elementIn(one, 'title'))),
      [`${title} – Town`, `${title} – Town`],
    )
    assert.equal(plain(/property="og:title" content="([^"]*)"/.exec(answer.text)?.[1]), title)
    assert.equal(plain(shared), title)
    assert.ok(plain(html)?.includes(`title="${title}"`))
  }
  const { text } = await page(app, '/event/winter-recital/')
  assert.match(text, /name="description" content="Canceled – Tuesday, January 22, 2030/)
  assert.match((await page(app, '/fr/event/webinaire/')).text, /name="description" content="En ligne – /)
})

test('an online event has a link for those who may see it, and a place that it left is struck out', async (t) => {
  const app = await startCalendar(t)

  const moved = (await page(app, '/event/talk-on-birds/')).text
  const mixed = (await page(app, '/fr/event/club-de-lecture/')).text
  const registered = (await page(app, '/event/webinar/')).text

  assert.match(
    moved,
    /<a class="outside"[^>]* href="https:\/\/meet\.example\.org\/birds\?room=1&amp;lang=en">Join online \(meet\.example\.org\)</,
  )
  assert.match(
    moved,
    /<p><span class="unseen">Formerly: <\/span><s><a [^>]*><strong>Old Hall<\/strong><\/a><br>1 Main Street/,
  )
  assert.match(mixed, /<strong>Sur place et en ligne<\/strong><br><a [^>]*>Participer en ligne/)
  assert.doesNotMatch(mixed, /<s><a/)
  assert.match(registered, /<strong>Online<\/strong><br>Only registered people get the link\./)
  assert.doesNotMatch(registered, /meet\.example\.org/)
  assert.deepEqual(dataIn(await page(app, '/event/webinar/'))?.location, {
    '@type': 'VirtualLocation',
    url: `${site}/event/webinar/`,
  })
})

test('a password hides the reason and the link, and nothing else of the state', async (t) => {
  const app = await startTestApp(t, zone)
  const sent = {
    title: 'Members',
    event_password: 'sesame',
    attendance: 'online',
    virtual_url: 'https://meet.example.org/x',
  }
  const { id } = await givenEvent(app, sent)
  await changed(app, `/events/${id}`, { event_status: 'postponed', event_status_reason: 'Secret storm' })

  const locked = await page(app, '/event/members/')
  const opened = await app.send({ method: 'POST', path: '//event/members/', form: 'password=sesame' })

  assert.match(locked.text, /This event is postponed/)
  assert.doesNotMatch(locked.text, /Secret storm|meet\.example/)
  assert.match(opened.text, /Secret storm[\s\S]*https:\/\/meet\.example\.org\/x/)
  for (const path of ['/events/', '/event/members/embed/', '/events/month/2030-01/']) {
    const { text } = await page(app, path)
    assert.match(text, /class="[^"]*state postponed"[^>]*>Postponed</, path)
    assert.doesNotMatch(text, /Secret storm|meet\.example/, path)
  }
})

test('a reason keeps its lines and its signs, also when a writer sends back what it read', async (t) => {
  const app = await startTestApp(t, zone)
  const { id } = await givenEvent(app, { title: 'Walk' })
  const reason = 'Ice < 5 cm & rain.\n<b>Stay</b> home.'

  const first = await changed(app, `/events/${id}`, { event_status: 'canceled', event_status_reason: reason })
  const second = await changed(app, `/events/${id}`, { event_status_reason: first.event_status_reason })
  const { text } = await page(app, '/event/walk/')

  assert.equal(first.event_status_reason, 'Ice &lt; 5 cm &amp; rain.\nStay home.')
  assert.equal(second.event_status_reason, first.event_status_reason)
  assert.match(text, /<p class="reason">Ice &lt; 5 cm &amp; rain\.<br>Stay home\.<\/p>/)
})

test('lists, months, days, maps, venues and neighbours mark each event that is not as usual', async (t) => {
  const app = await startCalendar(t)
  const badge = (state: string, word: string) => new RegExp(`<span class="(?:badge )?state ${state}">${word}</span>`)
  const english = {
    canceled: 'Canceled',
    postponed: 'Postponed',
    rescheduled: 'New date',
    moved_online: 'Moved online',
    online: 'Online',
    mixed: 'On site and online',
  }
  const french = {
    canceled: 'Annulé',
    postponed: 'Reporté',
    rescheduled: 'Nouvelle date',
    moved_online: 'Déplacé en ligne',
    online: 'En ligne',
    mixed: 'Sur place et en ligne',
  }

  for (const [words, prefix] of [
    [english, ''],
    [french, '/fr'],
  ] as const) {
    for (const [path, states] of [
      ['/events/', Object.keys(words)],
      ['/events/?from=2030-01-20&to=2030-01-30', Object.keys(words)],
      ['/events/month/2030-01/', ['canceled', 'postponed', 'rescheduled', 'moved_online', 'online']],
      ['/events/month/2030-01/?day=2030-01-26', ['mixed']],
      ['/events/2030-01-26/', ['canceled', 'moved_online', 'online', 'mixed']],
      ['/events/map/', ['canceled']],
    ] as const) {
      const { text } = await page(app, `${prefix}${path}`)
      for (const state of states)
        assert.match(text, badge(state, words[state as 'canceled']), `${prefix}${path} ${state}`)
    }
  }
  const venue = (await page(app, '/venue/old-hall/')).text
  const chess = (await page(app, '/event/chess-club/')).text
  assert.match(venue, badge('moved_online', 'Moved online'))
  assert.match(chess, /rel="next"[\s\S]*<s>Jan 22, 2030<\/s> <span class="badge state canceled">Canceled<\/span>/)
  const [, alsoHere = ''] = chess.split('also-here')
  assert.match(alsoHere, badge('postponed', 'Postponed'))
  // An event that moved online is not at the venue.
  assert.doesNotMatch(alsoHere.split('</section>')[0] ?? '', /Talk on birds/)
  const list = (await page(app, '/events/')).text
  assert.match(list, /<s><time [^>]*>.*7–9.*<\/time><\/s> <span class="badge state canceled">/)
  assert.match(list, /<p class="card-place"><s><span[^>]*>Old Hall, Laval<\/span><\/s><\/p>/)
})

test('a canceled or postponed event is announced neither as on now nor as the next one', async (t) => {
  const app = await startTestApp(t, zone)
  const given = async (title: string, day: string, event_status?: string) => {
    const times = { start_date: `${day} 10:00:00`, end_date: `${day} 23:00:00` }
    const { id } = await givenEvent(app, { title, ...times })
    if (event_status) await changed(app, `/events/${id}`, { event_status })
  }
  const art = await givenEvent(app, { title: 'Art', start_date: '2030-01-02', end_date: '2030-02-20', all_day: true })
  await changed(app, `/events/${art.id}`, { event_status: 'canceled' })
  await given('Off', '2030-01-16', 'canceled')
  await given('Later', '2030-01-17', 'postponed')
  await given('Held', '2030-01-18')
  await given('Today', '2030-01-15', 'canceled')

  const list = (await page(app, '/events/')).text
  const [, going = ''] = /<details class="going">([\s\S]*?)<\/details>/.exec(list) ?? []
  const month = (await page(app, '/events/month/2029-12/')).text
  const found = await page(app, '/events/?search=nothing')
  app.pass(3600 * 4)
  const today = (await page(app, '/event/today/')).text

  assert.match(going, /<h2>Canceled or postponed<\/h2>[\s\S]*Art/)
  assert.doesNotMatch(list, /On now/)
  assert.match(month, /Next event: Held, Friday, January 18, 2030\./)
  const [, next = ''] = found.text.split('data-next')
  assert.match(next, /Held/)
  assert.doesNotMatch(next, /Off|Later|Today|Art/)
  assert.doesNotMatch(today, /happening now|is over/)
})

test('other calendars are offered for events that take place, and the file for all', async (t) => {
  const app = await startCalendar(t)
  const links = async (path: string) => {
    const { text } = await page(app, path)
    return [/event\/[^/]+\/ical\//, /calendar\.google\.com/, /outlook\.live\.com/].map((link) => link.test(text))
  }

  assert.deepEqual(await links('/event/chess-club/'), [true, true, true])
  assert.deepEqual(await links('/event/the-seagull/'), [true, true, true])
  assert.deepEqual(await links('/event/winter-recital/'), [true, false, false])
  assert.deepEqual(await links('/event/craft-fair/'), [true, false, false])
  const { text } = await page(app, '/event/talk-on-birds/')
  assert.match(text, /location=https%3A%2F%2Fmeet\.example\.org%2Fbirds/)
})

test('dates of one series are folded only if they are in the same state', async (t) => {
  const app = await startTestApp(t, zone)
  for (const day of [21, 22, 23]) {
    const times = { start_date: `2030-01-${day} 10:00:00`, end_date: `2030-01-${day} 11:00:00` }
    const { id } = await givenEvent(app, { title: 'Story time', ...times })
    if (day === 22) await changed(app, `/events/${id}`, { event_status: 'canceled' })
  }

  const answer = await page(app, '/events/')

  assert.deepEqual(titlesIn(answer), ['Story time', 'Story time'])
  assert.match(answer.text, /Wednesday, January 23|Jan 23/)
})

test('the interface and pages describe each state to search engines in the same words', async (t) => {
  const app = await startCalendar(t)
  const hall = await givenVenue(app, { venue: 'Arena', city: 'Laval' })
  await givenEvent(app, { title: 'Usual', venue: hall.id })

  for (const [slug, status, mode, kinds] of [
    ['usual', 'EventScheduled', 'Offline', ['Place']],
    ['winter-recital', 'EventCancelled', 'Offline', ['Place']],
    ['craft-fair', 'EventPostponed', 'Offline', ['Place']],
    ['the-seagull', 'EventRescheduled', 'Offline', ['Place']],
    ['talk-on-birds', 'EventMovedOnline', 'Online', ['VirtualLocation']],
    ['book-club', 'EventScheduled', 'Mixed', ['Place', 'VirtualLocation']],
  ] as const) {
    const { body } = await app.send({ path: `/events/by-slug/${slug}` })
    const shown = dataIn(await page(app, `/event/${slug}/`))
    for (const described of [body.json_ld, shown]) {
      assert.equal(described.eventStatus, `https://schema.org/${status}`, slug)
      assert.equal(described.eventAttendanceMode, `https://schema.org/${mode}EventAttendanceMode`, slug)
      assert.deepEqual(
        [described.location].flat().map((place: { readonly '@type': string }) => place['@type']),
        kinds,
        slug,
      )
      assert.equal(described.previousStartDate, slug === 'the-seagull' ? '2030-01-24T19:00:00-05:00' : undefined)
    }
  }
})

test('the script for other sites knows what titles contain, so that badges do not repeat it', async (t) => {
  for (const [environment, expected] of [
    [{}, /"addedToTitles":\{"canceled":\["Canceled: ","Annulé : "\]/],
    [{ STATUS_IN_TITLES: 'feeds' }, /"addedToTitles":\{\}/],
  ] as const) {
    const app = await startTestApp(t, environment)
    const { text } = await app.send({ path: '//embed.js' })
    assert.match(text, expected)
    assert.match(text, /"word\.postponed":"Reporté"/)
  }
})
