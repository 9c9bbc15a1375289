import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

// Each process of tests loads the service, which takes longer than a small file of tests. Small files therefore share a
// process, one after the other.

/**
 * Files that take long have a process of their own, the longest first. Most of them start processes and wait for them, so
 * they alternate with groups, which seldom wait.
 */
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
const maxInGroup = 24
/** Tests in a browser take longer than others. */
const maxInBrowserGroup = 5

/** A database engine that tests run on. */
export type TestEngine = 'sqlite' | 'postgres'

/** Files of tests that run in one process, one after the other. */
export interface TestProgram {
  readonly engine: TestEngine
  readonly files: readonly string[]
}

/**
 * Divides the files of both engines into programs, in the order in which they begin: files that take long
 * alternate with groups of small files, then come short files that run alone, so that all processors are busy to the end.
 */
export function programsOf(files: Readonly<Record<TestEngine, readonly string[]>>): readonly TestProgram[] {
  const [sqlite, postgres] = [partsOf('sqlite', files.sqlite), partsOf('postgres', files.postgres)]
  const longest = [...sqlite.longest, ...postgres.longest].sort((a, b) => rankOf(a.files) - rankOf(b.files))
  const groups = alternating(sqlite.groups, postgres.groups)
  return [...alternating(longest, groups), ...sqlite.alone, ...postgres.alone]
}

/** Spreads two lists over one, each in its order. */
function alternating<Item>(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  const placed = [one, other].flatMap((items) => items.map((item, at) => ({ item, place: at / items.length })))
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

function rankOf([file = '']: readonly string[]): number {
  return long.findIndex((place) => file.startsWith(place))
}

function partsOf(engine: TestEngine, files: readonly string[]) {
  const isAlone = (file: string) => affectsProcess.test(readFileSync(file, 'utf8'))
  const longest = files.filter((file) => rankOf([file]) >= 0)
  const others = files.filter((file) => rankOf([file]) < 0)
  const [alone, small] = [others.filter(isAlone), others.filter((file) => !isAlone(file))]
  const programs = (groups: readonly (readonly string[])[]) =>
    groups.map((group): TestProgram => ({ engine, files: group }))
  return {
    longest: programs(longest.map((file) => [file])),
    groups: programs(balanced(small)),
    alone: programs(alone.map((file) => [file])),
  }
}

/** Divides files into groups that take about equally long, so that all processors are busy to the end. */
function balanced(files: readonly string[]): readonly (readonly string[])[] {
  const lanes = availableParallelism() + 1
  const most = files.some((file) => file.startsWith('test/browser/')) ? maxInBrowserGroup : maxInGroup
  // A few files need no groups: each processor gets some of them.
  const least = Math.max(files.length / most, Math.min(files.length, lanes))
  const groups = Array.from({ length: Math.ceil(least / lanes) * lanes }, () => ({ files: [] as string[], tests: 0 }))
  // Most tests take about equally long, because each starts a service.
  const sized = files.map((file) => ({ file, tests: readFileSync(file, 'utf8').match(/\btest\(/g)?.length ?? 1 }))
  for (const { file, tests } of sized.sort((a, b) => b.tests - a.tests)) {
    const [lightest] = groups
      .filter((group) => group.files.length < most)
      .sort((a, b) => a.tests - b.tests || a.files.length - b.files.length)
    lightest?.files.push(file)
    if (lightest) lightest.tests += tests
  }
  return groups.flatMap(({ files: grouped }) => (grouped.length > 0 ? [grouped] : []))
}

/**
 * Writes the programs to a folder, in the order of their names.
 *
 * @returns the paths of the programs, and how to remove them.
 */
export function writePrograms(programs: readonly TestProgram[]): { readonly paths: readonly string[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'cal-events-groups-'))
  const player = new URL('./group.ts', import.meta.url).href
  const paths = programs.map(({ engine, files }, at) => {
    const path = join(folder, `${String(at).padStart(3, '0')}.mjs`)
    const played = JSON.stringify(files, undefined, 2)
    writeFileSync(path, `import { play } from '${player}'\nplay('${engine}', ${played})\n`)
    return path
  })
  return { paths, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
