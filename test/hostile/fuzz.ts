// The fuzzer: `npm run fuzz -- --help`.
import { parseArgs } from 'node:util'
import { startExampleSite } from '../support/example.site.ts'
import { fuzz, requestsOfRound } from './fuzzing.ts'
import { startLargeSite } from './large.site.ts'
import { dropIn } from './settings.ts'
import { openTarget, type Target, usualBudget } from './target.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    postgres: { type: 'string' },
    data: { type: 'string' },
    size: { type: 'string', default: '100000' },
    budget: { type: 'string', default: '200' },
    form: { type: 'string' },
    log: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Sends hostile requests generated from the OpenAPI document, and prints those that find a fault.

  npm run fuzz
  npm run fuzz -- --requests 5000 --seed 7

  --requests NUMBER  how many (100000)
  --seed NUMBER      the same requests again (a new one each time)
  --form NAME        standard or drop-in only (both in turn)
  --postgres URL     on a server on which databases may be made (else SQLite)
  --data FOLDER      on a copy of a calendar of the benchmarks, kept in this folder (SQLite; nothing is restored or checked)
  --size NUMBER      events of that calendar (100000)
  --budget NUMBER    milliseconds of processor time that a request may take (200)
  --log              print what the service logs, causes of failures included
  --json             print the findings for machines, each as test/hostile/cases/ keeps them

Exits with code 1 if it finds a fault.`)
  process.exit(0)
}

const [requests, seed] = [numberOf('requests', values.requests), numberOf('seed', values.seed ?? newSeed())]
const ends: (() => unknown)[] = []
const ending = { after: (end: unknown) => void ends.push(end as () => unknown) }
const budget = { ...usualBudget, processorMs: numberOf('budget', values.budget) }
const open = async (form: string, given: Readonly<Record<string, string>>) => {
  const settings = { ...given, DATABASE_URL: values.postgres ?? '', LOG_LEVEL: values.log ? 'error' : 'silent' }
  const { data } = values
  const size = numberOf('size', values.size)
  const site = await (data === undefined
    ? startExampleSite(ending, settings)
    : startLargeSite(ending, { data, size, settings }))
  return openTarget(site, form, budget)
}
const forms = [['standard', {}] as const, ['drop-in', dropIn] as const].filter(
  ([form]) => values.form === undefined || values.form === form,
)
const targets: Target[] = []
for (const [form, given] of forms) targets.push(await open(form, given))
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
  console.log(
    `${result.requests} requests, the slowest ${Math.round(result.slowestMs)} ms, the dearest ${Math.round(result.maxProcessorMs)} ms of processor time. ${counts.join(', ')}`,
  )
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
