import type { Call } from '../../access/http/route.ts'
import { Problem } from '../../base/problems.ts'

type PasswordCaller = Pick<Call, 'deps' | 'client'>

/** All protected events of a list are one target: a password that it is sent is tried on each of them. */
const listTarget = 'list'

/**
 * Reads an event with a password, where one was sent. Wrong ones are counted for the client and for the event.
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

/**
 * Tries a password on the events of a list, as `isOpened` says. It is a wrong one where it opens none of those that are
 * protected.
 *
 * @returns The events that it opens.
 * @throws rest_too_many_requests
 */
export function eventsOpenedByPassword<E>(
  { deps, client }: PasswordCaller,
  password: string | undefined,
  protectedEvents: readonly E[],
  isOpened: (event: E, password: string) => boolean,
): ReadonlySet<E> {
  if (password === undefined || protectedEvents.length === 0) return new Set()
  const { eventPasswords } = deps.limits
  eventPasswords.assertAllowed(client, listTarget)
  const opened = protectedEvents.filter((event) => isOpened(event, password))
  if (opened.length === 0) eventPasswords.countWrongGuess(client, listTarget)
  return new Set(opened)
}
