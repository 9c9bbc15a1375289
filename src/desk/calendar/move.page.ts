import { html } from '../../base/text/html.ts'
import {
  addSeconds,
  dayOf,
  isLocalDateTime,
  type LocalDateTime,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { parseZone } from '../../base/time/zone.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import { statuses } from '../api/statuses.ts'
import { sentMoment, shownMoment } from '../events/editor.dates.ts'
import { isSkipped } from '../events/editor.times.ts'
import { type EventJson, mayChange, titleOf } from '../events/event.json.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  linkTo,
  type OwnCall,
  type TypedAgain,
} from '../shell/desk.call.ts'
import { whenWords } from '../shell/desk.dates.ts'
import { type Faults, field, formPage, postForm } from '../shell/fields.ts'
import { tellAt } from '../shell/told.ts'
import { monthOf, startOf } from './calendar.days.ts'

/** Only addresses of the calendar: nobody can lead editors elsewhere with a link. */
const calendarPath = /^\/admin\/calendar\/(?:\?(?:month=\d{4}-\d\d|week=\d{4}-\d\d-\d\d))?$/

interface Found {
  readonly event: EventJson
  readonly version: string
}

/** Where the event goes, as the form says. Without a time of day it keeps its own. */
interface Typed {
  readonly day: string
  readonly time: string
}

const typedIn = (form: DeskForm): Typed => ({ day: form.get('day'), time: form.get('time') })

/** What the page shows besides the event. */
interface Shown {
  readonly back: string
  readonly typed?: Typed
  readonly faults?: Faults
  readonly text?: string
}

async function find(call: OwnCall, id: string): Promise<Found | undefined> {
  const { status, body, version = '' } = await call.api.events<EventJson>({ path: `/events/${id}` })
  // Nothing in the calendar leads to an event without a date.
  const isChangeable =
    status === 200 && body.status !== 'trash' && !isNoDate(body.start_date) && mayChange(actorOf(call.me), body)
  return isChangeable ? { event: body, version } : undefined
}

function movePage(call: OwnCall, { event, version }: Found, { back, typed, faults = {}, text }: Shown): DeskPage {
  const { say, textLanguage } = call
  const title = say('calendar.move', { title: titleOf(call, event) })
  const labels = { day: say('calendar.move.day'), time: say('calendar.move.time') }
  const start = event.start_date
  return formPage(
    call,
    { title, section: 'month', text, faults, labels },
    html`<p>${say('calendar.move.now', { when: whenWords(textLanguage, event) })}</p>
${event.series && html`<p class="hint">${say('series.move', { text: event.series.text ?? '' })}</p>`}
${postForm(call, `/admin/calendar/${event.id}/move/`, {
  className: 'panel',
  fields: { version, back },
  content: html`${field({ name: 'day', type: 'date', label: labels.day, hint: say('calendar.move.hint'), value: typed?.day ?? start.slice(0, 10), isRequired: true, fault: faults.day })}
${!event.all_day && field({ name: 'time', type: 'time', label: labels.time, value: typed?.time || shownMoment(start).slice(11), fault: faults.time })}
<div class="buttons"><button>${say('calendar.move-short')}</button>
<a class="button quiet" href="${linkTo(call, back)}">${say('calendar.move.back')}</a></div>`,
})}`,
  )
}

/** Returns the address of the calendar to return to. Default: the month of the event. */
function backFrom(sent: string, { event }: Found): string {
  const month = monthOf(event.start_date as LocalDateTime)
  return calendarPath.test(sent) ? sent : `/admin/calendar/?month=${month}`
}

const toCalendar: DeskAnswer = { kind: 'see', path: '/admin/calendar/' }

async function show(call: OwnCall, id = ''): Promise<DeskAnswer> {
  const found = await find(call, id)
  return found ? movePage(call, found, { back: backFrom(call.query.get('back') ?? '', found) }) : toCalendar
}

async function again(call: OwnCall, { form, notice: text }: TypedAgain, id = ''): Promise<DeskAnswer> {
  const found = await find(call, id)
  return found
    ? movePage(call, found, { back: backFrom(form.get('back'), found), typed: typedIn(form), text })
    : toCalendar
}

/** Returns the new start of an event; undefined if there is no such time. An event of whole days has no time of day. */
function newStart({ event }: Found, { day, time }: Typed): LocalDateTime | undefined {
  const clock = event.all_day || time === '' ? event.start_date.slice(11) : time
  const text = sentMoment(`${day} ${clock}`)
  return startOf(day) && isLocalDateTime(text) ? text : undefined
}

/** Moves an event to another day, or to another time of day. It keeps its length. */
async function move(call: OwnCall, form: DeskForm, id = ''): Promise<DeskAnswer> {
  const { say, api } = call
  const found = await find(call, id)
  if (!found) return toCalendar
  const back = backFrom(form.get('back'), found)
  const typed = typedIn(form)
  const to = newStart(found, typed)
  if (!to) {
    const name = startOf(typed.day) ? 'time' : 'day'
    return movePage(call, found, { back, typed, faults: { [name]: say(`calendar.move.fault-${name}`) } })
  }
  const zone = parseZone(found.event.timezone) ?? call.config.siteZone
  if (!found.event.all_day && isSkipped(to, zone)) {
    return movePage(call, found, { back, typed, faults: { time: say('editor.moment.skipped') } })
  }
  const [start, end] = [found.event.start_date as LocalDateTime, found.event.end_date as LocalDateTime]
  const seconds = secondsOfLocalDateTime(to) - secondsOfLocalDateTime(start)
  const { status, body, version, faults, message } = await api.events<EventJson>({
    ...{ method: 'PATCH', path: `/events/${id}` },
    json: { start_date: to, end_date: addSeconds(end, seconds) },
    headers: { 'if-match': `"${form.get('version')}"` },
  })
  if (status === statuses.preconditionFailed) {
    return movePage(call, found, { back, typed, text: say('calendar.move.conflict') })
  }
  if (status !== 200) {
    const fault = faults.start_date ?? faults.end_date ?? message
    return movePage(call, found, { back, typed, faults: { day: fault } })
  }
  const time = start.slice(11) === to.slice(11) ? {} : { time: shownMoment(start).slice(11) }
  // The script of the calendar focuses the event that was moved.
  return tellAt(call, `${back}${back.includes('?') ? '&' : '?'}moved=${id}`, {
    text: say('calendar.moved', { title: titleOf(call, body), when: whenWords(call.textLanguage, body) }),
    undo: {
      path: `/admin/calendar/${id}/move/`,
      fields: { day: dayOf(start), ...time, version: version ?? '', back },
    },
  })
}

/** The page that moves an event to another day. */
export const moveForm = { show, submit: move, again }
