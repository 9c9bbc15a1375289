import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { ownServer } from '../../support/postgres.server.ts'
import { adminAuthorization, startServiceProcess } from '../../support/service.process.ts'

const server = await ownServer()
const nodes = 4
const writers = 8
const writesEach = 40

/** A page of the feed. */
interface Page {
  readonly items: readonly {
    readonly state: 'updated' | 'deleted'
    readonly id: number
    readonly modified: number
    readonly data?: { readonly title: string }
  }[]
  readonly next: string
  readonly has_more: boolean
}

test('a reader that follows the feed of one node misses nothing that four nodes write', {
  timeout: 120_000,
}, async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  const first = await startServiceProcess(t, url)
  const others = await Promise.all(Array.from({ length: nodes - 1 }, () => startServiceProcess(t, url)))
  const apis = await Promise.all([first, ...others].map(({ api }) => api))
  const write = async (api: string, method: string, path: string, json?: object) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: adminAuthorization, ...(json ? { 'content-type': 'application/json' } : {}) },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
    assert.ok(response.ok, `${method} ${path} answers ${response.status}: ${await response.clone().text()}`)
    return (await response.json()) as { readonly id: number }
  }
  const writer = async (number: number) => {
    const ids: number[] = []
    for (let done = 0; done < writesEach; done += 1) {
      const api = apis[(number + done) % nodes] ?? ''
      const id = ids[done % 3]
      if (id === undefined || done % 4 === 0) ids.push((await write(api, 'POST', '/events', plainEvent)).id)
      else if (done % 9 === 8) await write(api, 'DELETE', `/events/${ids.pop()}`)
      else await write(api, 'PATCH', `/events/${id}`, { title: `Concert ${number}, ${done}` })
    }
  }
  let isWriting = true
  const writing = Promise.all(Array.from({ length: writers }, (_, number) => writer(number))).finally(() => {
    isWriting = false
  })
  const start = `${new URL(apis[0] ?? '').origin}/cal/service/v1/changes?kinds=event&per_page=20`
  /** Reads on from an address until the end of the feed. */
  const follow = async (copy: Map<number, string>, from: string): Promise<string> => {
    for (let at = from; ; ) {
      const page = (await (await fetch(at)).json()) as Page
      for (const { state, id, data } of page.items) {
        if (state === 'deleted') copy.delete(id)
        else copy.set(id, data?.title ?? '')
      }
      at = page.next
      if (!page.has_more) return at
    }
  }

  const copy = new Map<number, string>()
  let next = start
  let readings = 0
  while (isWriting) {
    next = await follow(copy, next)
    readings += 1
  }
  await writing
  await follow(copy, next)

  const whole = new Map<number, string>()
  await follow(whole, start)
  assert.ok(readings > 3, `${readings} readings`)
  assert.ok(whole.size > writers)
  assert.deepEqual([...copy].sort(), [...whole].sort())
})
