// The fuzzer: `npm run fuzz -- --help`.
import { parseArgs } from 'node:util'
import { startExampleSite } from '../support/example.site.ts'
import { fuzz, requestsOfRound } from './fuzzing.ts'
import { dropIn } from './settings.ts'
import { openTarget } from './target.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    postgres: { type: 'string' },
    form: { type: 'string' },
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
  --form NAME        standard or drop-in only (both in turn)
  --postgres URL     on a server on which databases may be made (else SQLite)
  --log              print what the service logs, causes of failures included
  --json             print the findings for machines, each as test/hostile/cases/ keeps them

Leaves with 1 where something was found.`)
  process.exit(0)
}

const [requests, seed] = [numberOf('requests', values.requests), numberOf('seed', values.seed ?? newSeed())]
const ends: (() => unknown)[] = []
const open = async (form: string, settings: Readonly<Record<string, string>>) =>
  openTarget(
    await startExampleSite(
      { after: (end) => void ends.push(end as () => unknown) },
      { ...settings, DATABASE_URL: values.postgres ?? '', LOG_LEVEL: values.log ? 'error' : 'silent' },
    ),
    form,
  )
const targets = [await open('standard', {}), await open('drop-in', dropIn)].filter(
  ({ form }) => values.form === undefined || values.form === form,
)
const step = Math.max(1, Math.floor(requests / 100))
const result = await fuzz(targets, {
  seed,
  requests,
  onProgress: (done, found) => {
    if (done % step === 0) process.stderr.write(`\rSeed ${seed}: ${done} of ${requests} requests, ${found} found`)
  },
})
process.stderr.write('\n')
for (const end of ends) await end()

const { findings } = result
if (values.json) {
  console.log(JSON.stringify({ ...result, seed }, undefined, 2))
} else {
  for (const finding of findings) {
    console.log(JSON.stringify(finding))
    console.log(`Again: npm run fuzz -- --requests ${requestsOfRound} --seed ${finding.seed} --form ${finding.form}`)
  }
  const counts = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`)
  console.log(`${result.requests} requests, the slowest ${Math.round(result.slowestMs)} ms. ${counts.join(', ')}`)
  console.log(`${findings.length} found.`)
}
process.exitCode = findings.length > 0 ? 1 : 0

function numberOf(name: string, text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new Error(`--${name} takes a whole number above 0, not “${text}”.`)
}

function newSeed(): string {
  return String(1 + (Date.now() % 999_999))
}
