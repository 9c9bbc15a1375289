import type { Call } from '../../access/http/route.ts'
import { Problem } from '../../base/problems.ts'

interface PasswordCaller {
  readonly deps: Pick<Call['deps'], 'limits'>
  readonly client: Call['client']
}

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

interface PasswordTrial<E> {
  readonly password: string | undefined
  /** All of them are protected. */
  readonly events: readonly E[]
  readonly isOpened: (event: E, password: string) => boolean
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
  { password, events, isOpened }: PasswordTrial<E>,
): ReadonlySet<E> {
  if (password === undefined || events.length === 0) return new Set()
  const { eventPasswords } = deps.limits
  eventPasswords.assertAllowed(client, listTarget)
  const opened = events.filter((event) => isOpened(event, password))
  if (opened.length === 0) eventPasswords.countWrongGuess(client, listTarget)
  return new Set(opened)
}
