// Adds what the console lacks for people who cannot see it or do not use a mouse: names, states and landmarks. Its
// elements come and go, so each change is checked again (WCAG 2.2, 1.3.1, 2.5.3 and 4.1.2).

const texts = document.querySelector('script[data-copy]').dataset

/** Fixes for elements of the console, each with the selector of the faulty elements. */
const fixes = [
  ['button.scalar-code-copy:not([aria-label])', (button) => button.setAttribute('aria-label', texts.copy)],
  ['[role="combobox"]:not([aria-expanded])', (field) => field.setAttribute('aria-expanded', 'false')],
  ['[role="combobox"]:not([aria-label])', nameByLabel],
  ['button:is([role="none"], [role="alert"])', (button) => button.removeAttribute('role')],
  ['button[aria-haspopup="menu"]:not([aria-label])', nameMenu],
  ['button.show-more[aria-label]:not([data-named])', nameByVisibleText],
  // A landmark must be unique; these repeat on a page.
  ['.response-card[role="region"]', (card) => card.setAttribute('role', 'group')],
  ['[role="dialog"] section[aria-live][aria-label]:not([role])', (section) => section.setAttribute('role', 'status')],
]

function nameByLabel(field) {
  const label = field.closest('tr')?.querySelector('label')?.textContent.trim()
  const name = label || field.dataset.placeholder
  if (name) field.setAttribute('aria-label', name)
}

function nameMenu(button) {
  if (button.textContent.trim() === '') button.setAttribute('aria-label', texts.menu)
}

/** Users of speech input say the words that the button shows. */
function nameByVisibleText(button) {
  button.dataset.named = ''
  button.setAttribute('aria-label', `${button.textContent.trim()} – ${button.getAttribute('aria-label')}`)
}

let isDue = false

function applyFixes() {
  isDue = false
  for (const [selector, change] of fixes) for (const element of document.querySelectorAll(selector)) change(element)
  // Changes made here need no check.
  observer.takeRecords()
}

// Runs once per frame: two observers that answer each other's changes at once would never end.
const observer = new MutationObserver(() => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(applyFixes)
})
observer.observe(document.body, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['role', 'aria-label'],
})
applyFixes()
