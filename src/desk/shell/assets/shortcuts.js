// The single keys of the desk, and their help. Every page works without them, and they can be switched off.

import { stopOf } from './row.stop.js'

const bar = document.querySelector('.shortcuts-bar')
const dialog = document.querySelector('dialog.shortcuts')
const opener = bar.querySelector('button')
const box = dialog.querySelector('input')
/** What people press: a key, or two one after the other with a space between. */
const known = JSON.parse(dialog.dataset.keys)

const offName = 'desk.single-keys-off'
const rowsOfLists = 'main .table tbody tr, main .rows > li'
const typedInto =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=listbox], [role=textbox]'
/** What has the keyboard to itself: a dialog, and what is being moved by the arrow keys. */
const busy = 'dialog[open], .picked-up'
const longestPauseMs = 3000

/** Storage may be full or switched off. The keys work without it. */
function withStorage(work) {
  try {
    return work(localStorage)
  } catch {
    return null
  }
}

function isOff() {
  return withStorage((storage) => storage.getItem(offName)) === '1'
}

function rowOf(element) {
  return element?.closest(rowsOfLists)
}

/** Returns the element that a key uses: something of the row with the focus, or of no row. */
function elementFor(press) {
  const all = [...document.querySelectorAll(`[data-press="${press}"]`)]
  const row = rowOf(document.activeElement)
  return (row && all.find((one) => rowOf(one) === row)) ?? all.find((one) => !rowOf(one))
}

/** Tells screen readers the keys that work now. ARIA has no form for two keys one after the other. */
function tellKeys() {
  const isOn = !isOff()
  for (const one of document.querySelectorAll('[data-press]')) {
    const { press } = one.dataset
    if (isOn && !press.includes(' ') && elementFor(press) === one) one.setAttribute('aria-keyshortcuts', press)
    else one.removeAttribute('aria-keyshortcuts')
  }
}

/** Moves the focus to another row. After a change, the first row is the one to which the address leads. */
function move(step) {
  const rows = [...document.querySelectorAll(rowsOfLists)].filter(stopOf)
  const place = rows.indexOf(rowOf(document.activeElement) ?? document.querySelector(':target'))
  const next = place < 0 && step < 0 ? rows.length - 1 : Math.max(place + step, 0)
  const row = rows[Math.min(next, rows.length - 1)]
  if (row) stopOf(row).focus()
}

const moves = { j: 1, k: -1 }

function use(press) {
  if (moves[press]) return move(moves[press])
  const one = elementFor(press)
  if (one?.type !== 'search') return one?.click()
  if (!one.checkVisibility()) one.closest('[popover]').showPopover()
  // In the standard, `select()` does not move the focus.
  one.focus()
  one.select()
}

/** The first of two keys, and when it was pressed. */
let first

function onKey(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (isOff() || event.target.closest(typedInto) || document.querySelector(busy)) return
  const key = event.shiftKey ? event.key : event.key.toLowerCase()
  const isSecond = first && event.timeStamp - first.at < longestPauseMs
  const press = isSecond ? `${first.key} ${key}` : key
  first = undefined
  if (known.some((one) => one.startsWith(`${press} `))) first = { key: press, at: event.timeStamp }
  else if (known.includes(press) && (moves[press] || !event.repeat)) {
    event.preventDefault()
    use(press)
  }
}

bar.hidden = false
box.checked = !isOff()
tellKeys()
document.addEventListener('keydown', onKey)
document.addEventListener('focusin', tellKeys)
opener.addEventListener('click', () => {
  box.checked = !isOff()
  dialog.showModal()
})
box.addEventListener('change', () => {
  withStorage((storage) => (box.checked ? storage.removeItem(offName) : storage.setItem(offName, '1')))
  tellKeys()
})
