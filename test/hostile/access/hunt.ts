import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ROLES } from '../../../src/access/auth/actor.ts'
import { createApp } from '../../../src/app.ts'
import type { TestApp } from '../../support/app.ts'
import { withoutReadCache } from '../../support/uncached.ts'
import { type Form, refusedForms, rowsIn } from './desk.forms.ts'
import { type Desk, deskPaths, openDeskOf } from './desk.paths.ts'
import { type Facts, type RecordFacts, type RecordKind, readFacts } from './facts.ts'
import { READ_PATHS } from './paths.ts'
import type { Question } from './question.ts'
import { ask, askInBody, assertSameFromCache, assertSameInPieces, observedIn, secretsIn, wholeOf } from './requests.ts'
import { type Caller, isEditable, isReadable } from './visibility.ts'
import { applyStep, changeSecretly, changeTemplateSecretly, emptied, nameSecretly, type Step } from './world.ts'

/** One of this many questions is also sent in a body. */
const askedInBody = 5

/** Each page has a new key for its form. */
const keyOfForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A calendar under test, and the questions sent to it so far. */
export interface Hunt {
  readonly app: TestApp
  /** The same service without the response cache and the data cache. */
  readonly uncached: FastifyInstance
  /** The same service with every feed a long one, which it writes in many pieces. */
  readonly chunked: FastifyInstance
  /**
   * The number of roles that send each question, besides a visitor. The roles take turns, so that in the end each has
   * sent all questions.
   */
  readonly rolesAtOnce: number
  /** Titles of the paths that were requested. */
  readonly asked: Set<string>
  turn: number
  questions: number
  secretsChanged: number
  formsRefused: number
}

export function openHunt(t: Pick<TestContext, 'after'>, app: TestApp, rolesAtOnce: number): Hunt {
  const { config, storage } = app.deps
  const uncached = createApp({
    ...app.deps,
    config: { ...config, cacheMegabytes: 0 },
    storage: withoutReadCache(storage),
  })
  const feedLimits = { whole: 0, written: 0, piece: 1, batchEvents: 2, batchOctets: 1 }
  const chunked = createApp({ ...app.deps, limits: { ...app.deps.limits, feedLimits } })
  t.after(() => Promise.all([uncached.close(), chunked.close()]))
  return {
    app,
    uncached,
    chunked,
    rolesAtOnce,
    asked: new Set(),
    turn: 0,
    questions: 0,
    secretsChanged: 0,
    formsRefused: 0,
  }
}

const factsOf = ({ deps }: TestApp): Promise<Facts> => readFacts(deps.storage.db, deps.now())

async function applySteps(app: TestApp, steps: readonly Step[], from: number): Promise<void> {
  for (const [at, step] of steps.entries()) await applyStep(app, step, (await factsOf(app)).records, from + at)
}

/** Compares the responses of all paths with the expected ones: for a new calendar, and after changes. */
export async function compare(hunt: Hunt, history: readonly Step[], changes: readonly Step[]): Promise<void> {
  const knownEtags = new Map<string, string>()
  await emptied(hunt.app)
  await applySteps(hunt.app, history, 1)
  await compareAll(hunt, knownEtags)
  // The representations that a visitor has cached reveal nothing about later changes.
  await applySteps(hunt.app, changes, 100)
  await compareAll(hunt, knownEtags)
}

async function compareAll(hunt: Hunt, knownEtags: Map<string, string>): Promise<void> {
  const { app, uncached, chunked } = hunt
  const facts = await factsOf(app)
  for (const { title, questions } of READ_PATHS) {
    for (const question of questions(facts)) {
      hunt.asked.add(title)
      for (const caller of callersInTurn(hunt)) {
        const expected = question.expect(caller)
        const answer = await ask(app, question, caller)
        hunt.questions += 1
        const where = `${title}: ${question.path} as ${caller}`
        assert.deepEqual(observedIn(facts, answer, expected), expected, where)
        assert.deepEqual(secretsIn(facts, question, caller, answer), [], where)
        const inBody = hunt.questions % askedInBody === 0 ? await askInBody(app, question, caller) : undefined
        if (inBody) {
          assert.deepEqual(observedIn(facts, inBody, expected), expected, `${where}, in a body`)
          assert.deepEqual(secretsIn(facts, question, caller, inBody), [], `${where}, in a body`)
        }
        if (caller === 'visitor' && question.method === undefined) {
          await assertSameFromCache(uncached, app, question, answer, knownEtags)
          await assertSameInPieces(chunked, question, answer)
        }
      }
    }
  }
}

function callersInTurn(hunt: Hunt): readonly Caller[] {
  const first = hunt.turn
  hunt.turn += hunt.rolesAtOnce
  const turns = Array.from({ length: hunt.rolesAtOnce }, (_, place) => ROLES[(first + place) % ROLES.length])
  return ['visitor', ...turns.filter((role) => role !== undefined)]
}

/**
 * Sends all questions, changes everything that a caller may not see, and sends the questions again. All responses must
 * be the same to the byte, including headers and validators. So nothing can be inferred about the changes, even in ways
 * that this test does not name.
 */
export async function compareSecrets(hunt: Hunt, history: readonly Step[]): Promise<void> {
  const { app } = hunt
  await emptied(app)
  await applySteps(app, history, 1)
  for (const caller of callersInTurn(hunt)) {
    const facts = await factsOf(app)
    const questions = READ_PATHS.flatMap((path) => path.questions(facts)).filter((question) =>
      isForOutsider(question, caller),
    )
    const [desk, admin] = [await openDeskOf(app, caller), await openDeskOf(app, 'administrator')]
    const before = await answersTo(app, questions, caller)
    const pages = deskPaths(facts)
    const pagesBefore = await pagesAt(desk, pages)
    const forms = await refusedForms(admin, facts, caller)
    const refusals = await sendRefused(hunt, facts, { desk, caller, forms })
    for (const record of facts.records) {
      const isSecret = !isReadable(caller, record)
      const isLocked = record.isProtected && !isEditable(caller, record)
      if (!isSecret && !isLocked) continue
      const secret = secretOf(facts, record, isSecret)
      await changeSecretly(app, record, secret)
      const isDraft = record.kind === 'event' && ['draft', 'pending'].includes(record.status)
      // A caller who may create tags sees those of drafts.
      if (isSecret && isDraft && secret.hasTerms && isEditable('contributor', record) && !isEditable(caller, record)) {
        await nameSecretly(app, record)
      }
      hunt.secretsChanged += 1
    }
    hunt.secretsChanged += await changeSeriesSecretly(app, facts, caller)
    const after = await answersTo(app, questions, caller)
    for (const [place, { path }] of questions.entries())
      assert.equal(after[place], before[place], `${path} as ${caller}`)
    const pagesAfter = await pagesAt(desk, pages)
    for (const [place, path] of pages.entries())
      assert.equal(pagesAfter[place], pagesBefore[place], `${path} as ${caller}`)
    const refusalsAfter = await sendRefused(hunt, await factsOf(app), { desk, caller, forms })
    for (const [place, { path }] of forms.entries())
      assert.equal(refusalsAfter[place], refusals[place], `${path} as ${caller}`)
  }
}

/** Changes the series that a caller does not see, unless he sees a date of it. @returns how many. */
async function changeSeriesSecretly(app: TestApp, { records, templates }: Facts, caller: Caller): Promise<number> {
  const secret = templates.filter((template) => {
    const all = [template, ...records.filter(({ seriesId }) => seriesId === template.groupId)]
    return template.status !== 'trash' && !all.some((one) => isReadable(caller, one) && !isLockedFor(caller, one))
  })
  for (const template of secret) {
    const dates = records.filter(({ seriesId }) => seriesId === template.groupId)
    const hasTitle = ![template, ...dates].some((one) => isReadable(caller, one))
    await changeTemplateSecretly(app, template, hasTitle)
  }
  return secret.length
}

function isLockedFor(caller: Caller, record: RecordFacts<RecordKind>): boolean {
  return record.isProtected && !isEditable(caller, record)
}

/**
 * Returns the parts of a record that belong to it alone: translations share many properties, and terms show how many
 * published events carry them.
 */
function secretOf({ records }: Facts, { id, groupId, status }: RecordFacts, isSecret: boolean) {
  const isAlone = !records.some((record) => record.groupId === groupId && record.id !== id)
  return { hasTitle: isSecret, hasLinks: isAlone, hasTerms: isAlone && status !== 'publish' }
}

/** Contract: the password opens the contents that it protects, and the searches of signed-in users include them. */
function isForOutsider({ path, asking }: Question, caller: Caller): boolean {
  return !asking?.hasPassword && (caller === 'visitor' || !path.includes('search='))
}

async function answersTo(app: TestApp, questions: readonly Question[], caller: Caller): Promise<readonly string[]> {
  const answers: string[] = []
  for (const question of questions) answers.push(wholeOf(await ask(app, question, caller)))
  return answers
}

/** Sends forms that the caller may not send. They change nothing, and their answers tell nothing. */
async function sendRefused(
  hunt: Hunt,
  facts: Facts,
  { desk, caller, forms }: { readonly desk: Desk; readonly caller: Caller; readonly forms: readonly Form[] },
): Promise<readonly string[]> {
  const { app } = hunt
  const before = new Set(await rowsIn(app))
  const answers: string[] = []
  for (const { path, fields } of forms) {
    const answer = await desk.send(path, fields)
    const where = `${path} ${JSON.stringify(fields)} as ${caller}`
    assert.ok(answer.status < 500, `${where}: ${answer.status}`)
    // Answers may contain what was sent.
    const asked = { path: where, expect: () => ({ status: answer.status }) }
    assert.deepEqual(secretsIn(facts, asked, caller, answer), [], where)
    answers.push(wholeOf(answer).replaceAll(keyOfForm, ''))
  }
  const changed = new Set(await rowsIn(app)).symmetricDifference(before)
  assert.deepEqual([...changed], [], `Forms as ${caller}`)
  hunt.formsRefused += forms.length
  return answers
}

async function pagesAt({ get }: Desk, paths: readonly string[]): Promise<readonly string[]> {
  const pages: string[] = []
  for (const path of paths) pages.push(wholeOf(await get(path)).replaceAll(keyOfForm, ''))
  return pages
}
