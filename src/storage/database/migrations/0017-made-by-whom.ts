import type { Kysely } from 'kysely'
import type { Dialect, Trigger } from '../dialect.ts'

/** Which keys led to a key; and whose drafts brought a term that is not for everybody yet. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // No references: what made them is known after it is gone.
  await db.schema.alterTable('application_passwords').addColumn('makers', dialect.text).execute()
  // Null: for everybody, as all terms are that were there before.
  await db.schema.alterTable('terms').addColumn('introduced_by', dialect.id).execute()
  await noteTerms(db, dialect)
}

const terms = {
  ...{ name: 'name', slug: 'slug', description: 'description', parent: 'parent_id', language: 'language' },
  ...{ translation_group: 'group_id', introduced_by: 'introduced_by' },
} as const

/** What is recorded of terms knows the new column: all that says how a term was and has become is made anew. */
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
