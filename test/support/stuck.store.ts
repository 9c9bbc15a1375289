import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'

/**
 * Starts a store of pictures that answers with this listener, or never, so that its caller stays in the middle of a
 * request.
 *
 * @returns the settings that use it.
 */
export async function startStore(t: Pick<TestContext, 'after'>, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const endpoint = encodeURIComponent(`http://127.0.0.1:${address.port}`)
  return {
    MEDIA_URL: `s3://pictures?region=us-east-1&path_style=1&endpoint=${endpoint}`,
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  }
}
