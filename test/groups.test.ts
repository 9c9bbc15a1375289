import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { programsOf, type TestEngine, writePrograms } from './support/groups.ts'

const passing = `import { test } from 'node:test'\ntest('passes', () => {})\n`

/** Runs files of tests with these texts in one process, and returns its exit code and output. */
async function runTogether(
  t: TestContext,
  texts: readonly string[],
  flags: readonly string[] = [],
  engine: TestEngine = 'sqlite',
) {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-groups-test-'))
  const files = texts.map((_, at) => join(folder, `${at}.mjs`))
  await Promise.all(files.map((file, at) => writeFile(file, texts[at] ?? '')))
  const { paths, remove } = writePrograms([{ engine, files }])
  t.after(async () => {
    remove()
    await rm(folder, { recursive: true })
  })
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(process.execPath, [...flags, ...paths], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    )
  })
}

test('every file of tests is in one program of its engine, and those that affect their process have one of their own', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])

  const programs = programsOf({ sqlite: files, postgres: files.slice(0, 60) })

  const on = (engine: TestEngine) => programs.filter((program) => program.engine === engine)
  assert.deepEqual(
    on('sqlite')
      .flatMap((program) => program.files)
      .sort(),
    files.toSorted(),
  )
  assert.deepEqual(
    on('postgres')
      .flatMap((program) => program.files)
      .sort(),
    files.slice(0, 60).sort(),
  )
  const sharing = on('sqlite').flatMap((program) => (program.files.length > 1 ? program.files : []))
  assert.ok(sharing.length > files.length / 2, `${sharing.length} of ${files.length} share a process.`)
  for (const file of ['test/languages/pseudo.test.ts', 'src/cli/settings.test.ts', 'src/base/text/render.test.ts']) {
    assert.ok(files.includes(file) && !sharing.includes(file), file)
  }
})

test('a test that fails, an error that nothing catches, and a process that ends early, fail the group', async (t) => {
  const failing = `import { test } from 'node:test'\ntest('fails', () => { throw new Error() })\n`
  const uncaught = `import { test } from 'node:test'
    test('passes', async () => { setImmediate(() => { throw new Error('nobody catches this') }); await new Promise(setImmediate) })\n`
  const rejected = `import { test } from 'node:test'
    test('passes', async () => { await null; Promise.reject(new Error('nobody catches this')) })\n`
  const ending = `import { test } from 'node:test'\ntest('ends', () => process.exit(0))\n`

  const answers = await Promise.all([
    runTogether(t, [passing, passing]),
    runTogether(t, [failing, passing]),
    runTogether(t, [passing, ending, passing]),
    runTogether(t, [passing, 'throw new Error()']),
    runTogether(t, [passing, passing], ['--test-name-pattern=nothing']),
    runTogether(t, [uncaught, passing]),
    runTogether(t, [passing, rejected]),
  ])

  assert.deepEqual(
    answers.map(({ code }) => code),
    [0, 1, 1, 1, 0, 1, 1],
    JSON.stringify(answers),
  )
  assert.match(answers[2]?.output ?? '', /The process ended before all tests of these files: \S+1\.mjs, \S+2\.mjs/)
})

test('long files of both engines alternate with groups, and the longest ones begin first', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])

  const programs = programsOf({ sqlite: files, postgres: files })

  const [first, ...others] = programs.filter(({ files: [file = ''] }) => file.startsWith('test/conformance/'))
  assert.deepEqual([first, others.map(({ engine }) => engine)], [programs[0], ['postgres']])
  const firstHalf = programs.slice(0, programs.length / 2)
  for (const engine of ['sqlite', 'postgres'] as const) {
    const groups = programs.filter((program) => program.engine === engine && program.files.length > 1)
    const early = firstHalf.filter((program) => groups.includes(program))
    assert.ok(early.length > 0 && early.length < groups.length, `${early.length} of ${groups.length} on ${engine}`)
  }
})

test('a program runs on its engine and names it', async (t) => {
  const telling = `import { test } from 'node:test'\ntest('runs', () => console.log('engine', process.env.TEST_ENGINE))\n`

  const { output } = await runTogether(t, [telling], [], 'postgres')

  assert.match(output, /engine postgres\n/)
  assert.match(output, /0\.mjs on PostgreSQL/)
})

test('hooks of a file apply to its own tests', async (t) => {
  const hooked = `import { beforeEach, test } from 'node:test'\nlet before = 0\nbeforeEach(() => { before += 1 })
    test('is counted', () => {})\nprocess.on('exit', () => console.log('hooks', before))\n`

  const { code, output } = await runTogether(t, [hooked, passing])

  assert.equal(code, 0, output)
  assert.match(output, /hooks 1\n/)
})
