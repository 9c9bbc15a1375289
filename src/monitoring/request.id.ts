import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What a proxy or a client may call a request: a word that cannot be taken for anything else in a log. */
const sane = /^[\w.:=+/-]{1,128}$/

/** The name by which a request is known in the log: the one that it came with, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && sane.test(sent) ? sent : randomUUID()
}
