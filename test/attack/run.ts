// Attacks that worked once: `npm run attack -- --help`.
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Attack, startTarget } from './target.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    postgres: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Starts a service, repeats attacks that once succeeded, and prints those that still succeed.

  npm run attack
  npm run attack -- --only pictures

  --only TEXT     those whose file or title holds this text
  --postgres URL  on an empty database of PostgreSQL (else SQLite)
  --json          print the result for machines

Exits with code 1 if an attack succeeds.`)
  process.exit(0)
}

interface Result {
  readonly title: string
  readonly seconds: number
  readonly note?: string
  readonly fault?: string
}

const folder = new URL('./', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.attack.ts'))
const ends: (() => unknown)[] = []
const target = await startTarget(
  { after: (end) => void ends.push(end as () => unknown) },
  values.postgres ? { DATABASE_URL: values.postgres } : {},
)
const results: Result[] = []
for (const name of names.sort()) {
  const { attacks } = (await import(new URL(name, folder).href)) as { readonly attacks: readonly Attack[] }
  for (const { title, play } of attacks) {
    if (values.only && !`${name} ${title}`.includes(values.only)) continue
    if (!values.json) process.stdout.write(`${title} … `)
    const from = performance.now()
    const outcome = await play(target).then(
      (note) => (note === undefined ? {} : { note }),
      (error: unknown) => ({ fault: String(error instanceof Error ? error.message : error) }),
    )
    const seconds = Math.round((performance.now() - from) / 100) / 10
    results.push({ title, seconds, ...outcome })
    const text = 'fault' in outcome ? `WORKED (${seconds} s): ${outcome.fault}` : `held (${seconds} s)`
    if (!values.json) console.log('note' in outcome ? `${text}: ${outcome.note}` : text)
  }
}
for (const end of ends.reverse()) await end()

const worked = results.filter(({ fault }) => fault !== undefined)
if (values.json) console.log(JSON.stringify(results, undefined, 2))
else console.log(`${results.length} attacks, ${worked.length} worked.`)
if (results.length === 0) throw new Error('No attack has such a name.')
process.exitCode = worked.length > 0 ? 1 : 0
