import {
  contentLanguageOf,
  DEFAULT_TEXT_LANGUAGE,
  TEXT_LANGUAGE_CODES,
  type TextLanguage,
} from '../../base/languages/language.ts'
import type { EventRow, EventRows, List } from '../api/answers.ts'
import type { OwnCall } from '../shell/desk.call.ts'

/** An event of the list of editors. The rule of its series is in words, in the language of the page. */
export type RowJson = Omit<EventRow, 'series'> & { readonly series?: RowSeries | undefined }
export type RowSeries = NonNullable<EventRow['series']> & { readonly text: string }
export type RowsJson = List<'events', RowJson> & { readonly is_partial: boolean }

export type RowQuery = Readonly<Record<string, string | number | undefined>>

const nothing: RowsJson = { events: [], total: 0, total_pages: 0, is_partial: false }

/**
 * Reads a page of the list of editors. Without a language, it has the events of all languages. Places, people and
 * categories have their names in the language of the page.
 */
export async function readRows({ api, config, textLanguage }: OwnCall, rows: RowQuery): Promise<RowsJson> {
  const query = { ...rows, names_language: contentLanguageOf(config, textLanguage) }
  const { status, body } = await api.service<EventRows>({ path: '/events', query, textLanguage: DEFAULT_TEXT_LANGUAGE })
  return status === 200 ? { ...body, events: body.events.map((row) => withText(row, textLanguage)) } : nothing
}

/** Returns an event with the rule of its series in the language of the page. */
function withText(row: EventRow, language: TextLanguage): RowJson {
  const { series } = row
  return { ...row, series: series && { ...series, text: series.texts[TEXT_LANGUAGE_CODES[language]] ?? '' } }
}

/** Counts the events of the same list by state. */
export async function readCounts({ api }: OwnCall, query: RowQuery): Promise<Readonly<Record<string, number>>> {
  const { status, body } = await api.service<Readonly<Record<string, number>>>({
    ...{ path: '/events/counts', query, textLanguage: DEFAULT_TEXT_LANGUAGE },
  })
  return status === 200 ? body : {}
}

/** Returns an event in a language, if it exists in it. Its other versions are then its translations. */
export function rowIn(row: RowJson, language: string): RowJson {
  const version = row.language === language ? undefined : row.translations.find((one) => one.language === language)
  if (version === undefined) return row
  const { id, title, status, author, version: count } = row
  const original = { id, language: row.language, title, status, author, version: count }
  return { ...row, ...version, translations: [original, ...row.translations.filter((one) => one !== version)] }
}

/** Returns the languages of the site in which an event exists. */
export function languagesOf({ config }: OwnCall, row: RowJson): readonly string[] {
  return config.languages.filter(
    (one) => one === row.language || row.translations.some(({ language }) => language === one),
  )
}
