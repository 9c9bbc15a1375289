import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import type { Role } from '../../access/auth/actor.ts'

interface Sent {
  readonly as?: Role
  readonly query?: string
}

async function send(app: TestApp, payload: Buffer | string, { as = 'author', query = '' }: Sent = {}) {
  const headers = { 'content-type': 'text/calendar' }
  const path = `//cal/service/v1/sources/club/calendar${query}`
  return app.send({ as, method: 'POST', path, payload: Buffer.from(payload), headers })
}

const calendar = (lines: readonly string[], head: readonly string[] = []) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...head, ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', 'DTSTAMP:20300101T000000Z', ...lines, 'END:VEVENT']
const plain = (uid: string, ...more: readonly string[]) =>
  event(`UID:${uid}`, `SUMMARY:${uid}`, 'DTSTART;TZID=America/Toronto:20300201T190000', ...more)

const countsOf = ({ body }: { readonly body: Readonly<Record<string, number>> }) =>
  ['created', 'changed', 'unchanged', 'failed'].map((name) => body[name])

async function eventsOf(app: TestApp) {
  const path = '/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50&status=publish,private'
  const { body } = await app.send({ as: 'administrator', path })
  return body.events
}
/** The titles and local times of all events. */
async function shown(app: TestApp) {
  const events: readonly { title: string; start_date: string; end_date: string; timezone: string }[] =
    await eventsOf(app)
  return events.map((one) => `${one.title} ${one.start_date.slice(0, 16)} ${one.end_date.slice(0, 16)} ${one.timezone}`)
}
async function startsOf(app: TestApp) {
  const events: readonly { title: string; start_date: string }[] = await eventsOf(app)
  return events.map(({ title, start_date }) => `${title} ${start_date.slice(5, 16)}`)
}

test('a calendar is tried, imported, and the second time nothing is new', async (t) => {
  const app = await startTestApp(t)
  const sent = calendar(
    [
      ...event(
        ...[
          'UID:a@club',
          'SUMMARY:Concert\\, “live”',
          'DTSTART;TZID=America/Toronto:20300201T190000',
          'DURATION:PT90M',
        ],
        ...['DESCRIPTION:First <line>\\nSecond', 'LOCATION:Hall 2\\, 12 Main Street\\, Laval', 'GEO:45.5;-73.6'],
        ...[
          'CATEGORIES:Music,Free\\, for all',
          'URL:https://club.example/a',
          'ORGANIZER;CN=The Club:mailto:club@club.example',
        ],
        ...['BEGIN:VALARM', 'TRIGGER:-PT15M', 'DESCRIPTION:Alarm', 'END:VALARM'],
      ),
      ...plain('b', 'LOCATION:Hall 2\\, 12 Main Street\\, Laval', 'CLASS:PRIVATE'),
      ...plain('c', 'STATUS:CANCELLED', 'LOCATION:https://meet.example/c', 'DESCRIPTION:<b>Bold</b><br>x'),
    ],
    ['X-WR-CALNAME:The Club'],
  )

  const dry = await send(app, sent, { query: '?dry_run=true' })
  assert.deepEqual([dry.status, countsOf(dry), dry.body.dry_run], [200, [3, 0, 0, 0], true], dry.text)
  assert.deepEqual(await eventsOf(app), [])
  const done = await send(app, sent)
  assert.deepEqual(
    [countsOf(done), done.body.name, done.body.found, done.body.problems],
    [[3, 0, 0, 0], 'The Club', 3, []],
  )
  assert.deepEqual(countsOf(await send(app, sent)), [0, 0, 3, 0])

  const events = await eventsOf(app)
  const [a, b, c] = ['Concert, “live”', 'b', 'c'].map((title) =>
    events.find((one: { title: string }) => one.title === title),
  )
  assert.deepEqual(
    [a.end_date, a.website, a.organizer[0].organizer],
    ['2030-02-01 20:30:00', 'https://club.example/a', 'The Club'],
  )
  assert.deepEqual(
    [a.venue.venue, a.venue.address, a.venue.geo_lat, b.venue.id],
    ['Hall 2', '12 Main Street, Laval', 45.5, a.venue.id],
  )
  assert.deepEqual(a.categories.map(({ name }: { name: string }) => name).sort(), ['Free, for all', 'Music'])
  assert.match(a.description, /First &lt;line&gt;<br \/>\s*Second/)
  assert.deepEqual(
    [b.status, c.event_status, c.attendance, c.virtual_url],
    ['private', 'canceled', 'online', 'https://meet.example/c'],
  )
  assert.match(c.description, /<b>Bold<\/b>|<strong>Bold/)
})

test('a date of a private series that does not say so is private', async (t) => {
  const app = await startTestApp(t)
  const sent = calendar([
    ...plain('a', 'CLASS:CONFIDENTIAL', 'RRULE:FREQ=DAILY;COUNT=3'),
    ...plain('a', 'RECURRENCE-ID;TZID=America/Toronto:20300202T190000'),
  ])
  assert.deepEqual(countsOf(await send(app, sent)), [2, 0, 0, 0])
  const statuses = (await eventsOf(app)).map(({ status }: { status: string }) => status)
  assert.deepEqual(statuses, ['private', 'private', 'private'])
})

test('a contributor sends events for review, and keeps what is private', async (t) => {
  const app = await startTestApp(t)
  const sent = calendar([...plain('a'), ...plain('b', 'CLASS:PRIVATE')])
  assert.deepEqual(countsOf(await send(app, sent, { as: 'contributor' })), [2, 0, 0, 0])
  const path = '/events?start_date=2029-01-01&end_date=2040-01-01&status=any'
  const { body } = await app.send({ as: 'editor', path })
  assert.deepEqual(
    body.events.map(({ title, status }: { title: string; status: string }) => [title, status]),
    [
      ['a', 'pending'],
      ['b', 'draft'],
    ],
  )
})

test('whole days end before DTEND, and an event without an end ends when it begins', async (t) => {
  const app = await startTestApp(t)
  const day = (uid: string, ...more: readonly string[]) =>
    event(`UID:${uid}`, `SUMMARY:${uid}`, 'DTSTART;VALUE=DATE:20300201', ...more)
  const sent = [
    ...[
      ...day('a'),
      ...day('b', 'DTEND;VALUE=DATE:20300202'),
      ...day('c', 'DTEND;VALUE=DATE:20300204'),
      ...day('d', 'DURATION:P2D'),
    ],
    ...[...day('e', 'DTEND;VALUE=DATE:20300201'), ...event('UID:f', 'SUMMARY:f', 'DTSTART:20300201'), ...plain('g')],
  ]

  assert.deepEqual(countsOf(await send(app, calendar(sent))), [7, 0, 0, 0])

  const ends = (await shown(app)).map((one) => `${one.slice(0, 12)} ${one.slice(19, 35)}`)
  assert.deepEqual(ends.sort(), [
    ...['a 2030-02-01 2030-02-01 23:59', 'b 2030-02-01 2030-02-01 23:59', 'c 2030-02-01 2030-02-03 23:59'],
    ...['d 2030-02-01 2030-02-02 23:59', 'e 2030-02-01 2030-02-01 23:59', 'f 2030-02-01 2030-02-01 23:59'],
    'g 2030-02-01 2030-02-01 19:00',
  ])
})

test('zones of Windows, zones of the calendar, instants and floating times', async (t) => {
  const app = await startTestApp(t)
  const own = [
    ...[
      'BEGIN:VTIMEZONE',
      'TZID:Our time',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    ],
    ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD', 'BEGIN:DAYLIGHT', 'DTSTART:19700329T020000'],
    ...[
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ],
  ]
  const at = (uid: string, start: string) => event(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART${start}`)
  const sent = [
    ...own,
    ...[
      ...at('windows', ';TZID=Eastern Standard Time:20300701T120000'),
      ...at('own', ';TZID=Our time:20300701T120000'),
    ],
    ...[
      ...at('outlook', ';TZID="(UTC-05:00) Eastern Time (US & Canada)":20300701T120000'),
      ...at('utc', ':20300701T120000Z'),
    ],
    ...[
      ...at('float', ':20300701T120000'),
      ...at('long', ';TZID=/mozilla.org/20050126_1/Europe/Paris:20300701T120000'),
    ],
    ...[...at('second', ':20301103T060000Z'), ...at('unknown', ';TZID=Mars:20300701T120000')],
  ]

  const { body } = await send(app, calendar(sent, ['X-WR-TIMEZONE:America/Toronto']))

  const zones = (await shown(app)).map((one) => one.replace(/ 2030\S+ \S+(?= \S+$)/, '')).sort()
  assert.deepEqual(
    zones.filter((one) => !one.startsWith('own')),
    [
      ...[
        'float 2030-07-01 12:00 America/Toronto',
        'long 2030-07-01 12:00 Europe/Paris',
        'outlook 2030-07-01 12:00 America/New_York',
      ],
      ...['second 2030-11-03 01:00 -05:00', 'unknown 2030-07-01 12:00 America/Toronto'],
      ...['utc 2030-07-01 08:00 America/Toronto', 'windows 2030-07-01 12:00 America/New_York'],
    ],
  )
  const events: readonly { title: string; utc_start_date: string }[] = await eventsOf(app)
  const utc = (title: string) => events.find((one) => one.title === title)?.utc_start_date
  assert.deepEqual([utc('own'), utc('second')], ['2030-07-01 10:00:00', '2030-11-03 06:00:00'])
  assert.match(body.notes[0], /^2 events have no time zone\. They take place in America\/Toronto/)
  assert.match(body.notes[1], /Mars/)
})

test('rules become series, with the dates that differ, are left out, added or canceled', async (t) => {
  const app = await startTestApp(t)
  const yoga = (...more: readonly string[]) =>
    event(
      'UID:y',
      'SUMMARY:Yoga',
      'DTSTART;TZID=America/Toronto:20300201T180000',
      'DTEND;TZID=America/Toronto:20300201T190000',
      ...more,
    )
  const rule = 'RRULE:FREQ=WEEKLY;UNTIL=20300302T035959Z'
  const changed = event(
    ...['UID:y', 'RECURRENCE-ID:20300215T230000Z', 'SUMMARY:Outside', 'DTSTART;TZID=America/Toronto:20300215T200000'],
    // Some programs repeat the rule of the series in its dates.
    rule,
  )
  const called = event(
    'UID:y',
    'RECURRENCE-ID;TZID=America/Toronto:20300301T180000',
    'SUMMARY:Off',
    'STATUS:CANCELLED',
    'DTSTART;TZID=America/Toronto:20300301T180000',
  )
  const extra = event(
    'UID:y',
    'RECURRENCE-ID;TZID=America/Toronto:20300220T180000',
    'SUMMARY:Extra',
    'DTSTART;TZID=America/Toronto:20300220T180000',
  )
  const exdate = 'EXDATE;TZID=America/Toronto:20300208T180000'
  const rdate = 'RDATE;TZID=America/Toronto:20300210T100000'
  const all = calendar([...changed, ...yoga(rule, exdate, rdate), ...called, ...extra])

  const first = await send(app, all)

  assert.deepEqual([countsOf(first), first.body.problems], [[4, 0, 0, 0], []], first.text)
  const wanted = [
    'Yoga 02-01 18:00',
    'Yoga 02-10 10:00',
    'Outside 02-15 20:00',
    'Extra 02-20 18:00',
    'Yoga 02-22 18:00',
    'Off 03-01 18:00',
  ]
  assert.deepEqual(await startsOf(app), wanted)
  assert.deepEqual(countsOf(await send(app, all)), [0, 0, 4, 0])

  // The dates that differed have gone back to their series.
  const back = await send(app, calendar(yoga('RRULE:FREQ=WEEKLY;COUNT=5')))
  assert.equal(back.body.failed, 0, back.text)
  assert.deepEqual(await startsOf(app), [
    'Yoga 02-01 18:00',
    'Yoga 02-08 18:00',
    'Yoga 02-15 18:00',
    'Yoga 02-22 18:00',
    'Yoga 03-01 18:00',
  ])
  assert.equal(
    (await eventsOf(app)).some(({ event_status }: { event_status?: string }) => event_status),
    false,
  )
})

test('a change of a date and all later ones counts until the next such change', async (t) => {
  const app = await startTestApp(t)
  const at = (name: string, local: string, range = '') => `${name};TZID=America/Toronto${range}:${local}`
  const master = (rule: string) =>
    event('UID:y', 'SUMMARY:Yoga', at('DTSTART', '20300201T180000'), at('DTEND', '20300201T190000'), rule)
  const later = ';RANGE=THISANDFUTURE'
  const change = (title: string, id: string, start: string, end: string, range = later) =>
    event('UID:y', `SUMMARY:${title}`, at('RECURRENCE-ID', id, range), at('DTSTART', start), at('DTEND', end))
  const rule = 'RRULE:FREQ=WEEKLY;COUNT=8'
  const exdate = at('EXDATE', '20300301T180000')
  const sent = calendar([
    ...change('Last', '20300315T180000', '20300316T100000', '20300316T110000'),
    ...master(`${rule}\r\n${exdate}`),
    ...change('Late', '20300208T180000', '20300208T200000', '20300208T213000'),
    ...change('Once', '20300222T180000', '20300222T170000', '20300222T180000', ''),
  ])

  const { body, text } = await send(app, sent)

  assert.deepEqual([body.failed, body.problems, body.notes.length], [0, [], 1], text)
  assert.match(body.notes[0], /^2 changes are for all later dates/)
  assert.deepEqual(
    (await shown(app)).map((one) => one.replace(/2030-| America.*/g, '')),
    [
      ...['Yoga 02-01 18:00 02-01 19:00', 'Late 02-08 20:00 02-08 21:30', 'Late 02-15 20:00 02-15 21:30'],
      // On 10 March, clocks change.
      ...['Once 02-22 17:00 02-22 18:00', 'Late 03-08 20:00 03-08 21:30', 'Last 03-16 10:00 03-16 11:00'],
      'Last 03-23 10:00 03-23 11:00',
    ],
  )
  assert.deepEqual(countsOf(await send(app, sent)).slice(0, 2), [0, 0])

  assert.equal((await send(app, calendar(master(rule)))).body.failed, 0)
  assert.deepEqual(new Set((await startsOf(app)).map((one) => one.replace(/ \S+/, ''))), new Set(['Yoga 18:00']))
})

test('a change of whole days and all later ones moves days, and one of a canceled rest cancels it', async (t) => {
  const app = await startTestApp(t)
  const days = event('UID:a', 'SUMMARY:a', 'DTSTART;VALUE=DATE:20300701', 'RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3')
  const id = 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE'
  const moved = event('UID:a', 'SUMMARY:b', `${id}:20300704`, 'DTSTART;VALUE=DATE:20300705', 'STATUS:CANCELLED')
  await send(app, calendar([...days, ...moved]))

  assert.deepEqual(await startsOf(app), ['a 07-01 00:00', 'b 07-05 00:00', 'b 07-08 00:00'])
  const states = (await eventsOf(app)).map(({ event_status }: { event_status?: string }) => event_status)
  assert.deepEqual(states, [undefined, 'canceled', 'canceled'])
})

test('days of a duration end at the same time of day, and no event ends before it starts in the second of equal hours', async (t) => {
  const app = await startTestApp(t)
  const zoned = (uid: string, start: string, ...more: readonly string[]) =>
    event(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART;TZID=${start}`, ...more)
  const sent = [
    ...zoned('day', 'America/Toronto:20301102T190000', 'DURATION:P1D'),
    ...zoned('hours', 'America/Toronto:20301102T190000', 'DURATION:PT24H'),
    ...zoned('night', 'America/Toronto:20301102T190000', 'DTEND;TZID=America/Toronto:20301102T240000'),
    ...zoned('mexico', 'Central Standard Time (Mexico):20300701T190000'),
    ...zoned('texas', '"central standard time":20300701T190000'),
    ...zoned('paris', 'CET:20300701T190000'),
    ...zoned('offset', 'GMT+0200:20300701T190000'),
    ...event('UID:equal', 'SUMMARY:equal', 'DTSTART:20301103T054500Z', 'DTEND:20301103T061500Z'),
  ]
  const head = ['X-WR-TIMEZONE:Eastern Standard Time']

  assert.deepEqual(countsOf(await send(app, calendar(sent, head))), [8, 0, 0, 0])

  assert.deepEqual((await shown(app)).toSorted(), [
    'day 2030-11-02 19:00 2030-11-03 19:00 America/Toronto',
    'equal 2030-11-03 01:45 2030-11-03 02:15 -04:00',
    'hours 2030-11-02 19:00 2030-11-03 18:00 America/Toronto',
    'mexico 2030-07-01 19:00 2030-07-01 19:00 America/Mexico_City',
    'night 2030-11-02 19:00 2030-11-03 00:00 America/Toronto',
    'offset 2030-07-01 19:00 2030-07-01 19:00 +02:00',
    'paris 2030-07-01 19:00 2030-07-01 19:00 CET',
    'texas 2030-07-01 19:00 2030-07-01 19:00 America/Chicago',
  ])
})

test('midnight means a day for a series of whole days, in every zone', async (t) => {
  const app = await startTestApp(t)
  const lines = ['DTSTART;VALUE=DATE:20300701', 'RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20300702T000000']
  const utc = 'EXDATE:20300703T000000Z'
  const zoned = 'EXDATE;TZID=Europe/Paris:20300704T000000'
  const moved = event('UID:a', 'SUMMARY:moved', 'RECURRENCE-ID:20300705T000000Z', 'DTSTART;VALUE=DATE:20300710')
  await send(app, calendar([...event('UID:a', 'SUMMARY:a', ...lines, utc, zoned), ...moved]))

  assert.deepEqual(await startsOf(app), ['a 07-01 00:00', 'a 07-06 00:00', 'moved 07-10 00:00'])
})

test('lines folded within a sign, and a line that is not UTF-8, spoil no others', async (t) => {
  const app = await startTestApp(t)
  const [before = '', after = ''] = calendar(plain('a')).split('SUMMARY:a')
  const sign = Buffer.from('é’')
  for (const [uid, bytes] of [
    [
      'folded',
      Buffer.concat([
        sign.subarray(0, 1),
        Buffer.from('\r\n '),
        sign.subarray(1, 4),
        Buffer.from('\r\n\t'),
        sign.subarray(4),
      ]),
    ],
    ['broken', Buffer.concat([sign, Buffer.from('\r\nLOCATION:Caf'), Buffer.from([0xe9])])],
  ] as const) {
    const payload = [before.replace('UID:a', `UID:${uid}`), `SUMMARY:${uid} Fête `, bytes, after]
    await send(app, Buffer.concat(payload.map((part) => Buffer.from(part))))
  }

  const events = await eventsOf(app)
  const told = events.map(({ title, venue }: { title: string; venue: { venue?: string } }) => [title, venue.venue])
  assert.deepEqual(told.toSorted(), [
    ['broken Fête é’', 'Café'],
    ['folded Fête é’', undefined],
  ])
})

test('dates of no series, rules that are not followed, doubles and broken events are told, and hide no others', async (t) => {
  const app = await startTestApp(t)
  const date = (uid: string, id: string, ...more: readonly string[]) => plain(uid, `RECURRENCE-ID:${id}`, ...more)
  const sent = calendar([
    ...date('foreign', '20300201T240000Z', 'RRULE:FREQ=DAILY'),
    ...['BEGIN:VEVENT', 'UID:broken', 'SUMMARY:Broken', 'DTSTART:soon', 'RRULE:FREQ=SOMETIMES'],
    ...plain('hours', 'RRULE:FREQ=DAILY;BYHOUR=9,19;COUNT=4'),
    ...[
      ...plain('twice', 'SEQUENCE:2'),
      ...event('UID:twice', 'SUMMARY:Old', 'DTSTART:20300101T100000Z', 'SEQUENCE:1'),
    ],
    ...event('UID:none', 'SUMMARY:', 'DTSTART:20300101T100000Z'),
    ...plain('all out', 'RRULE:FREQ=DAILY;COUNT=1', 'EXDATE;TZID=America/Toronto:20300201T190000'),
    ...[
      'BEGIN:VEVENT',
      'UID:lines',
      'SUMMARY:Lines',
      'DTSTART:20300202T100000Z',
      'DESCRIPTION:one',
      'two',
      'END:VEVENT',
    ],
    ...event('SUMMARY:No id', 'DTSTART:20300203T100000Z'),
  ])

  const { body } = await send(app, sent)

  assert.deepEqual([body.created, body.failed], [5, 2])
  assert.deepEqual(
    body.problems.map(({ place, title }: { place: number; title: string }) => [place, title]),
    [
      [2, 'Broken'],
      [6, ''],
    ],
  )
  assert.match(body.problems[0].text, /start_date/)
  assert.deepEqual(
    (await startsOf(app)).sort(),
    [
      ...['foreign 02-01 19:00', 'hours 02-01 19:00', 'twice 02-01 19:00', 'hours 02-02 09:00', 'Lines 02-02 10:00'],
      ...['hours 02-02 19:00', 'No id 02-03 10:00', 'hours 02-03 09:00'],
    ].sort(),
  )
  assert.deepEqual(body.notes.length, 3, body.notes.join())
})

test('a page, a cut file and one that is too large are refused before anything is done, and Windows texts are read', async (t) => {
  const app = await startTestApp(t)
  for (const text of ['<!DOCTYPE html><title>Sign in</title>', calendar(plain('a')).slice(0, -20), '', '{}']) {
    const { status, body } = await send(app, text)
    assert.deepEqual([status, body.code], [400, 'not-a-calendar'])
  }
  const many = await send(app, calendar(Array.from({ length: 5001 }, () => ['BEGIN:VEVENT', 'END:VEVENT']).flat()))
  const long = await send(app, calendar([`X-A:${'a'.repeat(10 * 1024 * 1024)}`]))
  assert.deepEqual([many.status, long.status], [413, 413])
  assert.equal((await send(app, calendar(plain('a')), { as: 'subscriber' })).status, 403)

  assert.deepEqual(
    countsOf(
      await send(app, Buffer.from(calendar(plain('a', 'LOCATION:Été')).replace('SUMMARY:a', 'SUMMARY:Fête'), 'latin1')),
    ),
    [1, 0, 0, 0],
  )
  assert.deepEqual(await startsOf(app), ['Fête 02-01 19:00'])
})

test('what was edited here stays, and another user cannot send the source', async (t) => {
  const app = await startTestApp(t)
  await send(app, calendar(plain('a', 'LOCATION:Hall')))
  const [{ id }] = await eventsOf(app)
  await app.send({ as: 'author', method: 'PATCH', path: `/events/${id}`, json: { title: 'Edited' } })

  await send(app, calendar(event('UID:a', 'SUMMARY:Renamed', 'DTSTART;TZID=America/Toronto:20300201T200000')))

  assert.deepEqual(await startsOf(app), ['Edited 02-01 20:00'])
  await send(app, calendar(plain('a')), { as: 'administrator', query: '?force=true' })
  assert.deepEqual(await startsOf(app), ['a 02-01 19:00'])
  assert.equal((await send(app, calendar(plain('a')), { as: 'contributor' })).body.code, 'source-of-another-user')
})

test('instants and days of a calendar that names UTC are shown in the zone of the site', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const sent = [
    ...event('UID:a', 'SUMMARY:instant', 'DTSTART:20300201T233000Z'),
    ...event('UID:b', 'SUMMARY:day', 'DTSTART;VALUE=DATE:20300202'),
    ...event('UID:c', 'SUMMARY:floating', 'DTSTART:20300203T183000'),
  ]
  await send(app, calendar(sent, ['X-WR-TIMEZONE:UTC']), { as: 'editor' })
  assert.deepEqual(await shown(app), [
    'instant 2030-02-01 18:30 2030-02-01 18:30 America/Toronto',
    'day 2030-02-02 00:00 2030-02-02 23:59 America/Toronto',
    'floating 2030-02-03 13:30 2030-02-03 13:30 America/Toronto',
  ])
})
