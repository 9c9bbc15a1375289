import type { Db, Tx } from '../storage/tables.ts'
import { siteOf } from './source.ts'

export type ImportedKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'

/** What a source has become here. */
export interface Imported {
  /** Id of the record or the term. */
  readonly id: number
  /** Digest of what was imported. */
  readonly digest: string
  /** Whole days by which it was moved. */
  readonly shiftDays: number
}

const isTerm = (kind: ImportedKind) => kind === 'category' || kind === 'tag'

/** What this source has become, or undefined where it was never imported, or is gone for good since. */
export async function findImported(db: Db, kind: ImportedKind, source: string): Promise<Imported | undefined> {
  const row = await db
    .selectFrom('imported_records')
    .selectAll()
    .where('kind', '=', kind)
    .where('source', '=', source)
    .executeTakeFirst()
  const id = row?.record_id ?? row?.term_id
  return row && id ? { id, digest: row.digest, shiftDays: row.shift_days } : undefined
}

/** The sites from which this record or term was imported; empty where it was made here. */
export async function listSitesOf(db: Db, kind: ImportedKind, id: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('imported_records')
    .select('source')
    .where('kind', '=', kind)
    .where(isTerm(kind) ? 'term_id' : 'record_id', '=', id)
    .execute()
  return new Set(rows.map((row) => siteOf(row.source)))
}

/** Remembers what this source has become, in place of what was known of it. */
export async function remember(
  tx: Tx,
  kind: ImportedKind,
  source: string,
  { id, digest, shiftDays }: Imported,
  now: number,
): Promise<void> {
  const become = {
    record_id: isTerm(kind) ? null : id,
    term_id: isTerm(kind) ? id : null,
    digest,
    shift_days: shiftDays,
    imported_at: now,
  }
  await tx
    .insertInto('imported_records')
    .values({ kind, source, ...become })
    .onConflict((conflict) => conflict.columns(['kind', 'source']).doUpdateSet(become))
    .execute()
}
