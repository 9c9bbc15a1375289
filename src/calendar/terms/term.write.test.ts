import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenTerm } from '../../../test/support/given.ts'

const as = 'administrator'
const route = `${site}/cal/events/v1`

async function post(app: TestApp, path: string, json: unknown) {
  return app.send({ as, method: 'POST', path, json })
}

async function slugOfNew(app: TestApp, path: string, json: unknown): Promise<string> {
  const { status, body, text } = await post(app, path, json)
  assert.equal(status, 201, text)
  return body.slug
}

test('a new category answers all its keys in the order of the contract, with links and its address', async (t) => {
  const app = await startTestApp(t)
  const root = await givenTerm(app, 'categories', { name: 'Music' })

  const answer = await post(app, '/categories', { name: 'Rock & Roll', description: 'Loud\n<b>x</b>', parent: root.id })

  const self = `${route}/categories/${answer.body.id}`
  const up = `${route}/categories/${root.id}`
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, self)
  assert.equal(
    JSON.stringify(answer.body),
    JSON.stringify({
      id: answer.body.id,
      count: 0,
      description: 'Loud\n<b>x</b>',
      name: 'Rock &amp; Roll',
      slug: 'rock-roll',
      taxonomy: 'cal_events_cat',
      parent: root.id,
      meta: [],
      url: `${site}/events/category/music/rock-roll/`,
      urls: { self, collection: `${route}/categories`, up },
      _links: {
        self: [{ href: self, targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }],
        collection: [{ href: `${route}/categories` }],
        up: [{ embeddable: true, href: up }],
      },
    }),
  )
})

test('a tag has no parent and stands under the tag address', async (t) => {
  const app = await startTestApp(t)

  const { body } = await post(app, '/tags', { name: '日本語' })

  assert.equal('parent' in body, false)
  assert.equal(body.taxonomy, 'post_tag')
  assert.equal(body.url, `${site}/tag/%e6%97%a5%e6%9c%ac%e8%aa%9e/`)
})

for (const [what, path, json, code, params] of [
  ['no name', '/categories', {}, 'rest_missing_callback_param', ['name']],
  ['null as the name', '/categories', { name: null }, 'rest_missing_callback_param', ['name']],
  ['a number as the name', '/tags', { name: 5 }, 'rest_invalid_param', ['name']],
  ['"0" as the name', '/tags', { name: '0' }, 'rest_invalid_param', ['name']],
  ['an empty slug', '/tags', { name: 'A', slug: '' }, 'rest_invalid_param', ['slug']],
  ['null as the description', '/tags', { name: 'A', description: null }, 'rest_invalid_param', ['description']],
  ['an unknown parent', '/categories', { name: 'A', parent: 99 }, 'rest_invalid_param', ['parent']],
  ['a list as the parent', '/categories', { name: 'A', parent: [0] }, 'rest_invalid_param', ['parent']],
  ['null as the parent', '/categories', { name: 'A', parent: null }, 'rest_invalid_param', ['parent']],
  ['a name of blanks', '/categories', { name: ' \n ' }, 'empty_term_name', []],
  ['a name of markup only', '/tags', { name: '<script>x</script>' }, 'empty_term_name', []],
  ['a name of 201 characters', '/tags', { name: 'x'.repeat(201) }, 'db_insert_error', []],
  ['a parent of a tag', '/tags', { name: 'A', parent: 0 }, 'rest_taxonomy_not_hierarchical', []],
] as const) {
  test(`${what} is refused, and nothing is created`, async (t) => {
    const app = await startTestApp(t)

    const { status, body } = await post(app, path, json)

    const named = Array.isArray(body.data.params) ? body.data.params : Object.keys(body.data.params ?? {})
    assert.deepEqual([status, body.data.status, body.code, named], [400, 400, code, params])
    assert.equal((await app.send({ path: `${path}?hide_empty=0` })).body.total, 0)
  })
}

test('a name of 200 characters, an empty description and parent 0 are accepted', async (t) => {
  const app = await startTestApp(t)

  const { status, body } = await post(app, '/categories', { name: 'é'.repeat(200), description: '', parent: 0 })

  assert.equal(status, 201)
  assert.deepEqual([body.description, body.parent], ['', 0])
})

test('a name comes once below a parent, letter case apart; the refusal tells which term has it', async (t) => {
  const app = await startTestApp(t)
  const rock = await givenTerm(app, 'categories', { name: 'Rock' })

  const { status, body } = await post(app, '/categories', { name: 'ROCK' })

  assert.equal(status, 400)
  assert.equal(body.code, 'term_exists')
  assert.deepEqual(body.data, { status: 400, term_id: rock.id })
  assert.deepEqual(body.additional_data, [rock.id, rock.id])
})

test('a name may come again below another parent, with an accent, or with an unused slug of its own', async (t) => {
  const app = await startTestApp(t)
  const rock = await givenTerm(app, 'categories', { name: 'Rock' })

  assert.equal(await slugOfNew(app, '/categories', { name: 'Rock', parent: rock.id }), 'rock-rock')
  assert.equal(await slugOfNew(app, '/categories', { name: 'Röck' }), 'rock-2')
  assert.equal(await slugOfNew(app, '/categories', { name: 'Rock', slug: 'Rock B' }), 'rock-b')
  assert.equal((await post(app, '/categories', { name: 'Rock', slug: 'rock-b' })).body.code, 'term_exists')
})

test('a slug in use gets those of the ancestors, nearest first, and then a number', async (t) => {
  const app = await startTestApp(t)
  const a = await givenTerm(app, 'categories', { name: 'A' })
  const b = await givenTerm(app, 'categories', { name: 'B', parent: a.id })

  const child = (name: string) => slugOfNew(app, '/categories', { name, slug: 'a', parent: b.id })

  assert.deepEqual([await child('One'), await child('Two'), await child('Three')], ['a-b', 'a-b-a', 'a-b-a-2'])
})

test('categories and tags may share a slug, but a number is given once', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'categories', { name: 'Pop' })
  await givenTerm(app, 'categories', { name: 'Pop two', slug: 'pop-2' })

  assert.equal(await slugOfNew(app, '/tags', { name: 'Pop' }), 'pop')
  assert.equal(await slugOfNew(app, '/tags', { name: 'Pop again', slug: 'pop' }), 'pop-3')
})

test('slugs of full length are numbered without a clash', async (t) => {
  const app = await startTestApp(t)
  const slug = 's'.repeat(200)

  const slugs = [
    await slugOfNew(app, '/tags', { name: 'One', slug }),
    await slugOfNew(app, '/tags', { name: 'Two', slug }),
    await slugOfNew(app, '/tags', { name: 'Three', slug }),
  ]

  assert.deepEqual(slugs, [slug, `${'s'.repeat(198)}-2`, `${'s'.repeat(198)}-3`])
})

test('a name without letters or digits gives the id as slug', async (t) => {
  const app = await startTestApp(t)

  const { body } = await post(app, '/tags', { name: '!!!' })

  assert.equal(body.slug, String(body.id))
})

test('an update changes what was sent and nothing else', async (t) => {
  const app = await startTestApp(t)
  const term = await givenTerm(app, 'categories', { name: 'Old', description: 'Words' })
  const path = `/categories/${term.id}`

  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const { status, body } = await app.send({ as, method, path, json: { name: `New ${method}`, id: 99 } })

    assert.equal(status, 200)
    assert.deepEqual(body, { ...term, name: `New ${method}` })
  }
  assert.equal((await app.send({ as, method: 'PATCH', path, json: { description: '' } })).body.description, '')
})

test('a slug of another term is refused on update; one without letters is made from the name', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'tags', { name: 'Green' })
  const red = await givenTerm(app, 'tags', { name: 'Red', slug: 'rouge' })
  const change = (json: unknown) => app.send({ as, method: 'PATCH', path: `/tags/${red.id}`, json })

  const refused = await change({ slug: 'GREEN', name: 'Scarlet' })

  assert.deepEqual([refused.status, refused.body.code], [400, 'duplicate_term_slug'])
  assert.deepEqual(refused.body.data, { status: 400 })
  assert.equal((await app.send({ path: `/tags/${red.id}` })).body.name, 'Red')
  assert.equal((await change({ slug: '…' })).body.slug, 'red')
  assert.equal((await change({ slug: 'red' })).status, 200)
})

test('a category cannot stand below itself, nor below what stands below it', async (t) => {
  const app = await startTestApp(t)
  const top = await givenTerm(app, 'categories', { name: 'Top' })
  const middle = await givenTerm(app, 'categories', { name: 'Middle', parent: top.id })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: middle.id })
  const move = (parent: number) => app.send({ as, method: 'PATCH', path: `/categories/${top.id}`, json: { parent } })

  for (const parent of [top.id, middle.id, leaf.id]) {
    const { status, body } = await move(parent)
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['parent']])
  }
  assert.equal(
    (await app.send({ path: `/categories/${leaf.id}` })).body.url,
    `${site}/events/category/top/middle/leaf/`,
  )
})

test('parent 0 moves a category to the top level', async (t) => {
  const app = await startTestApp(t)
  const top = await givenTerm(app, 'categories', { name: 'Top' })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: top.id })

  const { body } = await app.send({ as, method: 'PATCH', path: `/categories/${leaf.id}`, json: { parent: '0' } })

  assert.deepEqual([body.parent, body.url, 'up' in body.urls], [0, `${site}/events/category/leaf/`, false])
})

test('deleting answers the term as it was, frees its slug, and lifts what stood below it', async (t) => {
  const app = await startTestApp(t)
  const top = await givenTerm(app, 'categories', { name: 'Top' })
  const middle = await givenTerm(app, 'categories', { name: 'Middle', parent: top.id })
  const leaf = await givenTerm(app, 'categories', { name: 'Leaf', parent: middle.id })
  const event = await givenEvent(app, { categories: [middle.id] })
  const path = `/categories/${middle.id}`

  const deleted = await app.send({ as, method: 'DELETE', path, json: { id: leaf.id } })
  const again = await app.send({ as, method: 'DELETE', path })

  const { _links, ...shown } = middle
  assert.deepEqual(deleted.body, { ...shown, count: 1 })
  assert.deepEqual([again.status, Object.keys(again.body.data.params)], [400, ['id']])
  assert.equal((await app.send({ path: `/categories/${leaf.id}` })).body.parent, top.id)
  assert.deepEqual((await app.send({ path: `/events/${event.id}` })).body.categories, [])
  assert.equal(await slugOfNew(app, '/categories', { name: 'Middle' }), 'middle')
})

test('authors and above write categories, editors and above write tags', async (t) => {
  const app = await startTestApp(t)
  const roles = [undefined, 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
  const statuses = { categories: [401, 403, 403, 200, 200, 200], tags: [401, 403, 403, 403, 200, 200] }
  for (const taxonomy of ['categories', 'tags'] as const) {
    for (const [index, role] of roles.entries()) {
      const term = await givenTerm(app, taxonomy, { name: `${role}` })
      const path = `/${taxonomy}/${term.id}`
      const who = role ? { as: role } : {}

      const created = await app.send({ ...who, method: 'POST', path: `/${taxonomy}`, json: { name: `${role} new` } })
      const changed = await app.send({ ...who, method: 'PATCH', path, json: { description: 'x' } })
      const shown = await app.send({ ...who, path })
      const deleted = await app.send({ ...who, method: 'DELETE', path })

      const expected = statuses[taxonomy][index]
      const isAllowed = expected === 200
      assert.deepEqual(
        [created.status, changed.status, deleted.status],
        [isAllowed ? 201 : expected, expected, expected],
        `${role} and ${taxonomy}`,
      )
      assert.equal(shown.body.description, isAllowed ? 'x' : '')
      assert.equal(shown.headers.allow, isAllowed ? 'GET, POST, PUT, PATCH, DELETE' : 'GET')
      assert.equal(shown.body._links.self[0].targetHints.allow.join(', '), shown.headers.allow)
    }
  }
})

test('a bad value is told before the lack of the right to write', async (t) => {
  const app = await startTestApp(t)

  const { status } = await app.send({ method: 'POST', path: '/tags', json: { name: 5 } })

  assert.equal(status, 400)
})

test('an id is of one taxonomy only', async (t) => {
  const app = await startTestApp(t)
  const tag = await givenTerm(app, 'tags', { name: 'Tag' })

  const { status, body } = await app.send({ path: `/categories/${tag.id}` })

  assert.deepEqual([status, Object.keys(body.data.params)], [400, ['id']])
})

test('the same name and slug may stand in each language', async (t) => {
  const app = await startTestApp(t)
  await givenTerm(app, 'tags', { name: 'Jazz' })

  const french = await post(app, '/tags', { name: 'Jazz', ml_language: 'fr-CA' })
  const again = await post(app, '/tags', { name: 'Jazz', ml_language: 'fr-CA' })

  assert.deepEqual([french.status, french.body.slug, french.body.url], [201, 'jazz', `${site}/fr/tag/jazz/`])
  assert.equal(again.body.code, 'term_exists')
})
