import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { unreadableReason } from '../../base/config/file.faults.ts'
import type { BackupKey } from './backup.key.ts'
import { type BackupTotals, createBackupTotals } from './backup.totals.ts'
import {
  BackupDamagedError,
  BackupError,
  type BackupHeader,
  BackupHeaderSchema,
  formatVersion,
  type Manifest,
  ManifestSchema,
  NotABackupError,
  type PartName,
} from './backup.ts'
import { type BackupPart, unpack } from './backup.unpack.ts'

/** An item of a backup, in this order: the header, rows, pictures, and the manifest. */
export type BackupItem =
  | { readonly kind: 'beginning'; readonly backupHeader: BackupHeader }
  /** Rows as JSON, one per line. */
  | { readonly kind: 'rows'; readonly table: string; readonly lines: string }
  /** A picture. Its bytes must be read before the next item. */
  | { readonly kind: 'picture'; readonly file: string; readonly bytes: AsyncIterable<Buffer> }
  | { readonly kind: 'manifest'; readonly manifest: Manifest }

/**
 * Reads a backup and verifies everything that can be verified: every checksum, the order of its parts, and that no part
 * is missing or superfluous. Until its end, none of the returned data is verified.
 *
 * @param name The name of the source in messages.
 * @throws BackupError that says what is damaged, and where.
 */
export async function* readBackup(
  source: AsyncIterable<Buffer>,
  key: BackupKey | undefined,
  name: string,
): AsyncGenerator<BackupItem> {
  const totals = createBackupTotals()
  const order = createPartOrder()
  let place = 'its beginning'
  try {
    for await (const part of unpack(source, key)) {
      place = part.name
      if (!order.accepts(part.what)) throw new BackupDamagedError('it is not where it should be')
      yield* read(part, totals)
    }
    if (!order.isOver()) throw new BackupDamagedError('nothing follows, and parts are missing')
  } catch (error) {
    throw toBackupError(error, place, name)
  }
}

async function* read(part: BackupPart, totals: BackupTotals): AsyncGenerator<BackupItem> {
  const { name, what } = part
  if (what.kind === 'picture') {
    const hash = createHash('sha256')
    const bytes = hashed(part.bytes, hash)
    yield { kind: 'picture', file: what.file, bytes }
    for await (const _rest of bytes);
    totals.part(name, hash.digest('hex'))
    totals.picture(part.sizeBytes)
    return
  }
  const bytes = Buffer.concat(await Array.fromAsync(part.bytes))
  if (what.kind === 'sums') return compareSums(bytes.toString(), totals.takeSums())
  if (what.kind === 'manifest') return yield { kind: 'manifest', manifest: readManifest(bytes, totals) }
  totals.part(name, createHash('sha256').update(bytes).digest('hex'))
  if (what.kind === 'rows') {
    totals.rows(what.table, bytes)
    return yield { kind: 'rows', table: what.table, lines: bytes.toString() }
  }
  yield { kind: 'beginning', backupHeader: readBackupHeader(bytes) }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: { update(chunk: Buffer): unknown }) {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

/** @throws BackupDamagedError that names the first part with a wrong checksum. */
function compareSums(text: string, found: readonly string[]): void {
  if (text === found.join('')) return
  const expected = new Set(text.split(/(?<=\n)/))
  const damaged = found.find((line) => !expected.has(line))
  throw new BackupDamagedError(
    damaged
      ? `the part ${damaged.slice(66, -1)} is not as it was written`
      : 'it has checksums of parts that are missing',
  )
}

function readBackupHeader(bytes: Buffer): BackupHeader {
  const { format } = asJson(bytes) as { readonly format?: unknown }
  if (typeof format === 'number' && format > formatVersion) {
    throw new BackupError(
      `The backup has format ${format}, written by a newer version of the service. This version reads formats up to ${formatVersion}.`,
    )
  }
  return checked(BackupHeaderSchema, bytes)
}

/** @throws BackupDamagedError if it does not match the data that was read. */
function readManifest(bytes: Buffer, totals: BackupTotals): Manifest {
  const manifest = checked(ManifestSchema, bytes)
  if (totals.takeSums().length > 0) throw new BackupDamagedError('the checksums of the last parts are missing')
  const { tables, sums, ...pictures } = totals.total(Object.keys(manifest.tables))
  if (sums !== manifest.sums) throw new BackupDamagedError('parts are missing')
  for (const [table, counted] of Object.entries(tables)) {
    if (isDeepStrictEqual(counted, manifest.tables[table])) continue
    throw new BackupDamagedError(
      `the table ${table} has ${counted.rows} rows, not the ${manifest.tables[table]?.rows ?? 0}`,
    )
  }
  const { files, bytes: size } = manifest.pictures
  if (pictures.files !== files || pictures.bytes !== size) {
    throw new BackupDamagedError(`there are ${pictures.files} picture files, not ${files}`)
  }
  return manifest
}

function checked<T extends TSchema>(schema: T, bytes: Buffer): Static<T> {
  const found = asJson(bytes)
  if (!Check(schema, found)) throw new BackupDamagedError('its content is not as expected')
  return found
}

function asJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString()) ?? {}
}

/** Returns the error to report for a fault in this part. */
function toBackupError(error: unknown, place: string, name: string): BackupError {
  if (error instanceof BackupError) return error
  if (error instanceof NotABackupError) {
    return new BackupError(`${name} is not a backup of this service, or its beginning is damaged.`, { cause: error })
  }
  const { message, path, syscall } = error as NodeJS.ErrnoException
  const what = path === undefined ? 'The backup' : `The backup ${path}`
  if (syscall !== undefined)
    return new BackupError(`${what} cannot be read: ${unreadableReason(error)}.`, { cause: error })
  return new BackupError(`The backup is damaged in ${place}: ${message}.`, { cause: error })
}

/** Verifies the order of parts: the header, tables, pictures, the manifest, with checksums among them. */
interface PartOrder {
  /** Whether this part may come next. */
  accepts(what: PartName): boolean
  /** Whether the last part has come. */
  isOver(): boolean
}

function createPartOrder(): PartOrder {
  const seen = new Set<string>()
  const isNew = (name: string) => seen.size < seen.add(name).size
  let phase: 'start' | 'tables' | 'pictures' | 'over' = 'start'
  let current = { table: '', number: 0 }
  let sums = 0

  const acceptsRows = ({ table, number }: { readonly table: string; readonly number: number }): boolean => {
    const isSame = table === current.table
    const expected = isSame ? current.number + 1 : 1
    current = { table, number }
    return phase === 'tables' && number === expected && (isSame || isNew(table))
  }
  return {
    accepts: (what) => {
      const isWithin = phase === 'tables' || phase === 'pictures'
      switch (what.kind) {
        case 'beginning': {
          const isFirst = phase === 'start'
          phase = 'tables'
          return isFirst
        }
        case 'rows':
          return acceptsRows(what)
        case 'picture':
          if (isWithin) phase = 'pictures'
          return isWithin && isNew(what.file)
        case 'sums':
          sums += 1
          return isWithin && what.number === sums
        case 'manifest':
          phase = 'over'
          return isWithin
      }
    },
    isOver: () => phase === 'over',
  }
}
