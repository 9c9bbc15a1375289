import { catalogueOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { addMonths, dayOf, type LocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { layOutDays } from '../../publish/pages/assets/month.places.js'
import { addDays, dateLine, dateText } from '../../publish/pages/date.texts.ts'
import { type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { notice } from '../shell/fields.ts'
import { monthOf, startOf, startOfWeek, today, weeksOfMonth } from './calendar.days.ts'
import { type CalendarEvents, readDays } from './calendar.events.ts'
import { monthGrid } from './month.grid.ts'
import { weekList } from './week.list.ts'

/** The days that the page shows. */
interface Shown {
  readonly kind: 'month' | 'week'
  /** The first day of the month or the week. */
  readonly start: LocalDateTime
}

/** Returns the days in the address; without any, this month. */
function shownIn(call: OwnCall): Shown {
  const { query } = call
  const week = startOf(query.get('week') ?? '')
  if (week) return { kind: 'week', start: startOfWeek(call, week) }
  const month = startOf(`${query.get('month') ?? ''}-01`)
  return { kind: 'month', start: month ?? (`${monthOf(today(call))}-01 00:00:00` as LocalDateTime) }
}

/** Returns the address of the calendar with these days. */
function calendarAt({ kind, start }: Shown, more: Readonly<Record<string, string>> = {}): string {
  const days = kind === 'week' ? { week: dayOf(start) } : { month: monthOf(start) }
  return withParameters('/admin/calendar/', { ...days, ...more })
}

/** The calendar of editors: a month or a week, with events in all states. */
export async function calendarPage(call: OwnCall): Promise<DeskPage> {
  const { say, textLanguage } = call
  const shown = shownIn(call)
  const { kind, start } = shown
  const [first, last] = kind === 'week' ? [start, addDays(start, 6)] : weeksOfMonth(call, start)
  const events = await readDays(call, first, last)
  const title =
    kind === 'month'
      ? dateLine(textLanguage, 'month', start)
      : say('calendar.week-of', { day: dateText(textLanguage, 'day', start) })
  const back = calendarAt(shown)
  const days = layOutDays([...events.spans], { days: kind === 'week' ? 7 : daysIn(first, last) })
  const grid = { first, back, days, spans: events.spans, month: kind === 'month' ? monthOf(start) : undefined }
  return {
    ...{ kind: 'page', title, section: 'month', scripts: ['calendar'] },
    main: html`${head(call, shown, title)}
${leftNotice(call, events, { first, last })}
${scripted(call, back, kind === 'month' ? monthGrid(call, grid) : weekList(call, grid))}
<p class="hint touch-how">${say(`calendar.how-${kind}`)} <span data-how-touch hidden>${say('calendar.how-touch')}</span></p>`,
  }
}

/** Returns the days with what their script needs: a click makes an event, and events can be dragged. */
function scripted(call: OwnCall, back: string, days: Html): Html {
  const { say } = call
  const names = ['picked', 'to', 'kept', 'moving', 'new-on', 'new-at'] as const
  const texts = Object.fromEntries(names.map((name) => [name, say(`calendar.${name}`, sameNames)]))
  return html`<p id="calendar-space" hidden>${say('calendar.space')}</p>
<div data-calendar data-locale="${catalogueOf(call.textLanguage).dates.locale}" data-at="${linkTo(call, '/admin/calendar/')}" data-new="${linkTo(call, '/admin/events/new/')}" data-back="${back}" data-texts="${JSON.stringify(texts)}">
${days}
</div>
<p class="hint" id="calendar-how" data-how hidden>${say('calendar.how')}</p>
<p class="carried" role="status" data-said></p>`
}

/** The script fills in these names. */
const sameNames = Object.fromEntries(['title', 'when', 'day', 'time'].map((name) => [name, `{${name}}`]))

function daysIn(first: LocalDateTime, last: LocalDateTime): number {
  let count = 1
  for (let day = first; day < startOfDay(last); day = addDays(day, 1)) count += 1
  return count
}

function head(call: OwnCall, shown: Shown, title: string): Html {
  const { say } = call
  const { kind, start } = shown
  const step = (by: -1 | 1): LocalDateTime => (kind === 'week' ? addDays(start, 7 * by) : addMonths(start, by))
  const link = (by: -1 | 1, sign: string) => {
    const key = `calendar.${by < 0 ? 'previous' : 'next'}-${kind}` as const
    return html`<a class="button quiet step" href="${linkTo(call, calendarAt({ kind, start: step(by) }))}" aria-label="${say(key)}">${sign}</a>`
  }
  const now = today(call)
  const within = kind === 'week' ? start : monthOf(start) === monthOf(now) ? now : start
  const views = [
    ['month', { kind: 'month', start: `${monthOf(start)}-01 00:00:00` as LocalDateTime }],
    ['week', { kind: 'week', start: startOfWeek(call, within) }],
  ] as const
  return html`<div class="page-head month-head"><h1>${title}</h1>
<nav aria-label="${say('calendar.views')}"><ul class="tabs">
${views.map(
  ([name, view]) =>
    html`<li><a href="${linkTo(call, calendarAt(view))}"${name === kind && raw(' aria-current="page"')}>${say(`calendar.view.${name}`)}</a></li>`,
)}
</ul></nav>
<div class="steps">
${link(-1, '‹')}
<a class="button quiet" href="${linkTo(call, calendarAt({ kind, start: now }))}">${say('calendar.today')}</a>
${link(1, '›')}
<form class="choose" action="${linkTo(call, '/admin/calendar/')}">
<label class="unseen" for="month">${say('calendar.view.month')}</label>
<input type="month" id="month" name="month" value="${monthOf(start)}" required>
<button class="quiet">${say('calendar.go')}</button>
</form></div></div>`
}

function leftNotice(
  call: OwnCall,
  { left }: CalendarEvents,
  { first, last }: { readonly first: LocalDateTime; readonly last: LocalDateTime },
): Html | false {
  const { say } = call
  if (left === 0) return false
  const table = withParameters('/admin/events/', { from: dayOf(first), to: dayOf(last) })
  return notice(
    say('calendar.left', { count: left }),
    html`<a class="button quiet" href="${linkTo(call, table)}">${say('calendar.all')}</a>`,
  )
}
