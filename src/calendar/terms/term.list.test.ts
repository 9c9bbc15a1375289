import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenTerm } from '../../../test/support/given.ts'

const address = (query: string, plural = 'categories') => `${site}/cal/events/v1/${plural}/${query}`

async function list(app: TestApp, path: string) {
  const answer = await app.send({ path })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function names(app: TestApp, path: string): Promise<readonly string[]> {
  const { categories, tags } = await list(app, path)
  return (categories ?? tags).map((term: { name: string }) => term.name)
}

test('a list answers its keys in the order of the contract, with totals in the headers', async (t) => {
  const app = await startTestApp(t)
  for (const name of ['a', 'b', 'c']) await givenTerm(app, 'categories', { name })

  const { body, headers } = await app.send({ path: '/categories?hide_empty=0&per_page=1&page=2' })

  assert.deepEqual(Object.keys(body), [
    'rest_url',
    'total',
    'total_pages',
    'categories',
    'next_rest_url',
    'previous_rest_url',
  ])
  assert.deepEqual([headers['x-tec-total'], headers['x-tec-totalpages']], ['3', '3'])
  assert.equal('_links' in body.categories[0], false)
})

test('the address of a list is plain where nothing was sent', async (t) => {
  const app = await startTestApp(t)
  const ids = []
  for (let n = 0; n < 11; n += 1) ids.push((await givenTerm(app, 'tags', { name: `tag ${n}` })).id)
  await givenEvent(app, { tags: ids })

  const { rest_url, next_rest_url } = await list(app, '/tags')

  assert.deepEqual([rest_url, next_rest_url], [address('', 'tags'), address('?page=2', 'tags')])
})

test('addresses carry what was sent in the order of the route, page last in the others', async (t) => {
  const app = await startTestApp(t)
  const ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await givenTerm(app, 'categories', { name })).id)
  const include = ids.join('%2C')

  const body = await list(
    app,
    `/categories?ml_language=en&nonsense=1&parent=0&hide_empty=FALSE&include[]=${ids.join('&include[]=')}&per_page=1&page=2`,
  )

  const filters = `include=${include}&hide_empty=FALSE&parent=0`
  assert.equal(body.rest_url, address(`?page=2&per_page=1&${filters}&ml_language=en`))
  assert.equal(body.next_rest_url, address(`?per_page=1&${filters}&page=3&ml_language=en`))
  assert.equal(body.previous_rest_url, address(`?per_page=1&${filters}&ml_language=en`))
})

test('the page size is cut to the most of the site, in the addresses too', async (t) => {
  const app = await startTestApp(t, { PER_PAGE: '1', MAX_PER_PAGE: '2' })
  for (const name of ['a', 'b', 'c']) await givenTerm(app, 'tags', { name })

  const body = await list(app, '/tags?hide_empty=0&per_page=50')

  assert.deepEqual([body.tags.length, body.total_pages], [2, 2])
  assert.equal(body.rest_url, address('?per_page=2&hide_empty=0', 'tags'))
})

test('a page beyond the last is empty, with the address of the page before', async (t) => {
  const app = await startTestApp(t)

  const body = await list(app, '/tags?page=9')

  assert.deepEqual(body, {
    rest_url: address('?page=9', 'tags'),
    total: 0,
    total_pages: 0,
    tags: [],
    previous_rest_url: address('?page=8', 'tags'),
  })
})

test('an empty category is listed, and counted, where something below it is not empty', async (t) => {
  const app = await startTestApp(t)
  const root = await givenTerm(app, 'categories', { name: 'Root' })
  const branch = await givenTerm(app, 'categories', { name: 'Branch', parent: root.id })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: branch.id })
  await givenTerm(app, 'categories', { name: 'Bare', parent: root.id })
  await givenEvent(app, { categories: [leaf.id] })

  const { categories, total } = await list(app, '/categories')

  assert.deepEqual(
    categories.map((term: { name: string; count: number }) => [term.name, term.count]),
    [
      ['Branch', 0],
      ['Leaf', 1],
      ['Root', 0],
    ],
  )
  assert.equal(total, 3)
})

test('search takes the text as one piece, case and accents aside, in name and slug but not in the description', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'tags', { name: 'Café Noir', description: 'strong' })
  await givenTerm(app, 'tags', { name: 'Tea', slug: 'noir_100' })
  await givenTerm(app, 'tags', { name: 'Rum & Coke' })
  const search = (text: string) => names(app, `/tags?hide_empty=0&search=${encodeURIComponent(text)}`)

  assert.deepEqual(await search('CAFE n'), ['Café Noir'])
  assert.deepEqual(await search('noir'), ['Café Noir', 'Tea'])
  assert.deepEqual(await search('_1'), ['Tea'])
  assert.deepEqual(await search('%'), [])
  assert.deepEqual(await search('strong'), [])
  assert.deepEqual(await search('m & c'), ['Rum &amp; Coke'])
  assert.deepEqual(await search('amp'), [])
})

test('terms are sorted by what is asked for, and by name where that is unknown', async (t) => {
  const app = await startTestApp(t)
  const a = await givenTerm(app, 'categories', { name: 'b', slug: 'x', description: '2' })
  const b = await givenTerm(app, 'categories', { name: 'Ä', slug: 'z', description: '3' })
  const c = await givenTerm(app, 'categories', { name: 'c', slug: 'y', description: '1', parent: a.id })
  await givenEvent(app, { categories: [b.id, c.id] })
  await givenEvent(app, { categories: [c.id] })
  const sorted = async (query: string) => (await names(app, `/categories?hide_empty=0&${query}`)).join('')

  const expected = {
    'orderby=name': 'Äbc',
    'orderby=ID': 'bÄc',
    'orderby=term_id&order=desc': 'cÄb',
    'orderby=slug': 'bcÄ',
    'orderby=description': 'cbÄ',
    'orderby=count': 'bÄc',
    'orderby=parent': 'bÄc',
    'orderby=none': 'bÄc',
    'orderby=include': 'Äbc',
    'orderby=nonsense&order=ASC': 'Äbc',
    'order=sideways': 'cbÄ',
    [`orderby=include&include=${c.id},${a.id},${b.id}`]: 'cbÄ',
  }
  for (const [query, order] of Object.entries(expected)) assert.equal(await sorted(query), order, query)
})

test('include selects and wins over exclude; slugs in either are accepted and select nothing', async (t) => {
  const app = await startTestApp(t)
  const a = await givenTerm(app, 'tags', { name: 'a' })
  const b = await givenTerm(app, 'tags', { name: 'b' })
  const all = (query: string) => names(app, `/tags?hide_empty=0&${query}`)

  assert.deepEqual(await all(`include=${b.id}&exclude=${b.id}`), ['b'])
  assert.deepEqual(await all(`exclude=${a.id}`), ['b'])
  assert.deepEqual(await all('include=a'), [])
  assert.deepEqual(await all('exclude=a'), ['a', 'b'])
})

test('parent lists direct children, and 0 the top level; tags do not look at it', async (t) => {
  const app = await startTestApp(t)
  const top = await givenTerm(app, 'categories', { name: 'top' })
  const child = await givenTerm(app, 'categories', { name: 'child', parent: top.id })
  await givenTerm(app, 'categories', { name: 'grandchild', parent: child.id })
  await givenTerm(app, 'tags', { name: 'tag' })

  assert.deepEqual(await names(app, `/categories?hide_empty=0&parent=${top.id}`), ['child'])
  assert.deepEqual(await names(app, '/categories?hide_empty=0&parent=0'), ['top'])
  assert.deepEqual(await names(app, '/tags?hide_empty=0&parent=nonsense'), ['tag'])
})

test('a slug is sought as it would be made', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'tags', { name: 'Zoo' })

  assert.deepEqual(await names(app, '/tags?hide_empty=0&slug=ZOO'), ['Zoo'])
  assert.deepEqual(await names(app, '/tags?hide_empty=0&slug=a,b'), [])
})

test('the terms of an event are all that it carries, for those who may read it', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'tag' })
  const other = await givenTerm(app, 'tags', { name: 'other' })
  const draft = await givenEvent(app, { tags: [tag.id], status: 'draft' })
  const event = await givenEvent(app, { tags: [other.id] })
  const path = `/tags?event=${draft.id}&post=${event.id}`

  const visitor = await app.send({ path })
  const editor = await app.send({ as: 'editor', path })

  assert.deepEqual([visitor.status, Object.keys(visitor.body.data.params)], [400, ['event']])
  assert.deepEqual(
    editor.body.tags.map((term: { name: string }) => term.name),
    ['tag'],
  )
})

test('offset passes over tags whatever the page', async (t) => {
  const app = await startTestApp(t)
  for (const name of ['a', 'b', 'c']) await givenTerm(app, 'tags', { name })

  assert.deepEqual(await names(app, '/tags?hide_empty=0&offset=1&page=3&per_page=1'), ['b'])
  assert.deepEqual(await names(app, '/tags?hide_empty=0&offset=x&page=3&per_page=1'), ['c'])
})

for (const [query, name] of [
  ['page=0', 'page'],
  ['per_page=x', 'per_page'],
  ['search=', 'search'],
  ['exclude=999', 'exclude'],
  ['include=', 'include'],
  ['include=nonsense', 'include'],
  ['order=', 'order'],
  ['orderby=', 'orderby'],
  ['hide_empty=no', 'hide_empty'],
  ['parent=999', 'parent'],
  ['parent=slug', 'parent'],
  ['post=999', 'post'],
  ['event=0', 'event'],
  ['slug[]=a', 'slug'],
  ['context=nonsense', 'context'],
] as const) {
  test(`a list refuses ${query}`, async (t) => {
    const app = await startTestApp(t)

    const { status, body } = await app.send({ path: `/categories?${query}` })

    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', [name]])
  })
}

test('context=embed leaves the short form, alone and in lists', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'categories', { name: 'A' })
  const keys = ['id', 'name', 'slug', 'taxonomy', 'url', 'urls']

  const listed = await list(app, '/categories?hide_empty=0&context=embed')
  const single = await app.send({ path: `/categories/${id}?context=embed` })

  assert.deepEqual(Object.keys(listed.categories[0]), keys)
  assert.deepEqual(Object.keys(single.body), [...keys, '_links'])
})

test('context=edit is for those who may edit', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'A' })

  for (const path of ['/tags?context=edit', `/tags/${id}?context=edit`]) {
    assert.equal((await app.send({ path })).status, 401)
    assert.equal((await app.send({ path, as: 'author' })).status, 403)
    assert.equal((await app.send({ path, as: 'editor' })).status, 200)
  }
})

test('a list costs the same statements whatever the page size', async (t) => {
  const app = await startTestApp(t)
  const root = await givenTerm(app, 'categories', { name: 'Root' })
  for (const name of ['a', 'b', 'c', 'd']) await givenTerm(app, 'categories', { name, parent: root.id })
  const statements = async (perPage: number) => {
    const { db } = app.deps.storage
    const executor = db.getExecutor()
    const counted = t.mock.method(Object.getPrototypeOf(executor), 'executeQuery')
    await list(app, `/categories?hide_empty=0&per_page=${perPage}`)
    const count = counted.mock.callCount()
    counted.mock.restore()
    return count
  }

  const [few, many] = [await statements(1), await statements(5)]

  assert.ok(few > 0)
  assert.equal(many, few)
})

test('a category is not empty where something below one of its versions is not', async (t) => {
  const app = await startTestApp(t)
  const above = await givenTerm(app, 'categories', { name: 'Above' })
  await givenTerm(app, 'categories', { name: 'Dessus', ml_language: 'fr-CA', ml_translation_of: above.id })
  const below = await givenTerm(app, 'categories', { name: 'Below', parent: above.id })
  await givenEvent(app, { categories: [below.id] })

  const { body } = await app.send({ path: '/categories?ml_language=fr-CA' })

  assert.deepEqual(
    body.categories.map((category: { name: string }) => category.name),
    ['Below', 'Dessus'],
  )
})
