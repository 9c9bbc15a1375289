import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isAsShown, type Step, stepsOf } from './markdown.ts'
import { openTerminal } from './terminal.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md', 'packages/*/README.md'], {
  cwd: root,
})
  .toSorted()
  .map((name) => ({ name, steps: stepsIn(name) }))

function stepsIn(name: string): readonly Step[] {
  try {
    return stepsOf(readFileSync(join(root, name), 'utf8'))
  } catch (cause) {
    throw new Error(`${name} cannot be read`, { cause })
  }
}

const runOf = (steps: readonly Step[]) => steps.filter(({ notHere }) => notHere === undefined)

/** Whether commands send requests to a service that no earlier command has started. */
function needsService(steps: readonly Step[]): boolean {
  const asking = steps.findIndex(({ commands }) => commands.includes('127.0.0.1:3000'))
  return asking >= 0 && !steps.slice(0, asking).some(({ isLasting }) => isLasting)
}

describe('what a page tells its reader to do works, and prints what the page shows', { concurrency: 2 }, () => {
  for (const { name, steps } of pages) {
    if (runOf(steps).length === 0) continue
    test(name, { timeout: 120_000 }, async (t) => {
      const terminal = await openTerminal(t)
      if (needsService(runOf(steps))) await terminal.startService()

      for (const step of runOf(steps)) {
        const { printed, exitCode } = await terminal.run(step)

        const told = `${name}, line ${step.line}:\n${step.commands}\n\nprints:\n${printed}`
        if (exitCode !== undefined) assert.equal(exitCode !== 0, step.isFailing, `${told}\nand ends with ${exitCode}.`)
        if (step.printed !== undefined) assert.ok(isAsShown(printed, step.printed), told)
      }
    })
  }
})

test('most commands are run', () => {
  const all = pages.flatMap(({ steps }) => steps)

  const run = runOf(all)

  assert.ok(run.length >= all.length * 0.75, `${run.length} of ${all.length} blocks of commands are run.`)
})
