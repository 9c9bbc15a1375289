// The search of the bar answers while people type, with what its page shows. Without this script, Enter leads to that page.

const form = document.querySelector('.find')
const input = form?.querySelector('input')
const said = form?.querySelector('[role=status]')
const found = document.createElement('div')
const pauseMs = 200
let asking
let timer

const links = () => [...found.querySelectorAll('a')]

function close() {
  asking?.abort()
  clearTimeout(timer)
  found.hidden = true
}

function ask() {
  const words = input.value.trim()
  if (words.length < 2) return close()
  asking?.abort()
  // This way of asking reads a page without a string that becomes one, which the policy of the desk refuses.
  asking = new XMLHttpRequest()
  asking.responseType = 'document'
  asking.open('GET', `${form.action}?${new URLSearchParams({ q: words })}`)
  asking.onload = ({ target }) => show(target)
  asking.send()
}

function show({ status, responseURL, response }) {
  // After the end of a session, the answer is the page on which people sign in.
  if (status !== 200 || !responseURL.startsWith(form.action)) return close()
  const main = response.querySelector('main')
  found.ariaLabel = main.querySelector('h1').textContent
  found.replaceChildren(...main.querySelectorAll('section, main > p'))
  // Parts of the page have these names and keys as well.
  for (const name of ['id', 'aria-labelledby', 'data-press']) {
    for (const one of found.querySelectorAll(`[${name}]`)) one.removeAttribute(name)
  }
  found.hidden = false
  const counts = [...found.querySelectorAll('section')].map(
    (one) => `${one.querySelector('h2').textContent}: ${one.querySelectorAll('li').length}`,
  )
  said.textContent = [found.ariaLabel, ...counts].join(', ')
}

function onKey(event) {
  if (event.key === 'Escape' && !found.hidden) {
    event.preventDefault()
    input.focus()
    return close()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || found.hidden) return
  event.preventDefault()
  const stops = [input, ...links()]
  stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)].focus()
}

/** Opens the search from everywhere but texts, where the same keys make a link. */
function open(event) {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  if (event.target.closest('[contenteditable]:not([contenteditable=false])') || document.querySelector('dialog[open]'))
    return
  event.preventDefault()
  if (!input.checkVisibility()) form.closest('[popover]').showPopover()
  input.select()
  input.focus()
}

if (form) {
  found.className = 'found'
  found.hidden = true
  found.setAttribute('role', 'region')
  form.append(found)
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, pauseMs)
  })
  form.addEventListener('keydown', onKey)
  form.addEventListener('focusout', ({ relatedTarget }) => form.contains(relatedTarget) || close())
  document.addEventListener('keydown', open)
}
