import type { Config } from '../../base/config/config.ts'
import { withSnapshot } from '../../storage/database/snapshot.ts'
import { openPictureStore } from '../../storage/pictures/picture.open.ts'
import type { Check, Finding, Subject } from './check.ts'
import { listings, times } from './event.check.repository.ts'
import { picturesIn } from './picture.check.repository.ts'
import { fileRules, rules, serverRules } from './rules.repository.ts'

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
export async function checkAll(config: Config, { onProgress }: CheckOptions = {}): Promise<readonly Finding[]> {
  const store = await openPictureStore(config.media)
  return withSnapshot(config, async ({ db, dialect }) => {
    const checks = [
      ...(dialect.name === 'sqlite' ? fileRules : serverRules),
      ...rules,
      times,
      listings,
      picturesIn(store),
    ]
    const findings: Finding[] = []
    for (const [done, check] of checks.entries()) {
      const subject = { db, dialect, onProgress: (part: number) => onProgress?.(done + part, checks.length) }
      findings.push(await findingOf(check, subject))
      onProgress?.(done + 1, checks.length)
    }
    return findings
  })
}

async function findingOf(check: Check, subject: Subject): Promise<Finding> {
  const { name, holds } = check
  const places: string[] = []
  let count = 0
  for await (const place of check.find(subject)) {
    count += 1
    if (places.length < mostPlaces) places.push(place)
  }
  return { name, holds, count, places }
}
