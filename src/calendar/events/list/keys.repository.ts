import { sql } from 'kysely'
import type { ListPage } from '../../../access/http/arguments/paging.ts'
import { compiledStatement } from '../../../storage/database/statements/compiled.statement.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { eventTextBytes, type RenderedEventRow } from '../event.repository.ts'
import type { EventListPlan } from './list.plan.ts'
import { listEventIds } from './list.repository.ts'

/** The key of an event on a page. The event itself is read later. */
export interface EventKey {
  readonly id: number
  readonly passwordDigest: string | undefined
  readonly changeCount: number
  readonly seriesId?: number | undefined
  /** The size of its long texts in bytes. */
  readonly octets: number
}

/** Returns the same page as keys. Its cost does not depend on the texts of the events. */
export async function listEventKeys(context: ReadContext, plan: EventListPlan): Promise<ListPage<EventKey>> {
  const { ids, total } = await listEventIds(context, plan)
  const rows = ids.length === 0 ? [] : await keyRows(context.db, { ids })
  const keys = new Map(
    rows.map(({ id, password, change_count, octets, series_id }) => [
      id,
      {
        ...{ id, passwordDigest: password ?? undefined, changeCount: change_count, octets: Number(octets) },
        seriesId: series_id ?? undefined,
      },
    ]),
  )
  return { items: ids.flatMap((id) => keys.get(id) ?? []), total }
}

type EventKeyRow = Pick<RenderedEventRow, 'id' | 'password' | 'change_count'> & {
  readonly octets: number
  readonly series_id: number | null
}

const keyRows = compiledStatement<{ readonly ids: readonly number[] }, EventKeyRow>(
  ({ ids }, dialect) => sql<EventKeyRow>`
    select records.id, records.password, records.change_count, ${eventTextBytes} as octets,
      (select series_id from occurrences where event_id = records.id) as series_id
    from records ${dialect.readBy('records_keys')}
      join events ${dialect.readBy('events_keys')} on events.record_id = records.id
    where ${dialect.isAmong(sql.ref('records.id'), ids)} and ${dialect.isAmong(sql.ref('events.record_id'), ids)}`,
)
