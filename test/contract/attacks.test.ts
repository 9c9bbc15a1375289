import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { assertHarmless, attacks } from '../support/attacks.ts'

/** Every text in an answer that could contain a tag, without the keys. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('<') ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}

test('nothing that can be run comes back in any field of an event or of what it links to, json_ld included', async (t) => {
  const app = await startTestApp(t)
  let shown = 0
  for (const [index, attack] of attacks.entries()) {
    // Words around it, so that a part of every name remains.
    const text = `Before ${index} ${attack} after`
    const line = { address: text, city: text, country: text, state: text, zip: text, phone: text }
    const json = {
      ...{ title: text, description: text, excerpt: text, cost: text, slug: text, categories: [text], tags: [text] },
      ...{ start_date: '2030-02-01 10:00', end_date: '2030-02-01 11:00' },
      venue: { venue: text, description: text, ...line },
      organizer: [{ organizer: text, description: text, phone: text, email: text }],
    }
    const created = await app.send({ as: 'administrator', method: 'POST', path: '/events', json })
    if (created.status !== 201) {
      // An attack may leave an empty title, or may not be a text at all. Then the request may also be refused.
      assert.equal(created.status, 400, created.text)
      continue
    }
    const single = await app.send({ path: `/events/${created.body.id}` })
    for (const found of textsOf(single.body)) assertHarmless(found)
    shown += 1
  }
  const list = await app.send({ path: '/events?per_page=100' })
  for (const found of textsOf(list.body)) assertHarmless(found)

  assert.ok(shown > attacks.length * 0.9, `${shown} of ${attacks.length}`)
})

test('an address that is a script is refused in every field that holds addresses', async (t) => {
  const app = await startTestApp(t)
  const addresses = [
    'javascript:alert(1)',
    'JaVaScRiPt://x/%0aalert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
  ]
  const fields = [
    ['/events', { title: 'x', start_date: '2030-02-01', end_date: '2030-02-01' }],
    ['/venues', { venue: 'x' }],
    ['/organizers', { organizer: 'x' }],
  ] as const

  for (const [path, json] of fields) {
    for (const website of addresses) {
      const { status, body } = await app.send({ as: 'editor', method: 'POST', path, json: { ...json, website } })
      assert.equal(status, 400, `${path} ${website}`)
      assert.deepEqual(Object.keys(body.data.params), ['website'])
    }
  }
})
