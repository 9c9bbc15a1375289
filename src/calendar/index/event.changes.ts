import { logStatements } from '../changelog/change.log.repository.ts'
import { newChangeOf } from '../changelog/change.log.ts'
import type { EventDerivation } from './stale.events.repository.ts'

/** The rows of events in the log of public changes. */
export function eventChanges(now: () => number): EventDerivation {
  return {
    // Those of all kinds together belong to `itemChanges`.
    tables: [],
    refresh: async (_tx, dialect, changes) => {
      const rows = changes.flatMap(({ id, shown, logged }) => newChangeOf({ kind: 'event', id, shown, logged }) ?? [])
      return logStatements(dialect, rows, now())
    },
  }
}
