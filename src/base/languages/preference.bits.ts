import assert from 'node:assert/strict'
import {
  chooseVersion,
  type Fallback,
  type LanguagePreference,
  type ListSettings,
  listPreference,
  type TranslationVersion,
} from './chain.ts'
import type { Language } from './language.ts'

// The index of events stores, for each event, to which lists it is shown: a bit for each preference that lists may have.
// A bit that is stored once keeps its meaning: those of the contract’s languages stand here, those of other languages are
// given a place when the settings first need them, and the database remembers it.

/** A preference that has a place in the index of events. */
export interface IndexedPreference extends LanguagePreference {
  /** Which bit it is: 0 for the lowest. */
  readonly place: number
}

/** How many bits the column has: 32, less the sign. */
const placeCount = 31

/** Most languages of content that a site may have. */
export const maxLanguages = 12

/** The preferences of lists in the languages of the contract, by place. Stored: none may ever move. */
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

/** What every database knows without being told. */
export const PINNED_PREFERENCES: readonly IndexedPreference[] = pinned.map((preference, place) => ({
  ...preference,
  place,
}))

// One for each language of the settings, and one for lists for which no language is asked.
assert.ok(
  pinned.length + maxLanguages + 1 <= placeCount,
  'The index of events has too few bits for the preferences of lists.',
)

/** A preference as the database names it: `en,en-CA`, with `only` behind it where nothing else is shown. */
export function preferenceKey({ order, isStrict }: LanguagePreference): string {
  return `${order.join(',')}${isStrict ? ' only' : ''}`
}

/** The preference of this name. */
export function preferenceFromKey(key: string): LanguagePreference {
  const [order = '', strict] = key.split(' ')
  return { order: order.split(','), isStrict: strict === 'only' }
}

/** The settings that say which lists of events there are. */
export interface EventListSettings extends ListSettings {
  readonly eventsFallback: Fallback
}

/** Every preference that a list of events may have with these settings. */
export function neededPreferences(settings: EventListSettings): readonly LanguagePreference[] {
  const asked: readonly (Language | undefined)[] = [undefined, ...settings.languages]
  const preferences = asked.map((language) => listPreference(language, settings, settings.eventsFallback))
  return [...new Map(preferences.map((preference) => [preferenceKey(preference), preference])).values()]
}

/**
 * The preferences of a database and their places, with what the settings need in addition. Who has a place keeps it. Only
 * where no place is left do those that nobody needs any more give theirs up.
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

/** A preference with its place among these; undefined where it has none. */
export function findIndexed(
  preference: LanguagePreference,
  known: readonly IndexedPreference[],
): IndexedPreference | undefined {
  const key = preferenceKey(preference)
  return known.find((one) => preferenceKey(one) === key)
}

/**
 * To which lists a version is shown, one bit for each preference.
 *
 * @param versions Those of its group that may be shown, itself included.
 */
export function preferenceBits(
  version: TranslationVersion,
  versions: readonly TranslationVersion[],
  preferences: readonly IndexedPreference[],
): number {
  return preferences.reduce(
    (bits, preference) =>
      chooseVersion(versions, preference)?.id === version.id ? bits | (1 << preference.place) : bits,
    0,
  )
}

/** The bit of a preference in what `preferenceBits` gives. */
export function preferenceBit({ place }: IndexedPreference): number {
  return 1 << place
}
