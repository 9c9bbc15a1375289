// A backslash in a text is a backslash on the wire (events.md §8 row 24), in every field and every kind of body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'

const sent = 'Run 5k\\10k \\\\ \\n'

test('backslashes stay, whatever they come in', async (t) => {
  const app = await startTestApp(t)
  const base = { start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }
  const bodies = (fields: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(fields).toString()
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return [
      { json: fields },
      { form: query },
      { query },
      {
        payload: Buffer.from(`${parts.join('')}--x--\r\n`),
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ]
  }
  const create = async (path: string, { query, ...body }: ReturnType<typeof bodies>[number]) => {
    const answer = await app.send({ as: 'editor', method: 'POST', path: query ? `${path}?${query}` : path, ...body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }

  for (const body of bodies({ ...base, title: sent, description: sent, excerpt: sent })) {
    const { title, description, excerpt } = await create('/events', body)
    assert.deepEqual([title, description, excerpt], [sent, `<p>${sent}</p>`, `<p>${sent}</p>`])
  }
  for (const [index, body] of bodies({ venue: sent, description: sent, city: sent }).entries()) {
    const { venue, description, city } = await create('/venues', body)
    assert.deepEqual([venue, description, city], [sent, `<p>${sent}</p>`, sent], String(index))
  }
  for (const body of bodies({ organizer: sent, phone: sent })) {
    const { organizer, phone } = await create('/organizers', body)
    assert.deepEqual([organizer, phone], [sent, sent])
  }
  for (const [index, body] of bodies({ name: `${sent} X`, description: sent }).entries()) {
    const { id, name, description } = await create('/categories', body)
    assert.deepEqual([name, description], [`${sent} X`, sent], String(index))
    await app.send({ as: 'editor', method: 'DELETE', path: `/categories/${id}` })
  }
  const nested = await create('/events', {
    json: { ...base, title: sent, venue: { venue: sent }, organizer: [{ organizer: sent }], tags: [sent] } as never,
  })
  assert.deepEqual([nested.venue.venue, nested.organizer[0].organizer, nested.tags[0].name], [sent, sent, sent])
})
