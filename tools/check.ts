// Runs everything that a change must pass, and stops at the first stage with a fault:
//   npm run check
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * Scripts of package.json. Those of one stage run beside each other, because each keeps one processor busy at most. The
 * attacks wait most of their time, and measure the processor time of the service, which others do not change. The other
 * stages keep all processors busy themselves.
 */
const stages: readonly (readonly string[])[] = [
  ['attack', 'types', 'lint', 'lint:ops', 'knip', 'test:node-24'],
  ['test:ci'],
  ['test:browser'],
]

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const began = performance.now()
for (const scripts of stages) {
  const failed = await runStage(scripts)
  if (failed.length === 0) continue
  console.error(`\nFAILED: ${failed.join(', ')}`)
  process.exit(1)
}
console.log(`\nEverything passed in ${seconds(began)} s.`)

/** Runs scripts, as many at once as there are processors. Returns those that failed. */
async function runStage(scripts: readonly string[]): Promise<readonly string[]> {
  const waiting = [...scripts]
  const failed: string[] = []
  const isAlone = scripts.length === 1
  const runNext = async (): Promise<void> => {
    const script = waiting.shift()
    if (script === undefined) return
    if (!(await passes(script, isAlone))) failed.push(script)
    await runNext()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext))
  return failed
}

/**
 * Whether a script passes.
 *
 * @param isAlone Whether its output is printed at once. Otherwise it is printed as a whole when the script ends.
 */
function passes(script: string, isAlone: boolean): Promise<boolean> {
  const start = performance.now()
  if (isAlone) console.log(`\n> ${script}`)
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  let printed = isAlone ? '' : `\n> ${script}\n`
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      console.log(`${printed}${script}: ${code === 0 ? 'passed' : 'FAILED'} after ${seconds(start)} s`)
      resolve(code === 0)
    })
  })
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(0)
}
