import { type Html, html } from '../../base/text/html.ts'
import { linkTo, type OwnCall } from '../shell/desk.call.ts'
import { whenWords } from '../shell/desk.dates.ts'
import { formFields, namesOf, pastLabelOf } from './editor.fields.ts'
import type { EditorState } from './editor.model.ts'
import { languageName } from './language.names.ts'
import { readDates, type SeriesDateJson } from './series.json.ts'
import { shiftDays } from './table.days.ts'

/** A field in which a date does not follow its series. */
export interface OwnField {
  /** The version of the date that has it. */
  readonly id: number
  readonly field: string
}

const fieldOfOwn = (name: string) => formFields.find(({ argument }) => argument === name)

/** Returns the names of the editor's fields for a field of a date. */
export function ownPlaces({ versions }: EditorState, { id, field: name }: OwnField): readonly string[] {
  const field = fieldOfOwn(name)
  if (field?.group === 'times') return formFields.flatMap((one) => (one.group === 'times' ? [one.name] : []))
  const language = versions.find((one) => one.id === id)?.language
  return field && language !== undefined ? namesOf(field, [language]) : [name]
}

/** Returns the name of a field of a date for people. */
export function ownLabel({ say }: OwnCall, field: string): string {
  const key = field === 'start_date' ? 'editor.when' : pastLabelOf(field)
  return key === undefined ? field : say(key)
}

/** Returns what the editor says about the series of a date, and what the date has of its own. */
export async function seriesPanel(call: OwnCall, state: EditorState): Promise<Html | false> {
  const { say } = call
  const { series } = state
  if (!series) return false
  const seen = new Set<string>()
  const own = series.own.filter(({ field, language }) => {
    // Languages share these fields, so they are shown once.
    const key = fieldOfOwn(field)?.isText ? `${field}.${language}` : field
    return !seen.has(key) && seen.add(key)
  })
  return html`<section class="panel series-panel" aria-labelledby="series-title"><h2 id="series-title">${say('series.date')}</h2>
<p>${series.text} · <a href="${linkTo(call, `/admin/series/${series.id}/`)}">${say('series.all')}</a></p>
${await neighbours(call, state)}
${
  own.length > 0 &&
  html`<h3>${say('series.own')}</h3>
<ul class="rows">${own.map((one) => {
    const label = ownLabel(call, one.field)
    const name = fieldOfOwn(one.field)?.isText
      ? say('editor.of-language', { label, language: languageName(call, one.language) })
      : label
    return html`<li><a href="#f-${ownPlaces(state, one)[0]}">${name}</a> <button name="to" value="follow.${one.id}.${one.field}" class="quiet small">${say('series.follow')}<span class="unseen"> – ${name}</span></button></li>`
  })}</ul>`
}
</section>`
}

/** Dates that are further away are not looked for. */
const reachDays = 370
const maxDates = 500

/** Returns links to the dates before and after a date. */
async function neighbours(call: OwnCall, { series }: EditorState): Promise<Html | false> {
  if (!series) return false
  const { id, recurrenceId } = series
  const { dates } = await readDates(call, id, {
    ...{ from: shiftDays(recurrenceId, -reachDays), to: shiftDays(recurrenceId, reachDays), per_page: maxDates },
  })
  const live = dates.filter((date) => !date.is_dropped && date.status !== 'trash')
  const previous = live.findLast((date) => date.recurrence_id < recurrenceId)
  const next = live.find((date) => date.recurrence_id > recurrenceId)
  if (!previous && !next) return false
  const link = (date: SeriesDateJson, key: 'series.previous' | 'series.next') =>
    html`<a href="${linkTo(call, `/admin/events/${date.event_id}/`)}">${call.say(key, { date: whenWords(call.textLanguage, date) })}</a>`
  return html`<p class="series-near">${previous && link(previous, 'series.previous')}${previous && next && ' · '}${next && link(next, 'series.next')}</p>`
}
