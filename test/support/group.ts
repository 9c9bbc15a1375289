import { type AsyncHook, createHook } from 'node:async_hooks'
import { after, before, describe } from 'node:test'
import type { TestEngine } from './groups.ts'
import { shareProcess } from './process.end.ts'

const root = new URL('../../', import.meta.url)
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Runs files of tests in this process on an engine, one after the other. Their hooks apply to their own tests only. */
export function play(engine: TestEngine, files: readonly string[]): void {
  process.env.TEST_ENGINE = engine
  const hooks = collectEnabledHooks()
  shareProcess()
  const left = new Set(files)
  for (const file of files) {
    describe(`${file} on ${names[engine]}`, async () => {
      // Tests start when all files are loaded.
      before(() => hooks.disable())
      after(() => left.delete(file))
      await import(new URL(file, root).href)
    })
  }
  hooks.stopCollecting()
  // A filter of names may leave out all tests of a file.
  if (process.execArgv.some((argument) => /-pattern|-only/.test(argument))) return
  process.on('exit', () => {
    if (left.size === 0) return
    console.error(`The process ended before all tests of these files: ${[...left].join(', ')}`)
    process.exitCode = 1
  })
}

/**
 * Collects the asynchronous hooks that this process enables, to disable them later.
 *
 * The test runner of Node follows every promise and every resource with such a hook, from the first declaration on. It
 * uses it to find the suite of a test while files declare their tests, and to name the test of an error that nothing
 * catches. While tests run, the hook would take a fifth of their processor time. Without it, an error that nothing catches
 * still fails the process, and a run of the file alone names its test.
 */
function collectEnabledHooks() {
  const prototype = Object.getPrototypeOf(createHook({}))
  const { enable } = prototype
  const enabled: AsyncHook[] = []
  prototype.enable = function (this: AsyncHook) {
    enabled.push(this)
    return enable.call(this)
  }
  return {
    stopCollecting: () => {
      prototype.enable = enable
    },
    disable: () => {
      for (const hook of enabled) hook.disable()
    },
  }
}
