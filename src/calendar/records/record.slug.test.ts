import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { runs } from '../../../test/support/long.ts'
import { numberedSlug } from '../../base/text/slug.ts'
import { uniqueRecordSlug, uniqueRecordSlugs } from './record.slug.ts'

/** Gives these slugs to copies of an event, as if it had been published as often. */
async function copied(app: TestApp, id: number, slugs: readonly string[]): Promise<void> {
  const columns = sql.raw(
    'kind, status, title, title_folded, title_html, content, content_html, excerpt, excerpt_html, author_id, language, ' +
      'created_at, modified_at, dated_at, is_dated, search_text',
  )
  await app.deps.storage.write(async (tx) => {
    for (let place = 0; place < slugs.length; place += 500) {
      const values = sql.join(slugs.slice(place, place + 500).map((slug) => sql`(cast(${slug} as text))`))
      await sql`insert into records (${columns}, slug) select ${columns}, given.column1
        from records cross join (values ${values}) as given where id = ${id}`.execute(tx)
    }
  })
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => from + place)

test('a title that very many have costs as many statements as one that few have', async (t) => {
  const app = await startTestApp(t)
  const weekly = await givenEvent(app, { title: 'Yoga' })
  await copied(
    app,
    weekly.id,
    numbers(2, 3400).map((n) => `yoga-${n}`),
  )
  const rare = [await givenEvent(app, { title: 'Rare' }), await givenEvent(app, { title: 'Rare' })]
  const made = await givenEvent(app, { title: 'Yoga' })
  assert.deepEqual([rare.at(-1)?.slug, made.slug], ['rare-2', 'yoga-3401'])

  app.statements()
  assert.equal((await givenEvent(app, { title: 'Rare' })).slug, 'rare-3')
  const few = app.statements()
  assert.equal((await givenEvent(app, { title: 'Yoga' })).slug, 'yoga-3402')
  const many = app.statements()

  assert.equal(many.length, few.length)
  // No statement reads all slugs with the same beginning.
  assert.doesNotMatch(many.join('\n'), /"?slug"? >= /)
})

test('a number that is given up is the next one that is given, whatever gave it up', async (t) => {
  const app = await startTestApp(t)
  const first = await givenEvent(app, { title: 'Yoga' })
  await copied(
    app,
    first.id,
    numbers(2, 130).map((n) => `yoga-${n}`),
  )
  const slug = async () => (await givenEvent(app, { title: 'Yoga' })).slug
  assert.equal(await slug(), 'yoga-131')

  // Numbers become free by a move to the trash, a change of a slug and a deletion.
  const trashed = await givenEvent(app, { title: 'Yoga' })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${trashed.id}` })
  assert.equal(trashed.slug, 'yoga-132')
  assert.equal(await slug(), 'yoga-132')
  await app.deps.storage.write((tx) => sql`update records set slug = 'other' where slug = 'yoga-57'`.execute(tx))
  await app.deps.storage.write((tx) =>
    sql`delete from records where slug in ('yoga-5', 'yoga-101', 'yoga-9')`.execute(tx),
  )
  assert.deepEqual([await slug(), await slug(), await slug()], ['yoga-5', 'yoga-9', 'yoga-57'])
  // An event takes the last gap by its exact slug.
  assert.equal((await givenEvent(app, { slug: 'yoga-101' })).slug, 'yoga-101')
  assert.equal(await slug(), 'yoga-133')
  // Another event has taken the number of the restored one.
  assert.equal((await changed(app, `/events/${trashed.id}`, { status: 'publish' })).slug, 'yoga-132-2')
})

test('a slug that no series has given, or not yet, leaves no gap', async (t) => {
  const app = await startTestApp(t)
  // The longest slug gives way to the digits of its number.
  for (const base of ['yoga', 'a'.repeat(200)]) {
    const slug = async () => (await givenEvent(app, { slug: base })).slug
    const numbered = (number: number | string) => `${base.slice(0, 199 - String(number).length)}-${number}`
    const { id } = await givenEvent(app, { slug: base })
    await copied(app, id, numbers(2, 130).map(numbered))
    assert.equal(await slug(), numbered(131))

    const others = [1, 0, '02', '07', '010', '099', 133, 200, 999, 1000].map(numbered)
    await copied(app, id, others)
    for (const other of others) {
      await app.deps.storage.write((tx) => sql`delete from records where slug = ${other}`.execute(tx))
    }
    assert.deepEqual([await slug(), await slug()], [numbered(132), numbered(133)], base)

    // The first and the last number of each count of digits are gaps like others.
    const edges = [2, 9, 10, 99, 100, 133].map(numbered)
    for (const edge of edges) {
      await app.deps.storage.write((tx) => sql`delete from records where slug = ${edge}`.execute(tx))
    }
    for (const edge of edges) assert.equal(await slug(), edge)
    assert.equal(await slug(), numbered(134))
  }
})

/** A slug of 192 bytes, which is shortened to make space for longer numbers. */
const long = `${'a'.repeat(10)}${'%e6%9d%b1'.repeat(20)}bc`
const base = fc.constantFrom('yoga', 'yoga-2', long, '2030')

test('numbers are given as if all slugs had been looked at, whatever came and went before', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Example' })
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('give' as const), base, count: fc.constantFrom(1, 1, 2, 15) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('take' as const), base, number: fc.integer({ min: 0, max: 120 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('leave' as const), place: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep' as const), base, place: fc.nat() }) },
  )
  class Undone extends Error {}
  await fc.assert(
    fc.asyncProperty(base, fc.nat({ max: 130 }), fc.array(step, { maxLength: 25 }), async (first, many, steps) => {
      const taken = new Set<string>()
      const expected = (wanted: string, own?: string) => {
        for (let n = 1; ; n += 1) {
          const slug = numberedSlug(wanted, n)
          if (!taken.has(slug) || slug === own) return slug
        }
      }
      const work = app.deps.storage.write(async (tx) => {
        const add = async (slugs: readonly string[]) => {
          for (const slug of slugs) {
            await sql`insert into records (kind, status, title, title_folded, title_html, content, content_html, excerpt,
                excerpt_html, author_id, language, created_at, modified_at, dated_at, is_dated, search_text, slug)
              select kind, status, title, title_folded, title_html, content, content_html, excerpt, excerpt_html, author_id,
                language, created_at, modified_at, dated_at, is_dated, search_text, cast(${slug} as text)
              from records where id = ${id}`.execute(tx)
            taken.add(slug)
          }
        }
        await add(numbers(1, many).map((n) => numberedSlug(first, n)))
        for (const step of steps) {
          if (step.kind === 'give') {
            const wanted = Array.from({ length: step.count }, () => ({ status: 'publish' as const, slug: step.base }))
            const given = await uniqueRecordSlugs(tx, { kind: 'event', language: 'en' }, wanted)
            for (const slug of given) {
              assert.equal(slug, expected(step.base))
              await add([slug])
            }
          } else if (step.kind === 'take') {
            const slug = step.number === 0 ? `${step.base}-02` : numberedSlug(step.base, step.number)
            if (!taken.has(slug)) await add([slug])
          } else {
            const slug = [...taken][step.place % (taken.size || 1)]
            if (slug === undefined) continue
            if (step.kind === 'leave') {
              await sql`delete from records where kind = 'event' and slug = ${slug}`.execute(tx)
              taken.delete(slug)
            } else {
              const { rows } = await sql<{ id: number }>`select id from records where slug = ${slug}`.execute(tx)
              const owner = { kind: 'event', language: 'en', status: 'publish', id: rows[0]?.id as never } as const
              assert.equal(await uniqueRecordSlug(tx, owner, step.base), expected(step.base, slug))
            }
          }
        }
        throw new Undone()
      })
      await assert.rejects(work, Undone)
    }),
    { numRuns: runs(15, 40) },
  )
})

test('venues and terms of one slug are numbered in the same way', async (t) => {
  const app = await startTestApp(t)
  for (const [place, slug] of ['hall', 'hall-2', 'hall-3'].entries()) {
    assert.equal((await givenVenue(app, { venue: 'Hall', description: `No. ${place}` })).slug, slug)
  }
  const made: { id: number; slug: string }[] = []
  for (let n = 1; n <= 14; n += 1) made.push(await givenTerm(app, 'tags', { name: `Tag ${n}`, slug: 'loud' }))
  assert.equal(made.at(-1)?.slug, 'loud-14')
  // Categories and tags skip numbers that the other uses.
  const other = await givenTerm(app, 'categories', { name: 'Loud', slug: 'loud' })
  const next = await givenTerm(app, 'categories', { name: 'Louder', slug: 'loud' })
  assert.deepEqual([other.slug, next.slug], ['loud', 'loud-15'])

  await app.send({ as: 'administrator', method: 'DELETE', path: `/tags/${made[6]?.id}` })

  assert.equal((await givenTerm(app, 'tags', { name: 'Tag', slug: 'loud' })).slug, 'loud-7')
  assert.equal((await givenTerm(app, 'tags', { name: 'Tags', slug: 'loud' })).slug, 'loud-16')
})
