import { type Kysely, sql } from 'kysely'
import type { Dialect, Trigger } from '../dialect.ts'

const row = 5

type Change = Omit<Trigger, 'name' | 'statement'>

const each = (table: string): readonly Change[] =>
  (['insert', 'update', 'delete'] as const).map((on) => ({ table, on }))

/** A change of a term that is not only one of the number of its events. */
const shownOfTerms = [
  ...['taxonomy', 'name', 'name_folded', 'slug', 'description'],
  ...['parent_id', 'language', 'group_id', 'introduced_by'],
]

// A new picture is shown once an event or a venue is given it, and that is a change of these.
const changes: readonly Change[] = [
  { table: 'records', on: 'insert', when: "new.kind in ('venue', 'organizer')" },
  { table: 'records', on: 'update', when: "new.kind in ('venue', 'organizer', 'media')" },
  { table: 'records', on: 'delete', when: "old.kind in ('venue', 'organizer', 'media')" },
  ...each('venues'),
  ...each('organizers'),
  { table: 'media', on: 'update' },
  { table: 'media', on: 'delete' },
  { table: 'terms', on: 'insert' },
  { table: 'terms', on: 'update', columns: shownOfTerms },
  { table: 'terms', on: 'delete' },
]

/**
 * Adds a number that is raised with every change of what events show of their venues, organizers, pictures and terms.
 * Those of migration 0015 are also raised by most publications, which change numbers of events.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // Starts above any number of another database that was at this location before.
  await sql`insert into revisions (id, number) values (${sql.lit(row)}, ${sql.lit(Date.now() * 1000)})`.execute(db)
  for (const change of changes) {
    await dialect.createTrigger(db, {
      ...change,
      name: `${change.table}_shown_${change.on}`,
      statement: `update revisions set number = number + 1 where id = ${row}`,
    })
  }
}
