import type { StateConfig, TitlePlace } from '../../base/config/states.ts'
import type { StateKey } from '../../base/languages/en/states.ts'
import { TEXT_LANGUAGES, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import { stateText } from '../../base/languages/states.texts.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import type { EventStatus } from './event.state.ts'
import type { RenderedEvent } from './event.ts'

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
  { statusInTitles }: Pick<StateConfig, 'statusInTitles'>,
  place: TitlePlace,
): string {
  const state = told[eventStatus]
  if (state === undefined || !statusInTitles.includes(place)) return titleHtml
  const texts = textLanguageOf(language)
  return stateText(texts, 'title', { state: escapeHtml(stateText(texts, state)), title: titleHtml })
}

/** Returns a sent title without what `titleWithStatus` adds for one of these statuses, in any language. */
export function titleWithoutStatus(title: string, statuses: readonly EventStatus[]): string {
  for (const status of statuses) {
    const state = told[status]
    if (state === undefined) continue
    for (const language of TEXT_LANGUAGES) {
      const added = addedBy(language, state)
      const start = title.trimStart()
      // A program may have replaced a no-break space.
      if (!withPlainSpaces(start).startsWith(withPlainSpaces(added))) continue
      const rest = start.slice(added.length).trimStart()
      if (rest !== '') return rest
    }
  }
  return title
}

/** Returns what `titleWithStatus` adds to titles in this place, by status, in every language, as plain text. */
export function addedToTitles(
  { statusInTitles }: Pick<StateConfig, 'statusInTitles'>,
  place: TitlePlace,
): Readonly<Partial<Record<EventStatus, readonly string[]>>> {
  if (!statusInTitles.includes(place)) return {}
  return Object.fromEntries(
    Object.entries(told).map(([status, state]) => [
      status,
      TEXT_LANGUAGES.map((language) => withPlainSpaces(addedBy(language, state))),
    ]),
  )
}

function addedBy(language: TextLanguage, state: StateKey): string {
  return stateText(language, 'title', { state: stateText(language, state), title: '' })
}

function withPlainSpaces(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}
