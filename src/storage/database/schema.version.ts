import { sql } from 'kysely'
import packageJson from '../../../package.json' with { type: 'json' }
import { StorageError } from './storage.ts'
import type { Db } from './tables.ts'

/** The last schema of the development of the first release. The baseline has the same one. */
export const developmentSchema = '0075-undos'
/** A commit that updates all earlier schemas to `developmentSchema`. */
const developmentCommit = '06e69c08'

/** Returns the names of the migrations that have run in this database, in order. */
export async function recordedMigrations(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Notes which version of the program ran this migration. */
export async function recordProgramVersion(db: Db, migration: string): Promise<void> {
  await sql`
    insert into program_versions (migration, version) values (${migration}, ${packageJson.version})
    on conflict (migration) do update set version = excluded.version`.execute(db)
}

/** @throws StorageError if the last migration that has run in this database is not in `known`, which is in order. */
export async function assertKnownSchema(db: Db, known: readonly string[], shown: string): Promise<void> {
  const form = (await recordedMigrations(db)).at(-1)
  if (form === undefined || form === developmentSchema || known.includes(form)) return
  if (form < developmentSchema) {
    throw new StorageError(`The database ${shown} has the schema ${form}. ${olderSchemaPhrase('migrate')}`)
  }
  const version = await versionOf(db, form)
  const [made, needed] =
    version === undefined
      ? [`has the schema ${form}`, 'Run the version that updated it, or a newer one.']
      : [
          `was updated to the schema ${form} by ${versionPhrase(version)}`,
          `Run ${versionPhrase(version)} or a newer one.`,
        ]
  throw new StorageError(
    `The database ${shown} is newer than this program: it ${made}. This is version ${packageJson.version}, which ` +
      `supports schemas up to ${known.at(-1)}. ${needed}`,
  )
}

/** Returns what to do with a schema that is older than `developmentSchema`, and with which command. */
export function olderSchemaPhrase(command: string): string {
  return (
    `It is from before the first release. Run “cal-events ${command}” with the commit ${developmentCommit} of this program ` +
    'first, then this version with the same database.'
  )
}

/**
 * Returns the version for a message about a newer program that wrote data this program does not know. If the number
 * equals this program's own, it was not raised between two builds.
 */
export function versionPhrase(version: string): string {
  return version === packageJson.version ? `a later build of version ${version}` : `version ${version}`
}

async function versionOf(db: Db, form: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select version from program_versions where migration = ${form}`.execute(db)
  return rows[0]?.version
}
