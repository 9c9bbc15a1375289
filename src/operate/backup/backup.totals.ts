import { createHash, type Hash } from 'node:crypto'
import { type Manifest, partsOfSums, sumLine } from './backup.ts'

/** The totals that both writers and readers of a backup count, to compare them at the end. */
export interface BackupTotals {
  /** Records a part and its SHA-256. */
  part(name: string, sha256: string): void
  rows(table: string, bytes: Buffer): void
  picture(sizeBytes: number): void
  /** Whether enough checksums wait to be written. */
  hasManySums(): boolean
  /** Returns the checksums of the parts since the last call, one per line. */
  takeSums(): readonly string[]
  /** Returns all totals, including those of the given tables without rows. */
  total(tables: readonly string[]): BackupCounts
}

type BackupCounts = Pick<Manifest, 'tables' | 'sums'> & Pick<Manifest['pictures'], 'files' | 'bytes'>

const newline = 0x0a

export function createBackupTotals(): BackupTotals {
  const tables = new Map<string, { rows: number; readonly hash: Hash }>()
  const sums = createHash('sha256')
  let waiting: string[] = []
  let files = 0
  let bytes = 0
  return {
    part: (name, sha256) => {
      waiting.push(sumLine(name, sha256))
    },
    rows: (table, lines) => {
      const counted = tables.get(table) ?? { rows: 0, hash: createHash('sha256') }
      tables.set(table, counted)
      counted.hash.update(lines)
      for (let at = lines.indexOf(newline); at >= 0; at = lines.indexOf(newline, at + 1)) counted.rows += 1
    },
    picture: (sizeBytes) => {
      files += 1
      bytes += sizeBytes
    },
    hasManySums: () => waiting.length >= partsOfSums,
    takeSums: () => {
      const taken = waiting
      waiting = []
      for (const line of taken) sums.update(line)
      return taken
    },
    total: (names) => ({
      tables: Object.fromEntries(
        [...new Set([...names, ...tables.keys()])].map((name) => {
          const { rows, hash } = tables.get(name) ?? { rows: 0, hash: createHash('sha256') }
          return [name, { rows, digest: hash.copy().digest('hex') }]
        }),
      ),
      sums: sums.copy().digest('hex'),
      files,
      bytes,
    }),
  }
}
