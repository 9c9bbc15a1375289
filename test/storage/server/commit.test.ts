import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { startNode } from '../../support/node.ts'
import { ownServer } from '../../support/postgres.server.ts'
import { startRelay } from '../../support/relay.ts'

const server = await ownServer()

for (const count of [1, 5]) {
  test(`a commit of ${count} that the server could not confirm is not done again`, { timeout: 60_000 }, async (t) => {
    const relay = await startRelay(server.url)
    const { url } = await createDatabase(server.url, undefined)
    const node = await startNode(relay.through(url))
    t.after(() => node.close())
    const titles = Array.from({ length: count }, (_, place) => `Concert ${place}`)
    const create = (title: string) => node.send('POST', '/events', { ...plainEvent, title })
    assert.equal((await create('before')).status, 201)

    relay.loseCommit()
    const answers = await Promise.all(titles.map(create))

    const { events } = (await node.send('GET', '/events?per_page=50')).body
    const shown = events.map(({ title }: { readonly title: string }) => title).toSorted()
    assert.deepEqual(shown, [...titles, 'before'])
    assert.ok(answers.some(({ status }) => status === 503))
  })
}
