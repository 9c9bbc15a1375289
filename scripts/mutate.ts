// Changes the code in many small ways, and counts how many of these mutants a test notices:
//   npm run mutate                       all rooms of the table below, one after the other
//   npm run mutate -- time limits        these rooms
//   npm run mutate -- --only event.window.ts events
// A mutant that no test notices is printed with its place. The measurements are in docs/testing.md.
import { globSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

/** The folder of a room, and the tests besides its own that verify it. */
interface Room {
  readonly folder: string
  readonly otherTests?: readonly string[]
  /** Slow tests that find no mutants beyond those that other tests find. */
  readonly leftOut?: readonly string[]
}

const rooms: Readonly<Record<string, Room>> = {
  time: { folder: 'src/base/time' },
  text: { folder: 'src/base/text' },
  languages: { folder: 'src/base/languages', otherTests: ['src/calendar/translations/settings.test.ts'] },
  limits: { folder: 'src/base/limits' },
  http: {
    folder: 'src/access/http',
    otherTests: [
      'src/access/server/cache.bounds.test.ts',
      'src/access/server/dropin.test.ts',
      'src/access/server/limits.test.ts',
      'src/publish/pages/event/event.fresh.test.ts',
      'test/contract/conventions*.test.ts',
    ],
  },
  terms: { folder: 'src/calendar/terms' },
  translations: { folder: 'src/calendar/translations', leftOut: ['walk', 'model'] },
  events: { folder: 'src/calendar/events' },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: '2' },
  },
})
const unknown = positionals.find((name) => !rooms[name])
if (unknown !== undefined)
  throw new Error(`No room is called “${unknown}”. There are ${Object.keys(rooms).join(', ')}.`)

const scores: string[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(rooms)) scores.push(await scoreOf(name))
console.log(
  `\n| room | mutants | killed | survived | without a test | score |\n| --- | ---: | ---: | ---: | ---: | ---: |`,
)
console.log(scores.join('\n'))

/** No test checks texts, and a generator of test values does not belong to the program. */
function isMutated(file: string): boolean {
  const isText = /\/(en|fr)\/|\.texts\.ts$/.test(file)
  return (
    !isText &&
    !/\.(test|arbitrary)\.ts$/.test(file) &&
    (values.only.length === 0 || values.only.includes(basename(file)))
  )
}

async function scoreOf(name: string): Promise<string> {
  const { folder, otherTests = [], leftOut = [] } = rooms[name] as Room
  const testFiles = globSync([`${folder}/*.test.ts`, ...otherTests]).filter(
    (file) => !leftOut.some((part) => file.includes(part)),
  )
  const report = `coverage/mutation/${name}.json`
  process.env.TEST_ENGINE = 'sqlite'
  await new Stryker({
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: { testFiles, nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'] },
    mutate: globSync(`${folder}/*.ts`).filter(isMutated),
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    timeoutMS: 20_000,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { reportTests: false, reportScoreTable: true, allowColor: false, logTests: false },
    jsonReporter: { fileName: report },
    tempDirName: '.stryker-tmp',
    // Stryker would rewrite the settings of the compiler through its API, which TypeScript 7 does not have.
    tsconfigFile: 'none',
    ignorePatterns: ['bench-data', 'coverage', 'data', 'dist'],
    // A broken regular expression is noticed at once; each has dozens of mutants with the same meaning.
    mutator: { excludedMutations: ['Regex'] },
  }).runMutationTest()
  rmSync('.stryker-tmp', { recursive: true, force: true })
  return row(name, report)
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

function row(name: string, file: string): string {
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...wanted: readonly string[]) => statuses.filter((status) => wanted.includes(status)).length
  const [killed, survived, uncovered] = [count('Killed', 'Timeout'), count('Survived'), count('NoCoverage')]
  const all = killed + survived + uncovered
  const score = all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`
  return `| ${name} | ${all} | ${killed} | ${survived} | ${uncovered} | ${score} |`
}
