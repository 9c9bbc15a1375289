import type { EventListSettings } from '../base/languages/preference.bits.ts'
import { systemClock } from '../base/time/clock.ts'
import type { Derivation } from '../storage/database/derivation.ts'
import { logStatements } from './changelog/change.log.repository.ts'
import { newChangeOf } from './changelog/change.log.ts'
import { itemChanges } from './changelog/stale.items.repository.ts'
import { eventIndex } from './index/event.index.repository.ts'
import {
  derivedFromEvents,
  type EventDerivation,
  type EventDerivationOptions,
  refreshOf,
} from './index/stale.events.repository.ts'
import { searchIndex, searchTexts } from './search/search.texts.repository.ts'

/**
 * All data that storage derives from other data before each commit, in this order. A new derivation is one file and one
 * entry. The entry is in the inner list if the data follows from single events, otherwise in the outer list. See
 * docs/decisions/0039-derivations.md.
 *
 * @param settings What lists can ask for. Without them: the preferences that every database is indexed for.
 * @param options `now`: the time of changes in the log of public changes.
 * `onDerived`: see `OnDerived`.
 */
export function derivationsFor(
  settings?: EventListSettings,
  { now = systemClock, ...options }: EventDerivationOptions & { readonly now?: typeof systemClock } = {},
): readonly Derivation[] {
  const changes = eventChanges(now)
  return [
    derivedFromEvents([searchTexts, eventIndex(settings), searchIndex, changes], options),
    itemChanges(now, refreshOf(changes)),
  ]
}

/** The rows of events in the log of public changes. */
function eventChanges(now: () => number): EventDerivation {
  return {
    // Those of all kinds together belong to `itemChanges`.
    tables: [],
    refresh: async (_tx, dialect, changes) => {
      const rows = changes.flatMap(({ id, shown, logged }) => newChangeOf({ kind: 'event', id, shown, logged }) ?? [])
      return logStatements(dialect, rows, now())
    },
  }
}
