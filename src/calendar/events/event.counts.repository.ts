import { sql } from 'kysely'
import { mayEditOthers } from '../../access/auth/policy.ts'
import { countClasses } from '../index/daily.counts.repository.ts'
import { indexedPreference } from '../index/index.languages.repository.ts'
import { STATUSES } from '../records/record.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { type IndexListPlan, planEventList, planForStatuses } from './event.list.plan.ts'
import { nextEntries } from './event.next.repository.ts'
import type { EventQuery } from './event.query.ts'
import { countSelected, isBySets } from './event.selection.repository.ts'
import { type ShownEvents, shownEvents } from './event.shown.repository.ts'

/** The states that events are counted by. `any`: all of them except the trash. */
export const COUNTED = ['any', ...STATUSES] as const
type Counted = (typeof COUNTED)[number]
export type EventCounts = Readonly<Record<Counted, number>>

const statusOf = (counted: Counted): EventQuery['status'] => (counted === 'any' ? 'any' : [counted])

/**
 * Counts the events of a list for each status, as the list itself would with that status. Editors see all events of a
 * class, so all statuses are counted at once. Others have few events of their own, so each status is counted for itself.
 */
export async function countByStatus(context: ReadContext, query: EventQuery): Promise<EventCounts> {
  // The next date of a series is another one for each status.
  const isByClass = mayEditOthers(context.viewer.actor) && !query.isNextOnly
  return isByClass ? countByClass(context, query) : countOneByOne(context, query)
}

async function countOneByOne(context: ReadContext, query: EventQuery): Promise<EventCounts> {
  const totals: [Counted, number][] = []
  const statuses = COUNTED.map((counted) => [counted, statusOf(counted)] as const)
  for (const [counted, plan] of await planForStatuses(context, query, statuses)) {
    const total = isBySets(plan) ? sumOf(await countSelected(context, plan)) : await totalOf(context, plan)
    totals.push([counted, total])
  }
  return Object.fromEntries(totals) as Record<Counted, number>
}

async function totalOf(context: ReadContext, plan: IndexListPlan): Promise<number> {
  const {
    query: { window, isNextOnly },
    shown: { isOfClass },
  } = plan
  if (isNextOnly) return (await nextEntries(context, plan, { offset: 0, isLatestFirst: false })).count()
  return sumOf(await countClasses(context.db, { window, isOfClass }))
}

function sumOf(numbers: ReadonlyMap<string, number>): number {
  return [...numbers.values()].reduce((sum, number) => sum + number, 0)
}

async function countByClass(context: ReadContext, query: EventQuery): Promise<EventCounts> {
  const { db } = context
  const plan = await planEventList(context, { ...query, status: 'any' })
  if (plan.readFrom === 'records') throw new Error('Named events are not counted by status.')
  const preference = await indexedPreference(db, query.preference)
  const shownAs = await Promise.all(
    COUNTED.map(async (counted) => {
      const asked = { status: statusOf(counted), preference, isOfUnmasked: false, isOfUnprotected: false }
      return [counted, await shownEvents(context, asked)] as const
    }),
  )
  // An event that a list of all statuses shows is also shown by the list of its own.
  const isOfClass = plan.narrow(anyOf(shownAs.map(([, shown]) => shown)))
  const numbers = isBySets(plan)
    ? await countSelected(context, { ...plan, shown: isOfClass })
    : await countClasses(db, { window: query.window, isOfClass: isOfClass.isOfClass })
  const flags = shownAs.map(
    ([counted, shown]) => sql`case when ${shown.isOfClass} then 1 else 0 end as ${sql.ref(counted)}`,
  )
  const { rows } = await sql<{ readonly class: string } & Readonly<Record<Counted, number>>>`
    select class, ${sql.join(flags)} from event_classes`.execute(db)
  const totals = Object.fromEntries(
    COUNTED.map((counted) => [
      counted,
      rows.reduce((sum, row) => sum + (row[counted] === 1 ? (numbers.get(row.class) ?? 0) : 0), 0),
    ]),
  )
  return totals as Record<Counted, number>
}

/** Returns the events that any of these lists shows. */
function anyOf(lists: readonly ShownEvents[]): ShownEvents {
  const [first] = lists
  if (!first) throw new Error('There is no list.')
  const conditions = lists.map(({ isOfClass }) => isOfClass)
  return { ...first, isOfClass: sql`(${sql.join(conditions, sql` or `)})` }
}
