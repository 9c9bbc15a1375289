import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'
import { CONTRACT_LANGUAGES } from '../../base/languages/language.ts'

const nameOf = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' } as const
type Plural = keyof typeof nameOf
const plurals = Object.keys(nameOf) as Plural[]
const writers = ['editor', 'author', 'contributor'] as const
const readers = [undefined, ...writers] as const

/** The possible steps. A step names an item by its position among those of its kind. */
const step = fc.record({
  as: fc.constantFrom(...writers, 'editor' as const),
  plural: fc.constantFrom(...plurals),
  does: fc.constantFrom('create', 'translate', 'translate', 'join', 'leave', 'change', 'remove'),
  language: fc.constantFrom(...CONTRACT_LANGUAGES),
  at: fc.nat(9),
  to: fc.nat(9),
  status: fc.constantFrom('publish', 'publish', 'publish', 'draft', 'private', 'future', 'trash'),
  isHidden: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function requestOf(one: Step, known: Readonly<Record<Plural, number[]>>): TestRequest {
  const { as, plural, does, language, status } = one
  const idAt = (of: Plural, place: number) => known[of][place % Math.max(1, known[of].length)]
  const item = `/${plural}/${idAt(plural, one.at) ?? 1}`
  const named = { [nameOf[plural]]: `Name ${one.to}`, ml_language: language }
  const links = {
    venue: idAt('venues', one.to),
    tags: [idAt('tags', one.at) ?? `Tag ${one.at}`],
    hide_from_listings: one.isHidden,
  }
  const fields = plural === 'events' ? { ...plainEvent, ...links, status } : status === 'draft' ? { status } : {}
  if (does === 'remove') return { as, method: 'DELETE', path: item }
  if (does === 'join' || does === 'leave') {
    const json = { ml_translation_of: does === 'leave' ? 0 : idAt(plural, one.to) }
    return { as, method: 'PATCH', path: item, json }
  }
  if (does === 'change') return { as, method: 'PATCH', path: item, json: { ...fields, ...named } }
  const of = does === 'translate' ? { ml_translation_of: idAt(plural, one.at) } : {}
  return { as, method: 'POST', path: `/${plural}`, json: { ...fields, ...named, ...of } }
}

/** Returns the ids on all pages of a list, and of all their versions. Fails if the totals differ. */
async function walk(app: TestApp, plural: Plural, request: TestRequest) {
  const { path, ...others } = request
  const ids: number[] = []
  const versions: number[] = []
  let last = { total: 0, total_pages: 1 }
  for (let page = 1; page <= last.total_pages; page += 1) {
    const { status, body, text } = await app.send({ ...others, path: `${path}&per_page=2&page=${page}` })
    assert.equal(status, 200, text)
    for (const { id, ml_translations = {} } of body[plural]) {
      ids.push(id)
      versions.push(...(Object.values(ml_translations) as number[]))
    }
    last = body
  }
  assert.equal(ids.length, last.total, path)
  return { ids, versions }
}

/** A test walks few histories, so that none is near the limit of time: there are several tests. */
const parts = [1, 2, 3]
const cases = ['true', 'false'].flatMap((SHARE_FIELDS) => parts.map((part) => ({ SHARE_FIELDS, part })))

for (const { SHARE_FIELDS, part } of cases) {
  test(`whatever writers do, totals agree with the pages, and the database is sound (SHARE_FIELDS=${SHARE_FIELDS}, part ${part})`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const app = await startTestApp(t, { SHARE_FIELDS })
        const known = { events: [], venues: [], organizers: [], categories: [], tags: [] } as Record<Plural, number[]>
        for (const one of steps) {
          const { status, body, text } = await app.send(requestOf(one, known))
          assert.ok(status < 500, text)
          if (status === 201 && !known[one.plural].includes(body.id)) known[one.plural].push(body.id)
        }
        assert.deepEqual(await violationsIn(app), [])

        for (const plural of plurals) {
          for (const as of readers) {
            for (const language of [undefined, ...CONTRACT_LANGUAGES]) {
              const path = `/${plural}?hide_empty=0${language ? `&ml_language=${language}` : ''}`
              const { ids, versions } = await walk(app, plural, { ...(as ? { as } : {}), path })
              const all = language ? versions : ids
              assert.equal(new Set(all).size, all.length, `${path}: each group once`)
              assert.ok(ids.every((id) => all.includes(id)))
            }
          }
        }
      }),
      { numRuns: runs(1, 2) },
    )
  })
}
