import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What a proxy or a client may call a request: a word that cannot be taken for anything else in a log. */
const acceptableId = /^[\w.:=+/-]{1,128}$/

/** Of this process, among all that ever are. */
const processPrefix = randomBytes(9).toString('base64url')
let requests = 0

/** The name by which a request is known in the log: the one that it came with, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && acceptableId.test(sent)) return sent
  requests += 1
  return `${processPrefix}-${requests.toString(36)}`
}
