import Type, { type Static } from 'typebox'
import { isStoredName } from '../../storage/pictures/picture.store.ts'

// The format of a backup. It is a tar file, compressed with zstd and, if a key is given, encrypted with age:
//
//   backup.json                    the header: the first part
//   database/TABLE.000001.ndjson   rows as JSON, one per line, in parts of a few megabytes; one table after the other
//   media/YEAR/MONTH/NAME          picture files
//   sums/000001.sha256             SHA-256 of the parts since the previous such part, in `sha256sum` format
//   manifest.json                  the totals of all parts: the last part
//
// After the compressed data comes one more frame, which every zstd reader ignores: the SHA-256 of all data before it.

/** Increased when a reader of the previous version could not read the new one. */
export const formatVersion = 1

/** A backup cannot be made, read or restored, for a reason that an operator can fix or must know. */
export class BackupError extends Error {}

/** A backup differs from what was written. The message says how, and continues “it is damaged in PLACE:”. */
export class BackupDamagedError extends Error {}

/** A file does not begin like a backup. */
export class NotABackupError extends Error {}

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0 })
const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })

export const BackupHeaderSchema = Type.Object({
  format: count,
  service: Type.String({ maxLength: 100 }),
  createdAt: Type.String({ maxLength: 40 }),
  /** The engine of the source database. A backup can be restored into any engine. */
  engine: Type.String({ maxLength: 40 }),
  /** The name of the last migration of the database. */
  migration: Type.String({ maxLength: 200 }),
  /** The highest id ever assigned, by table: ids are not assigned again. */
  lastIds: Type.Record(name, count),
})
export type BackupHeader = Static<typeof BackupHeaderSchema>

export const ManifestSchema = Type.Object({
  format: count,
  /** The rows of each table, and the SHA-256 of all its lines. */
  tables: Type.Record(name, Type.Object({ rows: count, digest })),
  pictures: Type.Object({
    files: count,
    bytes: count,
    /** Picture files that were removed during the backup. */
    removed: Type.Array(Type.String()),
    /** Picture files that the database names but that do not exist. */
    missing: Type.Array(Type.String()),
  }),
  /** SHA-256 of all checksum parts, in order. */
  sums: digest,
})
export type Manifest = Static<typeof ManifestSchema>

/** The kind of a part, derived from its name. */
export type PartName =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'rows'; readonly table: string; readonly number: number }
  | { readonly kind: 'picture'; readonly file: string }
  | { readonly kind: 'sums'; readonly number: number }

export const backupHeaderName = 'backup.json'
export const manifestName = 'manifest.json'

export function rowsName(table: string, number: number): string {
  return `database/${table}.${padded(number)}.ndjson`
}

export function pictureName(file: string): string {
  return `media/${file}`
}

export function sumsName(number: number): string {
  return `sums/${padded(number)}.sha256`
}

function padded(number: number): string {
  return String(number).padStart(6, '0')
}

/** Returns undefined for every name that a backup never contains. Such parts are never read or written to disk. */
export function parsePartName(text: string): PartName | undefined {
  if (text === backupHeaderName) return { kind: 'beginning' }
  if (text === manifestName) return { kind: 'manifest' }
  const [, table, part] = /^database\/([a-z][a-z0-9_]{0,62})\.(\d{6,9})\.ndjson$/.exec(text) ?? []
  if (table !== undefined) return { kind: 'rows', table, number: Number(part) }
  const sums = /^sums\/(\d{6,9})\.sha256$/.exec(text)?.[1]
  if (sums !== undefined) return { kind: 'sums', number: Number(sums) }
  const file = /^media\/(.+)$/s.exec(text)?.[1]
  return file !== undefined && isStoredName(file) ? { kind: 'picture', file } : undefined
}

export function sumLine(partName: string, sha256: string): string {
  return `${sha256}  ${partName}\n`
}

/** The number of parts whose checksums are written or compared at once. It bounds the memory. */
export const partsOfSums = 1000
export const usualPartBytes = 4 * 1024 ** 2
/** The maximum size of a part with rows, checksums or JSON that is read. */
export const maxPartBytes = 64 * 1024 ** 2
/** The maximum size of a picture that is read. */
export const maxPictureBytes = 1024 ** 3
