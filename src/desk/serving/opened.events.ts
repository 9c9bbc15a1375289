import type { Deps } from '../../access/deps.ts'
import { acquireLease, listLeases, removeExpiredLeases } from '../../storage/database/lease.repository.ts'
import type { SignedIn } from '../shell/desk.call.ts'

/** How long an event counts as open after its editor was shown, or after its script has asked last. */
const openSeconds = 600
const opened = 'open '

/**
 * Notes that a user has an event open, and returns the names of the others who have it open. The note is written in the
 * background: nobody waits for it, and nothing fails with it.
 */
export async function noteOpened(
  { storage, now }: Deps,
  eventId: number,
  user: SignedIn['user'],
): Promise<readonly string[]> {
  const at = now()
  const name = `${opened}${eventId} ${user.id}`
  const found = await listLeases(storage.db, `${opened}${eventId} `, at)
  if (!found.some((one) => one.name === name && one.expiresAt > at + openSeconds / 2)) {
    storage
      .writeWithoutRevision(async (tx) => {
        await removeExpiredLeases(tx, opened, at)
        await acquireLease(tx, { name, holder: user.name }, { now: at, expiresAt: at + openSeconds })
      })
      .catch(() => undefined)
  }
  return found.flatMap((one) => (one.name === name ? [] : [one.holder]))
}
