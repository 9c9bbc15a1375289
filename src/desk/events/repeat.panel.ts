import { type Html, html, raw } from '../../base/text/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { type Choice, checkbox, type FieldOptions, field, select, textArea } from '../shell/fields.ts'
import { writeMoment } from './editor.dates.ts'
import type { EditorState, RepeatDate, RepeatDates, ShownIn } from './editor.model.ts'
import {
  REPEAT_DAYS,
  REPEAT_ENDS,
  REPEAT_PLACES,
  REPEAT_UNITS,
  REPEATS,
  repeatFields,
  repeatOf,
} from './repeat.rule.ts'
import { leaveOutName } from './repeat.values.ts'

/** As many dates as a person reads. The others are behind a button. */
const shownAtOnce = 12

/** Returns the field for how an event repeats. */
export function repeatSelect({ say }: OwnCall, { was, series }: EditorState, options: FieldOptions): Html {
  // A series ends on its own page.
  const isBound = series !== undefined && repeatOf(was) !== ''
  const kinds = REPEATS.filter((one) => !isBound || one !== '')
  return select({ ...options, choices: kinds.map((one): Choice => [one, say(`repeat.${one || 'never'}`)]) })
}

/** Returns the fields of the rule by which it does. The style hides those that the rule does not use. */
export function repeatPanel({ call, state, messages }: ShownIn, options: (name: string) => FieldOptions): Html {
  const { say } = call
  const { values, was, series } = state
  const days = new Set((values.repeat_days ?? '').split(','))
  // The rule of a series is seldom changed from one of its dates.
  const isOpen = series === undefined || messages.dates || repeatFields.some((name) => values[name] !== was[name])
  return html`<details class="panel more repeat"${isOpen && raw(' open')}><summary>${say('repeat.title')}</summary>
<div class="repeat-rule">${field({ ...options('repeat_rule'), hint: say('repeat.rule.hint'), maxLength: 1024, autocomplete: 'off' })}</div>
<div class="repeat-custom pair">${field({ ...options('repeat_interval'), hint: say('repeat.interval.hint'), maxLength: 3, autocomplete: 'off' })}
${select({ ...options('repeat_unit'), choices: REPEAT_UNITS.map((one): Choice => [one, say(`repeat.unit.${one}`)]) })}</div>
<div class="repeat-days"><fieldset class="choices weekday-choices" id="f-repeat_days"><legend>${say('repeat.days')}</legend>
${REPEAT_DAYS.map((day, place) => checkbox({ name: 'repeat_days', id: `repeat-${day}`, value: day, label: weekdayName(call, place), isOn: days.has(day) }))}
<p class="hint">${say('repeat.days.hint')}</p></fieldset></div>
<div class="repeat-monthly">${select({ ...options('repeat_nth'), hint: say('repeat.nth.hint'), choices: REPEAT_PLACES.map((one): Choice => [one, say(`repeat.nth.${one || 'none'}`)]) })}
${field({ ...options('repeat_month_day'), hint: say('repeat.month-day.hint'), maxLength: 100, autocomplete: 'off' })}</div>
<div class="repeat-ends">${select({ ...options('repeat_ends'), choices: REPEAT_ENDS.map((one): Choice => [one, say(`repeat.ends.${one}`)]) })}
<div class="repeat-until">${field({ ...options('repeat_until'), hint: say('repeat.until.hint'), maxLength: 100, autocomplete: 'off' })}</div>
<div class="repeat-count">${field({ ...options('repeat_count'), hint: say('repeat.count.hint'), maxLength: 4, autocomplete: 'off' })}</div></div>
<div class="repeat-lists">${textArea({ ...options('repeat_dates'), hint: say('repeat.more.hint'), rows: 2 })}
${textArea({ ...options('repeat_except'), hint: say('repeat.except.hint'), rows: 2 })}
<button name="to" value="dates" class="quiet">${say('repeat.show')}</button></div>
<div class="repeat-dates" data-repeat-dates data-texts="${scriptTexts(call)}">${messages.dates && datesList(call, messages.dates)}</div>
<p class="unseen" role="status" data-repeat-news></p>
</details>`
}

/** Returns the texts that the script shows, as JSON. */
function scriptTexts({ say }: OwnCall): string {
  const many = 99
  return JSON.stringify({
    leaveOut: say('repeat.leave-out'),
    clash: say('repeat.clash', { title: '{title}' }),
    all: say('repeat.all', { count: many }).replace(String(many), '{count}'),
  })
}

function weekdayName({ textLanguage }: OwnCall, place: number): string {
  // January 5, 1970 is a Monday.
  return writeMoment(textLanguage, `1970-01-${String(5 + place).padStart(2, '0')}`).split(/[\s,]/)[0] ?? ''
}

/** Returns the dates of what repeats. Each can be left out, with the next button that is pressed. */
function datesList(call: OwnCall, dates: RepeatDates): Html {
  const { say } = call
  if (dates.text !== undefined) return html`<p class="fault">${dates.text}</p>`
  const [first, others] = [dates.dates.slice(0, shownAtOnce), dates.dates.slice(shownAtOnce)]
  const more = dates.total - dates.dates.length
  return html`<p role="status">${dates.summary}</p>
${dates.clash && html`<p class="fault">${dates.clash}</p>`}
<ol class="date-list">${first.map((date) => dateItem(call, date))}</ol>
${
  others.length > 0 &&
  html`<details class="more"><summary>${say('repeat.all', { count: others.length })}</summary>
<ol class="date-list" start="${shownAtOnce + 1}">${others.map((date) => dateItem(call, date))}</ol></details>`
}
${more > 0 && html`<p>${say('repeat.cut', { count: more })}</p>`}`
}

function dateItem({ say }: OwnCall, { date, text, clash, isFirst }: RepeatDate): Html {
  return html`<li${clash !== undefined && raw(' class="clash"')}><span>${text}</span>${!isFirst && html` <label class="check"><input type="checkbox" name="${leaveOutName}" value="${date}"> <span>${say('repeat.leave-out')}<span class="unseen"> – ${text}</span></span></label>`}${clash !== undefined && html`<span class="hint">${say('repeat.clash', { title: clash })}</span>`}</li>`
}
