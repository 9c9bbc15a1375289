import { sql } from 'kysely'
import type { LanguagePreference } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, MergedKind, Row, Tx } from '../../storage/database/tables.ts'
import { slugPreference, type Viewer } from '../translations/viewer.ts'
import type { RecordKind } from './record.ts'

// Former slugs, which triggers note, and what was merged: addresses that people and programs have kept stay valid.

/**
 * Returns what had these slugs before, by the slug: the last one that had it, in the preferred language. If it was merged,
 * this is the one that stays. It need not exist. The slug of a series no longer belongs to an event.
 */
export async function listByFormerSlugs(
  db: Db,
  { kind, slugs }: { readonly kind: Row<'former_slugs'>['kind']; readonly slugs: readonly string[] },
  { order }: LanguagePreference,
): Promise<ReadonlyMap<string, number>> {
  if (slugs.length === 0) return new Map()
  const { rows } = await sql<
    Row<'former_slugs'> & { readonly language: Language }
  >`select kind, slug, language, item_id from former_slugs former
    where kind = ${kind} and slug in (${sql.join(slugs)}) and (kind <> 'event' or not exists (
      select 1 from records where records.kind = 'series' and records.slug = former.slug))`.execute(db)
  const place = ({ language }: { readonly language: Language }) => order.indexOf(language) >>> 0
  const nearest = new Map(
    rows.toSorted((one, other) => place(other) - place(one)).map((row) => [row.slug, row.item_id]),
  )
  const stays = kind === 'event' ? new Map() : await listSuccessors(db, [kind], [...nearest.values()])
  return new Map([...nearest].map(([slug, id]) => [slug, stays.get(id) ?? id]))
}

/** Returns the id of the record that had this slug before, as `listByFormerSlugs` finds it. */
export async function findIdByFormerSlug(
  db: Db,
  { kind, slug }: { readonly kind: RecordKind; readonly slug: string },
  viewer: Viewer,
): Promise<number | undefined> {
  return (await listByFormerSlugs(db, { kind, slugs: [slug] }, slugPreference(viewer))).get(slug)
}

/** Returns what stays of these records or terms, by the id of each that was merged. Runs at most one query. */
export async function listSuccessors(
  db: Db,
  kinds: readonly MergedKind[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const isOfKind = (table: string) => sql`${sql.ref(`${table}.kind`)} in (${sql.join(kinds)})`
  const { rows } = await sql<{ given: number; id: number }>`
    with recursive led (given, id) as (
      select item_id, into_id from merged_items given where ${isOfKind('given')} and item_id in (${sql.join(ids)})
      union
      select led.given, other.into_id from led join merged_items other on ${isOfKind('other')} and other.item_id = led.id
    )
    select led.given, led.id from led
    where not exists (select 1 from merged_items other where ${isOfKind('other')} and other.item_id = led.id)`.execute(
    db,
  )
  return new Map(rows.map(({ given, id }) => [given, id]))
}

interface MergedTranslation {
  readonly id: number
  readonly slug: string
  readonly language: string
}

/** Notes which versions of a record or a term took over from those of another one. */
export async function rememberMerge(
  tx: Tx,
  { kind, dialect }: { readonly kind: MergedKind; readonly dialect: Dialect },
  {
    from,
    into,
    intoId,
  }: {
    readonly from: readonly MergedTranslation[]
    readonly into: readonly MergedTranslation[]
    readonly intoId: number
  },
): Promise<void> {
  const intoIds = into.map(({ id }) => id)
  await sql`delete from merged_items where kind = ${kind} and ${dialect.isAmong(sql.ref('item_id'), intoIds)}`.execute(
    tx,
  )
  for (const { id, slug, language } of from) {
    const into_id = into.find((one) => one.language === language)?.id ?? intoId
    await tx
      .insertInto('merged_items')
      .values({ kind, item_id: id, into_id })
      .onConflict((conflict) => conflict.columns(['kind', 'item_id']).doUpdateSet({ into_id }))
      .execute()
    if (slug === '') continue
    await tx
      .insertInto('former_slugs')
      .values({ kind, slug, language, item_id: id })
      .onConflict((conflict) => conflict.columns(['kind', 'slug', 'language']).doUpdateSet({ item_id: id }))
      .execute()
  }
}
