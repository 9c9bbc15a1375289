import { filesOf, type Picture } from '../../calendar/media/media.ts'
import { batchRows, type TableRow } from '../../storage/database/copies/copy.tables.ts'
import { canonicalJson } from '../../storage/database/copies/copy.ts'
import { isStoredName } from '../../storage/pictures/picture.store.ts'
import { BackupError } from './backup.ts'

/** Returns the row as a line of JSON. */
export function rowLine(row: TableRow): string {
  const odd = Object.entries(row).find(([, value]) => !isValue(value))
  // A column type that the engines do not store alike yet. No backup is better than an incorrect one.
  if (odd) throw new Error(`The column ${odd[0]} has a value that is not a number, text or null.`)
  return `${canonicalJson(row)}\n`
}

/**
 * Reads rows from lines, in batches that can be written at once.
 *
 * @throws BackupError if a line is not a row.
 */
export function* rowsOf(table: string, lines: string): Generator<readonly TableRow[]> {
  let batch: TableRow[] = []
  let columns: string | undefined
  for (const line of lines.split('\n').slice(0, -1)) {
    const row = parseRow(table, line)
    columns ??= Object.keys(row).join()
    if (Object.keys(row).join() !== columns)
      throw new BackupError(`The rows of ${table} do not all have the same columns.`)
    batch.push(row)
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function parseRow(table: string, line: string): TableRow {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch (cause) {
    throw new BackupError(`The table ${table} has a line that is not JSON.`, { cause })
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row) || !Object.values(row).every(isValue)) {
    throw new BackupError(`The table ${table} has a line that is not a row.`)
  }
  return row as TableRow
}

function isValue(value: unknown): value is TableRow[string] {
  return value === null || typeof value === 'string' || typeof value === 'number'
}

/**
 * Returns the files that a row of `media` names.
 *
 * @throws BackupError if it names an invalid file.
 */
export function filesOfRow({ file, sizes }: TableRow): readonly string[] {
  try {
    const names = filesOf({ file: String(file), sizes: JSON.parse(String(sizes)) as Picture['sizes'] })
    if (names.every(isStoredName)) return names
  } catch {
    // Reported below.
  }
  throw new BackupError(`A picture has files with invalid names: ${String(file).slice(0, 200)}.`)
}
