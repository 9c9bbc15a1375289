import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** An acceptable request id from a proxy or a client: a word that is unambiguous in a log. */
const acceptableId = /^[\w.:=+/-]{1,128}$/

/** Unique to this process. */
const processPrefix = randomBytes(9).toString('base64url')
let requests = 0

/** Returns the id of a request in the log: the one that it was sent with, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && acceptableId.test(sent)) return sent
  requests += 1
  return `${processPrefix}-${requests.toString(36)}`
}
