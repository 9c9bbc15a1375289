import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * Events are now searched in their texts without markup, so their stored search texts are rebuilt
 * (`search.texts.repository.ts`). The used numbers of a slug are now known without a scan of all slugs that have one
 * (`slug.series.repository.ts`).
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('stale_events')
    .addColumn('has_stale_text', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`insert into stale_events (event_id, has_stale_text) select record_id, 1 from events where true
    on conflict (event_id) do update set has_stale_text = 1`.execute(db)
  await createSeries(db, dialect)
}

async function createSeries(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, text, id } = dialect
  // Below `next`, all numbers with this count of digits are used, except those in `slug_gaps`. A stem ends with its
  // dash.
  await finish(
    db.schema
      .createTable('slug_series')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('stem', text, (c) => c.notNull())
      .addColumn('digits', 'integer', (c) => c.notNull())
      .addColumn('next', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('slug_series_key', ['kind', 'language', 'stem', 'digits']),
    { isClustered: true },
  ).execute()
  await finish(
    db.schema
      .createTable('slug_gaps')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('stem', text, (c) => c.notNull())
      .addColumn('digits', 'integer', (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('slug_gaps_key', ['kind', 'language', 'stem', 'digits', 'slug']),
    { isClustered: true },
  ).execute()
  for (const [table, kind] of [
    ['records', 'old.kind'],
    ['terms', "'term'"],
  ] as const) {
    const statement = noteGap(kind)
    await dialect.createTrigger(db, { name: `${table}_slug_deleted`, table, on: 'delete', statement })
    await dialect.createTrigger(db, {
      name: `${table}_slug_changed`,
      table,
      on: 'update',
      columns: ['slug', 'language'],
      when: 'new.slug <> old.slug or new.language <> old.language',
      statement,
    })
  }
}

/** Notes a released number, if a series could assign it: not 1, and without leading zeros. */
const noteGap = (kind: string) => `
  insert into slug_gaps (kind, language, stem, digits, slug)
  select series.kind, series.language, series.stem, series.digits, old.slug
  from slug_series series
  where series.kind = ${kind} and series.language = old.language
    and series.stem = rtrim(old.slug, '0123456789')
    and series.digits = length(old.slug) - length(rtrim(old.slug, '0123456789'))
    and old.slug >= series.stem || case series.digits when 1 then '2' else '1' end
    and (length(cast(series.next as text)) > series.digits or old.slug < series.stem || cast(series.next as text))
  on conflict (kind, language, stem, digits, slug) do nothing`
