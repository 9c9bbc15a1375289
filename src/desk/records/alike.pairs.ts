import { likeness, nameWords } from '../../base/text/alike.ts'
import type { RecordRow } from './record.kinds.ts'

/** Two records that may be the same one. The one with fewer events goes into the other. */
interface Pair {
  readonly from: RecordRow
  readonly into: RecordRow
  readonly reason: 'name' | 'spelling' | 'address'
}

const maxPairs = 50

/** Returns the pairs of records that look alike, with the reason. */
export function alikePairs(rows: readonly RecordRow[]): readonly Pair[] {
  const known = rows.map((row) => ({
    row,
    words: nameWords(row.name, row.place),
    address: nameWords(`${row.address} ${row.place}`).join(' '),
  }))
  const pairs: Pair[] = []
  for (const [place, one] of known.entries()) {
    for (const other of known.slice(place + 1)) {
      if (pairs.length === maxPairs) return pairs
      const isSameAddress = one.row.address !== '' && other.row.address !== '' && one.address === other.address
      const reason = likenessIn(one, other) ?? (isSameAddress ? 'address' : undefined)
      if (reason === undefined) continue
      const [from, into] = one.row.events < other.row.events ? [one.row, other.row] : [other.row, one.row]
      pairs.push({ from, into, reason })
    }
  }
  return pairs.toSorted((one, other) => Number(one.reason === 'address') - Number(other.reason === 'address'))
}

interface Known {
  readonly row: RecordRow
  readonly words: readonly string[]
}

/** Each town has its own town hall: places of one name are alike if one of them has no city, or both have the same. */
function likenessIn(one: Known, other: Known): 'name' | 'spelling' | undefined {
  const [city, otherCity] = [one, other].map(({ row }) => nameWords(row.place).join(' '))
  const isSameTown = city === '' || otherCity === '' || city === otherCity
  return isSameTown || one.row.place.includes('@') ? likeness(one.words, other.words) : undefined
}
