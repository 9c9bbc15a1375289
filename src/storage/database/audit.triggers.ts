import type { Kysely } from 'kysely'
import type { Dialect, Trigger } from './dialect.ts'

/** The columns of a table that hold further fields of one kind of record, by their names in the audit log. */
interface DetailColumns {
  readonly table: string
  readonly kind: string
  readonly names: Readonly<Record<string, string>>
}

/**
 * Recreates the triggers of such a table for all columns that the audit log shows. A migration that adds a column calls
 * this function and names the columns itself, because a migration is frozen while the tables of fields change. A test
 * compares the two.
 */
export async function createAuditTriggers(
  db: Kysely<unknown>,
  dialect: Dialect,
  { table, kind, names }: DetailColumns,
): Promise<void> {
  const members = (row: 'new' | 'old') => Object.entries(names).map(([name, column]) => `'${name}', ${row}.${column}`)
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}(${members(row)}) as text)`
  const note = (row: 'new' | 'old', became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('record', ${row}.record_id, '${table}', 0, '${kind}', ${json('old')}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  const triggers: readonly Omit<Trigger, 'table'>[] = [
    { name: `${table}_audit_delete`, on: 'delete', statement: note('old', 'null') },
    {
      name: `${table}_audit_update`,
      on: 'update',
      columns: Object.values(names),
      statement: note('new', json('new')),
    },
  ]
  for (const trigger of triggers) {
    await dialect.dropTrigger(db, { name: trigger.name, table })
    await dialect.createTrigger(db, { ...trigger, table })
  }
}
