import { sql } from 'kysely'
import packageJson from '../../../package.json' with { type: 'json' }
import { StorageError } from './storage.ts'
import type { Db } from './tables.ts'

/** From this migration on, a database notes which version of the program migrated it. */
const firstNoted = '0018-program-versions'

/** Notes which version of the program ran this migration. */
export async function recordProgramVersion(db: Db, migration: string): Promise<void> {
  if (migration < firstNoted) return
  await sql`
    insert into program_versions (migration, version) values (${migration}, ${packageJson.version})
    on conflict (migration) do update set version = excluded.version`.execute(db)
}

/** @throws StorageError if a migration that is not in `known` has run in this database. `known` is in order. */
export async function assertKnownSchema(db: Db, known: readonly string[], shown: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const form = rows.findLast(({ name }) => !known.includes(name))?.name
  if (form === undefined) return
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

/**
 * Returns the version for a message about a newer program that wrote data this program does not know. If the number
 * equals this program's own, it was not raised between two builds.
 */
export function versionPhrase(version: string): string {
  return version === packageJson.version ? `a later build of version ${version}` : `version ${version}`
}

async function versionOf(db: Db, form: string): Promise<string | undefined> {
  if (form < firstNoted) return undefined
  const { rows } = await sql<{ version: string }>`
    select version from program_versions where migration = ${form}`.execute(db)
  return rows[0]?.version
}
