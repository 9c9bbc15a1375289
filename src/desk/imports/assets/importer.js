// Imports a file in parts, or an address, so that the progress can be seen. The form works without it.

const importForm = document.querySelector('form.import')
const importTexts = importForm ? JSON.parse(importForm.dataset.texts) : {}
const linesPerPart = 200
const eventsPerPart = 50
const longestPart = 2_000_000

const progressBar = importForm?.querySelector('[data-progress]')
const progressText = importForm?.querySelector('[data-progress-text]')
const resultBox = document.querySelector('[data-result]')
const goButton = importForm?.querySelector('[data-go]')
let isBusy = false
/** The parts that are not imported yet, and what the others did. */
let waiting = []
let total = noResult()

function noResult() {
  return { created: 0, changed: 0, unchanged: 0, failed: 0, problems: [] }
}

function isLines(text) {
  try {
    return 'external_id' in JSON.parse(text.trimStart().split('\n', 1)[0])
  } catch {
    return false
  }
}

/** Calendars are short, and their events belong together. */
function kindOf(text) {
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return 'calendar'
  return isLines(text) ? 'lines' : 'recording'
}

/** Older programs write the encoding of Windows. */
async function textOf(file) {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the parts of a file, each with the number of its first line and what the whole file is. */
function partsOf(text) {
  if (kindOf(text) === 'calendar') return [{ text, first: 1, kind: 'calendar' }]
  if (!isLines(text)) return recordedParts(text).map((part) => ({ ...part, kind: 'recording' }))
  const lines = text.split('\n')
  const parts = []
  let own = []
  let size = 0
  const close = (next) => {
    if (own.length > 0) parts.push({ text: own.join('\n'), first: next - own.length + 1, kind: 'lines' })
    own = []
    size = 0
  }
  for (const [place, line] of lines.entries()) {
    if (own.length >= linesPerPart || (size > 0 && size + line.length > longestPart)) close(place)
    own.push(line)
    size += line.length
  }
  close(lines.length)
  return parts
}

/** A recorded list is imported in parts of its events. All other lists come first, because events name them. */
function recordedParts(text) {
  let recorded
  try {
    recorded = JSON.parse(text)
  } catch {
    return [{ text, first: 1 }]
  }
  if (!Array.isArray(recorded?.events) || recorded.events.length <= eventsPerPart) return [{ text, first: 1 }]
  const { events, total: _total, rest_url: _url, ...others } = recorded
  const parts = []
  for (let place = 0; place < events.length; place += eventsPerPart) {
    const own = { ...(place === 0 ? others : {}), events: events.slice(place, place + eventsPerPart) }
    parts.push({ text: JSON.stringify(own), first: 1 })
  }
  return parts
}

/** Returns the name of the text that says why there was no result. Every other page is the one for signing in. */
function causeOf(status) {
  if (status === 429 || status >= 500) return 'busy'
  return status === 413 ? 'too-long' : 'signed-out'
}

async function sendPart(part, to) {
  const { text, first, kind, url } = part
  const body = new FormData()
  for (const name of ['csrf', 'source', 'language']) body.set(name, importForm.elements[name].value)
  for (const [name, value] of Object.entries({ to, as: 'data', first, kind })) body.set(name, value)
  if (url) body.set('url', url)
  else body.set('file', new Blob([text]), 'part')
  const answer = await fetch(importForm.action, { method: 'POST', body })
  if (!/json/.test(answer.headers.get('content-type') ?? '')) throw new Error(causeOf(answer.status))
  const result = await answer.json()
  if (answer.status === 403 && result.csrf) {
    importForm.elements.csrf.value = result.csrf
    return sendPart(part, to)
  }
  return result
}

function element(name, text, className) {
  const made = document.createElement(name)
  if (text) made.textContent = text
  if (className) made.className = className
  return made
}

function countText(name, count) {
  const [none, one, many] = importTexts[name]
  return (count === 0 ? none : count === 1 ? one : many).replace(count === 0 ? '0' : count === 1 ? '1' : '2', count)
}

/** Returns what would become of each event. */
function tableOf({ head, rows, more }) {
  const region = element('div', '', 'table')
  const table = element('table')
  const line = (cells, nameOf) => {
    const row = element('tr')
    for (const [place, text] of cells.entries()) row.append(element(nameOf(place), text))
    return row
  }
  table.createTHead().append(line(head, () => 'th'))
  table.createTBody().append(...rows.map((cells) => line(cells, (place) => (place === 0 ? 'th' : 'td'))))
  region.tabIndex = 0
  region.setAttribute('role', 'region')
  region.setAttribute('aria-label', head.at(-1))
  region.append(table, element('p', more, 'hint'))
  return region
}

function showResult(result, heading) {
  const section = element('section', '', 'panel')
  if (result.refusal) {
    section.className = 'faults'
    section.setAttribute('role', 'alert')
    section.append(element('p', heading.replace('{reason}', result.refusal)))
  } else {
    section.append(element('h2', heading))
    const counts = element('ul', '', 'counts')
    for (const name of ['created', 'changed', 'unchanged', 'failed'])
      counts.append(element('li', countText(name, result[name])))
    section.append(counts)
    if (result.problems.length > 0) {
      section.append(element('h3', importTexts.problems))
      const list = element('ul', '', 'problems')
      for (const { place, text } of result.problems) {
        const item = element('li')
        item.append(element('strong', place), ` ${text}`)
        list.append(item)
      }
      section.append(list)
    }
    if (result.table) section.append(tableOf(result.table))
    if (heading === importTexts.done && result.created + result.changed > 0) {
      const line = element('p')
      const link = element('a', importTexts.see)
      link.href = importTexts.newest
      line.append(link)
      section.append(line)
    }
  }
  resultBox.replaceChildren(section)
  resultBox.hidden = false
  // The button that was pressed may be gone, and screen readers read what has the focus.
  section.tabIndex = -1
  section.focus()
}

function showProgress(done, all, text) {
  progressBar.hidden = false
  if (all === 0) progressBar.removeAttribute('value')
  else {
    progressBar.max = all
    progressBar.value = done
  }
  progressText.textContent = text.replace('{done}', done).replace('{all}', all)
}

function endProgress(text = '') {
  progressBar.hidden = true
  progressText.textContent = text
}

/** Tries a file, or without one an address. */
async function tryFile(file, url) {
  showProgress(0, 0, importTexts.reading)
  const text = file ? await textOf(file) : ''
  const whole = file ? { text, first: 1, kind: kindOf(text) } : { url, first: 1, kind: 'address' }
  const result = await sendPart(whole, 'try')
  endProgress()
  showResult(result, result.refusal ? importTexts.refused : importTexts.tried)
  goButton.hidden = Boolean(result.refusal)
  waiting = file ? partsOf(text) : [whole]
  total = noResult()
}

/** Sends the parts that wait. After a failure, it continues with the part that failed: an import done twice changes nothing. */
async function importParts(all) {
  while (waiting.length > 0) {
    if (all === 1) showProgress(0, 0, importTexts.importing)
    else showProgress(all - waiting.length, all, importTexts.progress)
    const result = await sendPart(waiting[0], 'import')
    waiting.shift()
    if (result.refusal) {
      const isFirst = waiting.length + 1 === all
      waiting = []
      endProgress()
      goButton.hidden = true
      return showResult(result, isFirst ? importTexts.refused : importTexts.stopped)
    }
    for (const name of ['created', 'changed', 'unchanged', 'failed']) total[name] += result[name]
    total.problems.push(...result.problems.slice(0, 200 - total.problems.length))
  }
  endProgress()
  goButton.hidden = true
  showResult(total, importTexts.done)
}

async function run(work) {
  if (isBusy) return
  isBusy = true
  try {
    await work()
  } catch (error) {
    endProgress(importTexts[error.message] ?? importTexts.broken)
    if (waiting.length > 0) goButton.textContent = importTexts.again
  }
  isBusy = false
}

if (importForm) {
  let parts = 0
  importForm.addEventListener('submit', (event) => {
    const [file] = importForm.elements.file.files
    const url = importForm.elements.url.value.trim()
    // The page says what is wrong with both, or none.
    if (Boolean(file) === (url !== '')) return
    event.preventDefault()
    document.querySelector('.import-now')?.remove()
    run(async () => {
      await tryFile(file, url)
      parts = waiting.length
    })
  })
  goButton.addEventListener('click', () => run(() => importParts(parts)))
  for (const name of ['file', 'url'])
    importForm.elements[name].addEventListener('change', () => {
      goButton.hidden = true
    })
}
