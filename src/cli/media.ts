import type { Config } from '../base/config/config.ts'
import { collectUnused } from '../calendar/media/media.collection.ts'
import { withDatabase } from './database.ts'
import { CommandError, EXIT, type OutputOptions, printResult, say } from './output.ts'

interface CollectionFlags extends OutputOptions {
  readonly remove?: boolean
  readonly days?: string
}

const daySeconds = 86_400
const defaultDays = '7'

/** Removes unused pictures. Without `--remove`, only lists them. */
export async function collectMedia(config: Config, flags: CollectionFlags): Promise<number> {
  const { days = defaultDays, remove = false, json = false } = flags
  if (!/^\d{1,4}$/.test(days)) throw new CommandError(EXIT.usage, `--days is “${days}” but must be a whole number.`)
  const names: string[] = []
  const collected = await withDatabase(config, (deps) =>
    collectUnused(deps, {
      graceSeconds: Number(days) * daySeconds,
      isDry: !remove,
      onFile: (name) => {
        if (json) names.push(name)
        else say(name)
      },
    }),
  )
  const { pictures, files } = collected
  const outcome = `${pictures} unused pictures, ${files} files${remove ? ' removed' : '. To remove them, add --remove'}.`
  printResult(flags, { ...collected, isRemoved: remove, names }, outcome)
  return EXIT.ok
}
