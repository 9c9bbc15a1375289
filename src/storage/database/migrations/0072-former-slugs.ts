import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Adds the slugs that records and terms had before, and what was merged into what, so that addresses stay valid. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { finish, id, text } = dialect
  await finish(
    db.schema
      .createTable('former_slugs')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('language', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('former_slugs_key', ['kind', 'slug', 'language']),
    { isClustered: true },
  ).execute()
  await finish(
    db.schema
      .createTable('merged_items')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('item_id', id, (c) => c.notNull())
      .addColumn('into_id', id, (c) => c.notNull())
      .addPrimaryKeyConstraint('merged_items_key', ['kind', 'item_id']),
    { isClustered: true },
  ).execute()
  await createTriggers(db, dialect)
  await addMerges(db)
}

async function createTriggers(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const isChanged = "new.slug <> old.slug and old.slug <> ''"
  const remember = (kind: string) => `insert into former_slugs (kind, slug, language, item_id)
    select ${kind}, old.slug, old.language, old.id where true
    on conflict (kind, slug, language) do update set item_id = excluded.item_id`
  await dialect.createTrigger(db, {
    ...{ name: 'records_former_slug', table: 'records', on: 'update', columns: ['slug'] },
    // A record in the trash keeps its slug, with a suffix.
    when: `${isChanged} and old.status = 'publish' and old.kind in ('event', 'venue', 'organizer')
      and new.slug <> old.slug || '__trashed'`,
    statement: remember('old.kind'),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'terms_former_slug', table: 'terms', on: 'update', columns: ['slug'], when: isChanged },
    statement: remember('old.taxonomy'),
  })
  const forget = (kind: string) => `delete from merged_items where kind = ${kind} and item_id = new.id`
  await dialect.createTrigger(db, {
    ...{ name: 'records_merge_over', table: 'records', on: 'update', columns: ['status'] },
    when: "old.status = 'trash' and new.status <> 'trash' and new.kind in ('venue', 'organizer')",
    statement: forget('new.kind'),
  })
  await dialect.createTrigger(db, {
    ...{ name: 'terms_merge_over', table: 'terms', on: 'insert', statement: forget('new.taxonomy') },
  })
}

interface MergeRow {
  readonly kind: string
  readonly into_id: number
  readonly trashed: string
  readonly terms: string | null
}

/** Adds the merges that can still be undone. Of older ones, nothing is known. */
async function addMerges(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<MergeRow>`select kind, into_id, trashed, terms from merges
    where undone_at is null order by id`.execute(db)
  for (const { kind, into_id, trashed, terms } of rows) {
    const removed: readonly { id: number; slug: string; language: string }[] =
      terms === null ? await trashedRecords(db, trashed) : JSON.parse(terms).rows
    for (const { id, slug, language } of removed) {
      await sql`insert into merged_items (kind, item_id, into_id) values (${kind}, ${id}, ${into_id})
        on conflict (kind, item_id) do update set into_id = excluded.into_id`.execute(db)
      await sql`insert into former_slugs (kind, slug, language, item_id) values (${kind}, ${slug}, ${language}, ${id})
        on conflict (kind, slug, language) do update set item_id = excluded.item_id`.execute(db)
    }
  }
}

async function trashedRecords(db: Kysely<unknown>, ids: string) {
  const { rows } = await sql<{ id: number; slug: string; language: string }>`select id, slug, language from records
    where status = 'trash' and id in (${sql.join([0, ...(JSON.parse(ids) as readonly number[])])})`.execute(db)
  return rows.map((row) => ({ ...row, slug: row.slug.replace(/__trashed$/, '') }))
}
