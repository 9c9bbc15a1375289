import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { closeInStages } from './connections.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('an idle connection does not keep its last request in memory', async (t) => {
  const server = createServer()
  const staged = closeInStages(server, 1000)
  const requests: WeakRef<IncomingMessage>[] = []
  server.on('request', (message, response) => {
    requests.push(new WeakRef(message))
    staged.begin(message)
    // One body is read, and the other one is not.
    if (requests.length % 2 === 0) message.resume().on('end', () => response.end())
    else response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true }))
  t.after(() => {
    for (const agent of agents) agent.destroy()
  })

  for (const agent of agents) {
    const sent = request({ agent, port: (server.address() as AddressInfo).port, method: 'POST' })
    sent.end('body')
    const [answer] = await once(sent, 'response')
    await once(answer.resume(), 'end')
  }
  let left = requests.length
  for (let tries = 0; left > 1 && tries < 100; tries += 1) {
    await new Promise(setImmediate)
    collectGarbage()
    left = requests.filter((message) => message.deref()).length
  }

  assert.equal(requests.length, 20)
  // Node may still hold the last one.
  assert.ok(left <= 1, `${left} of 20`)
})
