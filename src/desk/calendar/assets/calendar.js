// Makes events where a day or an hour is clicked, and moves them with a pointer or the arrow keys. Without it, each day
// has a link that makes an event, and each event has one that moves it.

import { dragByTouch } from '../../shell/assets/touch.drag.js'
import { clockOf, dayMinutes, dayText, localOf, minutesOf, timeText } from './local.times.js'
import { scaleWeek } from './week.grid.js'

const calendar = document.querySelector('[data-calendar]')
const said = document.querySelector('[data-said]')
const calendarTexts = JSON.parse(calendar.dataset.texts)
const cells = [...calendar.querySelectorAll('[data-day]')]
const week = calendar.querySelector('.week')
const scale = scaleWeek(week)

/** A dragged event, and one that the arrow keys move, begins at a whole quarter of an hour. */
const quarter = 15
const half = 30
const daysByKey = { ArrowLeft: -1, ArrowRight: 1 }
const stepsByKey = { ArrowUp: -1, ArrowDown: 1 }

/** What is being moved: `{ item, start, target }`, in minutes. */
let carried

function fill(key, values) {
  return calendarTexts[key].replace(/\{(\w+)\}/g, (_, name) => values[name])
}

const isScaled = () => scale?.isShown() === true
const isAllDay = (item) => item.dataset.allDay !== undefined
const cellOf = (minutes) => cells.find(({ dataset }) => dataset.day === localOf(minutes).slice(0, 10))

function whenText(minutes, item) {
  return isAllDay(item) ? dayText(minutes) : `${dayText(minutes)}, ${timeText(minutes)}`
}

function cellAt({ clientX: x, clientY: y }) {
  return cells.find((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect()
    return x >= left && x < right && y >= top && y < bottom
  })
}

/** Says something to screen readers, and shows it while an event is being moved. */
function tell(text) {
  said.textContent = text
  said.classList.toggle('unseen', !carried)
}

function show() {
  for (const cell of cells) cell.classList.remove('drop-target')
  scale?.showGhost(undefined)
  if (!carried) return
  const { item, target } = carried
  const cell = cellOf(target)
  cell?.classList.add('drop-target')
  if (!carried.grabbed) cell?.scrollIntoView({ block: 'nearest' })
  const length = minutesOf(item.dataset.end) - minutesOf(item.dataset.start)
  if (!isAllDay(item)) scale?.showGhost(cell, target, length)
  tell(fill('to', { title: item.dataset.title, when: whenText(target, item) }))
}

function pickUp(item, more = {}) {
  const start = minutesOf(item.dataset.start)
  carried = { item, start, target: start, ...more }
  item.classList.add('picked-up')
}

/** Ends a move. Without a reason nothing is said. */
function putDown(reason) {
  const { item } = carried
  item.classList.remove('picked-up')
  carried = undefined
  show()
  tell(reason ? fill(reason, { title: item.dataset.title }) : '')
}

/** Returns the calendar that shows the new day. */
function backTo(minutes) {
  if (cellOf(minutes)) return calendar.dataset.back
  const day = localOf(minutes).slice(0, 10)
  return week ? `/admin/calendar/?week=${day}` : `/admin/calendar/?month=${day.slice(0, 7)}`
}

/** Sends the form of the page that moves an event. It checks the version, and leads back with a way to undo it. */
function drop() {
  const { item, start, target } = carried
  if (target === start) return putDown('kept')
  const { event, version, title } = item.dataset
  const to = localOf(target)
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `${calendar.dataset.at}${event}/move/`
  form.hidden = true
  const fields = {
    csrf: document.querySelector('input[name=csrf]').value,
    ...{ version, back: backTo(target), day: to.slice(0, 10) },
    ...(isAllDay(item) || clockOf(target) === clockOf(start) ? {} : { time: to.slice(11) }),
  }
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  tell(fill('moving', { title, when: whenText(target, item) }))
  form.submit()
}

/** Returns the start of a dragged event for a place of the pointer. */
function targetAt(event) {
  const cell = cellAt(event)
  if (!cell) return undefined
  const { item, start, grabbed } = carried
  const day = minutesOf(cell.dataset.day) - grabbed.days * dayMinutes
  const time = isAllDay(item) || grabbed.minutes === undefined ? undefined : scale?.timeAt(cell, event.clientY)
  if (time === undefined) return day + clockOf(start)
  const begin = Math.round((time - grabbed.minutes) / quarter) * quarter
  return day + Math.min(Math.max(begin, 0), dayMinutes - quarter)
}

/** Picks an event up at a place of the pointer. */
function grab(item, pointer) {
  if (carried) putDown()
  const start = minutesOf(item.dataset.start)
  const cell = cellAt(pointer)
  const days = cell ? (minutesOf(cell.dataset.day) - start + clockOf(start)) / dayMinutes : 0
  const time = cell && item.closest('.timed') ? scale?.timeAt(cell, pointer.clientY) : undefined
  pickUp(item, { grabbed: { days, minutes: time === undefined ? undefined : time - clockOf(start) } })
}

/** Moves what is dragged to a place of the pointer. Returns whether it can be dropped there. */
function dragTo(pointer) {
  const target = carried?.grabbed && targetAt(pointer)
  if (target === undefined) return false
  if (target === carried.target) return true
  carried.target = target
  show()
  return true
}

function onDragStart(event) {
  const item = event.target.closest?.('[data-event]')
  if (!item) return
  grab(item, event)
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData('text/plain', item.dataset.title)
}

function onDragOver(event) {
  if (!dragTo(event)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'move'
}

function onDrop(event) {
  if (!carried?.grabbed) return
  event.preventDefault()
  carried.isDropped = true
}

/** Ends a drag. Escape and a place outside the calendar move nothing. */
function endDrag(isDropped) {
  if (isDropped) drop()
  else putDown('kept')
}

/** A click on empty space makes an event at that hour, or on that day. Lists on narrow screens have links only. */
function onClick(event) {
  const cell = event.target.closest('[data-day]')
  if (!cell || event.target.closest('a, button, li li') || String(getSelection()) !== '') return
  if (week && !isScaled()) return
  const time = scale?.timeAt(cell, event.clientY)
  const at = time === undefined ? '' : localOf(Math.floor(time / half) * half).slice(10)
  location.assign(`${calendar.dataset.new}?start=${cell.dataset.day}${at}`)
}

function onCarryKey(event) {
  const { key } = event
  if (key === 'Tab') return putDown('kept')
  const isTimed = isScaled() && !isAllDay(carried.item)
  const step = stepsByKey[key] ? (isTimed ? half : week ? 0 : 7 * dayMinutes) * stepsByKey[key] : 0
  const moves = (daysByKey[key] ?? 0) * dayMinutes + step
  if (key !== 'Escape' && key !== 'Enter' && key !== ' ' && !daysByKey[key] && !stepsByKey[key]) return
  event.preventDefault()
  if (key === 'Escape') return putDown('kept')
  if (key === 'Enter' || key === ' ') return drop()
  carried.target += moves
  show()
}

/** The arrow keys go from day to day. On a scale of hours, up and down choose the hour of the new event. */
function onNewKey(event, link) {
  const cell = link.closest('[data-day]')
  const across = daysByKey[event.key]
  const along = stepsByKey[event.key]
  if (!across && !along) return
  event.preventDefault()
  if (across || !isScaled()) {
    const next = cells[cells.indexOf(cell) + (across ?? along * (week ? 1 : 7))]
    next?.querySelector('.new-on-day').focus()
    return
  }
  const chosen = link.dataset.time === undefined ? scale.first - 60 * along : Number(link.dataset.time)
  const time = Math.min(Math.max(chosen + 60 * along, 0), dayMinutes - 60)
  const minutes = minutesOf(cell.dataset.day) + time
  const label = fill('new-at', { day: dayText(minutes), time: timeText(minutes) })
  Object.assign(link, { href: `${calendar.dataset.new}?start=${localOf(minutes)}`, title: label, ariaLabel: label })
  link.dataset.time = String(time)
  scale.showGhost(cell, minutes)
  tell(label)
}

calendar.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  // A drag has keys of its own.
  if (carried?.grabbed) return
  if (carried) return onCarryKey(event)
  const link = event.target.closest('a')
  if (link?.matches('.new-on-day')) return onNewKey(event, link)
  const item = link?.closest('[data-event]')
  if (event.key !== ' ' || !item || link.matches('.move')) return
  event.preventDefault()
  pickUp(item)
  tell(fill('picked', { title: item.dataset.title }))
})
calendar.addEventListener('focusout', (event) => {
  if (carried && !carried.grabbed) putDown('kept')
  if (event.target.matches('.new-on-day')) scale?.showGhost(undefined)
})
calendar.addEventListener('click', onClick)
calendar.addEventListener('dragstart', onDragStart)
addEventListener('dragover', onDragOver)
addEventListener('drop', onDrop)
addEventListener('dragend', () => carried?.grabbed && endDrag(carried.isDropped))
dragByTouch(calendar, '[data-event]', {
  pickUp: (item, pointer) => {
    grab(item, pointer)
    show()
  },
  moveTo: dragTo,
  end: endDrag,
})

const items = [...calendar.querySelectorAll('[data-event]')]
for (const item of items) {
  item.draggable = true
  item.querySelector('a').setAttribute('aria-describedby', 'calendar-space')
}
calendar.classList.add('live')
document.querySelector('[data-how]').hidden = false
// A month on a phone shows no single events.
document.querySelector('[data-how-touch]').hidden = !items.some((item) => item.checkVisibility())
tell('')

// After a move, the focus is on the event again.
const moved = new URLSearchParams(location.search).get('moved')
const movedItem = moved && calendar.querySelector(`[data-event="${CSS.escape(moved)}"]`)
if (movedItem) {
  movedItem.querySelector('a').focus()
  tell(document.querySelector('.notice p')?.textContent ?? '')
}
