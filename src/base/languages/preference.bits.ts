import assert from 'node:assert/strict'
import {
  chooseTranslation,
  type Fallback,
  type LanguagePreference,
  type ListSettings,
  listPreference,
  type Translation,
} from './chain.ts'
import type { Language } from './language.ts'

// For each event, the event index stores in which lists it is shown: one bit per possible preference of a list. The
// meaning of a stored bit never changes. The bits for the languages of the contract are defined here. A bit for another
// language is assigned when the settings first need it, and the database stores the assignment.

/** A preference that has a bit in the event index. */
export interface IndexedPreference extends LanguagePreference {
  /** The number of its bit: 0 for the lowest. */
  readonly place: number
}

/** The number of bits in the column: 32, less the sign. */
const placeCount = 31

/** The maximum number of content languages of a site. */
export const maxLanguages = 12

/** The preferences of lists in the languages of the contract, by bit number. They are stored: none may ever move. */
const pinned: readonly LanguagePreference[] = [
  { order: ['en', 'en-CA'], isStrict: false },
  { order: ['en', 'en-CA', 'fr-CA'], isStrict: false },
  { order: ['en-CA', 'en'], isStrict: false },
  { order: ['en-CA', 'en', 'fr-CA'], isStrict: false },
  { order: ['fr-CA', 'en', 'en-CA'], isStrict: false },
  { order: ['fr-CA', 'en-CA', 'en'], isStrict: false },
  { order: ['fr-CA'], isStrict: false },
  { order: ['en'], isStrict: true },
  { order: ['en', 'en-CA'], isStrict: true },
  { order: ['en-CA'], isStrict: true },
  { order: ['en-CA', 'en'], isStrict: true },
  { order: ['fr-CA'], isStrict: true },
]

/** The preferences that every database has without stored assignments. */
export const PINNED_PREFERENCES: readonly IndexedPreference[] = pinned.map((preference, place) => ({
  ...preference,
  place,
}))

// One for each language of the settings, and one for lists requested without a language.
assert.ok(
  pinned.length + maxLanguages + 1 <= placeCount,
  'The index of events has too few bits for the preferences of lists.',
)

/** Returns the name of a preference in the database: `en,en-CA`, with `only` appended if it is strict. */
export function preferenceKey({ order, isStrict }: LanguagePreference): string {
  return `${order.join(',')}${isStrict ? ' only' : ''}`
}

export function preferenceFromKey(key: string): LanguagePreference {
  const [order = '', strict] = key.split(' ')
  return { order: order.split(','), isStrict: strict === 'only' }
}

/** The settings that determine the possible lists of events. */
export interface EventListSettings extends ListSettings {
  readonly eventsFallback: Fallback
}

export function neededPreferences(settings: EventListSettings): readonly LanguagePreference[] {
  const asked: readonly (Language | undefined)[] = [undefined, ...settings.languages]
  const preferences = asked.map((language) => listPreference(language, settings, settings.eventsFallback))
  return [...new Map(preferences.map((preference) => [preferenceKey(preference), preference])).values()]
}

/**
 * Returns the preferences of a database with their bits, plus those that the settings need. A preference keeps its bit.
 * Only if no bit is free do preferences that are no longer needed lose theirs.
 */
export function placePreferences(
  stored: readonly IndexedPreference[],
  needed: readonly LanguagePreference[],
): readonly IndexedPreference[] {
  const keys = new Set(stored.map(preferenceKey))
  const missing = needed.filter((preference) => !keys.has(preferenceKey(preference)))
  const kept = stored.length + missing.length <= placeCount ? stored : stored.filter(isStillNeeded)
  const taken = new Set(kept.map(({ place }) => place))
  const free = Array.from({ length: placeCount }, (_, place) => place).filter((place) => !taken.has(place))
  const added = missing.map((preference, index) => {
    const place = free[index]
    assert.ok(place !== undefined)
    return { ...preference, place }
  })
  return [...kept, ...added]

  function isStillNeeded(preference: IndexedPreference): boolean {
    const key = preferenceKey(preference)
    return [...pinned, ...needed].some((other) => preferenceKey(other) === key)
  }
}

/** Returns a preference with its bit; undefined if it has none. */
export function findIndexed(
  preference: LanguagePreference,
  known: readonly IndexedPreference[],
): IndexedPreference | undefined {
  const key = preferenceKey(preference)
  return known.find((one) => preferenceKey(one) === key)
}

/**
 * Returns the lists in which a version is shown, as one bit per preference.
 *
 * @param versions The versions of its group that may be shown, including this one.
 */
export function preferenceBits(
  version: Translation,
  versions: readonly Translation[],
  preferences: readonly IndexedPreference[],
): number {
  return preferences.reduce(
    (bits, preference) =>
      chooseTranslation(versions, preference)?.id === version.id ? bits | (1 << preference.place) : bits,
    0,
  )
}

/** Returns the bit of a preference in the result of `preferenceBits`. */
export function preferenceBit({ place }: IndexedPreference): number {
  return 1 << place
}
