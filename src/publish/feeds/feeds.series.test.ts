import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm } from '../../../test/support/given.ts'

const yoga = {
  title: 'Yoga',
  ...{ start_date: '2030-01-18 19:00:00', end_date: '2030-01-18 20:30:00', timezone: 'America/Toronto' },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' },
}

async function linesOf(app: TestApp, path: string): Promise<readonly string[]> {
  const { status, text } = await app.send({ path })
  assert.equal(status, 200, text)
  return text.replaceAll('\r\n ', '').split('\r\n')
}

const valuesOf = (lines: readonly string[], name: string) =>
  lines.filter((line) => new RegExp(`^${name}[;:]`).test(line)).map((line) => line.slice(line.indexOf(':') + 1))

/** Returns the lines that say when and how often, without time zones. */
const told = (lines: readonly string[]) => {
  const entries = lines.slice(lines.indexOf('BEGIN:VEVENT'))
  return entries.filter((line) => /^(?:DTSTART|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS)/.test(line))
}

async function idsOfSeries(app: TestApp, seriesId: number): Promise<readonly number[]> {
  const { body } = await app.send({ path: `/events?series=${seriesId}&per_page=50` })
  return body.events.map(({ id }: { readonly id: number }) => id)
}

test('a calendar has a series as one entry, and each date that differs as another', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const [, second, third, fourth] = await idsOfSeries(app, series.id)
  await changed(app, `/events/${second}`, { start_date: '2030-01-26 10:00', end_date: '2030-01-26 11:00' })
  await changed(app, `/events/${third}`, { event_status: 'canceled' })
  await app.send({ method: 'DELETE', path: `/events/${fourth}`, as: 'administrator' })

  const lines = await linesOf(app, '/events.ics')

  const toronto = 'TZID=America/Toronto'
  assert.deepEqual(told(lines), [
    ...['STATUS:CONFIRMED', `DTSTART;${toronto}:20300118T190000`, 'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20300223T045959Z'],
    `EXDATE;${toronto}:20300208T190000`,
    ...['STATUS:CONFIRMED', `RECURRENCE-ID;${toronto}:20300125T190000`, `DTSTART;${toronto}:20300126T100000`],
    ...['STATUS:CANCELLED', `RECURRENCE-ID;${toronto}:20300201T190000`, `DTSTART;${toronto}:20300201T190000`],
  ])
  assert.equal(new Set(valuesOf(lines, 'UID')).size, 1)
  assert.match(valuesOf(lines, 'URL').at(1) ?? '', /\/event\/yoga\/$/)
})

test('a filter leaves dates out of the rule, and never turns it into single events', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'categories', { name: 'Indoors' })
  const { series } = await givenEvent(app, { ...yoga, categories: [id] })
  const [, , third] = await idsOfSeries(app, series.id)
  await changed(app, `/events/${third}`, { categories: [] })

  const uids = valuesOf(await linesOf(app, '/events.ics'), 'UID')
  const filtered = await linesOf(app, `/events.ics?categories=${id}`)

  assert.deepEqual(valuesOf(filtered, 'UID'), uids.slice(0, 1))
  assert.deepEqual(valuesOf(filtered, 'EXDATE'), ['20300201T190000'])
})

test('a calendar may have each date by itself, with ids of their own', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  const each = await linesOf(app, '/events.ics?occurrences=each')
  const next = await linesOf(app, '/events.ics?occurrences=next')

  assert.equal(new Set(valuesOf(each, 'UID')).size, 6)
  assert.deepEqual(valuesOf(each, 'RRULE'), [])
  assert.deepEqual(valuesOf(next, 'UID'), valuesOf(each, 'UID').slice(0, 1))
})

test('news have the next date of a series, and tables have each', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  await givenEvent(app, { title: 'Concert' })

  for (const [format, item] of [
    ['rss', '<item>'],
    ['atom', '<entry '],
  ] as const) {
    const next = await app.send({ path: `/events.${format}` })
    const each = await app.send({ path: `/events.${format}?occurrences=each` })
    assert.deepEqual([next.text.split(item).length - 1, each.text.split(item).length - 1], [2, 7])
    assert.equal(next.headers['x-tec-total'], '2')
  }
  const { text } = await app.send({ path: '/events.csv' })
  const rows = parse(text, { bom: true, columns: true }) as readonly Record<string, string>[]
  assert.equal(rows.length, 7)
  const ofYoga = rows.filter(({ title }) => title === 'Yoga')
  assert.deepEqual([...new Set(ofYoga.map((row) => row.series_id))], [String(series.id)])
  assert.deepEqual(
    ofYoga.slice(0, 2).map((row) => row.recurrence_id),
    ['2030-01-18 19:00:00', '2030-01-25 19:00:00'],
  )
  assert.deepEqual(Object.keys(rows[0] ?? {}).slice(-2), ['series_id', 'recurrence_id'])
})

test('a table of events of no series has the columns that it always had', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app)

  const { text } = await app.send({ path: '/events.csv' })

  assert.doesNotMatch(text, /series_id/)
})

test('only calendars know rules', async (t) => {
  const app = await startTestApp(t)

  for (const path of ['/events', '/events.rss', '/events.atom', '/events.csv']) {
    const { status, body } = await app.send({ path: `${path}?occurrences=rule` })
    assert.deepEqual([status, Object.keys(body.data.params)], [400, ['occurrences']], path)
  }
})

test('a calendar is sent again after a change of any date or of the rule', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await idsOfSeries(app, series.id)
  const etags = new Set<string | undefined>()
  const sequences = new Set<string | undefined>()
  const look = async () => {
    const { headers, text } = await app.send({ path: '/events.ics' })
    etags.add(headers.etag)
    sequences.add(/^SEQUENCE:(\d+)/m.exec(text)?.[1])
  }

  await look()
  await changed(app, `/events/${ids[2]}`, { title: 'Yoga outdoors' })
  await look()
  await app.send({ method: 'DELETE', path: `/events/${ids[3]}`, as: 'administrator' })
  await look()
  await changed(app, `/events/${ids[1]}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=8' }, scope: 'all', past: true })
  await look()

  assert.equal(etags.size, 4)
  assert.ok(sequences.size >= 2, [...sequences].join())
})

test('a single date is a calendar of its own, as it is among each', async (t) => {
  const app = await startTestApp(t)
  const { url, id } = await givenEvent(app, yoga)
  const each = await linesOf(app, '/events.ics?occurrences=each')

  const { status, text } = await app.send({ path: `/${new URL(url).pathname}ical/` })

  assert.equal(status, 200, `${id} ${url}`)
  assert.deepEqual(valuesOf(text.split('\r\n'), 'UID'), valuesOf(each, 'UID').slice(0, 1))
})

test('segments of a series are entries that are related', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await idsOfSeries(app, series.id)
  const later = { start_date: '2030-02-08 18:00:00', end_date: '2030-02-08 19:00:00', scope: 'following' }
  await changed(app, `/events/${ids[3]}`, later)

  const lines = await linesOf(app, '/events.ics')

  const uids = valuesOf(lines, 'UID')
  assert.equal(uids.length, 2)
  assert.deepEqual(valuesOf(lines, 'RELATED-TO'), uids.toReversed())
  assert.deepEqual(valuesOf(lines, 'DTSTART').slice(-2), ['20300118T190000', '20300208T180000'])
  assert.deepEqual(valuesOf(lines, 'RRULE'), [
    'FREQ=WEEKLY;BYDAY=FR;UNTIL=20300202T045959Z',
    'FREQ=WEEKLY;BYDAY=FR;UNTIL=20300223T045959Z',
  ])
})

test('the id of a segment lasts, whatever segments come before it, go, or are cut from it', async (t) => {
  const app = await startTestApp(t)
  const { series } = await givenEvent(app, yoga)
  const ids = await idsOfSeries(app, series.id)
  const uids = async () => valuesOf(await linesOf(app, '/events.ics'), 'UID')
  const [first] = await uids()
  const add = async (start: string) => {
    const path = `//cal/service/v1/series/${series.id}/dates`
    const { status } = await app.send({ as: 'administrator', method: 'POST', path, json: { start_date: start } })
    assert.equal(status, 200)
  }

  await add('2030-01-16 10:00:00')
  const [earlier, same] = await uids()
  assert.deepEqual([same, earlier === first], [first, false])

  const later = { start_date: '2030-02-08 18:00:00', end_date: '2030-02-08 19:00:00', scope: 'following' }
  await changed(app, `/events/${ids[3]}`, later)
  const [, , third] = await uids()
  assert.deepEqual(await uids(), [earlier, first, third])

  const end = { method: 'DELETE', path: `/events/${ids[3]}?scope=following`, as: 'administrator' } as const
  assert.equal((await app.send(end)).status, 200)
  assert.deepEqual(await uids(), [earlier, first])

  await changed(app, `/events/${ids[1]}`, {
    ...later,
    start_date: '2030-01-25 21:00:00',
    end_date: '2030-01-25 22:00:00',
  })
  const now = await uids()
  assert.deepEqual([now[0], now[1], now.length], [earlier, first, 3])
  assert.ok(now[2] !== third)
})

test('a series whose time zone is an offset is written as its dates, because calendars do not know it', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { ...yoga, timezone: 'UTC-5' })
  const inUtc = { ...yoga, timezone: 'UTC', title: 'Chess', recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } }
  await givenEvent(app, inUtc)

  const lines = await linesOf(app, '/events.ics')

  assert.equal(new Set(valuesOf(lines, 'UID')).size, 7)
  assert.deepEqual(valuesOf(lines, 'RRULE'), ['FREQ=DAILY;UNTIL=20300120T235959Z'])
})

test('whole days repeat as days', async (t) => {
  const app = await startTestApp(t)
  const days = { start_date: '2030-03-08', end_date: '2030-03-09', all_day: true, timezone: 'America/Toronto' }
  await givenEvent(app, { ...yoga, ...days, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', except: ['2030-03-15'] } })

  assert.deepEqual(told(await linesOf(app, '/events.ics')), [
    ...['STATUS:CONFIRMED', 'DTSTART;VALUE=DATE:20300308', 'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20300322'],
    'EXDATE;VALUE=DATE:20300315',
  ])
})

test('a protected series shows its times and its title only', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { ...yoga, description: 'Bring a mat.', event_password: 'open' })

  const { text } = await app.send({ path: '/events.ics' })
  const opened = await app.send({ path: '/events.ics?password=open' })

  assert.match(text, /RRULE:FREQ=WEEKLY/)
  assert.doesNotMatch(text, /Bring a mat/)
  assert.match(opened.text, /Bring a mat/)
})

test('a long calendar with series is written while it is read, the same as a short one', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)
  // As long as texts of older versions could be.
  const contentHtml = `<p>${'long text, '.repeat(80_000)}</p>`
  await app.deps.storage.write((tx) =>
    tx.updateTable('records').set({ content_html: contentHtml }).where('kind', '=', 'event').execute(),
  )
  const path = '/events.ics'

  const { headers, text } = await app.send({ path })
  const etag = headers.etag ?? ''
  const same = await app.send({ path, headers: { 'if-none-match': etag } })

  assert.equal(headers['content-length'], undefined)
  assert.match(etag, /^W/)
  assert.equal(same.status, 304)
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  assert.deepEqual(valuesOf(lines, 'RRULE'), ['FREQ=WEEKLY;BYDAY=FR;UNTIL=20300223T045959Z'])
  assert.equal(valuesOf(lines, 'UID').length, 1)
})
