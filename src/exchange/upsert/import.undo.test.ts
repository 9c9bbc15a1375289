import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'

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
  assert.deepEqual([undone.body.removed, undone.body.kept], [5, 2])
  assert.deepEqual((await undo(id)).body, { removed: 0, kept: 2 })
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
  assert.deepEqual([again.created, again.changed, again.unchanged], [0, 3, 3])
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
