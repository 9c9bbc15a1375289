import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../base/config/config.ts'
import { createLimits } from '../../base/limits/limits.ts'
import type { Deps } from '../deps.ts'
import { answerAfterWaits } from './service.waiting.ts'

test('a client that has gone before the wait begins does not wait', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.destroy()
  const endpoint = {
    waitFor: async (_deps: Deps, _wait: object, signal: AbortSignal) => ({ isOver: signal.aborted }),
  }
  const deps = { limits: createLimits(readConfig({})) } as Deps
  const stopping = new AbortController().signal

  const result = await answerAfterWaits(
    { deps, endpoint, response, stopping },
    async (waited) => waited,
    (waited) => (waited ? undefined : {}),
  )

  assert.deepEqual(result, { isOver: true })
})
