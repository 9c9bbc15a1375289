import Type, { type Static } from 'typebox'
import { isStoredName } from '../../storage/pictures/picture.store.ts'

// What a backup is made of. It is a tar file, compressed by zstd and, where a key is given, encrypted by age:
//
//   backup.json                    what is backed up: the first part
//   database/TABLE.000001.ndjson   rows as JSON, one on a line, in parts of some megabytes; tables one after the other
//   media/YEAR/MONTH/NAME          files of pictures
//   sums/000001.sha256             SHA-256 of the parts since the last such part, as `sha256sum` has it
//   manifest.json                  what the parts must come to: the last part
//
// Behind the compressed data stands one more frame, which every reader of zstd passes over: the SHA-256 of all before it.

/** Raised where a reader of the number before would not understand what is written. */
export const formatVersion = 1

/** A backup cannot be made, read or restored, for a reason that an operator can mend or must know. */
export class BackupError extends Error {}

/** A backup is not what was written; the message says how, and goes on from “it is damaged in PLACE:”. */
export class BackupDamagedError extends Error {}

/** A file does not begin as a backup does. */
export class NotABackupError extends Error {}

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0 })
const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })

export const BackupHeaderSchema = Type.Object({
  format: count,
  /** Version of the service. */
  service: Type.String({ maxLength: 100 }),
  createdAt: Type.String({ maxLength: 40 }),
  /** Engine that it was read from; it can be restored into any. */
  engine: Type.String({ maxLength: 40 }),
  /** Name of the migration that left the form of the database. */
  migration: Type.String({ maxLength: 200 }),
  /** The greatest id ever given, by table: none of them is given again. */
  lastIds: Type.Record(name, count),
})
export type BackupHeader = Static<typeof BackupHeaderSchema>

export const ManifestSchema = Type.Object({
  format: count,
  /** Rows of each table, and the SHA-256 of all its lines. */
  tables: Type.Record(name, Type.Object({ rows: count, digest })),
  pictures: Type.Object({
    files: count,
    bytes: count,
    /** Files of pictures that were removed while the backup was made. */
    removed: Type.Array(Type.String()),
    /** Files that the database names and that were not there. */
    missing: Type.Array(Type.String()),
  }),
  /** SHA-256 of all parts with sums, one after the other. */
  sums: digest,
})
export type Manifest = Static<typeof ManifestSchema>

/** What a part is, by its name. */
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

/** Undefined for every name that we never give: nothing else is ever read, let alone written to a disk. */
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

/** One line of a part with sums. */
export function sumLine(partName: string, sha256: string): string {
  return `${sha256}  ${partName}\n`
}

/** Parts that are written or compared at once; bounds what has to be kept in memory. */
export const partsOfSums = 1000
/** Rows are gathered to parts of about this size. */
export const usualPartBytes = 4 * 1024 ** 2
/** Larger parts of rows, sums or JSON are never read. */
export const mostPartBytes = 64 * 1024 ** 2
/** Larger pictures are never read. */
export const mostPictureBytes = 1024 ** 3
