import { sql } from 'kysely'
import packageJson from '../../../package.json' with { type: 'json' }
import { StorageError } from './storage.ts'
import type { Db } from './tables.ts'

/** The migration from which on databases know which version of the program brought them to their form. */
const firstNoted = '0018-program-versions'

/** Notes which version brought the database to the form that this migration leaves. */
export async function noteVersion(db: Db, migration: string): Promise<void> {
  if (migration < firstNoted) return
  await sql`
    insert into program_versions (migration, version) values (${migration}, ${packageJson.version})
    on conflict (migration) do update set version = excluded.version`.execute(db)
}

/** @throws StorageError where a migration has run in this database that is none of `known`, which are in order. */
export async function refuseNewerForm(db: Db, known: readonly string[], shown: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const form = rows.findLast(({ name }) => !known.includes(name))?.name
  if (form === undefined) return
  const version = await versionOf(db, form)
  const [made, needed] =
    version === undefined
      ? [`has the schema ${form}`, 'Run the version that updated it, or a newer one.']
      : [`was updated to the schema ${form} by ${nameOf(version)}`, `Run ${nameOf(version)} or a newer one.`]
  throw new StorageError(
    `The database ${shown} is newer than this program: it ${made}. This is version ${packageJson.version}, which ` +
      `supports schemas up to ${known.at(-1)}. ${needed}`,
  )
}

/**
 * The version, for a sentence about a program that made what this one does not know. Where the number is this program's own
 * it was not raised between two builds.
 */
export function nameOf(version: string): string {
  return version === packageJson.version ? `a later build of version ${version}` : `version ${version}`
}

async function versionOf(db: Db, form: string): Promise<string | undefined> {
  if (form < firstNoted) return undefined
  const { rows } = await sql<{ version: string }>`
    select version from program_versions where migration = ${form}`.execute(db)
  return rows[0]?.version
}
