// Checks who sees what. Random calendars are read by every caller in every way, and the responses are compared with one
// function of visibility that is written from the contract (visibility.ts). `npm run access-hunt -- --help` runs a
// longer hunt than the tests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../support/app.ts'
import { isOnPostgres } from '../../support/database.ts'
import { isLong } from '../../support/long.ts'
import { compare, compareSecrets, openHunt } from './hunt.ts'
import { READ_PATHS } from './paths.ts'
import { changed, histories } from './world.ts'

/** The longer hunt minimises a failure, given this seed. */
const hunting = { numRuns: isLong && !isOnPostgres() ? 2 : 1, seed: 20_300_115, endOnFailure: true }

test('every way to read a calendar shows each caller what the contract lets him see, and not a word more', async (t) => {
  const hunt = openHunt(t, await startTestApp(t), 1)

  await fc.assert(
    fc.asyncProperty(histories, fc.array(changed, { minLength: 1, maxLength: 3 }), (history, changes) =>
      compare(hunt, history, changes),
    ),
    hunting,
  )

  const unasked = READ_PATHS.filter(({ title }) => !hunt.asked.has(title))
  assert.deepEqual(unasked, [])
})

test('what a caller may not see can change without any answer to him changing', async (t) => {
  const hunt = openHunt(t, await startTestApp(t), 1)

  await fc.assert(
    fc.asyncProperty(histories, (history) => compareSecrets(hunt, history)),
    hunting,
  )

  assert.ok(hunt.formsRefused > 500, `Only ${hunt.formsRefused} forms were sent: the test sees nothing.`)
  assert.ok(hunt.secretsChanged > 5, `Only ${hunt.secretsChanged} secrets were changed: the test sees nothing.`)
})
