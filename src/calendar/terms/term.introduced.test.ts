import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm } from '../../../test/support/given.ts'
import { service } from '../../../test/support/signing.ts'
import type { Role } from '../../access/auth/actor.ts'
import { publishDue } from '../events/write/schedule.ts'

const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const everybodyElse: readonly (Role | undefined)[] = [undefined, 'subscriber', 'contributor']

interface Named {
  readonly id: number
  readonly slug: string
}

/** A draft of a contributor, with a new category and a new tag. */
async function givenDraft(app: TestApp, sent: object = {}, as: Role = 'contributor') {
  const event = await givenEvent(app, { status: 'draft', categories: ['Satire'], tags: ['Slam Poetry'], ...sent }, as)
  return { id: event.id as number, category: event.categories[0] as Named, tag: event.tags[0] as Named, event }
}

/** Returns all responses of the calendar that could reveal terms, as text. */
async function tellersOf(app: TestApp, as?: Role): Promise<string> {
  const asked = [
    ...['/categories?hide_empty=false', '/tags?hide_empty=0', '/categories', '/tags'],
    ...['/tags?hide_empty=0&search=slam', '/tags?hide_empty=0&orderby=id'],
    ...['/categories?hide_empty=0&parent=0', '/events', '//events/', '//sitemap.xml', '//sitemap-1.xml'],
    ...['//events/?category=satir', '//events/?tag=slam+poetry', '//events/month/', '//events.ics', '//feed.xml'],
  ]
  const texts: string[] = []
  for (const path of asked) {
    const { status, text, headers } = await app.send({ path, ...(as ? { as } : {}) })
    const total = [headers['x-tec-total'], headers['x-tec-totalpages']]
    // The response may repeat the requested words.
    texts.push(`${path} ${status} ${total} ${text.replaceAll(/satir(?=["&<])|slam[+ ]poetry(?=["&<])/g, '…')}`)
  }
  return texts.join('\n')
}

test('a term that a contributor names in a draft is unknown to all who may not make it', async (t) => {
  const app = await startTestApp(t)
  const before = await Promise.all([tellersOf(app), tellersOf(app, 'subscriber')])
  const { category, tag } = await givenDraft(app)

  assert.deepEqual(await Promise.all([tellersOf(app), tellersOf(app, 'subscriber')]), before)
  for (const as of [undefined, 'subscriber'] as const) {
    const who = as ? { as } : {}
    for (const path of [
      ...[`/categories/${category.id}`, `/tags/${tag.id}`, `/tags?include=${tag.id}`, '/tags?exclude=slam-poetry'],
      ...[`/categories?parent=${category.id}`, `/events?tags=${tag.id}`, '/events?tags=Slam Poetry'],
      `/events?categories=${category.id}`,
    ]) {
      assert.deepEqual(outcome(await app.send({ ...who, path })), [400, 'rest_invalid_param'], `${as} ${path}`)
    }
    for (const method of ['PATCH', 'DELETE'] as const) {
      const answer = await app.send({
        ...who,
        method,
        path: `/tags/${tag.id}`,
        ...(method === 'PATCH' ? { json: {} } : {}),
      })
      assert.deepEqual(outcome(answer), [400, 'rest_invalid_param'])
    }
    for (const path of ['//events/category/satire/', '//tag/slam-poetry/', '//fr/tag/slam-poetry/']) {
      assert.equal((await app.send({ ...who, path })).status, 404, path)
    }
  }
})

test('whoever names its slug is told that there is such a term, and nobody else', async (t) => {
  const app = await startTestApp(t)
  const { tag } = await givenDraft(app)

  const list = await app.send({ path: '/tags?hide_empty=0&slug=slam-poetry' })
  const events = await app.send({ path: '/events?tags=slam-poetry' })
  const part = await app.send({ path: '/tags?hide_empty=0&slug=slam' })

  assert.deepEqual(
    list.body.tags.map((term: Named) => term.id),
    [tag.id],
  )
  assert.deepEqual([events.status, events.body.total, part.body.total], [200, 0, 0])
})

test('those who may make such terms see them, and whoever named them does', async (t) => {
  const app = await startTestApp(t)
  const { id, category, tag, event } = await givenDraft(app)
  const shown = async (as: Role) => {
    const list = async (path: string, key: 'categories' | 'tags') =>
      (await app.send({ as, path })).body[key].map((term: Named) => term.id)
    return [
      await list('/categories?hide_empty=0', 'categories'),
      await list('/tags?hide_empty=0', 'tags'),
      (await app.send({ as, path: `/categories/${category.id}` })).status,
      (await app.send({ as, path: `/tags/${tag.id}` })).status,
      (await app.send({ as, path: `/events?status=draft&tags=${tag.id}` })).status,
    ]
  }

  const all = [[category.id], [tag.id], 200, 200, 200]
  assert.deepEqual(await shown('contributor'), all)
  assert.deepEqual(await shown('editor'), all)
  // Authors create categories, but no tags.
  assert.deepEqual(await shown('author'), [[category.id], [], 200, 400, 400])
  const read = await app.send({ as: 'contributor', path: `/events/${id}` })
  assert.deepEqual([read.body.categories, read.body.tags], [event.categories, event.tags])
  const carried = await app.send({ as: 'contributor', path: `/tags?event=${id}` })
  assert.deepEqual(
    carried.body.tags.map((term: Named) => term.id),
    [tag.id],
  )
})

const ways: Readonly<Record<string, (app: TestApp, id: number) => Promise<unknown>>> = {
  'an editor publishes the draft': (app, id) => changed(app, `/events/${id}`, { status: 'publish' }, 'editor'),
  'the draft is published at its time': async (app, id) => {
    await changed(app, `/events/${id}`, { status: 'publish', date: '2030-01-15 13:00:00' }, 'editor')
    assert.equal((await app.send({ path: '/tags?hide_empty=0' })).body.total, 0)
    app.pass(3600)
    await publishDue(app.deps)
  },
  'the draft comes back from the trash and is published': async (app, id) => {
    assert.equal((await app.send({ as: 'editor', method: 'DELETE', path: `/events/${id}` })).status, 200)
    const path = service(`/events/${id}/restore`)
    assert.equal((await app.send({ as: 'editor', method: 'POST', path })).status, 200)
    assert.equal((await app.send({ path: '/tags?hide_empty=0' })).body.total, 0)
    await changed(app, `/events/${id}`, { status: 'publish' }, 'editor')
  },
  'a translation of the draft is published': async (app, id) => {
    const json = { title: 'Concert', status: 'publish', ml_translation_of: id }
    const answer = await app.send({ as: 'editor', method: 'POST', path: '/events?ml_language=fr-CA', json })
    assert.equal(answer.status, 201, answer.text)
  },
  'an author publishes an event with them': (app) =>
    givenEvent(app, { categories: ['Satire'], tags: ['Slam Poetry'] }, 'author'),
  'an editor saves the terms as they are': async (app) => {
    const { body } = await app.send({ as: 'editor', path: '/categories?hide_empty=0' })
    const tags = await app.send({ as: 'editor', path: '/tags?hide_empty=0' })
    await changed(app, `/categories/${body.categories[0].id}`, {}, 'author')
    await changed(app, `/tags/${tags.body.tags[0].id}`, {}, 'editor')
  },
  'an editor names them in a draft': (app) =>
    givenEvent(app, { status: 'draft', categories: ['satire'], tags: ['Slam Poetry'] }, 'editor'),
  'an editor makes terms of them': async (app) => {
    const { body } = await app.send({ as: 'editor', path: '/categories?hide_empty=0' })
    const tags = await app.send({ as: 'editor', path: '/tags?hide_empty=0' })
    await givenTerm(app, 'categories', { name: 'Below', parent: body.categories[0].id })
    const json = { name: 'Chelem', ml_translation_of: tags.body.tags[0].id }
    const answer = await app.send({ as: 'editor', method: 'POST', path: '/tags?ml_language=fr-CA', json })
    assert.equal(answer.status, 201, answer.text)
  },
}

for (const [what, publish] of Object.entries(ways)) {
  test(`a term of a draft is everybody’s as soon as ${what}, and stays so`, async (t) => {
    const app = await startTestApp(t)
    const { id, category, tag } = await givenDraft(app)

    await publish(app, id)

    const statuses = async () => {
      const paths = [
        `/categories/${category.id}`,
        `/tags/${tag.id}`,
        `/events?tags=${tag.id}`,
        `/events?categories=${category.id}`,
      ]
      return Promise.all(paths.map(async (path) => (await app.send({ path })).status))
    }
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    await changed(app, `/events/${id}`, { status: 'draft' }, 'editor')
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    const listed = await app.send({ path: '/tags?hide_empty=0' })
    assert.ok(listed.body.tags.some((term: Named) => term.id === tag.id))
  })
}

test('a tag of an author, who makes none, waits for the event; a category does not', async (t) => {
  const app = await startTestApp(t)
  const { category, tag } = await givenDraft(app, {}, 'author')

  const [ofCategory, ofTag] = [
    await app.send({ path: `/categories/${category.id}` }),
    await app.send({ path: `/tags/${tag.id}` }),
  ]

  assert.deepEqual([ofCategory.status, ofTag.status], [200, 400])
})

test('another contributor learns no name by its id, and shares the term by naming it', async (t) => {
  const app = await startTestApp(t)
  const { tag } = await givenDraft(app, {}, 'author')

  const guessed = await givenEvent(app, { status: 'draft', tags: [tag.id] }, 'contributor')
  const named = await givenEvent(app, { status: 'draft', tags: ['Slam Poetry'] }, 'contributor')
  const kept = await changed(app, `/events/${named.id}`, { title: 'Renamed', tags: [tag.id] }, 'contributor')

  assert.deepEqual(guessed.tags, [])
  assert.equal(named.tags[0].id, tag.id)
  assert.equal(kept.tags[0]?.id, tag.id)
})

test('that a term has become everybody’s is recorded', async (t) => {
  const app = await startTestApp(t)
  const { id, tag } = await givenDraft(app)

  await changed(app, `/events/${id}`, { status: 'publish' }, 'editor')

  const { body } = await app.send({ as: 'administrator', path: service(`/audit?kind=tag&id=${tag.id}`) })
  const [published, made] = body.entries
  assert.deepEqual([made.action, made.actor.name], ['create', 'contributor'])
  assert.deepEqual([published.actor.name, published.changes], ['editor', { introduced_by: { before: 2, after: null } }])
})

test('the list of terms asks as few queries with such terms as without', async (t) => {
  const app = await startTestApp(t)
  const asked = async (as?: Role) => {
    app.statements()
    await app.send({ path: '/tags?hide_empty=0&per_page=50', ...(as ? { as } : {}) })
    return app.statements().filter((text) => /from "terms"/.test(text)).length
  }
  // The first lists also read what later ones find in memory.
  for (const as of ['subscriber', 'contributor'] as const) await asked(as)
  const before = [await asked('subscriber'), await asked('contributor')]
  await givenEvent(
    app,
    { status: 'draft', tags: Array.from({ length: 40 }, (_, place) => `Tag ${place}`) },
    'contributor',
  )
  await asked('subscriber')

  assert.deepEqual([await asked('subscriber'), await asked('contributor')], before)
})

test('everybody else is told of such a term as of one that there is not', async (t) => {
  const app = await startTestApp(t)
  const { tag } = await givenDraft(app, {}, 'author')

  for (const as of everybodyElse) {
    const who = as ? { as } : {}
    const [known, unknown] = [
      await app.send({ ...who, path: `/tags/${tag.id}` }),
      await app.send({ ...who, path: '/tags/999' }),
    ]
    assert.deepEqual(known.body, unknown.body)
    const methods = await app.send({ ...who, method: 'OPTIONS', path: `/tags/${tag.id}` })
    const none = await app.send({ ...who, method: 'OPTIONS', path: '/tags/999' })
    assert.deepEqual([methods.status, methods.headers.allow], [none.status, none.headers.allow])
  }
})
