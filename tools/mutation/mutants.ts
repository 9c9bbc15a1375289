import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** One small change of the code. */
export interface Mutant {
  readonly id: string
  /** Relative to the root of the repository. */
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly original: string
  readonly replacement: string
}

/** The mutants that ran, by id: while files were loaded, and in each test. */
export interface Recording {
  readonly coverage: {
    readonly static: Readonly<Record<string, number>>
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
  readonly testsMs: Readonly<Record<string, number>>
  readonly processorMs: number
}

export interface Instrumented {
  readonly mutants: readonly Mutant[]
  /** JavaScript by absolute path. It contains all mutants, and `__STRYKER_ACTIVE_MUTANT__` chooses one. */
  readonly sources: Readonly<Record<string, string>>
}

const silent = () => {}
const logger = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
}

/** Builds all mutants of these files into one form of each file. */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const contents = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const instrumenter = new Instrumenter(logger)
  const made = await instrumenter.instrument(
    files.map((file) => ({ name: file, mutate: true, content: contents.get(file) ?? '' })),
    // A broken regular expression is noticed at once; each has dozens of mutants with the same meaning.
    { plugins: null, excludedMutations: ['Regex'], ignorers: [] },
  )
  return {
    mutants: made.mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => ({
        ...{ id, file: fileName, line: start.line + 1, kind: mutatorName, replacement: oneLine(replacement) },
        original: oneLine(slice(contents.get(fileName) ?? '', start, end)),
      })),
    sources: Object.fromEntries(made.files.map(({ name, content }) => [resolve(name), stripTypeScriptTypes(content)])),
  }
}

interface Place {
  readonly line: number
  readonly column: number
}

function slice(content: string, start: Place, end: Place): string {
  const lines = content.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n')
}

const longestShown = 100

function oneLine(code: string): string {
  const flat = code.replace(/\s+/g, ' ')
  return flat.length > longestShown ? `${flat.slice(0, longestShown)}…` : flat
}

/** Chooses `count` of the mutants. The same seed chooses the same ones. */
export function sample(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = mulberry32(seed)
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/** A small generator of random numbers from 0 to 1 with a seed. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
