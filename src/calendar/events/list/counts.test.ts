import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent } from '../../../../test/support/given.ts'

test('the counts of all states search the index once, for editors and for authors', async (t) => {
  const app = await startTestApp(t, { READERS: '0' })
  await givenEvent(app, { title: 'Music' }, 'author')
  await givenEvent(app, { title: 'Music too', status: 'draft' }, 'author')
  await givenEvent(app, { title: 'Chess', status: 'draft' }, 'author')
  await givenEvent(app, { title: 'Music of others', status: 'draft' })

  for (const [as, draft] of [['author', 1] as const, ['editor', 2] as const]) {
    app.statements()
    const { body } = await app.send({ as, path: '//cal/service/v1/events/counts?search=music' })
    const searches = app.statements().filter((text) => text.includes('select place from (select'))

    assert.deepEqual([body.publish, body.draft, body.any], [1, draft, 1 + draft])
    assert.equal(searches.length, 1, as)
  }
})
