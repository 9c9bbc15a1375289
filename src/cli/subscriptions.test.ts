import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { findSubscription, saveSubscription } from '../exchange/calendars/subscription.repository.ts'
import { addSubscription } from './subscriptions.ts'

test('what is set anew is imported, also from a calendar that has not changed', async (t) => {
  const app = await startTestApp(t)
  const { deps } = app
  const { storage, config } = deps
  const add = (flags: Parameters<typeof addSubscription>[2]) =>
    addSubscription(config, ['club', 'https://club.example/cal.ics'], { json: true, ...flags })
  await add({})
  const first = (await findSubscription(storage.db, 'club')) ?? assert.fail()
  const state = { ...first.state, nextAt: 99, importedAt: 42, found: 7, etag: '"a"', lastModified: 'yesterday' }
  await storage.writeWithoutRevision((tx) => saveSubscription(tx, { ...first, state }))

  await add({ category: 'Sports' })

  const now = await findSubscription(storage.db, 'club')
  assert.deepEqual([now?.category, now?.state], ['Sports', { nextAt: 0, importedAt: 42, found: 7 }])
  // Their time is that of the command line, before that of the test.
  const { body } = await app.send({ as: 'administrator', path: '//cal/service/v1/audit?kind=user&per_page=100' })
  const entries: readonly { actor: { via: string }; changes: { subscription?: { after: { category?: string } } } }[] =
    body.entries
  const told = entries.flatMap(({ actor, changes: { subscription } }) =>
    subscription ? [`${actor.via} ${subscription.after.category}`] : [],
  )
  assert.deepEqual(told, ['cli Sports', 'cli undefined'])
})
