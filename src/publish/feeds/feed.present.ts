import { writerOf } from '../../base/languages/dates.js'
import { feedText } from '../../base/languages/feeds.texts.ts'
import { textLanguageOf } from '../../base/languages/language.ts'
import { zoneLetters } from '../../base/languages/zone.names.ts'
import { textOf } from '../../base/text/escape.ts'
import { secondsOfWall } from '../../base/time/wall.ts'
import type { Entry } from '../../calendar/directory/directory.ts'
import { presentCost } from '../../calendar/events/event.cost.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
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

const writers = { en: writerOf('en', 'UTC'), fr: writerOf('fr', 'UTC') }

/** When an event is, in words, on its own clock and in its own language. */
export function timeInWords({ start, end, startUtc, zone, isAllDay, language }: LinkedEvent): string {
  const textLanguage = textLanguageOf(language)
  // Clocks on the wall are shown as those of UTC, so that nothing moves them.
  const words = writers[textLanguage].when(secondsOfWall(start) * 1000, secondsOfWall(end) * 1000, isAllDay)
  return isAllDay ? words : `${words} (${zoneLetters(textLanguage, startUtc, zone)})`
}
