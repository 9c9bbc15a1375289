import { languageParameterNames } from '../../access/http/addresses.ts'
import type { Config } from '../../base/config/config.ts'
import { contentLanguageOf, DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { EVENT_CHECKS } from '../../calendar/events/list/rows.arguments.ts'
import { type RecordStatus, STATUSES } from '../../calendar/records/record.ts'
import { type OwnCall, withParameters } from '../shell/desk.call.ts'
import type { RowQuery } from './event.rows.ts'
import { dayFromNow, everyDay } from './table.days.ts'

// The address of the table says what it shows, so it can be kept as a bookmark.

export const tabs: readonly (RecordStatus | 'any')[] = ['any', ...STATUSES]
type Tab = (typeof tabs)[number]

const SORTS = ['start', 'title', 'status', 'modified'] as const
export type Sort = (typeof SORTS)[number]
export const longestWords = 100

/** What a table shows. */
export interface TableFilters {
  readonly status: Tab
  readonly q?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly category?: string | undefined
  readonly venue?: string | undefined
  readonly lang?: string | undefined
  readonly without?: string | undefined
  readonly check?: string | undefined
  /** The dates of one series only. */
  readonly series?: string | undefined
  /** Whether each date of a series has a row of its own. */
  readonly each?: '1' | undefined
  readonly sort?: Sort | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const idPattern = /^\d{1,15}$/

/** Returns the filters in an address. Values that are invalid count as absent. Without dates, the list begins today. */
export function filtersIn(call: OwnCall, query: URLSearchParams): TableFilters {
  const { config, textLanguage } = call
  const sent = (name: string) => query.get(name)?.trim() ?? ''
  const only = (name: string, pattern: RegExp) => (pattern.test(sent(name)) ? sent(name) : undefined)
  const among = <W extends string>(words: readonly W[], word: string) => words.find((one) => one === word)
  // Words are sought in one language. On the pages of another language than the first, it is theirs.
  const isOfPage = !query.has('lang') && sent('q') !== '' && textLanguage !== DEFAULT_TEXT_LANGUAGE
  const language = isOfPage ? contentLanguageOf(config, textLanguage) : sent('lang')
  const isOfAnyTime = sent('status') === 'trash'
  return {
    status: among(tabs, sent('status')) ?? 'any',
    q: sent('q').slice(0, longestWords) || undefined,
    from: query.has('from') || isOfAnyTime ? only('from', dayPattern) : dayFromNow(call),
    to: only('to', dayPattern),
    category: only('category', idPattern),
    venue: only('venue', idPattern),
    lang: among(config.languages, language),
    without: among(config.languages, sent('without')),
    check: among(EVENT_CHECKS, sent('check')),
    series: only('series', idPattern),
    each: among(['1'] as const, sent('each')),
    sort: among(SORTS, sent('sort')),
    order: among(['asc', 'desc'] as const, sent('order')),
  }
}

/** Returns the parameters of the list of the interface, without those of its page and its state. */
export function listQuery(config: Config, filters: TableFilters): RowQuery {
  const { q, from, to, category, venue, lang, without, series } = filters
  return {
    search: q,
    start_date: from === undefined ? everyDay.start_date : `${from} 00:00:00`,
    end_date: to === undefined ? everyDay.end_date : `${to} 23:59:59`,
    categories: category,
    venue,
    without_language: without,
    series,
    [languageParameterNames(config).language]: lang,
  }
}

/** Returns what the list has besides: what its counts do not depend on. */
export function pageQuery(filters: TableFilters): RowQuery {
  const { status, check, sort, order } = filters
  return { status, check, orderby: sort, order, occurrences: isFolded(filters) ? 'next' : 'each' }
}

/** Whether a series is one row, that of its next date. */
export function isFolded({ series, each }: TableFilters): boolean {
  return series === undefined && each === undefined
}

/** Returns the address of the table with these filters. An empty first day means: from the beginning. */
export function tableAddress({ status, from = '', ...others }: TableFilters, page?: number): string {
  return withParameters('/admin/events/', { status: status === 'any' ? undefined : status, from, ...others, page })
}
