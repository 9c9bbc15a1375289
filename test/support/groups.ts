import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

// Each process of tests loads the service, which takes longer than a small file of tests. Small files therefore share a
// process, one after the other.

/** Files that take long have a process of their own, the longest first: all processors are busy to the end. */
const long = [
  ...[
    'test/conformance/',
    'test/process/pictures',
    'src/cli/cli.test.ts',
    'test/docs/pages.test.ts',
    'test/process/packed',
  ],
  ...[
    'test/process/',
    'test/hostile/access/',
    'test/hostile/',
    'test/storage/server/',
    'test/contract/permissions.test.ts',
  ],
  ...[
    'src/access/readers/readers.test.ts',
    'src/publish/feeds/feeds.long.test.ts',
    'src/publish/doc/openapi.examples.test.ts',
    'src/calendar/translations/translations.model.test.ts',
    'src/calendar/events/event.sets.test.ts',
    'test/node-24/',
  ],
]
/** Code that affects all of its process, or that measures time: such a file shares its process with no other. */
const affectsProcess =
  /\bregisterHooks\b|\bprocess\.env(?: = |\[|\.\w+ = )|Object\.assign\(process\.env|\bmock\.\w|process\.chdir|support\/linear\.ts/
/** Files of a group. A few more would save little, and a failure of the whole process would hide more. */
const mostInGroup = 12

/** Files of tests that run in one process. */
type Group = readonly string[]

/** Divides files into groups, in the order in which they begin. */
export function groupsOf(files: readonly string[]): readonly Group[] {
  const rankOf = (file: string) => long.findIndex((place) => file.startsWith(place))
  const longest = files.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
  const others = files.filter((file) => rankOf(file) < 0)
  const alone = others.filter((file) => affectsProcess.test(readFileSync(file, 'utf8')))
  const small = others.filter((file) => !alone.includes(file))
  const groups = balanced(small)
  return [...longest.map((file) => [file]), ...groups, ...alone.map((file) => [file])]
}

/** Divides files into groups that take about equally long, so that all processors are busy to the end. */
function balanced(files: readonly string[]): readonly Group[] {
  const lanes = availableParallelism() + 1
  // A few files need no groups: each processor gets some of them.
  const least = Math.max(files.length / mostInGroup, Math.min(files.length, lanes))
  const groups = Array.from({ length: Math.ceil(least / lanes) * lanes }, () => ({ files: [] as string[], tests: 0 }))
  // Most tests take about equally long, because each starts a service.
  const sized = files.map((file) => ({ file, tests: readFileSync(file, 'utf8').match(/\btest\(/g)?.length ?? 1 }))
  for (const { file, tests } of sized.sort((a, b) => b.tests - a.tests)) {
    const [lightest] = groups
      .filter((group) => group.files.length < mostInGroup)
      .sort((a, b) => a.tests - b.tests || a.files.length - b.files.length)
    lightest?.files.push(file)
    if (lightest) lightest.tests += tests
  }
  return groups.flatMap(({ files: grouped }) => (grouped.length > 0 ? [grouped] : []))
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
