import { type Addresses, query } from '../../access/http/addresses.ts'
import {
  isLanguageOf,
  otherTextLanguages,
  TEXT_LANGUAGE_CODES,
  TEXT_LANGUAGE_PATHS,
  TEXT_LANGUAGES,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { dayOf, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { feedUrl as listFeedUrl } from '../feeds/feed.addresses.ts'
import type { FeedFormat } from '../feeds/feed.ts'
import type { ActiveView, Page, PageCall } from './page.ts'

// Links on pages are paths: they hold whatever host a visitor came by. What machines are told is absolute.

const paths: Readonly<Record<ActiveView, string>> = { list: '/events/', month: '/events/month/', map: '/events/map/' }

/** A path of the site, or an address of a record, as a link; what a proxy takes off every path stands before it. */
export function pathOf({ addresses: { site } }: Pick<PageCall, 'addresses'>, address: string): string {
  const path = address.startsWith(`${site}/`) ? address.slice(site.length) : address
  return path.startsWith('/') ? `${new URL(site).pathname.replace(/\/$/, '')}${path}` : path
}

/** A path in the language of the page, or another one. */
export function inLanguage({ textLanguage }: Pick<PageCall, 'textLanguage'>, path: string, language?: TextLanguage) {
  return `${TEXT_LANGUAGE_PATHS[language ?? textLanguage]}${path}`
}

/** The paths of a page that is there in every language of texts, by the tags of these. */
export function pathsByTag(pathIn: (language: TextLanguage) => string): NonNullable<Page['versions']> {
  return Object.fromEntries(TEXT_LANGUAGES.map((language) => [TEXT_LANGUAGE_CODES[language], pathIn(language)]))
}

/** The paths of the same page in the other languages of texts. */
export function pathsInOthers(
  { textLanguage }: Pick<PageCall, 'textLanguage'>,
  pathIn: (language: TextLanguage) => string,
): NonNullable<Page['switchTo']> {
  return Object.fromEntries(otherTextLanguages(textLanguage).map((language) => [language, pathIn(language)]))
}

export function viewPath(call: PageCall, view: ActiveView, language?: TextLanguage): string {
  return pathOf(call, inLanguage(call, paths[view], language))
}

/** The page of the month in which a clock shows this. */
export function monthPath(call: PageCall, localDateTime: LocalDateTime, language?: TextLanguage): string {
  return inLanguage(call, `/events/month/${localDateTime.slice(0, 7)}/`, language)
}

export function dayPath(call: PageCall, localDateTime: LocalDateTime, language?: TextLanguage): string {
  return inLanguage(call, `/events/${dayOf(localDateTime)}/`, language)
}

/** A feed of the events that a page shows, below the interface. */
export function feedUrl(call: PageCall, format: FeedFormat, asked = ''): string {
  const { addresses, language, deps } = call
  // A site that has nothing in the language of the page would refuse it.
  const own = isLanguageOf(deps.config, language) ? [[addresses.languageParameter, language] as const] : []
  const pairs = [...new URLSearchParams(asked), ...own]
  return listFeedUrl(addresses, format, pairs as [string, string][])
}

/** The calendar of what a page shows. */
export function calendarUrl(call: PageCall, { calendar, feedQuery }: Pick<Page, 'calendar' | 'feedQuery'>): string {
  return calendar ?? feedUrl(call, 'ics', feedQuery)
}

/** Where a page is told as something to be embedded (oembed.com). */
export function oembedUrl({ base }: Pick<Addresses, 'base'>, address: string): string {
  return `${base}/oembed/1.0/embed?${query([['url', address]])}`
}

/** A path with these parameters; those without a value are left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  )
  return pairs.length === 0 ? path : `${path}?${query(pairs)}`
}
