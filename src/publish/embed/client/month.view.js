import { shortHour } from '../../../base/languages/dates.js'
import { firstDayLink, followFocus, keepOneStop, stepByKey } from '../../pages/assets/day.keys.js'
import { layOutDays } from '../../pages/assets/month.places.js'
import { addDays, daysBetween, firstOfMonth, lastDayOf, lastOfMonth, weekdayOf } from './days.js'
import { button, element, namesOf } from './dom.js'
import { dayView } from './list.view.js'
import { stateWords, struckIf } from './states.js'

const maxDots = 3

/** Returns the first and the last day of the whole weeks of a month. */
export function gridOf({ date, settings }) {
  const shift = settings.isMondayFirst ? 1 : 0
  const [first, last] = [firstOfMonth(date), lastOfMonth(date)]
  const placeInWeek = (day) => (weekdayOf(day) + 7 - shift) % 7
  return [addDays(first, -placeInWeek(first)), addDays(last, 6 - placeInWeek(last))]
}

/** Returns the events of the month itself. */
export function eventsOfMonth({ date }, events) {
  return events.filter(
    (event) => event.start.slice(0, 10) <= lastOfMonth(date) && lastDayOf(event) >= firstOfMonth(date),
  )
}

/** Returns a month day by day and, below it for narrow screens, the events of one day. */
export function monthView(view, events) {
  const { date, say, write, settings, today } = view
  const [from, to] = gridOf(view)
  const month = date.slice(0, 7)
  const spans = events.map((event) => ({
    event,
    start: daysBetween(from, event.start.slice(0, 10)),
    end: daysBetween(from, lastDayOf(event)),
  }))
  const days = layOutDays(spans, { days: daysBetween(from, to) + 1 }).map((placed, place) => ({
    ...placed,
    day: addDays(from, place),
  }))
  const own = days.filter(({ day }) => day.startsWith(month))
  const chosen = own.find(({ day }) => day === today) ?? own.find(({ total }) => total > 0)
  const agenda = element('section', { class: 'agenda', part: 'agenda' })
  const list = element('ol', { class: 'days', part: 'days' })
  const choose = ({ day, total }) => {
    const shown = spans.filter(({ start, end }) => start <= daysBetween(from, day) && daysBetween(from, day) <= end)
    agenda.replaceChildren(
      view.heading(1, {}, write.text('dayOfYear', day)),
      dayView(
        { ...view, date: day, emptyText: say('nothing-that-day') },
        shown.map(({ event }) => event),
      ),
    )
    for (const cell of list.children) cell.classList.toggle('chosen', cell.dataset.day === day)
    return `${write.text('dayOfYear', day)}, ${view.count(total)}`
  }
  const open = (day) => (agenda.checkVisibility() ? view.announce(choose(day)) : view.show('day', day.day))
  list.append(
    ...days.map((day) => dayCell(view, day, { isOutside: !day.day.startsWith(month), open: () => open(day) })),
  )
  if (chosen) choose(chosen)
  list.addEventListener('keydown', (event) => followKey(view, list, event))
  list.addEventListener('focusin', followFocus)
  const shift = settings.isMondayFirst ? 1 : 0
  // 7 January 2024 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, place) => addDays('2024-01-07', place + shift))
  const shown = element(
    'div',
    { class: 'month', part: 'month', 'data-month': month, 'data-today': today },
    // The days stay, so that visitors can navigate from them.
    own.every(({ total }) => total === 0) && element('p', { class: 'count', part: 'empty' }, view.emptyText),
    element(
      'div',
      { class: 'weekdays', 'aria-hidden': 'true' },
      weekdays.map((day) => element('span', {}, write.line('shortWeekday', day))),
    ),
    list,
    element('p', { class: 'keys' }, say('keys')),
    chosen && agenda,
  )
  keepOneStop(list)
  return shown
}

function followKey(view, list, event) {
  const { day, month } = stepByKey(event, list)
  if (month) view.goBy(month === 'prev' ? -1 : 1, firstDayLink)
  day?.focus()
}

function dayCell(view, { day, bars, passing, lanes, lines, inCell, total }, { isOutside, open }) {
  const { say, count, write, today } = view
  const isToday = day === today
  const more = total - bars.length - passing.length - inCell
  const kinds = [
    ...[total === 0 && 'bare', isOutside && 'outside', isToday && 'today'],
    ...[lanes > 0 && `lanes-${lanes}`, total > 0 && `dots-${Math.min(total, maxDots)}`],
  ]
  const full = write.line('dayOfYear', day)
  const link = button(
    { class: 'day-link', part: 'day-button', 'aria-current': isToday && 'date' },
    [
      element('span', { class: 'number', 'aria-hidden': 'true' }, String(Number(day.slice(8)))),
      element('span', { class: 'unseen' }, element('time', { datetime: day }, full), `, ${count(total)}`),
    ],
    open,
  )
  const head = { class: 'day-head' }
  return element(
    'li',
    { class: namesOf(kinds), part: namesOf(['day', isToday && 'today', isOutside && 'outside']), 'data-day': day },
    total > 0 ? view.heading(1, head, link) : element('div', head, link),
    bars.length + passing.length + inCell > 0 &&
      element(
        'ul',
        {},
        passing.map(({ event }) =>
          element('li', { class: 'unseen' }, markOf(view, event), titleIn(view, event), ` (${say('continued')})`),
        ),
        bars.map((bar) => barItem(view, bar)),
        lines.slice(0, inCell).map((event) => lineItem(view, event)),
      ),
    more > 0 &&
      button(
        { class: 'more', part: 'more' },
        [say('day.more', { count: more }), element('span', { class: 'unseen' }, `${say('colon')} ${full}`)],
        open,
      ),
  )
}

/** Returns an event of several days: one link across all its days of a week. */
function barItem(view, { event, from, to, lane, isBegun, goesOn }) {
  const { say, write } = view
  const until = `${say('until-day')} ${write.text('dayOfYear', lastDayOf(event))}`
  const kinds = ['bar', `lane-${lane + 1}`, `over-${to - from + 1}`, isBegun && 'begun', goesOn && 'goes-on']
  return element(
    'li',
    { class: namesOf([...kinds, event.isFeatured && 'featured']), part: 'event bar' },
    view.link(
      event,
      markOf(view, event),
      !isBegun && timeOf(view, event),
      event.title,
      element('span', { class: 'unseen' }, ` (${isBegun ? `${say('continued')}, ` : ''}${until})`),
    ),
  )
}

function lineItem(view, event) {
  const kinds = namesOf([event.isAllDay && 'whole', event.isFeatured && 'featured'])
  return element(
    'li',
    { class: kinds, part: 'event' },
    view.link(event, markOf(view, event), timeOf(view, event), event.title),
  )
}

function titleIn({ language }, event) {
  return event.language === language ? event.title : element('span', { lang: event.language, dir: 'auto' }, event.title)
}

/** Returns the most important state of an event in a cell, which is too small for more. */
function markOf(view, { states }) {
  const [state] = states
  return stateWords(view, state && state !== 'mixed' ? [state] : []).flatMap((word) => [word, ' '])
}

function timeOf({ write }, event) {
  const hour = () => shortHour(write.text('time', event.start))
  return !event.isAllDay && [element('span', { class: 'time', part: 'time' }, struckIf(event.isOff, hour())), ' ']
}
