import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { changed, givenTerm } from '../../test/support/given.ts'

test('a category that becomes a translation stands where the original does, and no loop comes of it', async (t) => {
  const app = await startTestApp(t)
  const given = (sent: Readonly<Record<string, unknown>>) => givenTerm(app, 'categories', sent)
  const above = await given({ name: 'Above' })
  const below = await given({ name: 'Below', parent: above.id })
  // The French tree is the other way round.
  const dessous = await given({ name: 'Dessous', ml_language: 'fr-CA' })
  const dessus = await given({ name: 'Dessus', ml_language: 'fr-CA', parent: dessous.id })

  const top = await changed(app, `/categories/${dessus.id}`, { ml_translation_of: above.id })
  const leaf = await changed(app, `/categories/${dessous.id}`, { ml_translation_of: below.id })
  await changed(app, `/categories/${below.id}`, { parent: above.id })

  assert.equal(top.parent, 0)
  assert.equal(leaf.parent, dessus.id)
  assert.equal((await app.send({ path: `/categories/${dessous.id}` })).body.parent, dessus.id)
  assert.equal((await app.send({ path: `/categories/${dessus.id}` })).body.parent, 0)
})
