/**
 * Sends writes with idempotency keys while connections break and the service is killed, and checks that each key has
 * one effect: the long form of test/process/keyed.writes.test.ts, on both engines.
 *
 *     npm run keyed-writes -- --writes 10000
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'

const program = new Command('keyed-writes')
  .description('Send writes with idempotency keys, break connections, kill the service, and count the effects.')
  .option('--writes <number>', 'how many, on each engine', wholeNumber, 10_000)
  .option('--seed <number>', 'what is disturbed, and when', wholeNumber)
  .parse()
const { writes, seed } = program.opts<{ writes: number; seed?: number }>()

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const child = spawn(process.execPath, ['test/run.ts', 'test/process/keyed.writes.test.ts'], {
  cwd: root,
  env: {
    ...process.env,
    KEYED_WRITES: String(writes),
    ...(seed === undefined ? {} : { KEYED_WRITES_SEED: String(seed) }),
  },
  stdio: 'inherit',
})
const [exitCode] = await once(child, 'close')
process.exitCode = exitCode ?? 1
