import type { Entry } from '../directory/directory.ts'
import { presentCost } from '../events/event.cost.ts'
import type { LinkedEvent } from '../events/event.ts'
import { feedText } from '../languages/feeds.texts.ts'
import { textLanguageOf } from '../languages/language.ts'
import { textOf } from '../text/escape.ts'
import { secondsOfWall } from '../time/wall.ts'
import { abbreviation } from '../time/zone.ts'
import type { VenueFields } from '../venues/venue.ts'
import type { Feed } from './feed.ts'

// What all forms of feeds say alike, in plain texts.

/** What the feed is called, and what it is. */
export function headingOf({ config, language }: Feed): { readonly title: string; readonly about: string } {
  const site = config.siteName
  const textLanguage = textLanguageOf(language)
  return { title: feedText(textLanguage, 'title', { site }), about: feedText(textLanguage, 'about', { site }) }
}

/** Name and address of a venue in one line. */
export function placeOf({ titleHtml, fields }: Entry<VenueFields>): string {
  const { address, city, stateprovince, zip, country } = fields
  return [textOf(titleHtml), address, city, stateprovince, zip, country].filter(Boolean).join(', ')
}

export function costOf(event: LinkedEvent, { config }: Feed): string {
  return presentCost(event.cost, { symbol: config.currencySymbol, position: config.currencyPosition }).cost
}

/** When an event is, in words, on its own clock and in its own language. */
export function timeInWords({ start, end, startUtc, zone, isAllDay, language }: LinkedEvent): string {
  // Clocks on the wall are shown as those of UTC, so that nothing moves them.
  const [from, to] = [start, end].map((wall) => new Date(secondsOfWall(wall) * 1000))
  const words = formatFor(language === 'en' ? 'en-CA' : language, isAllDay).formatRange(from as Date, to as Date)
  return isAllDay ? words : `${words} (${abbreviation(startUtc, zone)})`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(locale: string, isAllDay: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isAllDay}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    ...(isAllDay ? {} : { timeStyle: 'short' }),
    timeZone: 'UTC',
  })
  formats.set(key, format)
  return format
}
