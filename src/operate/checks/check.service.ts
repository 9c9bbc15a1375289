import type { Config } from '../../base/config/config.ts'
import { listWrongChanges } from '../../calendar/changelog/stale.items.repository.ts'
import { withSnapshot } from '../../storage/database/copies/snapshot.ts'
import { openPictureStore } from '../../storage/pictures/picture.open.ts'
import type { CheckContext, CheckResult, IntegrityCheck } from './check.ts'
import { eventIndexCheck, searchCheck, times } from './event.check.repository.ts'
import { pictureFilesCheck } from './picture.check.repository.ts'
import { rules, sqliteRules } from './rules.repository.ts'

const changesCheck: IntegrityCheck = {
  name: 'changes',
  holds: 'The feed of changes has every item that visitors may see, and says of all others that they are gone.',
  find: async function* ({ db }) {
    yield* await listWrongChanges(db)
  },
}

/** The checks of what the database has, on both engines. */
export const contentChecks: readonly IntegrityCheck[] = [...rules, times, eventIndexCheck, searchCheck, changesCheck]

const maxPlaces = 10

export interface CheckOptions {
  /** Called with the number of completed checks, including fractions, and the total. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Runs every integrity check on one snapshot of the database, while others may write. It changes nothing.
 *
 * @throws StorageError if the database cannot be read or does not have the newest schema.
 */
export async function checkAll(config: Config, { onProgress }: CheckOptions = {}): Promise<readonly CheckResult[]> {
  const store = await openPictureStore(config.media)
  return withSnapshot(config, async ({ db, dialect }) => {
    const checks = [...(dialect.name === 'sqlite' ? sqliteRules : []), ...contentChecks, pictureFilesCheck(store)]
    const findings: CheckResult[] = []
    for (const [done, check] of checks.entries()) {
      const subject = { db, dialect, onProgress: (part: number) => onProgress?.(done + part, checks.length) }
      findings.push(await runCheck(check, subject))
      onProgress?.(done + 1, checks.length)
    }
    return findings
  })
}

async function runCheck(check: IntegrityCheck, subject: CheckContext): Promise<CheckResult> {
  const { name, holds } = check
  const places: string[] = []
  let count = 0
  for await (const place of check.find(subject)) {
    count += 1
    if (places.length < maxPlaces) places.push(place)
  }
  return { name, holds, count, places }
}
