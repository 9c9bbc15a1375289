import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'

// A cache of one megabyte: three quarters are for whole answers, and no answer takes more than an eighth of those.

test('an answer that would push out many others is not kept, and pushes none out', async (t) => {
  const app = await startTestApp(t, { CACHE_MEGABYTES: '1' })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const small = await givenEvent(app, { title: 'Small' })
  const description = `<p>${'word '.repeat(12_000)}</p>`
  for (const title of ['One', 'Two']) await givenEvent(app, { title, description, tags: ['large'] })
  const isMade = async (path: string) => {
    app.statements()
    const answer = await fetch(`${url}/cal/events/v1${path}`)
    assert.equal(answer.status, 200)
    await answer.text()
    // The cache checks for changes on every request.
    return app.statements().some((text) => text.includes('records'))
  }

  const found = []
  const large = '/events?tags=large'
  for (const path of [`/events/${small.id}`, `/events/${small.id}`, large, large, `/events/${small.id}`]) {
    found.push(await isMade(path))
  }

  assert.deepEqual(found, [true, false, true, true, false])
})

test('however many answers there are, the cache stays within its memory, and keeps those that were asked for last', async (t) => {
  const app = await startTestApp(t, { CACHE_MEGABYTES: '1' })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const events: { readonly id: number }[] = []
  for (let number = 0; number < 14; number += 1) {
    events.push(await givenEvent(app, { title: `Event ${number}`, description: `<p>${'word '.repeat(12_000)}</p>` }))
  }
  const isMade = async (number: number) => {
    app.statements()
    await (await fetch(`${url}/cal/events/v1/events/${events[number]?.id}`)).text()
    return app.statements().some((text) => text.includes('records'))
  }

  // The first answer is requested between the others, so that it is never the least recently used one.
  for (let number = 1; number < 14; number += 1) {
    await isMade(0)
    await isMade(number)
  }

  assert.deepEqual([await isMade(0), await isMade(13), await isMade(1)], [false, false, true])
})
