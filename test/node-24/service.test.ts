import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startShell } from '../support/shell.ts'

// Run by npm run test:node-24 on the oldest Node, and by npm run test:long on this one.

test('a service as it is started computes with zones whose clocks change', async (t) => {
  const { serve } = await startShell(t)
  const password = 'aaaa bbbb cccc dddd eeee ffff'
  const { api } = await serve([], { ADMIN_PASSWORD: password, SITE_TIMEZONE: 'America/Toronto' })
  const made = async (times: object) => {
    const answer = await fetch(`${api}/events`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Concert', ...times }),
    })
    const { utc_start_date, utc_end_date, timezone_abbr } = (await answer.json()) as Record<string, string>
    return [answer.status, utc_start_date, utc_end_date, timezone_abbr]
  }

  // A day with 23 hours, one with 25, and a zone with half hours.
  assert.deepEqual(await made({ start_date: '2031-03-09 01:30:00', end_date: '2031-03-09 03:30:00' }), [
    ...[201, '2031-03-09 06:30:00', '2031-03-09 07:30:00', 'EST'],
  ])
  assert.deepEqual(await made({ start_date: '2031-11-02 00:30:00', end_date: '2031-11-02 02:30:00' }), [
    ...[201, '2031-11-02 04:30:00', '2031-11-02 07:30:00', 'EDT'],
  ])
  const times = { start_date: '2031-07-01 12:00:00', end_date: '2031-07-01 13:00:00' }
  assert.deepEqual(await made({ ...times, timezone: 'America/St_Johns' }), [
    ...[201, '2031-07-01 14:30:00', '2031-07-01 15:30:00', 'NDT'],
  ])
  const { events } = (await (await fetch(`${api}/events?start_date=2031-01-01&end_date=2031-12-31`)).json()) as {
    events: readonly object[]
  }
  assert.equal(events.length, 3)
})
