import type { TestContext } from 'node:test'
import { startCommands } from './called.command.ts'
import { givenDatabaseUrl } from './database.ts'

/** Provides the command line on an empty database of the engine of this run; of SQLite if that is PGlite. */
export async function startCommandsOnEngine(t: TestContext) {
  const url = await givenDatabaseUrl(t)
  const commands = await startCommands(t)
  const run: typeof commands.run = (args, environment) =>
    commands.run(args, { DATABASE_URL: url ?? '', ...environment })
  return { ...commands, run }
}
