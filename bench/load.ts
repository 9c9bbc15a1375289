import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
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

/** Asks for an address from a process of its own, on many connections. */
export async function load(
  url: string,
  { connections = 32, seconds = 3, headers = {} }: LoadOptions = {},
): Promise<Load> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = [autocannon, '-j', '-c', String(connections), '-d', String(seconds), ...sent, url]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 })
  const {
    requests,
    latency,
    non2xx,
    errors,
    statusCodeStats = {},
  } = JSON.parse(stdout) as {
    readonly requests: { readonly average: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly non2xx: number
    readonly errors: number
    readonly statusCodeStats?: Readonly<Record<string, { readonly count: number }>>
  }
  const unchanged = statusCodeStats['304']?.count ?? 0
  return { rate: requests.average, p50: latency.p50, p99: latency.p99, failed: errors + non2xx - unchanged }
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/**
 * Ours against a floor, in turns: the machine is shared, and what is slow for a while is so for both.
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
