import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startExampleSite } from '../support/example.site.ts'
import { isLong } from '../support/long.ts'
import { type Finding, fuzz, replay } from './fuzzing.ts'
import { dropIn } from './settings.ts'
import { openTarget } from './target.ts'

/** As many on PostgreSQL: fewer create nothing. */
const requests = isLong ? 3_000 : 500
/** An arbitrary seed. It is fixed so that a failure is reproducible. */
const seed = 20_300_118
const cases = new URL('cases/', import.meta.url)

test(`the service stands ${requests.toLocaleString('en')} hostile requests, as itself and as a drop-in`, async (t) => {
  const targets = [
    await openTarget(await startExampleSite(t)),
    await openTarget(await startExampleSite(t, dropIn), 'drop-in'),
  ]

  const { findings, statuses } = await fuzz(targets, { requests, seed })

  assert.deepEqual(findings, [])
  // If no request were valid, only the checks would be tested. Each operation gets the same share, and few of them create.
  assert.ok((statuses[200] ?? 0) > requests / 10 && (statuses[201] ?? 0) > requests / 1000, JSON.stringify(statuses))
})

test('the service stands every request that it once did not', async (t) => {
  const target = await openTarget(await startExampleSite(t))
  const faults: string[] = []

  for (const name of readdirSync(cases)) {
    const { requests } = JSON.parse(readFileSync(new URL(name, cases), 'utf8')) as Finding
    await replay(target, requests.slice(0, -1))
    for (const request of requests.slice(-1)) {
      const { fault } = await target.judge(request)
      if (fault !== undefined) faults.push(`${name}: ${fault}`)
    }
    faults.push(...(await target.walk()).map(({ title }) => `${name}: ${title}`))
  }

  assert.deepEqual(faults, [])
})
