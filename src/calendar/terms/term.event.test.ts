import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm } from '../../../test/support/given.ts'
import { type UserId, visitor } from '../../access/auth/actor.ts'
import type { ReadResult } from '../../access/http/arguments/argument.ts'
import { CONTRACT_LANGUAGES } from '../../base/languages/language.ts'
import { Problem } from '../../base/problems.ts'
import { writeContext } from '../records/write.context.ts'
import { groupTranslationsById } from '../translations/linked.groups.ts'
import { listTermIdsOfEvent, listTermTranslations } from './term.event.repository.ts'
import { applyCountChanges, linkedTermsReader, resolveTerms, setTermsOfEvent, termFilter } from './term.service.ts'
import type { Taxonomy } from './term.ts'

function resolve(app: TestApp, taxonomy: Taxonomy, items: readonly unknown[], language: 'en' | 'fr-CA' = 'en') {
  const actor = { kind: 'user', id: 4 as UserId, role: 'editor' } as const
  const { deps } = app
  return deps.storage.write((tx) => resolveTerms(writeContext({ deps, actor }, tx), taxonomy, { items, language }))
}

async function filtered(app: TestApp, taxonomy: Taxonomy, raw: unknown): Promise<ReadResult<readonly number[]>> {
  const { config, storage, now } = app.deps
  return termFilter(taxonomy)(raw, { config, db: storage.db, actor: visitor, language: undefined, now: now() })
}

async function countOf(app: TestApp, path: string): Promise<number> {
  return (await app.send({ path })).body.count
}

test('the count is that of published events that carry the term itself', async (t) => {
  const app = await startTestApp(t)
  const root = await givenTerm(app, 'categories', { name: 'Root' })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: root.id })
  const path = `/categories/${leaf.id}`
  const counts: number[] = []
  const note = async () => counts.push(await countOf(app, path))

  const event = await givenEvent(app, { categories: [leaf.id] })
  await givenEvent(app, { categories: [leaf.id], status: 'draft' })
  await note()
  await changed(app, `/events/${event.id}`, { status: 'private' })
  await note()
  await changed(app, `/events/${event.id}`, { status: 'publish', title: 'Again' })
  await note()
  await changed(app, `/events/${event.id}`, { categories: [] })
  await note()

  assert.deepEqual(counts, [1, 0, 1, 0])
  assert.equal(await countOf(app, `/categories/${root.id}`), 0)
})

test('recounting touches only what an event gained or lost', async (t) => {
  const app = await startTestApp(t)
  const [lost, kept, gained] = await resolve(app, 'tag', ['lost', 'kept', 'gained'])
  assert.ok(lost && kept && gained)
  const shares = (ids: readonly number[]) => new Map(ids.map((id) => [id, 1]))
  const write = (before: readonly number[], after: readonly number[]) =>
    app.deps.storage.write((tx) => applyCountChanges(tx, shares(before), shares(after)))

  await write([], [lost, kept])
  await write([lost, kept], [kept, gained])

  const counts = await Promise.all([lost, kept, gained].map((id) => countOf(app, `/tags/${id}`)))
  assert.deepEqual(counts, [0, 1, 1])
})

test('the terms of events come by name, and an event without any has empty lists', async (t) => {
  const app = await startTestApp(t)
  const { db } = app.deps.storage
  const full = await givenEvent(app, {})
  const ids = [...(await resolve(app, 'category', ['Zoo', 'älter', 'Bar'])), ...(await resolve(app, 'tag', ['x']))]
  await app.deps.storage.write((tx) => setTermsOfEvent(tx, full.id, [...ids, ...ids]))

  const linked = (await listTermIdsOfEvent(db, full.id)).map(({ id }) => id)
  const viewer = { actor: visitor, language: undefined, languages: CONTRACT_LANGUAGES, defaultLanguage: 'en' } as const
  const termsOf = linkedTermsReader(groupTranslationsById(linked, await listTermTranslations(db, linked)), viewer)
  const terms = termsOf(linked, 'en')

  assert.deepEqual(
    terms.categories.map((term) => term.name),
    ['älter', 'Bar', 'Zoo'],
  )
  assert.deepEqual(
    terms.tags.map((term) => term.name),
    ['x'],
  )
  assert.deepEqual(termsOf([], 'en'), { categories: [], tags: [] })
})

test('a term in an event has its own shape, a tag with a parent too', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'Tag', description: 'd' })

  const { tags } = await givenEvent(app, { tags: [tag.id] })

  assert.equal(
    JSON.stringify(tags),
    JSON.stringify([
      {
        name: 'Tag',
        slug: 'tag',
        term_group: 0,
        term_taxonomy_id: tag.id,
        taxonomy: 'post_tag',
        description: 'd',
        parent: 0,
        count: 1,
        filter: 'raw',
        id: tag.id,
        urls: tag.urls,
      },
    ]),
  )
})

test('items of an event are ids, slugs or names in any letter case, or objects with one of them', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Red Wine', slug: 'rouge' })

  for (const item of [
    id,
    String(id),
    'ROUGE',
    'red wine',
    { id },
    { slug: 'Rouge' },
    { name: 'RED WINE' },
    { id, x: 1 },
  ]) {
    assert.deepEqual(await resolve(app, 'tag', [item]), [id], JSON.stringify(item))
  }
})

test('a numeric slug is found where no term has the id', async (t) => {
  const app = await startTestApp(t)
  const first = await givenTerm(app, 'tags', { name: 'First' })
  const year = await givenTerm(app, 'tags', { name: 'Year', slug: '2030' })
  const shadowed = await givenTerm(app, 'tags', { name: 'Shadowed', slug: String(first.id) })

  assert.deepEqual(await resolve(app, 'tag', ['2030', shadowed.slug]), [year.id, first.id])
  assert.deepEqual(await filtered(app, 'tag', `2030,${shadowed.slug}`), { value: [first.id, year.id] })
})

test('unknown names are created once, unknown ids and digits never', async (t) => {
  const app = await startTestApp(t)

  const ids = await resolve(app, 'category', [
    'New',
    'NEW',
    '<b>New</b>',
    99,
    -5,
    1.5,
    1e21,
    '98',
    { id: 97 },
    { slug: 'no' },
    '',
    'x'.repeat(201),
  ])

  const { body } = await app.send({ path: '/categories?hide_empty=0' })
  assert.deepEqual(
    body.categories.map(({ id, name, parent }: { id: number; name: string; parent: number }) => [id, name, parent]),
    [[ids[0], 'New', 0]],
  )
  assert.equal(ids.length, 1)
})

test('a name from which only a slug could be made is not taken for that slug', async (t) => {
  const app = await startTestApp(t)
  const c = await givenTerm(app, 'tags', { name: 'C' })

  const [id] = await resolve(app, 'tag', ['C++'])

  assert.notEqual(id, c.id)
})

test('the very name comes before one that differs in accents', async (t) => {
  const app = await startTestApp(t)
  const accented = await givenTerm(app, 'tags', { name: 'Café au lait' })

  assert.deepEqual(await resolve(app, 'tag', ['Cafe au lait']), [accented.id])
  const plain = await givenTerm(app, 'tags', { name: 'Cafe au lait' })
  assert.deepEqual(await resolve(app, 'tag', ['Cafe au lait', 'café AU lait']), [plain.id, accented.id])
})

test('slugs and names are those of the language of the event, else of one that stands in for it', async (t) => {
  const app = await startTestApp(t)
  const english = await givenTerm(app, 'tags', { name: 'Jazz' })
  assert.deepEqual(await resolve(app, 'tag', ['Jazz'], 'fr-CA'), [english.id])

  const french = await givenTerm(app, 'tags', { name: 'Jazz', ml_language: 'fr-CA' })

  assert.deepEqual(await resolve(app, 'tag', ['Jazz'], 'fr-CA'), [french.id])
  assert.deepEqual(await resolve(app, 'tag', ['Jazz'], 'en'), [english.id])
  assert.deepEqual(await filtered(app, 'tag', 'jazz'), { value: [english.id] })
})

for (const item of [true, null, ['a'], {}, { id: 'x' }, { slug: 5 }, { other: 1 }]) {
  test(`${JSON.stringify(item)} is no term of an event, and nothing is created`, async (t) => {
    const app = await startTestApp(t)

    const attempt = resolve(app, 'category', ['New', item])

    await assert.rejects(attempt, (error) => error instanceof Problem && 'categories' in error.faults)
    assert.equal((await app.send({ path: '/categories?hide_empty=0' })).body.total, 0)
  })
}

test('a filter by category means all below it as well', async (t) => {
  const app = await startTestApp(t)
  const top = await givenTerm(app, 'categories', { name: 'Top' })
  const child = await givenTerm(app, 'categories', { name: 'Child', parent: top.id })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: child.id })
  const ids = [top.id, child.id, leaf.id]

  assert.deepEqual(await filtered(app, 'category', 'TOP'), { value: ids })
  assert.deepEqual(await filtered(app, 'category', [leaf.id, 'Child']), { value: [child.id, leaf.id] })
})

test('one unknown item refuses the whole filter, as does an empty one', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Known' })

  for (const raw of [`${id},unknown`, [id, 99], '', [], {}, true, [{ id }], [null]]) {
    assert.equal('fault' in (await filtered(app, 'tag', raw)), true, JSON.stringify(raw))
  }
})

test('many new terms that share a slug take no more statements than as many that do not', async (t) => {
  const app = await startTestApp(t)
  const names = (alike: boolean) => Array.from({ length: 60 }, (_, n) => `Name${alike ? '!'.repeat(n + 1) : n}`)
  const statementsFor = async (items: readonly string[]) => {
    app.statements()
    const ids = await resolve(app, 'category', items)
    assert.equal(new Set(ids).size, items.length)
    return app.statements().length
  }

  const different = await statementsFor(names(false))
  const alike = await statementsFor(names(true))

  assert.ok(alike <= different, `${alike} statements, where ${different} are needed`)
})

test('new terms that share a slug get the lowest free numbers, whoever has the others', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'tags', { name: 'Solo' })
  await givenTerm(app, 'categories', { name: 'Elsewhere', slug: 'solo-3' })

  const event = await givenEvent(app, { tags: ['Solo 5', 'Solo!', 'Solo!!', 'Solo!!!', 'Solo 4!'] })

  const slugs = event.tags.map((tag: { name: string; slug: string }) => [tag.name, tag.slug])
  assert.deepEqual(Object.fromEntries(slugs), {
    ...{ 'Solo!': 'solo-2', 'Solo!!': 'solo-4', 'Solo!!!': 'solo-6' },
    ...{ 'Solo 4!': 'solo-4-2', 'Solo 5': 'solo-5' },
  })
})
