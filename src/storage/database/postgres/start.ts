import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { StorageError } from '../storage.ts'
import { errorText, isUnreachable } from './errors.ts'

const firstPauseMs = 250
const longestPauseMs = 10_000
const oldestVersion = 15

export interface ServerWait {
  /** Address of the server, safe to print. */
  readonly shown: string
  readonly waitMs: number
  readonly say: (line: string) => void
}

/**
 * Waits until the server answers, with growing pauses between attempts, and checks that the service can use it.
 *
 * @throws StorageError if the server does not answer in time, refuses the connection or is too old.
 */
export async function waitForServer(config: ClientConfig, { shown, waitMs, say }: ServerWait): Promise<void> {
  let leftMs = waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const began = performance.now()
    try {
      return await checkServer(config)
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

async function checkServer(config: ClientConfig): Promise<void> {
  const client = new Client(config)
  // A connection that breaks rejects its pending query.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
    )
    const { version = '', encoding = '' } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < oldestVersion) {
      throw new StorageError(`it is PostgreSQL ${version}, but ${oldestVersion} or later is required.`)
    }
    if (encoding !== 'UTF8') throw new StorageError(`its encoding is ${encoding}, but UTF8 is required.`)
  } finally {
    await client.end()
  }
}
