// After an action, screen readers hear what was done: the focus is on the message, or on the row to which the address
// leads. Without it, the message is at the top of the page.

import { stopOf } from './row.stop.js'

const message = document.querySelector('main .notice[role=status]')
/** The place of the page to which the address leads. While the page loads, `:target` may not be known yet. */
const target = document.getElementById(location.hash.slice(1))
const row = target?.closest('main tr, main li')
/** Browsers focus faults, but not if the address leads to a place of the page. */
const faults = document.querySelector('main [autofocus]')
const isFree = () => document.activeElement === document.body

function focusMessage() {
  message.tabIndex = -1
  message.focus()
}

/** Focuses the row, and has the message read with it once. */
function focusRow(stop) {
  message.querySelector('p').id = 'done'
  const before = stop.getAttribute('aria-describedby')
  stop.setAttribute('aria-describedby', before ? `${before} done` : 'done')
  stop.addEventListener(
    'blur',
    () => (before ? stop.setAttribute('aria-describedby', before) : stop.removeAttribute('aria-describedby')),
    { once: true },
  )
  stop.focus({ preventScroll: true })
}

function arrive() {
  if (!isFree()) return
  if (faults) faults.focus()
  else if (message) {
    const stop = row && stopOf(row)
    if (stop) focusRow(stop)
    else focusMessage()
  }
}

// When a page has loaded, browsers go to the place of its address once more, and take the focus away.
if (target && document.readyState !== 'complete') addEventListener('load', () => setTimeout(arrive))
else arrive()
