import type { Config } from '../../../base/config/config.ts'
import type { TitlePlace } from '../../../base/config/pages.ts'
import type { StateKey } from '../../../base/languages/catalogue.ts'
import { TEXT_LANGUAGES, type TextLanguage, textLanguageOf } from '../../../base/languages/language.ts'
import { stateText } from '../../../base/languages/texts.ts'
import { escapeHtml } from '../../../base/text/escape.ts'
import { normalize } from '../../../base/text/normalize.ts'
import type { RenderedEvent } from './event.ts'
import type { EventStatus } from './state.ts'

// The status of an event in its title, for programs and readers that know no other sign of it.

/** The statuses that a title tells. A rescheduled event has the right dates. */
const told: Readonly<Partial<Record<EventStatus, StateKey>>> = {
  canceled: 'canceled',
  postponed: 'postponed',
  moved_online: 'moved_online',
}

/** Returns the title of an event as HTML, with its status in the language of the record if titles show it here. */
export function titleWithStatus(
  { titleHtml, eventStatus, language }: Pick<RenderedEvent, 'titleHtml' | 'eventStatus' | 'language'>,
  { statusInTitles }: Pick<Config, 'statusInTitles'>,
  place: TitlePlace,
): string {
  const state = told[eventStatus]
  if (state === undefined || !statusInTitles.includes(place)) return titleHtml
  const texts = textLanguageOf(language)
  return stateText(texts, 'title', { state: escapeHtml(stateText(texts, state)), title: titleHtml })
}

export interface ReadTitle {
  /** The statuses that a sent title may tell. None if no title tells any. */
  readonly statuses: readonly EventStatus[]
  /** The stored title. Undefined for a new event. */
  readonly stored?: string
}

/** Returns the statuses that a sent title may tell: those of the event before and after a write. */
export function toldStatuses({ statusInTitles }: Pick<Config, 'statusInTitles'>, statuses: readonly EventStatus[]) {
  return statusInTitles.length === 0 ? [] : statuses
}

/**
 * Returns a sent title without what `titleWithStatus` adds for one of these statuses, in any language. A title that
 * itself begins like that stays: of a stored title, no more is removed than was added.
 */
export function titleWithoutStatus(title: string, { statuses, stored = '' }: ReadTitle): string {
  const added = statuses.flatMap((status) => {
    const state = told[status]
    return state === undefined ? [] : TEXT_LANGUAGES.map((language) => comparable(addedBy(language, state)))
  })
  if (added.length === 0) return title
  const sent = prefixesOf(title, added)
  return sent.count > prefixesOf(stored, added).count ? sent.bare : title
}

/**
 * Returns how many prefixes a title begins with, and the title without the first of them. A title is not only prefixes:
 * the last one before its end belongs to it. Takes time in proportion to the title.
 */
function prefixesOf(title: string, added: readonly string[]): { readonly count: number; readonly bare: string } {
  // A program may have replaced spaces, but by one for each, so places in both texts are the same.
  const [text, compared] = [normalize(title, 'NFC'), comparable(title)]
  let [count, bare] = [0, title]
  let at = afterBlanks(compared, 0)
  for (;;) {
    const found = added.find((prefix) => compared.startsWith(prefix, at))
    if (found === undefined) return { count, bare }
    at = afterBlanks(compared, at + found.length)
    if (at === compared.length) return { count, bare }
    if (count === 0) bare = text.slice(at)
    count += 1
  }
}

function afterBlanks(text: string, from: number): number {
  const blanks = /\s*/y
  blanks.lastIndex = from
  blanks.test(text)
  return blanks.lastIndex
}

/** Returns what `titleWithStatus` adds to titles in this place, by status, in every language, as plain text. */
export function addedToTitles(
  { statusInTitles }: Pick<Config, 'statusInTitles'>,
  place: TitlePlace,
): Readonly<Partial<Record<EventStatus, readonly string[]>>> {
  if (!statusInTitles.includes(place)) return {}
  return Object.fromEntries(
    Object.entries(told).map(([status, state]) => [
      status,
      TEXT_LANGUAGES.map((language) => comparable(addedBy(language, state))),
    ]),
  )
}

function addedBy(language: TextLanguage, state: StateKey): string {
  return stateText(language, 'title', { state: stateText(language, state), title: '' })
}

/** Programs replace no-break spaces, and write accents as characters of their own. */
function comparable(text: string): string {
  return normalize(text, 'NFC').replace(/\p{Zs}/gu, ' ')
}
