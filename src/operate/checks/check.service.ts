import type { Config } from '../../base/config/config.ts'
import { withSnapshot } from '../../storage/database/snapshot.ts'
import { openPictureStore } from '../../storage/pictures/picture.open.ts'
import type { CheckContext, CheckResult, IntegrityCheck } from './check.ts'
import { eventIndexCheck, times } from './event.check.repository.ts'
import { pictureFilesCheck } from './picture.check.repository.ts'
import { postgresRules, rules, sqliteRules } from './rules.repository.ts'

const mostPlaces = 10

export interface CheckOptions {
  /** Told how many of how many checks are done, with fractions. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Holds everything against what must hold in a sound database, in the state of one moment, while others may write. It
 * changes nothing.
 *
 * @throws StorageError where the database cannot be read or is not in its newest form.
 */
export async function checkAll(config: Config, { onProgress }: CheckOptions = {}): Promise<readonly CheckResult[]> {
  const store = await openPictureStore(config.media)
  return withSnapshot(config, async ({ db, dialect }) => {
    const checks = [
      ...(dialect.name === 'sqlite' ? sqliteRules : postgresRules),
      ...rules,
      times,
      eventIndexCheck,
      pictureFilesCheck(store),
    ]
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
    if (places.length < mostPlaces) places.push(place)
  }
  return { name, holds, count, places }
}
