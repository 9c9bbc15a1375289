import { sql } from 'kysely'
import type { LanguagePreference } from '../../base/languages/chain.ts'
import {
  type EventListSettings,
  findIndexed,
  type IndexedPreference,
  neededPreferences,
  PINNED_PREFERENCES,
  placePreferences,
  preferenceFromKey,
  preferenceKey,
} from '../../base/languages/preference.bits.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'

// The languages that content may have, and the preferences that events are indexed for. The database stores both from
// the settings that it was opened with.

/** Returns the preferences that events are indexed for, by place. */
async function readPreferences(db: Db): Promise<readonly IndexedPreference[]> {
  const { rows } = await sql<{ place: number; preference: string }>`
    select place, preference from list_preferences order by place`.execute(db)
  return rows.map(({ place, preference }) => ({ ...preferenceFromKey(preference), place }))
}

/**
 * Stores the languages of these settings in the database, and the preferences that lists can have with them.
 *
 * @returns whether lists can now have a preference that events are not marked for.
 */
export async function prepareForLanguages(tx: Tx, settings: EventListSettings): Promise<boolean> {
  await noteLanguages(tx, settings)
  const stored = await readPreferences(tx)
  const placed = placePreferences(stored, neededPreferences(settings))
  const added = placed.filter((preference) => !stored.includes(preference))
  if (added.length === 0) return false
  const removed = stored.filter((preference) => !placed.includes(preference)).map(preferenceKey)
  if (removed.length > 0) await sql`delete from list_preferences where preference in (${sql.join(removed)})`.execute(tx)
  const rows = added.map((preference) => sql`(${sql.lit(preference.place)}, ${preferenceKey(preference)})`)
  await sql`insert into list_preferences (place, preference) values ${sql.join(rows)}`.execute(tx)
  return true
}

/** Stores the languages of the settings and the languages of imported content. */
async function noteLanguages(tx: Tx, { languages }: EventListSettings): Promise<void> {
  const tags = languages.map((tag) => sql`(${tag})`)
  await sql`insert into content_languages (tag) values ${sql.join(tags)} on conflict (tag) do nothing`.execute(tx)
  await sql`insert into content_languages (tag) select distinct language from terms where true
    on conflict (tag) do nothing`.execute(tx)
}

/** The preferences of each open database, as of the last read. */
const preferencesOf = new WeakMap<Db, Promise<readonly IndexedPreference[]>>()

/**
 * Returns a preference with its place in the index of this database. Preferences of the contract's languages have fixed
 * places. Others are read once.
 *
 * @throws Error if events are not indexed for it.
 */
export async function indexedPreference(db: Db, preference: LanguagePreference): Promise<IndexedPreference> {
  const pinned = findIndexed(preference, PINNED_PREFERENCES)
  if (pinned) return pinned
  const known = findIndexed(preference, (await preferencesOf.get(db)) ?? [])
  if (known) return known
  const reading = readPreferences(db)
  preferencesOf.set(db, reading)
  const found = findIndexed(preference, await reading)
  if (!found) throw new Error(`The event index has no place for lists of ${preferenceKey(preference)}.`)
  return found
}
