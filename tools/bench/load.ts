import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadRequest } from './gun.ts'

const gun = fileURLToPath(new URL('gun.ts', import.meta.url))
const run = promisify(execFile)

export interface Load {
  /** Requests per second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

export interface LoadOptions {
  readonly connections?: number
  readonly seconds?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests these paths one after the other from a separate process, on many connections. */
export async function load(
  origin: string,
  paths: readonly string[],
  { connections = 32, seconds = 3, headers = {} }: LoadOptions = {},
): Promise<Load> {
  const shots: LoadRequest = { origin, paths, connections, seconds, headers }
  const { stdout } = await run(process.execPath, [gun, JSON.stringify(shots)])
  return JSON.parse(stdout) as Load
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/**
 * Compares our server with the baseline. It alternates between the two, because the machine is shared and a slow period
 * then affects both.
 *
 * @returns the median of the ratios of neighbours, and the medians of both.
 */
export async function inTurns(
  ours: () => Promise<number>,
  floor: () => Promise<number>,
  turns = 3,
): Promise<{ readonly ratio: number; readonly ours: number; readonly floor: number }> {
  const pairs: [number, number][] = []
  for (let turn = 0; turn < turns; turn += 1) pairs.push([await ours(), await floor()])
  return {
    ratio: median(pairs.map(([one, other]) => one / other)),
    ours: median(pairs.map(([one]) => one)),
    floor: median(pairs.map(([, other]) => other)),
  }
}
