import { stepByKey } from '../../pages/assets/day.keys.js'
import { addDays, firstOfMonth, lastDayOf, lastOfMonth, weekdayOf } from './days.js'
import { button, element } from './dom.js'

/** Events of a day that are named: those that go on, and those that begin. */
const mostContinuing = 3
const mostStarting = 5

/** The month of a day, day by day. */
export function monthView(view, events) {
  const { date, say, write, settings, today } = view
  const first = firstOfMonth(date)
  const dated = events.map((event) => ({ event, start: event.start.slice(0, 10), end: lastDayOf(event) }))
  const cells = []
  for (let day = first; day <= lastOfMonth(date); day = addDays(day, 1)) cells.push(dayCell(view, day, dated))
  const shift = settings.isMondayFirst ? 1 : 0
  // 7 January 2024 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, place) => addDays('2024-01-07', place + shift))
  const column = ((weekdayOf(first) + 7 - shift) % 7) + 1
  const list = element('ol', { class: `days starts-${column}`, part: 'days' }, cells)
  list.addEventListener('keydown', (event) => followKey(view, list, event))
  return element(
    'div',
    { class: 'month', part: 'month', 'data-month': date.slice(0, 7), 'data-today': today },
    // The days stay, so that one can go on from them.
    events.length === 0 && element('p', { class: 'count', part: 'empty' }, view.emptyText),
    element(
      'div',
      { class: 'weekdays', 'aria-hidden': 'true' },
      weekdays.map((day) => element('span', {}, write.line('shortWeekday', day))),
    ),
    list,
    element('p', { class: 'keys' }, say('keys')),
  )
}

const firstDay = (region) => [...region.querySelectorAll('.day-link')].find((one) => one.checkVisibility())

function followKey(view, list, event) {
  const link = event.target.closest('.day-link')
  if (!link) return
  const links = [...list.querySelectorAll('.day-link')].filter((one) => one.checkVisibility())
  const { day, month } = stepByKey(event, links, link)
  if (month) view.goBy(month === 'prev' ? -1 : 1, firstDay)
  day?.focus()
}

function dayCell(view, day, dated) {
  const { say, count, write, today } = view
  const starting = dated.filter(({ start }) => start === day)
  const going = dated.filter(({ start, end }) => start < day && day <= end)
  const total = starting.length + going.length
  const shownGoing = going.slice(0, mostContinuing)
  const shownStarting = starting.slice(0, mostStarting)
  const more = total - shownGoing.length - shownStarting.length
  const kinds = [total === 0 && 'bare', starting.length === 0 && 'quiet', day === today && 'today']
  const full = write.line('dayOfYear', day)
  const open = () => view.show('day', day)
  return element(
    'li',
    { class: kinds.filter(Boolean).join(' ') || undefined, part: day === today ? 'day today' : 'day' },
    button(
      { class: 'day-link', part: 'day-button', 'aria-current': day === today && 'date' },
      element(
        'time',
        { datetime: day },
        element('span', { class: 'number', 'aria-hidden': 'true' }, String(Number(day.slice(8)))),
        element('span', { class: 'full' }, full),
        element('span', { class: 'unseen' }, `, ${count(total)}`),
      ),
      open,
    ),
    total > 0 &&
      element(
        'ul',
        {},
        shownGoing.map(({ event }) => line(view, event, 'going')),
        shownStarting.map(({ event, end }) => line(view, event, event.isAllDay || end > day ? 'whole' : '')),
      ),
    more > 0 &&
      button(
        { class: 'more', part: 'more', tabindex: -1 },
        [say('day.more', { count: more }), element('span', { class: 'unseen' }, `${say('colon')} ${full}`)],
        open,
      ),
  )
}

function line(view, event, kind) {
  const { say, write } = view
  const hour = () => write.text('time', event.start)
  return element(
    'li',
    { class: [kind, event.isFeatured && 'featured'].filter(Boolean).join(' ') || undefined, part: 'event' },
    view.link(
      event,
      kind === 'going' && element('span', { class: 'unseen' }, `${say('continues')} `),
      kind !== 'going' && !event.isAllDay && [element('span', { class: 'time', part: 'time' }, hour()), ' '],
      event.title,
    ),
  )
}
