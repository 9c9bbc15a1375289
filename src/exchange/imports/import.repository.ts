import { inStatements } from '../../storage/database/rows.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { sourceSite } from './source.ts'

export type ImportedKind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'

/** What a source has become here. */
export interface ImportedRecord {
  /** Id of the record or the term. */
  readonly id: number
  /** Digest of what was imported. */
  readonly digest: string
  /** Whole days by which it was moved. */
  readonly shiftDays: number
}

const isTerm = (kind: ImportedKind) => kind === 'category' || kind === 'tag'

/** What this source has become, or undefined where it was never imported, or is gone for good since. */
export async function findImported(db: Db, kind: ImportedKind, source: string): Promise<ImportedRecord | undefined> {
  return (await listImported(db, kind, [source])).get(source)
}

/** What these sources have become, by source; what was never imported, or is gone for good since, is left out. */
export async function listImported(
  db: Db,
  kind: ImportedKind,
  sources: readonly string[],
): Promise<ReadonlyMap<string, ImportedRecord>> {
  const imported = new Map<string, ImportedRecord>()
  for (const some of inStatements(sources)) {
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

/** The sites from which this record or term was imported; empty where it was made here. */
export async function listSitesOf(db: Db, kind: ImportedKind, id: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('imported_records')
    .select('source')
    .where('kind', '=', kind)
    .where(isTerm(kind) ? 'term_id' : 'record_id', '=', id)
    .execute()
  return new Set(rows.map((row) => sourceSite(row.source)))
}

/** Remembers what these sources have become, each named once, in place of what was known of them. */
export async function saveImported(
  { tx, now }: { readonly tx: Tx; readonly now: () => number },
  kind: ImportedKind,
  imported: readonly (ImportedRecord & { readonly source: string })[],
): Promise<void> {
  const importedAt = now()
  for (const some of inStatements(imported)) {
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
