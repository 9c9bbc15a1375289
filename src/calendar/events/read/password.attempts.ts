import type { Call } from '../../../access/http/call.ts'
import { listTarget } from '../../../base/limits/limits.ts'
import { Problem } from '../../../base/problems.ts'

interface PasswordCaller {
  readonly deps: Pick<Call['deps'], 'limits'>
  readonly client: Call['client']
}

/**
 * Reads an event with a password, if the request has one. Wrong passwords count for the client and for the event.
 *
 * @throws rest_too_many_requests, and what `read` throws.
 */
export async function readWithPassword<T>(
  { deps, client }: PasswordCaller,
  { id, password }: { readonly id: number; readonly password: string | undefined },
  read: () => Promise<T>,
): Promise<T> {
  if (password === undefined) return read()
  const { eventPasswords } = deps.limits
  eventPasswords.assertAllowed(client, String(id))
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem && error.code === 'event-password-protected') {
      eventPasswords.countWrongGuess(client, String(id))
    }
    throw error
  }
}

interface PasswordTrial<E> {
  readonly password: string | undefined
  readonly events: readonly E[]
  readonly isOpened: (event: E, password: string) => boolean
}

/**
 * Tries a password on the events of a list, with `isOpened`. A password that opens none of them is wrong.
 *
 * @returns The events that it opens.
 * @throws rest_too_many_requests
 */
export function eventsOpenedByPassword<E>(
  { deps, client }: PasswordCaller,
  { password, events, isOpened }: PasswordTrial<E>,
): ReadonlySet<E> {
  if (password === undefined || events.length === 0) return new Set()
  const { eventPasswords } = deps.limits
  eventPasswords.assertAllowed(client, listTarget)
  const opened = events.filter((event) => isOpened(event, password))
  if (opened.length === 0) eventPasswords.countWrongGuess(client, listTarget)
  return new Set(opened)
}
