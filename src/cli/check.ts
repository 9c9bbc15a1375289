import type { Config } from '../base/config/config.ts'
import { checkAll } from '../operate/checks/check.service.ts'
import { unavailable } from './database.ts'
import { EXIT, type OutputOptions, printResult } from './output.ts'
import { progressBar } from './progress.ts'

/** Prints whether the database and its pictures are sound, and each violation. */
export async function checkDatabase(config: Config, flags: OutputOptions): Promise<number> {
  const progress = flags.json ? undefined : await progressBar('Checking')
  const findings = await checkAll(config, progress ? { onProgress: progress.show } : {})
    .catch((error: unknown) => {
      throw unavailable(config, error) ?? error
    })
    .finally(() => progress?.stop())
  const broken = findings.filter(({ count }) => count > 0)
  const lines = broken.flatMap(({ holds, count, places }) => [
    `Failed, in ${count} ${count === 1 ? 'place' : 'places'}: ${holds}`,
    ...places.map((place) => `  ${place}`),
    ...(count > places.length ? [`  and ${count - places.length} more`] : []),
  ])
  const outcome = broken.length === 0 ? `All ${findings.length} checks passed.` : lines.join('\n')
  printResult(flags, { is_sound: broken.length === 0, checks: findings }, outcome)
  return broken.length === 0 ? EXIT.ok : EXIT.failed
}
