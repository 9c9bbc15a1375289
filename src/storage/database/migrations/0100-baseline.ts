import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { auditTriggers } from '../schema/audited.ts'
import { createTables } from '../schema/create.ts'
import { countedRows, keptTriggers } from '../schema/kept.ts'
import { contentTables, derivedTables, internalTables } from '../schema/schema.ts'
import { staleTriggers } from '../schema/stale.ts'

/** Creates the schema that `schema/` describes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of schemaSql(dialect)) await sql.raw(statement).execute(db)
  await insertFirstRows(db)
}

function schemaSql(dialect: Dialect): readonly string[] {
  return [
    ...createTables(dialect, { ...contentTables, ...internalTables, ...derivedTables }),
    ...dialect.indexTrigrams(),
    ...dialect.appendOnly('audit', 'exists (select 1 from audit_pruning where old.at < before_at)'),
    ...[...auditTriggers(dialect), ...keptTriggers, ...staleTriggers].flatMap(dialect.createTrigger),
  ]
}

async function insertFirstRows(db: Kysely<unknown>): Promise<void> {
  // The counts start above any number of another database that was at this location before.
  const first = Date.now() * 1000
  const counts = Object.values(countedRows).map((row) => sql`(${sql.lit(row)}, ${sql.lit(first)})`)
  await sql`insert into revisions (id, number) values ${sql.join(counts)}`.execute(db)
  await sql`insert into content_languages (tag) values ('en'), ('en-CA'), ('fr-CA')`.execute(db)
  await sql`insert into list_preferences (place, preference) values
    (0, 'en,en-CA'), (1, 'en,en-CA,fr-CA'), (2, 'en-CA,en'), (3, 'en-CA,en,fr-CA'), (4, 'fr-CA,en,en-CA'),
    (5, 'fr-CA,en-CA,en'), (6, 'fr-CA'), (7, 'en only'), (8, 'en,en-CA only'), (9, 'en-CA only'),
    (10, 'en-CA,en only'), (11, 'fr-CA only')`.execute(db)
  await sql`insert into change_log (id, epoch, last, floor)
    values (1, ${randomBytes(6).toString('hex')}, 0, 0)`.execute(db)
}
