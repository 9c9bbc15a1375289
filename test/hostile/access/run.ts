// Runs a longer hunt than the tests: `npm run access-hunt -- --help`.
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { ROLES } from '../../../src/access/auth/actor.ts'
import { startTestApp } from '../../support/app.ts'
import { compare, compareSecrets, openHunt } from './hunt.ts'
import { changed, histories } from './world.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(1 + (Date.now() % 999_999)) },
    postgres: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Fills calendars at random, asks everything of them as everybody, and compares with what the contract lets each see.

  npm run access-hunt
  npm run access-hunt -- --runs 20 --seed 7

  --runs NUMBER    how many calendars (100)
  --seed NUMBER    the same ones again (new ones each time)
  --postgres URL   on a server on which databases may be made (else SQLite)`)
  process.exit(0)
}

const ends: (() => unknown)[] = []
const t = { after: (end: unknown) => void ends.push(end as () => unknown) }
const app = await startTestApp(t, { DATABASE_URL: values.postgres })
const hunt = openHunt(t, app, ROLES.length)
const beganAtMs = performance.now()
let calendars = 0
const steps = fc.array(changed, { minLength: 1, maxLength: 3 })
const property = fc.asyncProperty(histories, steps, async (history, changes) => {
  process.stderr.write(`\rSeed ${values.seed}: calendar ${++calendars}, ${hunt.questions} questions`)
  await compare(hunt, history, changes)
  await compareSecrets(hunt, history)
})
try {
  await fc.assert(property, { numRuns: Number(values.runs), seed: Number(values.seed), endOnFailure: true })
} finally {
  for (const end of ends.reverse()) await end()
}
const seconds = Math.round((performance.now() - beganAtMs) / 1000)
console.log(
  `\n${calendars} calendars, ${hunt.questions} questions, ${hunt.secretsChanged} secrets changed, ${hunt.formsRefused} forms refused, ${seconds} s. Nothing found.`,
)
