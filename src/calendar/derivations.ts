import type { EventListSettings } from '../base/languages/preference.bits.ts'
import type { Derivation } from '../storage/database/derivation.ts'
import { dailyCounts } from './index/daily.counts.repository.ts'
import { eventIndex } from './index/event.index.repository.ts'
import { derivedFromEvents } from './index/stale.events.repository.ts'
import { searchIndex } from './search/search.engine.ts'
import { searchTexts } from './search/search.texts.repository.ts'

/**
 * All that the storage keeps up to date before each commit, in this order. A new derivation is one file and one entry:
 * in the inner list where it follows from single events, else in the outer one. See docs/decisions/0039-derivations.md.
 *
 * @param settings What lists may be asked for; without them, what every database is indexed for.
 */
export function derivationsFor(settings?: EventListSettings): readonly Derivation[] {
  return [derivedFromEvents([searchTexts, eventIndex(settings), dailyCounts, searchIndex])]
}
