import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, listedIds } from '../../../../test/support/given.ts'

test('lists and feeds have the events of some statuses and attendances, with their total', async (t) => {
  const app = await startTestApp(t)
  const given = async (sent: object) => (await givenEvent(app, { ...sent })).id as number
  const plain = await given({ title: 'Plain' })
  const canceled = await given({ title: 'Off', event_status: 'canceled', event_password: 'secret' })
  const postponed = await given({ title: 'Later', event_status: 'postponed' })
  const online = await given({ title: 'Call', attendance: 'online' })
  const moved = await given({ title: 'Moved', event_status: 'moved_online', attendance: 'mixed' })
  const draft = await given({ title: 'Draft', event_status: 'canceled', status: 'draft' })

  const all = [plain, canceled, postponed, online, moved]
  const found: readonly (readonly [query: string, ids: readonly number[]])[] = [
    ['', all],
    ['event_status=canceled', [canceled]],
    ['event_status=cancelled', [canceled]],
    ['event_status=https://schema.org/EventCancelled,TENTATIVE', [canceled, postponed]],
    ['event_status=canceled,postponed', [canceled, postponed]],
    ['event_status[]=canceled&event_status[]=moved-online', [canceled, moved]],
    ['event_status=scheduled', [plain, online]],
    ['event_status=scheduled,canceled', [plain, canceled, online]],
    ['event_status=scheduled,canceled,postponed,rescheduled,moved_online', all],
    ['event_status=rescheduled', []],
    ['attendance=online', [online]],
    ['attendance=online,mixed', [online, moved]],
    ['attendance=offline', [plain, canceled, postponed]],
    ['attendance=offline,online,mixed', all],
    ['attendance=offline&event_status=scheduled', [plain]],
    ['attendance=mixed&event_status=moved_online', [moved]],
    [`event_status=canceled&include=${all.join()}`, [canceled]],
    [`attendance=offline&include=${online},${plain}`, [plain]],
    ['event_status=canceled&search=off', []],
    ['event_status=postponed&search=later', [postponed]],
  ]
  for (const [query, ids] of found) {
    const { status, headers, body } = await app.send({ path: `/events?${query}` })
    assert.equal(status, 200, query)
    assert.deepEqual(
      body.events.map(({ id }: { id: number }) => id),
      ids,
      query,
    )
    assert.deepEqual([body.total, headers['x-tec-total']], [ids.length, String(ids.length)], query)
    const feed = await app.send({ path: `/events.csv?${query}` })
    assert.deepEqual(
      [...feed.text.matchAll(/^\ufeff?(\d+),/gm)].map(([, id]) => Number(id)),
      ids,
      query,
    )
  }
  assert.deepEqual(await listedIds(app, 'event_status=canceled&status=any', 'editor'), [canceled, draft])

  await changed(app, `/events/${canceled}`, { event_status: 'scheduled' })
  await changed(app, `/events/${plain}`, { event_status: 'canceled', attendance: 'online' })
  assert.deepEqual(await listedIds(app, 'event_status=canceled'), [plain])
  assert.deepEqual(await listedIds(app, 'attendance=online'), [plain, online])
})

test('the addresses of other pages keep the filters', async (t) => {
  const app = await startTestApp(t)
  for (const title of ['One', 'Two', 'Three']) await givenEvent(app, { title, event_status: 'canceled' })

  const { body } = await app.send({ path: '/events?per_page=1&attendance=offline&event_status=canceled,postponed' })
  const { searchParams } = new URL(body.next_rest_url)

  assert.deepEqual(
    [searchParams.get('event_status'), searchParams.get('attendance'), body.total],
    ['canceled,postponed', 'offline', 3],
  )
})

test('an unknown status or attendance is refused, with what is allowed and an example', async (t) => {
  const app = await startTestApp(t)
  const wrong: readonly (readonly [query: string, name: string, example: RegExp])[] = [
    ['event_status=gone', 'event_status', /scheduled, canceled, postponed.*such as canceled,postponed/],
    ['event_status=canceled,gone', 'event_status', /canceled/],
    ['event_status=', 'event_status', /canceled/],
    ['event_status[]=', 'event_status', /canceled/],
    ['event_status=constructor', 'event_status', /canceled/],
    ['event_status[a][b]=canceled', 'event_status', /canceled/],
    ['attendance=somewhere', 'attendance', /offline, online, mixed.*such as online,mixed/],
    ['attendance=ONLINE', 'attendance', /online/],
  ]
  for (const [query, name, text] of wrong) {
    for (const path of ['/events', '/events.ics']) {
      const { status, body } = await app.send({ path: `${path}?${query}` })
      assert.deepEqual([status, body.code, Object.keys(body.data?.params ?? {})], [400, 'rest_invalid_param', [name]])
      assert.match(body.data.params[name], text, query)
    }
  }
})
