import { capitalised } from '../../../base/languages/dates.js'
import { lastDayOf } from './days.js'
import { element, namesOf } from './dom.js'
import { stateWords, struckIf } from './states.js'

/** Returns events grouped by month. */
export function listView(view, events) {
  if (events.length === 0) return nothing(view)
  const { today, write } = view
  const months = Map.groupBy(events, ({ start }) => (start < today ? today : start).slice(0, 7))
  return element(
    'div',
    { part: 'list' },
    [...months].map(([month, own]) =>
      element(
        'section',
        { class: 'month-group', part: 'month-group' },
        view.heading(1, { part: 'month-title' }, write.line('month', `${month}-01`)),
        cards(view, own, 2),
      ),
    ),
  )
}

/** Returns the events of a day. */
export function dayView(view, events) {
  const own = events.filter((event) => lastDayOf(event) >= view.date)
  return own.length === 0 ? nothing(view) : element('div', { part: 'list' }, cards(view, own, 1))
}

function nothing({ emptyText }) {
  return element('p', { class: 'empty', part: 'empty' }, emptyText)
}

function cards(view, events, level) {
  return element(
    'ol',
    { class: 'cards' },
    events.map((event) => card(view, event, level)),
  )
}

function card(view, event, level) {
  const { say, hasPictures } = view
  const { picture } = event
  return element(
    'li',
    {
      class: namesOf(['card', event.isFeatured && 'featured', event.isOff && 'off']),
      part: namesOf(['event', event.isFeatured && 'featured', event.states[0]]),
    },
    dateBlock(view, event),
    element(
      'div',
      { class: 'card-text' },
      element(
        'p',
        { class: 'card-when', part: 'time' },
        struckIf(event.isOff, element('time', { datetime: event.start.replace(' ', 'T') }, when(view, event))),
        stateWords(view, event.states, 'badge state'),
        event.isFeatured && element('span', { class: 'badge featured', part: 'badge' }, say('featured')),
      ),
      view.heading(level, {}, view.link(event, event.title)),
      event.place !== '' &&
        element(
          'p',
          { class: 'card-place', part: 'place', lang: event.placeLanguage, dir: 'auto' },
          struckIf(event.isMoved, event.place),
        ),
      view.isFolded && event.allUrl && seriesLine(view, event),
    ),
    hasPictures && picture && cardPicture(picture, event.language),
  )
}

/** Returns when the series of an event repeats, with a link to all its dates. */
function seriesLine({ say, seriesLink }, event) {
  const words = event.repeats === '' ? '' : `${capitalised(event.repeats)} · `
  return element('p', { class: 'card-series', part: 'series' }, words, seriesLink(event, say('series.all')))
}

/** The date block is only visual: the day is in the text, hidden, before the visible hours. */
function when({ say, write }, event) {
  const day = event.start.slice(0, 10)
  if (day !== event.end.slice(0, 10)) return capitalised(write.span(event))
  return [
    element('span', { class: 'unseen' }, `${write.line('day', day)}, `),
    element('span', { class: 'card-hours' }, event.isAllDay ? say('all-day') : write.span(event)),
  ]
}

function cardPicture({ url, width, height, alt }, lang) {
  const image = element('img', {
    src: url,
    width,
    height,
    alt,
    lang: alt === '' ? undefined : lang,
    loading: 'lazy',
    decoding: 'async',
    part: 'picture',
  })
  return element('div', { class: 'card-picture' }, image)
}

/** Returns the day of the start, or of the end if the event began on an earlier day. */
function dateBlock({ today, say, write }, event) {
  const isOn = event.start < today && event.end >= today
  const day = isOn ? lastDayOf(event) : event.start.slice(0, 10)
  return element(
    'div',
    { class: 'card-date', 'aria-hidden': 'true', part: 'date' },
    element('span', {}, isOn ? say('until-day') : write.text('shortWeekday', day)),
    element('span', { class: 'number' }, String(Number(day.slice(8)))),
    element('span', {}, write.text('shortMonth', day)),
  )
}
