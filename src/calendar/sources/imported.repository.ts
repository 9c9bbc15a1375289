import { sql } from 'kysely'
import { statementBatches } from '../../storage/database/statement.batches.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { siteOfSource } from './source.ts'

export type ImportedKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'

/** The record or term that a source was imported as. */
export interface ImportedRecord {
  /** Id of the record or the term. */
  readonly id: number
  /** Digest of what was imported. */
  readonly digest: string
  /** Whole days by which its dates were moved. */
  readonly shiftDays: number
}

const isTerm = (kind: ImportedKind) => kind === 'category' || kind === 'tag'

/** Returns the record of this source, or undefined if it was never imported or was permanently deleted. */
export async function findImported(db: Db, kind: ImportedKind, source: string): Promise<ImportedRecord | undefined> {
  return (await listImported(db, kind, [source])).get(source)
}

/**
 * Returns the records of these sources, by source. Leaves out those that were never imported or were permanently
 * deleted.
 */
export async function listImported(
  db: Db,
  kind: ImportedKind,
  sources: readonly string[],
): Promise<ReadonlyMap<string, ImportedRecord>> {
  const imported = new Map<string, ImportedRecord>()
  for (const some of statementBatches(sources)) {
    const rows = await db
      .selectFrom('imported_records')
      .select(['source', 'record_id', 'term_id', 'digest', 'shift_days'])
      .where('kind', '=', kind)
      .where('source', 'in', some)
      .execute()
    for (const { source, record_id, term_id, digest, shift_days } of rows) {
      const id = record_id ?? term_id
      if (id) imported.set(source, { id, digest, shiftDays: shift_days })
    }
  }
  return imported
}

/** Returns the sites from which this record or term was imported; empty if it was not imported. */
export async function listSitesOf(db: Db, kind: ImportedKind, id: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('imported_records')
    .select('source')
    .where(isTerm(kind) ? 'term_id' : 'record_id', '=', id)
    .execute()
  return new Set(rows.map((row) => siteOfSource(row.source)))
}

/**
 * Returns the id of the record that had this id on the site from which it was imported, undefined if there is none. If
 * several sites gave it, the one with this host counts, or else the first.
 */
export async function findByOldId(db: Db, id: number, host: string): Promise<number | undefined> {
  const { rows } = await sql<{ record_id: number }>`select record_id from imported_records
    where source_name is null and replace(source, rtrim(source, '0123456789'), '') = ${String(id)}
      and kind in ('event', 'venue', 'organizer') and source like '%?id=%' and record_id is not null
    order by case when source = ${`${host}?id=${id}`} then 0 else 1 end, imported_at, source limit 1`.execute(db)
  return rows[0]?.record_id
}

/** Stores the records of these sources, each named once, and replaces earlier ones. */
export async function saveImported(
  { tx, now }: { readonly tx: Tx; readonly now: () => number },
  kind: ImportedKind,
  imported: readonly (ImportedRecord & { readonly source: string })[],
): Promise<void> {
  const importedAt = now()
  for (const some of statementBatches(imported)) {
    const rows = some.map(({ source, id, digest, shiftDays }) => ({
      kind,
      source,
      record_id: isTerm(kind) ? null : id,
      term_id: isTerm(kind) ? id : null,
      digest,
      shift_days: shiftDays,
      imported_at: importedAt,
    }))
    await tx
      .insertInto('imported_records')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'source']).doUpdateSet((e) => ({
          record_id: e.ref('excluded.record_id'),
          term_id: e.ref('excluded.term_id'),
          digest: e.ref('excluded.digest'),
          shift_days: e.ref('excluded.shift_days'),
          imported_at: e.ref('excluded.imported_at'),
        })),
      )
      .execute()
  }
}
