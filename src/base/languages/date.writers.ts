import { LRUCache } from 'lru-cache'
import { createDateWriter, type DateRules, type DateWriter, type RememberedText } from './dates.js'
import { catalogueOf, TEXT_LANGUAGES, type TextLanguage } from './language.ts'

const dayMs = 86_400_000
const maxRemembered = 2000

/**
 * Remembers texts of UTC. Events often begin at the same hours and on the same days, and `Intl` takes several microseconds for
 * each text: without this, a sixth of a news feed.
 */
function rememberUtc(): RememberedText {
  const known = new LRUCache<string, string>({ max: maxRemembered })
  const keyOf = (style: Parameters<RememberedText>[0], at: number) => {
    if (style === 'time' || style === 'hours') return ((at % dayMs) + dayMs) % dayMs
    return style === 'shortMoment' ? at : Math.floor(at / dayMs)
  }
  return (style, times, write) => {
    // A range of hours shows the days if they differ.
    const isOneDay = times.every((at) => Math.floor(at / dayMs) === Math.floor((times[0] ?? at) / dayMs))
    if (!isOneDay) return write()
    const key = `${style} ${times.map((at) => keyOf(style, at)).join(' ')}`
    const text = known.get(key) ?? write()
    known.set(key, text)
    return text
  }
}

const utcWriter = (language: TextLanguage) => createDateWriter(catalogueOf(language).dates, 'UTC', rememberUtc())
const writers = new Map<TextLanguage, DateWriter>(TEXT_LANGUAGES.map((language) => [language, utcWriter(language)]))

/**
 * Returns the date writer of a language. Local times are written as if they were in UTC, so that no zone shifts them.
 */
export function utcDates(language: TextLanguage): DateWriter {
  return writers.get(language) ?? utcWriter(language)
}

const zoned = new Map<string, DateWriter>()

/** Returns the date writer of a language, for instants in a time zone of the site. */
export function zonedDates(language: TextLanguage, zone: string): DateWriter {
  const name = `${language} ${zone}`
  const writer = zoned.get(name) ?? createDateWriter(catalogueOf(language).dates, zone)
  zoned.set(name, writer)
  return writer
}

/** Returns the date rules of every language for browser scripts, by the `lang` of a page. */
export function dateRulesByTag(): Readonly<Record<string, DateRules>> {
  return Object.fromEntries(TEXT_LANGUAGES.map(catalogueOf).map(({ tag, dates }) => [tag, dates]))
}
