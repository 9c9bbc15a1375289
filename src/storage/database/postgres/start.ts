import { setTimeout as wait } from 'node:timers/promises'
import { StorageError } from '../storage.ts'
import { errorText, isUnreachable } from './errors.ts'
import type { Server } from './server.ts'

const firstPauseMs = 250
const longestPauseMs = 10_000

export interface ServerWait {
  readonly waitMs: number
  readonly say: (line: string) => void
}

/**
 * Waits until the server answers, with growing pauses between attempts, and checks that the service can use it.
 *
 * @throws StorageError if the server does not answer in time, refuses the connection or is too old.
 */
export async function waitForServer(server: Server, { waitMs, say }: ServerWait): Promise<void> {
  const { shown } = server
  let leftMs = waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const began = performance.now()
    try {
      await server.find()
      return
    } catch (error) {
      if (error instanceof StorageError)
        throw new StorageError(`The database ${shown} cannot be used: ${error.message}`)
      const reason = error instanceof Error ? errorText(error) : String(error)
      if (!isUnreachable(error))
        throw new StorageError(`The database ${shown} refuses the connection: ${reason}.`, { cause: error })
      leftMs -= performance.now() - began
      if (leftMs <= 0) throw new StorageError(`The database ${shown} does not answer: ${reason}.`, { cause: error })
      const thisPauseMs = Math.min(pauseMs, leftMs)
      say(`The database ${shown} does not answer (${reason}). Trying again in ${(thisPauseMs / 1000).toFixed(2)} s.`)
      await wait(thisPauseMs)
      leftMs -= thisPauseMs
    }
  }
}
