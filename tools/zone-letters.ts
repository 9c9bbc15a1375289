/**
 * Writes src/base/time/zone-letters.ts: the letters (`EST`, `EDT`) by which each zone of the tz database is known. The
 * runtime knows the rules of every zone but not its letters, so this table is needed.
 *
 *     node tools/zone-letters.ts [directory of compiled zones, default /usr/share/zoneinfo]
 *
 * For each zone and each offset in force since 1970 the latest letters are kept. Numeric "letters" (`-03`) are left
 * out, because they follow from the offset. Zones with the same letters share a row. RFC 9636 describes the files read
 * here.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Copies of the tree in other formats, and names that the runtime does not know. */
const notZones = /^(?:posix|right)\/|^(?:posixrules|localtime|Factory)$/

/** RFC 9636, 3.1: the header of each of the two blocks. */
const headerBytes = 44

const directory = process.argv[2] ?? '/usr/share/zoneinfo'
const target = fileURLToPath(new URL('../src/base/time/zone-letters.ts', import.meta.url))

const zonesByLetters = new Map<string, string[]>()
for (const zone of zoneNames(directory)) {
  const letters = lettersSince1970(readFileSync(join(directory, zone)))
  if (letters === '') continue
  zonesByLetters.set(letters, [...(zonesByLetters.get(letters) ?? []), zone])
}
writeFileSync(target, moduleText(zonesByLetters, databaseVersion(directory)))

function zoneNames(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((name) => !notZones.test(name) && isZoneFile(join(root, name)))
    .sort()
}

function isZoneFile(path: string): boolean {
  try {
    return readFileSync(path).subarray(0, 4).toString('latin1') === 'TZif'
  } catch {
    return false // A link to a directory, or a dangling link.
  }
}

/** Returns `-300 EST -240 EDT`: minutes east of Greenwich and letters, by offset. RFC 9636, 3.1 and 3.2. */
function lettersSince1970(file: Buffer): string {
  const first = blockCounts(file, 0)
  const start = headerBytes + blockBytes(first, 4)
  const counts = blockCounts(file, start)
  const times = start + headerBytes
  const kinds = times + counts.times * 8
  const types = kinds + counts.times
  const designations = types + counts.types * 6

  const byOffset = new Map<number, string>()
  const note = (type: number) => {
    const at = designations + file.readUInt8(types + type * 6 + 5)
    const letters = file.toString('latin1', at, file.indexOf(0, at))
    if (/^[A-Z]+$/.test(letters)) byOffset.set(file.readInt32BE(types + type * 6) / 60, letters)
  }

  let typeAt1970 = 0
  const later: number[] = []
  for (let index = 0; index < counts.times; index++) {
    const type = file.readUInt8(kinds + index)
    if (file.readBigInt64BE(times + index * 8) <= 0n) typeAt1970 = type
    else later.push(type)
  }
  for (const type of [typeAt1970, ...later]) note(type)

  return [...byOffset]
    .sort(([a], [b]) => a - b)
    .map(([minutes, letters]) => `${minutes} ${letters}`)
    .join(' ')
}

type Counts = {
  utIndicators: number
  standardIndicators: number
  leaps: number
  times: number
  types: number
  chars: number
}

function blockCounts(file: Buffer, start: number): Counts {
  const count = (index: number) => file.readUInt32BE(start + 20 + index * 4)
  return {
    utIndicators: count(0),
    standardIndicators: count(1),
    leaps: count(2),
    times: count(3),
    types: count(4),
    chars: count(5),
  }
}

function blockBytes(counts: Counts, timeBytes: number): number {
  const perTime = counts.times * (timeBytes + 1)
  const perLeap = counts.leaps * (timeBytes + 4)
  return perTime + counts.types * 6 + counts.chars + perLeap + counts.standardIndicators + counts.utIndicators
}

function databaseVersion(root: string): string {
  return /^# version (\S+)/.exec(readFileSync(join(root, 'tzdata.zi'), 'latin1'))?.[1] ?? 'of unknown version'
}

function moduleText(groups: ReadonlyMap<string, readonly string[]>, version: string): string {
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([letters, zones]) => `  [\n    '${letters}',\n    '${zones.join(' ')}',\n  ],\n`)
  return [
    `// Made by tools/zone-letters.ts from the tz database ${version}. Do not edit.\n\n`,
    '/** Rows of two texts: "minutes letters" pairs by offset, and the zones they hold for. Both are split at blanks. */\n',
    'export const zoneLetterRows: readonly (readonly [letters: string, zones: string])[] = [\n',
    ...rows,
    ']\n',
  ].join('')
}
