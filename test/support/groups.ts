import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

// Each process of tests loads the service, which takes longer than a small file of tests. Small files therefore share a
// process, one after the other.

/** Files with a process of their own, the longest first: all processors are busy to the end. */
const alone = [
  ...['src/cli/', 'test/docs/pages.test.ts', 'test/hostile/', 'test/process/', 'test/storage/server/'],
  ...[
    'test/conformance/',
    'src/publish/feeds/feeds.long.test.ts',
    'src/calendar/translations/translations.model.test.ts',
  ],
  // They compare times, or change the environment of their process.
  ...['src/base/text/', 'src/base/monitoring/', 'src/base/outbound/', 'src/storage/pictures/', 'test/node-24/'],
]
/** Files of a group. A few more would save little, and a failure of the whole process would hide more. */
const mostInGroup = 12

/** Files of tests that run in one process. */
type Group = readonly string[]

/** Divides files into groups, in the order in which they begin. */
export function groupsOf(files: readonly string[]): readonly Group[] {
  const placeOf = (file: string) => alone.findIndex((place) => file.startsWith(place))
  const single = files.filter((file) => placeOf(file) >= 0).sort((a, b) => placeOf(a) - placeOf(b))
  const small = files.filter((file) => placeOf(file) < 0)
  const fewest = Math.min(small.length, 2 * availableParallelism())
  const count = Math.max(Math.ceil(small.length / mostInGroup), fewest)
  // Neighbours often take equally long, so they go to different groups.
  const groups = Array.from({ length: count }, (_, group) => small.filter((_file, at) => at % count === group))
  return [...single.map((file) => [file]), ...groups]
}

/**
 * Writes a program for each group, in the order of their names.
 *
 * @returns the paths of the programs, and how to remove them.
 */
export function writeGroups(groups: readonly Group[]): { readonly programs: readonly string[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'cal-events-groups-'))
  const player = new URL('./group.ts', import.meta.url).href
  const programs = groups.map((group, at) => {
    const program = join(folder, `${String(at).padStart(3, '0')}.mjs`)
    writeFileSync(program, `import { play } from '${player}'\nplay(${JSON.stringify(group, undefined, 2)})\n`)
    return program
  })
  return { programs, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
