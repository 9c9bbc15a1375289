// Runs the tests of time on Node 24, which has no Temporal, and starts a service there as operators do. On Linux, the first
// run installs that Node beside this file. Set NODE_24 to use another program.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = process.env.NODE_24 ?? `${here}node_modules/node-${platform()}-${arch()}/bin/node`

if (!existsSync(program)) run('npm', ['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'])
if (!existsSync(program))
  throw new Error('There is no package of Node 24 for this machine. Set NODE_24 to its program.')
const { version } = JSON.parse(run(program, ['-p', 'JSON.stringify({ version: process.version })'], 'pipe'))
if (!/^v24\./.test(version)) throw new Error(`${program} is Node ${version}, but must be 24.`)
if (run(program, ['-p', 'typeof Temporal'], 'pipe').trim() !== 'undefined') {
  throw new Error('This Node has Temporal: it shows nothing of the polyfill.')
}
console.log(`On Node ${version}, with temporal-polyfill.`)
const files = globSync(['src/base/time/*.test.ts', 'test/node-24/*.test.ts'], { cwd: root })
run(program, ['--import', 'temporal-polyfill/global', '--test', ...files.sort()])

function run(command: string, args: readonly string[], stdout: 'inherit' | 'pipe' = 'inherit'): string {
  const child = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, TEST_ENGINE: 'sqlite' },
  })
  if (child.status !== 0) process.exit(child.status ?? 1)
  return child.stdout ?? ''
}
