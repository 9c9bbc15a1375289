import { LRUCache } from 'lru-cache'
import { abbreviation, isFixedZone, type Zone } from '../time/zone.ts'
import { catalogueOf, type TextLanguage } from './language.ts'

// Names of zones for people. In the interface, `timezone_abbr` follows the rules of the contract instead.

/** Zone names come from outside: this bounds the memory that they use. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

type NameForm = { readonly locale: string; readonly timeZoneName: 'short' | 'longGeneric' }

function nameOf({ id }: Zone, { locale, timeZoneName }: NameForm, seconds: number): string {
  const key = `${locale} ${timeZoneName} ${id}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: id, timeZoneName })
  formats.set(key, known)
  const name = known.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replaceAll('\u202f', '\u00a0')
}

/** Returns the abbreviation of a zone at `seconds` since 1970: `EST`, in French `HNE`, or `UTC+1` if it has none. */
export function zoneAbbreviation(language: TextLanguage, seconds: number, zone: Zone): string {
  const { zoneLetters, dates } = catalogueOf(language)
  if (zoneLetters === 'database' || zone.isManual) return abbreviation(seconds, zone)
  return nameOf(zone, { locale: dates.locale, timeZoneName: 'short' }, seconds)
}

/** Returns the name of a zone for all seasons: “Eastern Time”, “heure de l’Est”. An offset has no such name. */
export function zoneName(language: TextLanguage, seconds: number, zone: Zone): string | undefined {
  if (isFixedZone(zone)) return undefined
  const name = nameOf(zone, { locale: catalogueOf(language).dates.locale, timeZoneName: 'longGeneric' }, seconds)
  return /^(?:GMT|UTC)/.test(name) ? undefined : name
}
