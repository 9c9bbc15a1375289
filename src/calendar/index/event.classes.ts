import { chooseVersion, type LanguagePreference } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { type IndexedPreference, preferenceBit } from '../../base/languages/preference.bits.ts'

/**
 * A class of events: those with the same status, language and translations, and the same of what else decides whether a
 * list shows them. There are few classes, however many events there are, so a list decides for classes instead of
 * events.
 */
export interface EventClass {
  /** The versions of the event that lists may show, and the event itself: the original first, then by id. */
  readonly versions: readonly ClassVersion[]
  /** The place of the event among them. */
  readonly self: number
  readonly isHidden: boolean
  readonly isProtected: boolean
  /** Whether the event lasts longer than `longestShortSeconds`. */
  readonly isLong: boolean
  /** The number of its venues; 2 for more. */
  readonly venues: number
  /** Whether the event is a date of a series. */
  readonly isOfSeries: boolean
}

export interface ClassVersion {
  readonly status: string
  readonly language: Language
}

/** Returns the name of a class, which has all of its values: `v/0/publish en,draft fr-CA`. */
export function classKey({ versions, self, isHidden, isProtected, isLong, venues, isOfSeries }: EventClass): string {
  const flags = [isHidden && 'h', isProtected && 'p', isLong && 'l', ['', 'v', 'w'][venues], isOfSeries && 's']
    .filter(Boolean)
    .join('')
  return `${flags}/${self}/${versions.map(({ status, language }) => `${status} ${language}`).join(',')}`
}

/** Returns the class with this name. */
export function classFromKey(key: string): EventClass {
  const [flags = '', self = '', versions = ''] = key.split('/')
  return {
    versions: versions.split(',').map((version) => {
      const [status = '', language = ''] = version.split(' ')
      return { status, language: language as Language }
    }),
    self: Number(self),
    isHidden: flags.includes('h'),
    isProtected: flags.includes('p'),
    isLong: flags.includes('l'),
    venues: flags.includes('w') ? 2 : flags.includes('v') ? 1 : 0,
    isOfSeries: flags.includes('s'),
  }
}

export function ownVersion({ versions, self }: Pick<EventClass, 'versions' | 'self'>): ClassVersion {
  const own = versions[self]
  if (!own) throw new Error('A class of events has no version of its own.')
  return own
}

/** Whether a list with this preference shows events of the class, if only versions with some statuses compete. */
export function isShownIn(
  shown: EventClass,
  preference: LanguagePreference,
  mayCompete: (status: string) => boolean,
): boolean {
  if (shown.isHidden || !mayCompete(ownVersion(shown).status)) return false
  const candidates = shown.versions.flatMap(({ status, language }, place) =>
    mayCompete(status) ? [{ id: place + 1, groupId: 1, language }] : [],
  )
  return chooseVersion(candidates, preference)?.id === shown.self + 1
}

/** The lists that show events of a class, as one bit per preference. */
export interface ShownBits {
  /** Lists of the status of the events only. */
  readonly shownTo: number
  /** Lists of all statuses except the trash. */
  readonly shownAmongAll: number
}

export function shownBits(shown: EventClass, preferences: readonly IndexedPreference[]): ShownBits {
  const own = ownVersion(shown).status
  const bitsOf = (mayCompete: (status: string) => boolean) =>
    preferences.reduce(
      (bits, preference) => (isShownIn(shown, preference, mayCompete) ? bits | preferenceBit(preference) : bits),
      0,
    )
  return { shownTo: bitsOf((status) => status === own), shownAmongAll: bitsOf((status) => status !== 'trash') }
}
