import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant, Recording } from './mutants.ts'

/** What a test file does without any mutant. */
interface TestFile {
  readonly file: string
  readonly recording: Recording
  readonly ms: number
}

/** Tests of a file that run a mutant. */
interface Run {
  readonly test: TestFile
  /** Without names, all tests of the file. */
  readonly names?: readonly string[]
  readonly ms: number
}

export interface Verdict {
  readonly mutant: Mutant
  readonly result: 'killed' | 'timeout' | 'survived' | 'uncovered'
  /** The test file that noticed it. */
  readonly by?: string
}

const here = fileURLToPath(new URL('.', import.meta.url))
const compileCache = resolve('node_modules/.cache/cal-events-compiled')

/** Runs tests against mutants, each in a process of its own. */
export class MutantRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  readonly #sources = join(this.#folder, 'sources.json')
  #tests: readonly TestFile[] = []
  /** How many mutants of a source file each test file killed: those that kill often run first. */
  readonly #kills = new Map<string, number>()
  #count = 0

  constructor(sources: Readonly<Record<string, string>>) {
    writeFileSync(this.#sources, JSON.stringify(sources))
  }

  /** Runs all tests once without a mutant, and records which of them runs which mutant. */
  async record(files: readonly string[], lanes: number): Promise<void> {
    this.#tests = await inLanes(files, lanes, async (file) => {
      const recordings = mkdtempSync(join(this.#folder, 'recording-'))
      const startedMs = performance.now()
      const { code, output } = await this.#start(file, { MUTATION_RECORDING: recordings })
      if (code !== 0) throw new Error(`Without any mutant, ${file} fails: ${output}`)
      const [name] = readdirSync(recordings)
      const recording: Recording = JSON.parse(readFileSync(join(recordings, name as string), 'utf8'))
      return { file, recording, ms: performance.now() - startedMs }
    })
  }

  /** Runs the tests that run `mutant`, the most promising ones first, until one of them fails. */
  async judge(mutant: Mutant): Promise<Verdict> {
    const runs = this.#runsOf(mutant)
    for (const { test, names } of runs) {
      const { code, isLate } = await this.#start(
        test.file,
        { __STRYKER_ACTIVE_MUTANT__: mutant.id },
        { names: names ?? [], baseline: test },
      )
      if (code === 0) continue
      const key = `${mutant.file} ${test.file}`
      this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1)
      return { mutant, result: isLate ? 'timeout' : 'killed', by: test.file }
    }
    return { mutant, result: runs.length === 0 ? 'uncovered' : 'survived' }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #runsOf(mutant: Mutant): readonly Run[] {
    const subject = basename(mutant.file).replace(/\.ts$/, '')
    const rank = ({ test }: Run) =>
      (this.#kills.get(`${mutant.file} ${test.file}`) ?? 0) + (basename(test.file).startsWith(`${subject}.`) ? 5 : 0)
    return this.#tests
      .flatMap((test): Run[] => {
        const { coverage, testsMs } = test.recording
        if (coverage.static[mutant.id] !== undefined) return [{ test, ms: test.ms }]
        const names = Object.entries(coverage.perTest)
          .filter(([, ran]) => ran[mutant.id] !== undefined)
          .map(([name]) => name)
        if (names.length === 0) return []
        return [{ test, names, ms: names.reduce((sum, name) => sum + (testsMs[name] ?? 0), 0) }]
      })
      .toSorted((a, b) => rank(b) - rank(a) || a.ms - b.ms)
  }

  /**
   * Runs a test file. A mutant may loop forever: its processor time is limited, which a busy machine does not change,
   * and its time by a limit with much room.
   */
  async #start(
    file: string,
    environment: Readonly<Record<string, string>>,
    { names = [], baseline }: { readonly names?: readonly string[]; readonly baseline?: TestFile } = {},
  ): Promise<{ readonly code: number | null; readonly isLate: boolean; readonly output: string }> {
    this.#count += 1
    const temporary = join(this.#folder, `run-${this.#count}`)
    mkdirSync(temporary)
    const path = resolve(file)
    const seconds = baseline ? Math.ceil((3 * baseline.recording.processorMs) / 1000 + 4) : 300
    const limitMs = baseline ? 4 * baseline.ms + 30_000 : 300_000
    const child = spawn(
      'sh',
      [
        ...['-c', `ulimit -t ${seconds}; exec "$@"`, 'sh', process.execPath],
        ...['--import', join(here, 'preload.ts'), '--test-reporter', join(here, 'reporter.ts')],
        ...names.map((name) => `--test-name-pattern=^${escapePattern(name)}`),
        path,
      ],
      {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...{ ...process.env, ...environment },
          ...{ TEST_ENGINE: 'sqlite', NODE_COMPILE_CACHE: compileCache, TMPDIR: temporary },
          ...{ MUTATION_SOURCES: this.#sources, MUTATION_MAIN: path },
        },
      },
    )
    const stop = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // The whole group has ended.
      }
    }
    process.once('exit', stop)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      stop()
    }, limitMs)
    let output = ''
    child.stdout.on('data', (part) => {
      output += part
    })
    child.stderr.on('data', (part) => {
      output += part
    })
    const [code, signal] = await new Promise<[number | null, string | null]>((done, reject) => {
      child.once('error', reject)
      child.once('exit', (...ended) => done(ended))
    })
    clearTimeout(timer)
    stop()
    process.off('exit', stop)
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
    return { code, isLate: isLate || signal === 'SIGXCPU' || signal === 'SIGKILL', output: output.slice(0, 2000) }
  }
}

/** Returns a pattern that matches this name: its signs as four digits each. */
function escapePattern(name: string): string {
  return name.replace(/[^\w\s]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Works on items in their order, `lanes` at a time. */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
