import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Adds series to the log of public changes. Triggers note the templates of a series if their texts, their publication,
 * the rules of the series or its dates change. All series are noted now, so that the log has them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const [on, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
    ['update', 'new'],
  ] as const) {
    await dialect.createTrigger(db, {
      ...{ name: `records_stale_series_${on}`, table: 'records', on },
      ...(on === 'update' ? { columns: ['change_count', 'status', 'slug', 'language', 'password', 'group_id'] } : {}),
      when: `${row}.kind = 'series'`,
      statement: note(`${row}.id where true union select 'series', id from records
        where kind = 'series' and group_id ${on === 'update' ? 'in (new.group_id, old.group_id)' : `= ${row}.group_id`}`),
    })
    // The original of the templates has the rules of all of them.
    await dialect.createTrigger(db, {
      ...{ name: `series_rules_stale_${on}`, table: 'series_rules', on },
      statement: note(templatesOf(row)),
    })
  }
  await dialect.createTrigger(db, {
    ...{ name: 'series_state_stale_update', table: 'series_state', on: 'update' },
    statement: note(templatesOf('new')),
  })
  await sql.raw(note(`id from records where kind = 'series'`)).execute(db)
  await versionDates(db)
}

const note = (ids: string) => `insert into stale_items (kind, item_id) select 'series', ${ids}
  on conflict (kind, item_id) do nothing`

const templatesOf = (row: 'new' | 'old') =>
  `id from records where kind = 'series' and (id = ${row}.series_id or group_id = ${row}.series_id)`

/**
 * The version of a date now says which date it is. Rows of dates get it without being sent again. A digest hides the
 * version of an event with a password, so such dates are sent once.
 */
async function versionDates(db: Kysely<unknown>): Promise<void> {
  await sql`update changes set version = version || (
      select ' ' || cast(series_id as text) || ' ' || recurrence_id || ' ' || path || ' ' || own_fields
      from occurrences where event_id = changes.item_id)
    where kind = 'event' and is_deleted = 0 and item_id in (select event_id from occurrences)
      and version = (
        select cast(change_count as text) from records where records.id = changes.item_id and password is null)`.execute(
    db,
  )
  await sql`insert into stale_items (kind, item_id)
    select 'event', event_id from occurrences join records on records.id = event_id where password is not null
    on conflict (kind, item_id) do nothing`.execute(db)
}
