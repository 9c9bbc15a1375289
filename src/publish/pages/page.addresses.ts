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
import { offsetAt } from '../../base/time/zone.ts'
import { feedUrl as listFeedUrl } from '../feeds/feed.addresses.ts'
import type { FeedFormat } from '../feeds/feed.ts'
import type { ActiveView, Page, PageCall } from './frame/page.ts'

// Links on pages are paths, so they work for every host name of the site. Addresses for machines are absolute.

const paths: Readonly<Record<ActiveView, string>> = { list: '/events/', month: '/events/month/', map: '/events/map/' }

/**
 * Returns a path of the site, or the address of a record, as a link. It adds the prefix that a proxy removes from
 * paths.
 */
export function pathOf({ addresses: { site } }: Pick<PageCall, 'addresses'>, address: string): string {
  const path = address.startsWith(`${site}/`) ? address.slice(site.length) : address
  return path.startsWith('/') ? `${new URL(site).pathname.replace(/\/$/, '')}${path}` : path
}

/** Returns a path in the language of the page, or in another one. */
export function inLanguage({ textLanguage }: Pick<PageCall, 'textLanguage'>, path: string, language?: TextLanguage) {
  return `${TEXT_LANGUAGE_PATHS[language ?? textLanguage]}${path}`
}

/** Returns the paths of a page that exists in every language of texts, by language tag. */
export function pathsByTag(pathIn: (language: TextLanguage) => string): NonNullable<Page['versions']> {
  return Object.fromEntries(TEXT_LANGUAGES.map((language) => [TEXT_LANGUAGE_CODES[language], pathIn(language)]))
}

/** Returns the paths of the same page in the other languages of texts. */
export function pathsInOthers(
  { textLanguage }: Pick<PageCall, 'textLanguage'>,
  pathIn: (language: TextLanguage) => string,
): NonNullable<Page['switchTo']> {
  return Object.fromEntries(otherTextLanguages(textLanguage).map((language) => [language, pathIn(language)]))
}

export function viewPath(call: PageCall, view: ActiveView, language?: TextLanguage): string {
  return pathOf(call, inLanguage(call, paths[view], language))
}

export function monthPath(call: PageCall, localDateTime: LocalDateTime, language?: TextLanguage): string {
  return inLanguage(call, `/events/month/${localDateTime.slice(0, 7)}/`, language)
}

export function dayPath(call: PageCall, localDateTime: LocalDateTime, language?: TextLanguage): string {
  return inLanguage(call, `/events/${dayOf(localDateTime)}/`, language)
}

const halfYearSeconds = 183 * 86_400

/**
 * Returns parameters that select the events that end today or later, as long as somebody subscribes to them. The interface
 * takes the day on which it was so many hours ago in UTC, which is yesterday here. During summer time, it is the day
 * before yesterday for one hour.
 */
export function notOver({ deps, now }: PageCall): readonly (readonly [string, string])[] {
  const offset = Math.min(...[now, now + halfYearSeconds].map((at) => offsetAt(at, deps.config.siteZone)))
  return [['ends_after', `-${24 - Math.floor(offset / 3600)} hours`]]
}

/** Returns the address, in the interface, of a feed of the events that a page shows. */
export function feedUrl(call: PageCall, format: FeedFormat, asked = query(notOver(call))): string {
  const { addresses, language, deps } = call
  // The interface refuses a language that the site has no content in.
  const own = isLanguageOf(deps.config, language) ? [[addresses.languageParameter, language] as const] : []
  const pairs = [...new URLSearchParams(asked), ...own]
  return listFeedUrl(addresses, format, pairs as [string, string][])
}

/** Returns the address of the calendar of a page. */
export function calendarUrl(call: PageCall, { calendar, feedQuery }: Pick<Page, 'calendar' | 'feedQuery'>): string {
  return calendar ?? feedUrl(call, 'ics', feedQuery)
}

/** Returns the oEmbed address of a page (oembed.com). */
export function oembedUrl({ base }: Pick<Addresses, 'base'>, address: string): string {
  return `${base}/oembed/1.0/embed?${query([['url', address]])}`
}

/** Returns a path with these parameters. Parameters without a value are left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  )
  return pairs.length === 0 ? path : `${path}?${query(pairs)}`
}
