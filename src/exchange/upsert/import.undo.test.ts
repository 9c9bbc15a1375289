import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import type { Actor, UserId } from '../../access/auth/actor.ts'
import type { Language } from '../../base/languages/language.ts'
import { importCalendar } from '../calendars/calendar.import.ts'
import type { SourceRecordKind } from './source.kinds.ts'

const actor: Actor = { kind: 'user', id: 4 as UserId, role: 'editor' }

const service = '//cal/service/v1'

const event = (uid: string, ...lines: readonly string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, 'DTSTART:20300501T190000Z', ...lines, 'END:VEVENT', ''].join('\r\n')

const calendar = (...events: readonly string[]) => `BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`

async function start(t: Parameters<typeof startTestApp>[0]) {
  const app = await startTestApp(t)
  const importText = async (text: string) => {
    const payload = Buffer.from(text)
    const headers = { 'content-type': 'text/calendar' }
    return (
      await app.send({ as: 'editor', method: 'POST', path: `${service}/sources/club/calendar`, payload, headers })
    ).body
  }
  const undo = (id: number, query = '', as: 'editor' | 'author' = 'editor') =>
    app.send({ as, method: 'POST', path: `${service}/imports/${id}/undo${query}` })
  const titles = async (kind: 'events' | 'venues' | 'organizers') => {
    const query = kind === 'events' ? '&start_date=2030-01-01&end_date=2031-01-01' : ''
    const { body } = await app.send({ as: 'editor', path: `/${kind}?per_page=50&hide_empty=false${query}` })
    const all: readonly Record<string, string>[] = body[kind] ?? []
    return all.map((one) => one.title ?? one.venue ?? one.organizer).sort()
  }
  return { ...app, importText, undo, titles }
}

test('an import is undone as a whole: what was edited and what is needed stays, and the next import brings all back', async (t) => {
  const { send, pass, importText, undo, titles } = await start(t)
  await send({ as: 'editor', method: 'POST', path: '/venues', json: { venue: 'Old hall' } })
  await importText(calendar(event('older')))
  pass(60)
  const text = calendar(
    event('older', 'DESCRIPTION:Changed'),
    event('plain', 'LOCATION:Hall'),
    event('edited', 'LOCATION:Theatre'),
    event('old', 'LOCATION:Old hall'),
    event('weekly', 'RRULE:FREQ=WEEKLY;COUNT=3'),
    event('trashed'),
  )
  const done = await importText(text)
  pass(60)
  const { body } = await send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50' })
  const idOf = (title: string) => body.events.find((one: { title: string }) => one.title === title).id
  await send({ as: 'editor', method: 'PATCH', path: `/events/${idOf('edited')}`, json: { cost: '5' } })
  await send({ as: 'editor', method: 'DELETE', path: `/events/${idOf('trashed')}` })
  const { id, url } = done.undo
  assert.match(url, /\/cal\/service\/v1\/imports\/\d+\/undo$/)

  const dry = await undo(id, '?dry_run=true')
  assert.equal(dry.status, 200)
  assert.equal((await titles('events')).length, 7)
  assert.equal((await undo(id, '', 'author')).status, 404)
  const undone = await undo(id)

  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await titles('events'), ['edited', 'older'])
  assert.deepEqual(await titles('venues'), ['Old hall', 'Theatre'])
  assert.deepEqual(undone.body, { removed: 5, restored: 1, kept: 2 })
  assert.deepEqual((await undo(id)).body, { removed: 0, restored: 0, kept: 2 })
  const list = (await send({ as: 'editor', path: `${service}/imports` })).body
  assert.deepEqual(
    list.map((one: { source: string; is_undone: boolean; count: number }) => [one.source, one.is_undone, one.count]),
    [
      ['club', true, 2],
      ['club', false, 1],
    ],
  )
  assert.deepEqual((await send({ as: 'author', path: `${service}/imports` })).body, [])

  const again = await importText(text)
  assert.deepEqual([again.created, again.changed, again.unchanged], [0, 4, 2])
  assert.equal((await titles('events')).length, 7)
  assert.deepEqual(await titles('venues'), ['Hall', 'Old hall', 'Theatre'])
})

test('an import that creates nothing, or only tries, cannot be undone, nor after 30 days', async (t) => {
  const { send, pass, importText, undo } = await start(t)
  const text = calendar(event('one'))
  const path = `${service}/sources/club/calendar?dry_run=true`
  const headers = { 'content-type': 'text/calendar' }
  const dry = await send({ as: 'editor', method: 'POST', path, payload: Buffer.from(text), headers })
  const { undo: made } = await importText(text)
  const { undo: again } = await importText(text)

  assert.deepEqual([dry.body.undo, again], [null, null])
  pass(31 * 86_400)
  assert.equal((await undo(made.id)).status, 404)
  assert.equal((await undo(999)).status, 404)
})

test('a user sees his last imports, however many others there are since', async (t) => {
  const { send, importText } = await start(t)
  const payload = Buffer.from(calendar(event('mine')))
  const headers = { 'content-type': 'text/calendar' }
  await send({ as: 'author', method: 'POST', path: `${service}/sources/mine/calendar`, payload, headers })
  for (let count = 0; count < 21; count += 1) await importText(calendar(event(`other-${count}`)))

  const { body: own } = await send({ as: 'author', path: `${service}/imports` })
  const { body: all } = await send({ as: 'editor', path: `${service}/imports` })

  assert.deepEqual(
    own.map((one: { source: string }) => one.source),
    ['mine'],
  )
  assert.equal(all.length, 20)
})

test('what an import has changed is as before, in the fields that nobody has edited since', async (t) => {
  const { deps, send, pass, undo } = await start(t)
  const importRecords = async (
    ...records: readonly (readonly [kind: SourceRecordKind, id: string, sent: object])[]
  ) => {
    const all = records.map(([kind, externalId, sent], place) => ({ place, kind, externalId, sent: { ...sent } }))
    const [directory, events] = [all.filter(({ kind }) => kind !== 'event'), all.filter(({ kind }) => kind === 'event')]
    const [work, calendar] = [
      { id: undefined, made: new Set<number>() },
      { name: '', found: 0, notes: [], series: [], dates: [], directory, events },
    ]
    const order = { deps, actor, source: 'club', language: 'en' as Language, isDry: false, isForced: false, undo: work }
    const { rows, ...report } = await importCalendar(order, calendar)
    assert.deepEqual(
      rows.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
    return { ...report, id: Number(work.id) }
  }
  const hall = { venue: 'Hall', city: 'Laval', geo_lat: 45.5, geo_lng: -73.6 }
  const dance = {
    ...{
      title: 'Dance',
      description: '<p>Old</p>',
      start_date: '2030-05-01 19:00:00',
      end_date: '2030-05-01 21:00:00',
    },
    ...{ timezone: 'America/Toronto', cost: '10', categories: ['Balls'], tags: ['loud'], featured: true },
    ...{ venue: { external_id: 'hall' }, organizer: { organizer: 'Club' } },
  }
  const weekly = { title: 'Weekly', start_date: '2030-05-01 19:00', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }
  await importRecords(['venue', 'hall', hall], ['event', 'dance', dance], ['event', 'weekly', weekly])
  const read = async () => {
    const { body } = await send({ as: 'editor', path: '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50' })
    const event = body.events.find(({ title }: { title: string }) => title === 'Dance')
    return JSON.parse(JSON.stringify(event, (name, value) => (name.startsWith('modified') ? undefined : value)))
  }
  const before = await read()
  pass(60)
  const ball = {
    ...{ title: 'Ball', description: '', start_date: '2030-06-01', website: 'https://a.example/', all_day: true },
    ...{ timezone: 'Europe/Paris', cost: '', categories: ['Others'], tags: [], featured: false, venue: null },
    ...{ organizer: { organizer: 'School' }, event_status: 'canceled', capacity: 5 },
  }
  const change = () =>
    importRecords(
      ['venue', 'hall', { venue: 'Great Hall', city: '', geo_lat: 40, geo_lng: 3 }],
      ['event', 'dance', ball],
      ['event', 'weekly', { ...weekly, title: 'Every week' }],
    )
  const changed = await change()
  assert.equal(changed.changed, 2)

  const { body } = await undo(changed.id)

  assert.deepEqual([body.restored, body.kept], [2, 0])
  assert.deepEqual(await read(), before)
  // The next import does it all again, and an edit after it stays.
  pass(60)
  const again = await change()
  pass(60)
  await send({ as: 'editor', method: 'PATCH', path: `/events/${before.id}`, json: { cost: '7' } })
  assert.equal((await undo(again.id)).body.restored, 2)
  const after = await read()
  assert.deepEqual({ ...after, cost: before.cost, cost_details: before.cost_details }, before)
  assert.match(after.cost, /7/)
})

test('an import that brings back what was in the trash is undone, and the next one brings it back again', async (t) => {
  const { pass, importText, undo, titles } = await start(t)
  const text = calendar(event('club'))
  for (const _ of [1, 2, 3]) {
    const done = await importText(text)
    assert.deepEqual(await titles('events'), ['club'])
    pass(60)
    assert.deepEqual((await undo(done.undo.id)).body, { removed: 1, restored: 0, kept: 0 })
    assert.deepEqual(await titles('events'), [])
    pass(60)
  }
})

test('a new time that was announced, and its reason, come back with all other fields, also after the event', async (t) => {
  const { send, pass, importText, undo } = await start(t)
  const at = (day: number) => `DTSTART:203005${String(day).padStart(2, '0')}T190000Z`
  const made = (title: string, ...lines: readonly string[]) =>
    calendar(['BEGIN:VEVENT', 'UID:ball', `SUMMARY:${title}`, ...lines, 'END:VEVENT', ''].join('\r\n'))
  await importText(made('Ball', at(1)))
  const { body: list } = await send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01' })
  const path = `/events/${list.events[0].id}`
  const json = { start_date: '2030-05-03 19:00', event_status: 'rescheduled', event_status_reason: 'Flood' }
  await send({ as: 'editor', method: 'PATCH', path, json })
  const read = async () => {
    const { body } = await send({ path: `${path}?context=edit`, as: 'editor' })
    const { title, start_date, event_status, event_status_reason, event_status_date, previous_start_dates } = body
    return { title, start_date, event_status, event_status_reason, event_status_date, previous_start_dates }
  }
  const before = await read()
  assert.deepEqual([before.event_status, before.previous_start_dates.length], ['rescheduled', 1])
  pass(60)
  const payload = Buffer.from(made('Dance', at(5), 'STATUS:CONFIRMED'))
  const headers = { 'content-type': 'text/calendar' }
  const forced = `${service}/sources/club/calendar?force=true`
  const { body } = await send({ as: 'editor', method: 'POST', path: forced, payload, headers })
  assert.equal((await read()).title, 'Dance')

  assert.deepEqual((await undo(body.undo.id)).body, { removed: 0, restored: 1, kept: 0 })

  assert.deepEqual({ ...(await read()), title: 'Ball' }, { ...before, title: 'Ball' })
  assert.equal((await read()).title, 'Ball')
})

const weekly = event('weekly', 'RRULE:FREQ=WEEKLY;COUNT=3')
const moved = event('weekly', 'RECURRENCE-ID:20300508T190000Z').replace('20300501', '20300509')

test('a date of an older series that an import has moved is where it was, and no date goes to the trash', async (t) => {
  const { send, pass, importText, undo } = await start(t)
  const starts = async () => {
    const { body } = await send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01' })
    return body.events.map((one: { start_date: string }) => one.start_date.slice(5, 10))
  }
  await importText(calendar(weekly))
  pass(60)
  const second = await importText(calendar(weekly, moved))
  assert.deepEqual(await starts(), ['05-01', '05-09', '05-15'])
  pass(60)

  assert.deepEqual((await undo(second.undo.id)).body, { removed: 0, restored: 1, kept: 0 })
  assert.deepEqual(await starts(), ['05-01', '05-08', '05-15'])
  pass(60)
  await importText(calendar(weekly, moved))
  assert.deepEqual(await starts(), ['05-01', '05-09', '05-15'])
})

test('a series stays with all its dates if one was edited since, and goes with those that its calendar has moved', async (t) => {
  const { send, pass, importText, undo, titles } = await start(t)
  const first = await importText(calendar(weekly, moved))
  pass(60)
  assert.deepEqual((await undo(first.undo.id)).body, { removed: 2, restored: 0, kept: 0 })
  assert.deepEqual(await titles('events'), [])
  const second = await importText(calendar(weekly, moved))
  pass(60)
  const { body } = await send({ path: '/events?start_date=2030-01-01&end_date=2031-01-01' })
  await send({ as: 'editor', method: 'PATCH', path: `/events/${body.events[2].id}`, json: { cost: '5' } })

  assert.deepEqual((await undo(second.undo.id)).body, { removed: 0, restored: 0, kept: 1 })
  assert.deepEqual(await titles('events'), ['weekly', 'weekly', 'weekly'])
})
