// Loaded before a test file: replaces the files of the room by their instrumented form, and stops at the first failure.
// Without an active mutant it records which test ran which mutant, how long each test took, and the processor time.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { beforeEach, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import type { Recording } from './mutants.ts'

/** What Stryker's instrumented code reads and writes. */
interface Namespace {
  currentTestId?: string
  mutantCoverage?: Recording['coverage']
}

const { MUTATION_SOURCES, MUTATION_RECORDING, MUTATION_MAIN } = process.env
const sources: Readonly<Record<string, string>> = (await import(MUTATION_SOURCES as string, { with: { type: 'json' } }))
  .default

registerHooks({
  load(url, context, nextLoad) {
    const source = url.startsWith('file:') ? sources[fileURLToPath(url.replace(/\?.*$/, ''))] : undefined
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

const isTestProcess = isMainThread && process.argv[1] === MUTATION_MAIN
const global = globalThis as { __stryker__?: Namespace }
if (MUTATION_RECORDING && isTestProcess) {
  global.__stryker__ ??= {}
  const namespace = global.__stryker__
  const testsMs: Record<string, number> = {}
  let last: { readonly name: string; readonly at: number } | undefined
  const endLast = () => {
    if (last) testsMs[last.name] = (testsMs[last.name] ?? 0) + performance.now() - last.at
  }
  beforeEach((t) => {
    // The name of the test at the top of the file: its parts count as one.
    const name = (t as TestContext).fullName.split(' > ')[0] ?? t.name
    endLast()
    last = { name, at: performance.now() }
    namespace.currentTestId = name
  })
  process.once('exit', () => {
    endLast()
    const { user, system } = process.cpuUsage()
    const coverage = namespace.mutantCoverage ?? { static: {}, perTest: {} }
    const recording: Recording = { coverage, testsMs, processorMs: (user + system) / 1000 }
    writeFileSync(join(MUTATION_RECORDING, `${process.pid}.json`), JSON.stringify(recording))
  })
}
