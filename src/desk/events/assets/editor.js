// Autosave of drafts, and the shortcuts of the editor. The form works without it.

export const form = document.querySelector('.event-editor')
const status = document.querySelector('[data-autosave]')
const texts = form ? JSON.parse(form.dataset.texts) : {}

const quietMs = 1000
const retryMs = 5000
/** Fields that are never kept in the browser or sent without being asked for. */
const unkept = new Set(['csrf', 'event_password', 'no_password', 'picture', 'to', 'asked', 'asked_once'])

/** Returns the name under which the browser keeps what was typed. Another user of the browser does not get it. */
function keptName() {
  return `desk.kept:${form.dataset.user}:${new URL(form.action).pathname}`
}

export function fieldsNow() {
  return [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !unkept.has(name))
}

/** Returns what a person can change, as one text to compare. */
function typedIn(fields) {
  const isTyped = ([name]) => name !== 'key' && !/^(?:was|version|id)\./.test(name)
  return JSON.stringify(fields.filter(isTyped))
}

function typedNow() {
  return typedIn(fieldsNow())
}

/** Storage may be full or switched off. The editor works without it. */
function withStorage(work) {
  try {
    return work(localStorage)
  } catch {
    return null
  }
}

function say(key, time = '') {
  status.textContent = key === undefined ? '' : texts[key].replace('{time}', time)
  status.dataset.state = key ?? ''
}

/** A page that shows what was typed has not saved it. */
let saved = form && form.dataset.unsaved === undefined ? typedNow() : undefined
/** A request without an answer. It is sent again as it was, with its key, so that the event is made only once. */
let unanswered
let isSending = false
let isStopped = false
/** The button that was pressed while a request was on its way. */
let pressed
let timer

function keep() {
  withStorage((storage) => storage.setItem(keptName(), JSON.stringify(fieldsNow())))
}

function forget(name = keptName()) {
  withStorage((storage) => storage.removeItem(name))
}

function later(ms) {
  clearTimeout(timer)
  timer = setTimeout(send, ms)
}

function onInput() {
  keep()
  if (form.dataset.autosaves === undefined) say('kept')
  else if (!isStopped) later(quietMs)
}

async function send() {
  if (isSending || isStopped || (!unanswered && typedNow() === saved)) return
  isSending = true
  if (!unanswered) {
    const body = new URLSearchParams(fieldsNow())
    body.set('csrf', form.elements.csrf.value)
    body.set('to', 'autosave')
    unanswered = { body, typed: typedNow(), action: form.action }
  }
  try {
    const answer = await fetch(unanswered.action, { method: 'POST', body: unanswered.body })
    if (/json/.test(answer.headers.get('content-type') ?? '')) take(answer.status, await answer.json())
    else if (answer.status >= 500 || answer.status === 429) throw new Error('busy')
    else {
      // The session has ended. After signing in again in another tab, the editor continues here.
      say('signed-out')
      later(retryMs)
    }
  } catch {
    say('offline')
    later(retryMs)
  }
  isSending = false
  const button = pressed
  pressed = undefined
  button?.click()
}

function take(code, answer) {
  const sent = unanswered
  unanswered = undefined
  if (answer.csrf !== undefined) form.elements.csrf.value = answer.csrf
  if (code === 403) {
    // Another session has begun. Its token is that of the next request.
    later(quietMs)
    return say('signed-out')
  }
  if (code === 409) {
    isStopped = true
    return say(answer.isGone ? 'gone' : 'conflict')
  }
  form.elements.key.value = crypto.randomUUID()
  if (!answer.fields) return say(answer.isKept ? 'kept' : 'incomplete')
  for (const [name, value] of Object.entries(answer.fields)) {
    const field = form.elements[name]
    if (field) field.value = value
  }
  saved = sent.typed
  forget()
  if (answer.path !== new URL(form.action).pathname) {
    form.action = answer.path
    history.replaceState(null, '', answer.path)
  }
  say('saved', new Date().toLocaleTimeString(`${document.documentElement.lang.slice(0, 2)}-CA`, { timeStyle: 'short' }))
  if (typedNow() !== saved) {
    keep()
    later(quietMs)
  }
}

/** Puts back what an earlier page could not save. */
function putBack(fields) {
  const byName = Map.groupBy(fields, ([name]) => name)
  for (const field of form.elements) {
    if (!field.name || unkept.has(field.name) || field.type === 'file' || field.type === 'submit') continue
    // The token and the versions are those of this page, so that a conflict is noticed.
    if (field.name === 'key' || /^(?:version|id)\./.test(field.name)) continue
    const values = (byName.get(field.name) ?? []).map(([, value]) => value)
    if (field.type === 'checkbox') field.checked = values.includes(field.value)
    else if (values.length > 0) {
      field.value = values.at(-1)
      // The visual editor shows the text of its field.
      field.dispatchEvent(new Event('desk:set'))
    }
  }
  onInput()
}

function offerKept() {
  const text = withStorage((storage) => storage.getItem(keptName()))
  const box = document.querySelector('[data-kept]')
  if (!text || !box) return
  const fields = JSON.parse(text)
  if (typedIn(fields) === typedNow()) return saved === undefined ? undefined : forget()
  box.hidden = false
  /** The button that was pressed disappears, and the focus goes to the form. */
  const close = () => {
    box.hidden = true
    form.querySelector('input:not([type=hidden])').focus()
  }
  box.querySelector('[data-put-back]').addEventListener('click', () => {
    putBack(fields)
    close()
  })
  box.querySelector('[data-discard]').addEventListener('click', () => {
    forget()
    close()
  })
}

const shortcutsOff = 'desk.shortcuts-off'

/** The buttons that a key with Ctrl presses: the first one that the form has. */
const wantedBy = { s: ['save', 'draft'], Enter: ['publish', 'pending', 'save'], 'Shift+p': ['preview'] }

function onKey(event) {
  const isOff = withStorage((storage) => storage.getItem(shortcutsOff)) === '1'
  if (isOff || event.altKey || !(event.ctrlKey || event.metaKey)) return
  const wanted =
    wantedBy[`${event.shiftKey ? 'Shift+' : ''}${event.key.length > 1 ? event.key : event.key.toLowerCase()}`]
  const buttons = [...form.querySelectorAll('.save-bar button[name=to]')]
  const button = wanted?.map((to) => buttons.find(({ value }) => value === to)).find((found) => found)
  if (!button) return
  event.preventDefault()
  button.click()
}

/** Asks before an event becomes public without one of its languages. */
function askOnce(event) {
  const dialog = form.querySelector('[data-ask]')
  const titles = [...form.querySelectorAll('.titles input')]
  const empty = titles.filter(({ value }) => value.trim() === '')
  const isMeant = event.submitter?.value === 'publish' && !event.submitter.closest('dialog')
  const isAsked = form.elements.asked_once?.value === '1'
  if (!dialog || !isMeant || isAsked || empty.length % titles.length === 0 || form.elements.start.value === '') return
  form.elements.asked_once.value = '1'
  event.preventDefault()
  event.stopImmediatePropagation()
  const fields = empty.map(({ labels }) => labels[0].textContent).join(', ')
  dialog.firstChild.textContent = dialog.dataset.ask.replace('{fields}', fields)
  dialog.querySelector('[value=back]').onclick = (click) => {
    click.preventDefault()
    dialog.close()
  }
  dialog.addEventListener('close', () => empty[0].focus(), { once: true })
  dialog.showModal()
}

/** In a narrow window, what takes room is folded, unless something in it is wrong. */
function foldLong() {
  if (!matchMedia('(max-width: 48rem)').matches) return
  for (const one of document.querySelectorAll('[data-wide]')) one.open = one.querySelector('.fault') !== null
}

if (form && status) {
  foldLong()
  // A page after a save shows what is saved, so the kept copy is no longer needed.
  const submitted = withStorage((storage) => storage.getItem('desk.submitted'))
  if (submitted && new URLSearchParams(location.search).has('result')) forget(submitted)
  withStorage((storage) => storage.removeItem('desk.submitted'))
  // A page that shows what was sent from here has all that was kept.
  if (saved !== undefined || submitted !== keptName()) offerKept()
  // Only a person continues. What is shown is kept until then, but not sent.
  if (saved === undefined) {
    keep()
    say('kept')
  }
  form.addEventListener('input', onInput)
  form.addEventListener('change', onInput)
  // The Enter key in a field sends nothing.
  form.addEventListener(
    'submit',
    (event) => event.submitter?.formMethod === 'dialog' && event.stopImmediatePropagation(),
  )
  form.addEventListener('submit', askOnce)
  form.addEventListener('submit', (event) => {
    clearTimeout(timer)
    // The form has to have the version that this request makes. Otherwise it would be in conflict with itself.
    if (isSending) {
      event.preventDefault()
      pressed = event.submitter
      return
    }
    isStopped = true
    keep()
    withStorage((storage) => storage.setItem('desk.submitted', keptName()))
  })
  // The network is back, or the person comes back from signing in elsewhere.
  for (const name of ['online', 'focus']) addEventListener(name, () => unanswered && later(0))
  document.addEventListener('keydown', onKey)
  const toggle = document.querySelector('[data-shortcuts]')
  toggle.hidden = false
  const box = toggle.querySelector('input')
  box.checked = withStorage((storage) => storage.getItem(shortcutsOff)) !== '1'
  box.addEventListener('change', () =>
    withStorage((storage) => (box.checked ? storage.removeItem(shortcutsOff) : storage.setItem(shortcutsOff, '1'))),
  )
}
