import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { isOnPostgres, openTestDatabase } from '../../../test/support/database.ts'
import { type LocalDateTime, localDateTimeFromSeconds } from '../../base/time/local.date.time.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { placeOf } from './event.index.ts'
import { type IndexRange, indexEntries } from './index.entries.repository.ts'

const total = 4000
/** Every tenth event lasts longer than a week. */
const longEvery = 10
const perPage = 5
const firstStart = 1_893_456_000
const daySeconds = 86_400

/** Fills the event index with an event for each day of eleven years. */
async function givenEntries({ write, dialect }: Storage): Promise<void> {
  const entries = Array.from({ length: total }, (_, place) => {
    const start = firstStart + place * daySeconds
    const isLong = place % longEvery === 0
    const end = start + (isLong ? 30 * daySeconds : 3600)
    const [startLocal, endLocal] = [localDateTimeFromSeconds(start), localDateTimeFromSeconds(end)]
    return {
      place: placeOf(startLocal, place + 1),
      id: place + 1,
      start,
      end,
      startLocal,
      endLocal,
      isLong: Number(isLong),
    }
  })
  await write(async (tx) => {
    const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
    await sql`insert into listed_events (place, event_id, start_local, dated_at, end_local, start_utc, end_utc, is_long,
        status, language, author_id, is_hidden, is_protected, has_venue, shown_alone, shown_among_all, facets)
      select ${number('place')}, ${number('id')}, value ->> 'startLocal', 0, value ->> 'endLocal', ${number('start')},
        ${number('end')}, ${number('isLong')}, 'publish', 'en', 1, 0, 0, 0, 0, 0, '' from ${dialect.jsonRows(entries)} given`.execute(
      tx,
    )
    await dialect.analyze(tx, ['listed_events'])
  })
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Returns how many entries the steps of a plan read. */
function entriesRead(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'listed_events'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0
  return (node.Plans ?? []).reduce((sum, plan) => sum + entriesRead(plan), own)
}

test('a page of a list over many years reads the entries of the page, and not those of the years', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  await givenEntries(storage)
  const { db, dialect } = storage
  const after = localDateTimeFromSeconds(firstStart + 40.5 * daySeconds)
  const range = (edge: 'start' | 'end'): IndexRange => ({
    window: { bounds: [{ edge, operator: '>=', localDateTime: after as LocalDateTime }], isInUtc: false },
    conditions: [(entry) => sql`${sql.ref(`${entry}.status`)} = 'publish'`],
  })

  for (const isLatestFirst of [false, true]) {
    const direction = sql.raw(isLatestFirst ? 'desc' : 'asc')
    const page = { dialect, isLatestFirst, limit: 2 * perPage }
    for (const [place, [limited, all]] of [
      [indexEntries(range('end'), page), indexEntries(range('end'))],
      [indexEntries(range('start'), page), indexEntries(range('start'))],
    ].entries()) {
      const second = (entries: typeof limited) => sql<{ event_id: number }>`
        select event_id from ${entries} listing order by start_local ${direction}, dated_at ${direction}, event_id ${direction}
        limit ${perPage} offset ${perPage}`

      const { rows } = await second(limited).execute(db)

      assert.equal(rows.length, perPage)
      assert.deepEqual(rows, (await second(all).execute(db)).rows, `${place}`)
      if (!isOnPostgres()) continue
      const { sql: text, parameters } = second(limited).compile(db)
      const { rows: plans } = await db.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
        CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters]),
      )
      const read = plans.flatMap((row) => row['QUERY PLAN'].map(({ Plan }) => entriesRead(Plan)))
      // Long events are few, and those that end late enough may have begun at any time.
      assert.ok((read[0] ?? total) < total / longEvery + 4 * perPage, `${place}: ${read} entries`)
    }
  }
})
