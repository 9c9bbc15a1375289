import { sql } from 'kysely'
import { indexEntries } from '../../index/index.entries.repository.ts'
import { STATUSES } from '../../records/record.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { planEventList, shownAs } from './list.plan.ts'
import { countEvents } from './list.repository.ts'
import type { EventQuery } from './query.ts'

/** The states that events are counted by. `any`: all of them except the trash. */
export const COUNTED = ['any', ...STATUSES] as const
type Counted = (typeof COUNTED)[number]
export type EventCounts = Readonly<Record<Counted, number>>

const statusOf = (counted: Counted): EventQuery['status'] => (counted === 'any' ? 'any' : [counted])

/** Counts the events of a list for each status, as the list itself would with that status. Runs one query. */
export async function countByStatus(context: ReadContext, query: EventQuery): Promise<EventCounts> {
  const plan = await planEventList(context, { ...query, status: 'any' })
  if (plan.readFrom === 'records') throw new Error('Named events are not counted by status.')
  // The next date of a series is another one for each status.
  if (query.isNextOnly) return countOneByOne(context, query)
  const counts = await Promise.all(
    COUNTED.map(async (counted) => {
      const isShown = await shownAs(context, query, statusOf(counted))
      return sql`coalesce(sum(case when ${isShown('entry', undefined)} then 1 else 0 end), 0) as ${sql.ref(counted)}`
    }),
  )
  const entries = indexEntries({ window: query.window, conditions: plan.filters })
  const { rows } = await sql<Record<Counted, number | string>>`
    select ${sql.join(counts)} from ${entries} entry`.execute(context.db)
  return Object.fromEntries(COUNTED.map((counted) => [counted, Number(rows[0]?.[counted] ?? 0)])) as EventCounts
}

async function countOneByOne(context: ReadContext, query: EventQuery): Promise<EventCounts> {
  const totals: [Counted, number][] = []
  for (const counted of COUNTED) {
    const plan = await planEventList(context, { ...query, status: statusOf(counted) })
    totals.push([counted, await countEvents(context, plan)])
  }
  return Object.fromEntries(totals) as Record<Counted, number>
}
