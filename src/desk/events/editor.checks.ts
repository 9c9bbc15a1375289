import { catalogueOf, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { fold } from '../../base/text/fold.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { epochSecondsOf, parseZone } from '../../base/time/zone.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { inLanguage } from './desk.field.ts'
import { addDays, sentMoment, timesOfForm } from './editor.dates.ts'
import { proseNames } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'
import { venueOf, whichText } from './editor.named.ts'
import { isOvernight } from './editor.times.ts'
import { faultsIn, momentPattern } from './editor.values.ts'
import { type EventListJson, titleOf } from './event.json.ts'
import { languageName } from './language.names.ts'

/** Something that an editor should look at, and the field in which it can be changed. */
export interface Check {
  readonly field: string
  readonly text: string
}

/** Events of more days than this have every weekday. */
const weekDays = 7
const maxOthers = 5

/**
 * Returns what an editor would correct before the event is public; nothing for a form in which nothing is written yet. The
 * event can be saved without these corrections.
 */
export async function checksOf(call: OwnCall, state: EditorState): Promise<readonly Check[]> {
  const { say } = call
  const { values, versions } = state
  if (versions.every(({ language }) => values[inLanguage('title', language)] === '')) return []
  const named = (language: string) => ({ language: languageName(call, language) })
  const missing = versions
    .filter(({ language }) => values[inLanguage('title', language)] === '')
    .map(({ language }) => ({
      field: inLanguage('title', language),
      text: say('editor.check.language', named(language)),
    }))
  const written = versions.filter(({ language }) => values[inLanguage('title', language)] !== '')
  const hasNoAlternative = values.image !== '' && values.decorative !== '1'
  return [
    ...(values.start === '' ? [{ field: 'start', text: say('editor.check.start') }] : []),
    ...wrongTimes(call, state),
    ...missing,
    ...(values.venue === '' && values.attendance !== 'online'
      ? [{ field: 'venue', text: say('editor.check.venue') }]
      : []),
    ...(values.image === '' ? [{ field: 'picture', text: say('editor.check.image') }] : []),
    ...written
      .filter(({ language }) => hasNoAlternative && values[inLanguage('alt', language)] === '')
      .map(({ language }) => ({ field: inLanguage('alt', language), text: say('editor.check.alt', named(language)) })),
    ...written.flatMap(({ language }) => wrongWeekdays(call, state, language)),
    ...(await sameRoom(call, state)),
  ]
}

/** Returns what was understood of the times of the form, and how long the event lasts; '' if they are not complete. */
export function echoOf({ textLanguage, config }: OwnCall, { values }: EditorState): string {
  const times = timesOfForm(values)
  if (!times) return ''
  const isAllDay = values.all_day === '1'
  const zone = parseZone(values.timezone ?? '') ?? config.siteZone
  const seconds = epochSecondsOf(times.end_date, zone) - epochSecondsOf(times.start_date, zone)
  const [hours, days] = [Math.floor(seconds / 3600), Math.round(seconds / 86_400)]
  const length = isAllDay ? { days: days > 1 ? days : 0 } : { hours, minutes: Math.floor((seconds % 3600) / 60) }
  const { locale } = catalogueOf(textLanguage).dates
  const text = new Intl.DurationFormat(locale, { style: 'short' }).format(length)
  return [whenText(textLanguage, { ...times, all_day: isAllDay }), ...(text ? [text] : [])].join(' · ')
}

/** Returns the times that cannot be read or are seldom meant. Times that are missing are not wrong yet. */
function wrongTimes(call: OwnCall, state: EditorState): readonly Check[] {
  const faults = faultsIn(call, state)
  const { start = '', end = '' } = state.values
  const wrong = (['start', 'end', 'date'] as const).flatMap((field) => {
    const text = faults[field]
    return text === undefined || state.values[field] === '' ? [] : [{ field, text }]
  })
  return isOvernight(start, end) ? [...wrong, { field: 'end', text: call.say('editor.check.overnight') }] : wrong
}

/** Returns the weekdays that a text names though the event is on others. */
function wrongWeekdays({ say, textLanguage }: OwnCall, { values }: EditorState, language: string): readonly Check[] {
  const { start = '', end = '' } = values
  const [first, last] = [start.slice(0, 10), end.slice(0, 10)]
  if (!/^\d{4}-\d\d-\d\d$/.test(first) || !(last >= first) || last >= addDays(first, weekDays - 1)) return []
  const days = Array.from({ length: weekDays }, (_, place) => addDays(first, place))
  const names = days.map((day) => weekdayName(textLanguageOf(language), day))
  const others = names.filter((_, place) => (days[place] ?? '') > last)
  const real = weekdayName(textLanguage, first)
  return proseNames.flatMap((name) => {
    const field = inLanguage(name, language)
    const words = new Set(fold(htmlToText(values[field] ?? '')).split(/[^\p{L}]+/u))
    const wrong = others.find((weekday) => words.has(fold(weekday)))
    return wrong === undefined ? [] : [{ field, text: say('editor.check.weekday', { wrong, real }) }]
  })
}

function weekdayName(language: TextLanguage, day: string): string {
  const { locale } = catalogueOf(language).dates
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

/** Returns the other events in the same room at the same time, or that the room is not clear. */
async function sameRoom(call: OwnCall, state: EditorState): Promise<readonly Check[]> {
  const { values, versions } = state
  const { start = '', end = '' } = values
  const isTimed = momentPattern.test(start) && momentPattern.test(end)
  const venue = await venueOf(call, state)
  if (venue && 'cities' in venue) return [{ field: 'venue_city', text: whichText(call, venue) }]
  const venueId = venue?.known?.id
  if (!isTimed || venueId === undefined || values.event_status === 'canceled') return []
  const { status, body } = await call.api.events<EventListJson>({
    path: '/events',
    query: {
      ...{ venue: venueId, start_date: sentMoment(start), end_date: sentMoment(end) },
      per_page: maxOthers + versions.length,
    },
  })
  if (status !== 200) return []
  const own = new Set(versions.map(({ id }) => id))
  const others = body.events.filter(
    (event) =>
      !own.has(event.id) &&
      event.all_day !== true &&
      // One that ends when the other begins is fine.
      event.start_date < `${end}:00` &&
      event.end_date > `${start}:00`,
  )
  const [other] = others
  return other ? [{ field: 'venue', text: call.say('editor.check.room', { title: titleOf(call, other) }) }] : []
}

/**
 * Returns the checks as a list beside the buttons. The script of the editor keeps it current.
 *
 * @param more What was only checked because somebody asked for it.
 */
export async function checkList(call: OwnCall, state: EditorState, more: readonly Check[] = []): Promise<Html> {
  const checks = [...(await checksOf(call, state)), ...more]
  return html`<details class="checks" data-wide open${checks.length === 0 && raw(' hidden')}><summary>${checksTitle(call, checks)}</summary>
<ul>${checks.map(({ field, text }) => html`<li><a href="#f-${field}">${text}</a></li>`)}</ul>
</details>
<p class="unseen" role="status" data-checks-news></p>`
}

/** Returns the button that checks the addresses in an event, and what it has found. */
export function linkCheck({ say }: OwnCall): Html {
  return html`<div class="link-check"><button name="to" value="links" class="quiet small" data-busy="${say('editor.links.busy')}" data-failed="${say('editor.links.failed')}">${say('editor.links')}</button><p class="hint" role="status"></p></div>`
}

/** Returns how many checks there are. */
export function checksTitle({ say }: OwnCall, checks: readonly Check[]): string {
  return say('editor.checks', { count: checks.length })
}
