import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { pause } from '../../../test/support/pause.ts'
import { startPurging } from './shared.cache.purge.ts'

test('each write purges the shared caches, also after one of them was away', async (t) => {
  const purges: string[] = []
  let status = 200
  const shared = createServer((request, response) => {
    request.setEncoding('utf8').once('data', (body) => purges.push(`${request.method} ${request.headers.xkey} ${body}`))
    request.once('end', () => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  await once(shared, 'listening')
  t.after(() => shared.close())
  const url = `http://127.0.0.1:${(shared.address() as AddressInfo).port}/purge`
  const app = await startTestApp(t, { SHARED_CACHE_PURGE_URL: url })
  const lines: string[] = []
  const log = {
    warn: (_what: unknown, text = '') => lines.push(text),
    info: (text: unknown) => lines.push(String(text)),
  }
  const purging = startPurging(app.deps, { log, report: assert.ifError })
  t.after(() => purging.stop())
  /** Waits until it has purged this number of times. */
  const until = async (count: number) => {
    while (purges.length < count) await pause()
  }
  // Once for what was written while it was away, and again for answers on their way.
  await until(2)
  assert.equal(purges[0], 'POST calendar {"tags":["calendar"]}')

  await givenEvent(app)
  await until(3)
  status = 503
  await givenEvent(app)
  await until(5)
  status = 200
  while (lines.length < 2) await pause()
  await purging.stop()

  assert.deepEqual(lines, [
    'A shared cache was not purged. This is tried again until it is.',
    'All shared caches are purged again.',
  ])
})
