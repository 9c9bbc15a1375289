import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type SqlBool, sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'
import { type LocalDateTime, localDateTimeFromSeconds } from '../../base/time/local.date.time.ts'
import { countClasses, countFromDailyCounts } from './daily.counts.repository.ts'
import type { TimeBound } from './event.index.ts'
import { indexEntries } from './index.entries.repository.ts'

const firstSecond = Date.UTC(2029, 0, 1) / 1000

/** A moment within sixty days, often the first or the last second of a day. */
const moment = fc
  .tuple(fc.nat(60), fc.oneof(fc.constantFrom(0, 86_399), fc.nat(86_399)))
  .map(([day, second]) => localDateTimeFromSeconds(firstSecond + day * 86_400 + second))

const event = fc.record({
  start: fc.tuple(fc.nat(70), fc.oneof(fc.constantFrom(0, 23), fc.nat(23))),
  // Some end at the end of a day, some after a week, some long after that.
  hours: fc.oneof(fc.nat(30), fc.integer({ min: 24 * 6, max: 24 * 9 }), fc.integer({ min: 24 * 9, max: 24 * 60 })),
  timezone: fc.constantFrom('UTC', 'America/Toronto', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'),
  status: fc.constantFrom('publish', 'publish', 'draft'),
})

const bound = fc.record<TimeBound>({
  edge: fc.constantFrom('start', 'end'),
  operator: fc.constantFrom('>=', '<=', '>', '<'),
  localDateTime: moment,
})
const usual = fc.tuple(moment, moment).map(([one, other]): readonly TimeBound[] => {
  const [from, to] = [one, other].toSorted()
  return [
    { edge: 'start', operator: '>=', localDateTime: `${from?.slice(0, 10)} 00:00:00` as LocalDateTime },
    { edge: 'end', operator: '<=', localDateTime: `${to?.slice(0, 10)} 23:59:59` as LocalDateTime },
  ]
})
const bounds = fc.oneof(usual, fc.array(bound, { maxLength: 4 }))

async function givenEvents(app: TestApp): Promise<void> {
  for (const { start, hours, ...others } of fc.sample(event, { numRuns: 90, seed: 20_261_124 })) {
    const seconds = firstSecond - 5 * 86_400 + start[0] * 86_400 + start[1] * 3600
    const times = {
      start_date: localDateTimeFromSeconds(seconds),
      end_date: localDateTimeFromSeconds(seconds + hours * 3600),
    }
    const { status } = await app.send({
      ...{ as: 'administrator', method: 'POST', path: '/events' },
      json: { ...plainEvent, ...times, ...others },
    })
    assert.equal(status, 201)
  }
}

test('days and their events after a window count as many as are in it', async (t) => {
  const app = await startTestApp(t)
  const { db } = app.deps.storage
  await givenEvents(app)
  let counted = 0
  await fc.assert(
    fc.asyncProperty(bounds, fc.boolean(), fc.boolean(), async (bounds, isInUtc, isOfAll) => {
      const isOfClass = isOfAll ? sql<SqlBool>`1 = 1` : sql<SqlBool>`status = 'publish'`
      const range = { window: { bounds, isInUtc }, isOfClass }

      const found = await countFromDailyCounts(db, range)
      const classes = await countClasses(db, range)

      const { rows } = await sql<{ class: string; number: number }>`
        select class, count(*) as number from ${indexEntries(range)} listing group by class`.execute(db)
      const expected = rows.map((row) => [row.class, Number(row.number)] as const)
      const shown = [...classes].filter(([, number]) => number !== 0)
      assert.deepEqual(new Map(shown), new Map(expected))
      if (found === undefined) return
      counted += 1
      assert.equal(
        found,
        expected.reduce((sum, [, number]) => sum + number, 0),
      )
    }),
    { numRuns: runs(400, 5000), seed: 20_261_124 },
  )
  assert.ok(counted > runs(100, 1000), `Only ${counted} windows were counted by days.`)
})
