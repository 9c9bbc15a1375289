import type { Actor } from '../auth/actor.ts'
import { mayRead } from '../auth/policy.ts'
import type { Entry } from '../directory/directory.ts'

/** Those that the caller could read by themselves; what is in the trash is hidden from everyone (§8 row 8). */
export function visibleEntries<F extends object>(entries: readonly Entry<F>[], actor: Actor): readonly Entry<F>[] {
  return entries.filter((entry) => entry.status !== 'trash' && mayRead(actor, entry))
}
