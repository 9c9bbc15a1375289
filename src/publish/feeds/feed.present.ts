import { utcDates } from '../../base/languages/date.writers.ts'
import { capitalised } from '../../base/languages/dates.js'
import { textLanguageOf } from '../../base/languages/language.ts'
import { feedText, pageText } from '../../base/languages/texts.ts'
import { zoneAbbreviation } from '../../base/languages/zone.names.ts'
import { decodeEntities, escapeHtml, htmlToText } from '../../base/text/escape.ts'
import { secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { DirectoryEntry } from '../../calendar/directory/directory.ts'
import { presentCost } from '../../calendar/events/model/cost.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { statedCost } from '../../calendar/events/model/offers.ts'
import type { RenderedRecord } from '../../calendar/records/record.ts'
import type { Term } from '../../calendar/terms/term.ts'
import type { VenueFields } from '../../calendar/venues/venue.ts'
import { memoizePerObject } from '../../storage/database/derived.values.ts'
import type { Feed } from './feed.ts'
import { priceText } from './price.ts'

// Plain texts that all feed formats share.

export function feedHeading({ config, language }: Feed): { readonly title: string; readonly about: string } {
  const site = config.siteName
  const textLanguage = textLanguageOf(language)
  return { title: feedText(textLanguage, 'title', { site }), about: feedText(textLanguage, 'about', { site }) }
}

/** Returns the name and address of a venue in one line. */
export const venueText = memoizePerObject(({ titleHtml, fields }: DirectoryEntry<VenueFields>): string => {
  const { address, city, region, postalCode, country } = fields
  return [htmlToText(titleHtml), address, city, region, postalCode, country].filter(Boolean).join(', ')
})

/** Returns the name of a venue or an organizer as plain text. */
export const entryName = memoizePerObject(({ titleHtml }: RenderedRecord): string => htmlToText(titleHtml))

/** Returns the name of a term as plain text. */
export function termName({ name }: Term): string {
  return decodeEntities(name)
}

/** Returns plain texts as the lines of a paragraph in HTML. Returns nothing for no texts. */
export function paragraphOf(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<p>${texts.map(escapeHtml).join('<br>')}</p>`
}

export function costOf(event: LinkedEvent, { config }: Feed): string {
  return presentCost(statedCost(event, config.currencyCode), {
    symbol: config.currencySymbol,
    position: config.currencyPosition,
  }).cost
}

/**
 * Returns the lines that end the text of an event: its page, its website and its price.
 *
 * @param page The address of the page; '' if it is not shown.
 */
export function endLines(event: LinkedEvent, { config }: Feed, page: string): readonly string[] {
  const language = textLanguageOf(event.language)
  const call = { deps: { config }, textLanguage: language, say: () => pageText(language, 'free') }
  const price = priceText(call, statedCost(event, config.currencyCode))
  return [
    ...(page === '' ? [] : [feedText(language, 'page', { url: page })]),
    ...(event.website ? [feedText(language, 'website', { url: event.website })] : []),
    ...(price === '' ? [] : [feedText(language, 'price', { price })]),
  ]
}

/** Returns the time of an event in words, in its own time zone and its own language. */
export function formatEventTime({
  start,
  end,
  startUtc,
  zone,
  isAllDay,
  language,
}: Pick<LinkedEvent, 'start' | 'end' | 'startUtc' | 'zone' | 'isAllDay' | 'language'>): string {
  const textLanguage = textLanguageOf(language)
  // Local times are formatted as UTC, so that the formatter does not convert them.
  const words = capitalised(
    utcDates(textLanguage).when(secondsOfLocalDateTime(start) * 1000, secondsOfLocalDateTime(end) * 1000, isAllDay),
  )
  return isAllDay ? words : `${words} (${zoneAbbreviation(textLanguage, startUtc, zone)})`
}
