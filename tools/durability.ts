/**
 * Kills the service, and on PostgreSQL the database as well, repeatedly while clients write, and checks each time that
 * no acknowledged write is lost: the long form of test/process/durability.test.ts, on both engines.
 *
 *     npm run durability -- --kills 200
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'

const program = new Command('durability')
  .description('Kill the service while clients write, and check that nothing acknowledged is lost.')
  .option('--kills <number>', 'how often, on each engine', wholeNumber, 200)
  .option('--seed <number>', 'what the clients do and when they are disturbed; printed where it fails', wholeNumber)
  .parse()
const { kills, seed } = program.opts<{ kills: number; seed?: number }>()

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const child = spawn(process.execPath, ['test/run.ts', 'test/process/durability.test.ts'], {
  cwd: root,
  env: {
    ...process.env,
    DURABILITY_KILLS: String(kills),
    ...(seed === undefined ? {} : { DURABILITY_SEED: String(seed) }),
  },
  stdio: 'inherit',
})
const [exitCode] = await once(child, 'close')
process.exitCode = exitCode ?? 1
