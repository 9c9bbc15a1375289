import type { Config } from '../base/config/config.ts'
import { derivationsFor } from '../calendar/derivations.ts'
import { readSearchState } from '../calendar/search/search.state.repository.ts'
import { auditedTables } from '../operate/audit/audited.fields.ts'
import type { Derivation } from '../storage/database/derivation.ts'
import { openStorage } from '../storage/database/open.ts'
import type { Db } from '../storage/database/tables.ts'
import { unavailable } from './database.ts'
import type { ProgressBar } from './progress.ts'

/** Returns whether the search index left the events of an empty calendar, and they are enough for a row of it. */
export async function isIndexLeft(db: Db): Promise<boolean> {
  const { documents, pending, row_size: rowSize } = await readSearchState(db)
  return documents === 0 && pending >= rowSize
}

/**
 * Opens the database again, which indexes what the search index left.
 *
 * @throws CommandError if it cannot be opened.
 */
export async function indexLeft(config: Config, progress: ProgressBar | undefined): Promise<void> {
  const derivations = shownDerivations(derivationsFor(config), progress)
  try {
    await (await openStorage(config, { audited: auditedTables, derivations })).close()
  } catch (error) {
    throw unavailable(config, error) ?? error
  } finally {
    progress?.stop()
  }
}

/** Returns derivations that show how many events are indexed for search. */
export function shownDerivations(
  derivations: readonly Derivation[],
  progress: ProgressBar | undefined,
): readonly Derivation[] {
  return progress ? derivations.map((one) => showing(one, progress)) : derivations
}

/** Returns a derivation that shows after each part of its work how many events are indexed. */
function showing(derivation: Derivation, { show }: ProgressBar): Derivation {
  return {
    ...derivation,
    catchUp: async (tx, dialect) => {
      const isMore = (await derivation.catchUp?.(tx, dialect)) ?? false
      const { documents, pending } = await readSearchState(tx)
      show(documents, documents + pending)
      return isMore
    },
  }
}
