// The fuzzer: `npm run fuzz -- --help`.
import { parseArgs } from 'node:util'
import { startExampleSite } from '../support/example.site.ts'
import { fuzz } from './fuzzing.ts'
import { openTarget } from './target.ts'
import { faultsOfCalendar } from './whole.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    postgres: { type: 'string' },
    log: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Sends the service hostile requests, made from its own OpenAPI document, and tells which it does not stand.

  npm run fuzz
  npm run fuzz -- --requests 5000 --seed 7

  --requests NUMBER  how many (100000)
  --seed NUMBER      the same requests again (a new one each time)
  --postgres URL     on a server on which databases may be made (else SQLite)
  --log              print what the service logs, causes of failures included
  --json             print the findings for machines, each as test/hostile/cases/ keeps them

Leaves with 1 where something was found.`)
  process.exit(0)
}

const [requests, seed] = [numberOf('requests', values.requests), numberOf('seed', values.seed ?? newSeed())]
const ends: (() => unknown)[] = []
const site = await startExampleSite(
  { after: (end) => void ends.push(end as () => unknown) },
  { DATABASE_URL: values.postgres ?? '', LOG_LEVEL: values.log ? 'error' : 'silent' },
)
const step = Math.max(1, Math.floor(requests / 100))
const result = await fuzz(await openTarget(site), {
  seed,
  requests,
  onProgress: (done, found) => {
    if (done % step === 0) process.stderr.write(`\rSeed ${seed}: ${done} of ${requests} requests, ${found} found`)
  },
})
process.stderr.write('\nWalking the calendar …\n')
const calendar = await faultsOfCalendar(site)
for (const end of ends) await end()

const found = result.findings.length + calendar.length
if (values.json) {
  console.log(JSON.stringify({ seed, ...result, calendar }, undefined, 2))
} else {
  for (const finding of result.findings) console.log(JSON.stringify(finding))
  for (const fault of calendar) console.log(fault)
  const counts = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`)
  console.log(`${result.requests} requests, the slowest ${Math.round(result.slowestMs)} ms. ${counts.join(', ')}`)
  console.log(`${found} found.`)
}
process.exitCode = found > 0 ? 1 : 0

function numberOf(name: string, text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new Error(`--${name} takes a whole number above 0, not “${text}”.`)
}

function newSeed(): string {
  return String(1 + (Date.now() % 999_999))
}
