import type { Kysely } from 'kysely'
import type { Dialect, Trigger } from '../dialect.ts'

/** Adds the keys that led to a key, and the user whose draft introduced a term that is not public yet. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // No foreign keys: the makers stay recorded after they are gone.
  await db.schema.alterTable('application_passwords').addColumn('makers', dialect.text).execute()
  // Null: public, as all existing terms are.
  await db.schema.alterTable('terms').addColumn('introduced_by', dialect.id).execute()
  await noteTerms(db, dialect)
}

const terms = {
  ...{ name: 'name', slug: 'slug', description: 'description', parent: 'parent_id', language: 'language' },
  ...{ translation_group: 'group_id', introduced_by: 'introduced_by' },
} as const

/**
 * Recreates the triggers that record the state of a term before and after a change, so that they include the new
 * column.
 */
async function noteTerms(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const members = (row: 'new' | 'old') => Object.entries(terms).map(([name, column]) => `'${name}', ${row}.${column}`)
  const json = (row: 'new' | 'old') => `cast(${dialect.jsonObject}(${members(row)}) as text)`
  const note = (row: 'new' | 'old', became: string) =>
    `insert into audit_pending (subject, item_id, area, part_id, kind, was, became)
      values ('term', ${row}.id, 'terms', 0, ${row}.taxonomy, ${json('old')}, ${became})
      on conflict (subject, item_id, area, part_id) do update set became = excluded.became`
  const columns = Object.values(terms).filter((column) => column !== 'group_id')
  const triggers: readonly Omit<Trigger, 'table'>[] = [
    { name: 'terms_audit_delete', on: 'delete', statement: note('old', 'null') },
    { name: 'terms_audit_update', on: 'update', columns, statement: note('new', json('new')) },
    {
      name: 'terms_audit_group',
      on: 'update',
      columns: ['group_id'],
      statement: note('new', json('new')),
      when: 'new.group_id is distinct from old.group_id',
    },
  ]
  for (const trigger of triggers) {
    await dialect.dropTrigger(db, { name: trigger.name, table: 'terms' })
    await dialect.createTrigger(db, { ...trigger, table: 'terms' })
  }
}
