import { randomUUID } from 'node:crypto'
import { mayPublish } from '../../access/auth/policy.ts'
import { catalogueOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { timeParameters } from '../events/editor.dates.ts'
import { isOvernight } from '../events/editor.times.ts'
import { actorOf, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { type Choice, csrfField, type Faults, faultSummary, hidden, notice, select } from '../shell/fields.ts'
import { columnChoices, columnLabel, isText } from './row.columns.ts'
import type { RowDouble } from './row.doubles.ts'
import { knownText, type ReadTable, type RowEvent, type RowLink } from './row.read.ts'
import { cellName, durations, maxRows, type RowTable } from './row.table.ts'
import { dayOrders, isAmbiguous } from './row.times.ts'

export const rowsPath = '/admin/events/rows/'
/** A row shows links to as many events that it looks like. */
const maxLinked = 3

interface PastedAgain {
  readonly text?: string
  readonly fault?: string
  readonly notice?: string
}

/** Returns the page on which rows are pasted, or a file is chosen. */
export function pastePage(call: OwnCall, { text = '', fault, notice: said }: PastedAgain = {}): DeskPage {
  const { say } = call
  const faults: Faults = fault === undefined ? {} : { table: fault }
  return {
    ...{
      kind: 'page',
      title: say('rows.title'),
      section: 'events',
      scripts: ['rows'],
      status: fault === undefined ? 200 : 422,
    },
    main: html`<h1>${say('rows.title')}</h1>
${said && notice(said)}
${faultSummary(call, faults, { table: say('rows.paste') })}
<form method="post" class="panel" action="${linkTo(call, rowsPath)}" enctype="multipart/form-data">
${csrfField(call)}
<div class="field"><label for="f-table">${say('rows.paste')}</label>
<p class="hint" id="h-table">${say('rows.paste.hint', { most: maxRows })}</p>
<textarea id="f-table" name="table" rows="10" class="code" aria-describedby="h-table${fault && ' x-table'}"${fault && raw(' aria-invalid="true"')} spellcheck="false">
${text}</textarea>
${fault && html`<p class="fault" id="x-table">${fault}</p>`}</div>
<div class="field"><label for="f-file">${say('rows.file')}</label>
<input type="file" id="f-file" name="file" aria-describedby="h-table" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"></div>
<div class="buttons"><button name="to" value="read">${say('rows.read')}</button></div>
</form>`,
  }
}

interface Shown {
  readonly faults?: Faults
  readonly notice?: string
  readonly status?: number
  /** Whether nobody has chosen rows yet: then doubles are not selected. */
  readonly isFresh?: boolean
}

/** Returns the page that shows what was understood of each row. Each cell can be corrected. */
export function previewPage(
  call: OwnCall,
  read: ReadTable,
  { faults: more = {}, notice: said, status, isFresh = false }: Shown = {},
): DeskPage {
  const { say, me } = call
  const { table, events, doubles, alike } = read
  const faults = { ...more, ...read.faults }
  const canPublish = mayPublish(actorOf(me))
  const used = table.columns.flatMap((name, column) => (name === '' ? [] : [{ name, column }]))
  const places = table.columns.map((_, column) => column)
  const order = orderField(call, table)
  const isUnclear = order !== false || places.some((column) => !table.columns[column] || faults[`column.${column}`])
  const added = new Map(events.flatMap((one) => one.categories.map(({ name, known }) => [name, known])))
  const newCategories = [...added].flatMap(([name, known]) => (known === undefined ? [name] : []))
  return {
    ...{ kind: 'page', title: say('rows.title'), section: 'events', status: status ?? 200 },
    main: html`<h1 id="title">${say('rows.title')}</h1>
${said && notice(said)}
${faultSummary(call, faults, labelsOf(call, table))}
<form method="post" action="${linkTo(call, rowsPath)}" class="rows-form">
${csrfField(call)}${hidden('key', randomUUID())}${hidden('known', knownText(events))}${hidden('rows', String(table.rows.length))}${hidden('columns', String(table.columns.length))}
<button name="to" value="check" class="unseen" tabindex="-1" aria-hidden="true">${say('rows.check')}</button>
${places.map((column) => hidden(`heading.${column}`, table.headings[column] ?? ''))}
<details class="named panel columns"${isUnclear && raw(' open')}><summary>${say('rows.columns')}</summary>
<div class="filter-bar">${places.map((column) => columnField(call, { table, column, fault: faults[`column.${column}`] }))}</div>
<div class="filter-bar">${order}
${select({ name: 'duration', label: say('rows.duration'), value: table.duration, choices: durations.map((one): Choice => [one, minutesText(call, Number(one))]) })}</div>
</details>
<h2>${say('rows.preview', { count: events.length })}</h2>
<p class="hint">${say('rows.preview.hint')}</p>
${doubles.size > 0 && html`<p class="saved">${say('rows.doubles', { count: doubles.size })}</p>`}
${newCategories.length > 0 && html`<p class="saved">${say('rows.new-categories', { names: newCategories.join(', ') })}</p>`}
<div class="table" role="region" aria-labelledby="title" tabindex="0"><table class="rows-table">
<thead><tr><th scope="col">${say('rows.row')}</th><th scope="col">${say('rows.understood')}</th>${used.map(({ name }) => html`<th scope="col">${columnLabel(call, name)}</th>`)}</tr></thead>
<tbody>${table.rows.map((cells, row) => tableRow(call, { table, faults, row, cells, event: events.find((one) => one.row === row), double: doubles.get(row), alike: alike.get(row), isFresh }))}</tbody>
</table></div>
<div class="save-bar"><div class="buttons">
<button name="to" value="draft">${say('rows.draft')}</button>
<button name="to" value="${canPublish ? 'publish' : 'pending'}" class="quiet">${say(canPublish ? 'rows.publish' : 'rows.pending')}</button>
<button name="to" value="check" class="quiet">${say('rows.check')}</button>
<a class="button quiet" href="${linkTo(call, rowsPath)}">${say('rows.again')}</a>
</div></div>
</form>`,
  }
}

function labelsOf(call: OwnCall, table: RowTable): Readonly<Record<string, string>> {
  const { say } = call
  const cells = table.rows.flatMap((_, row) =>
    table.columns.map(
      (name, column) => [cellName(row, column), name === '' ? '' : cellLabel(call, name, row)] as const,
    ),
  )
  const columns = table.columns.map((_, column) => [`column.${column}`, headingOf(call, table, column)] as const)
  return { ...Object.fromEntries([...cells, ...columns]), order: say('rows.order') }
}

const cellLabel = (call: OwnCall, name: string, row: number) =>
  call.say('rows.cell', { label: columnLabel(call, name), row: row + 1 })

const headingOf = ({ say }: OwnCall, { headings }: RowTable, column: number) =>
  headings[column] || say('rows.column', { number: column + 1 })

function columnField(
  call: OwnCall,
  { table, column, fault }: { readonly table: RowTable; readonly column: number; readonly fault: string | undefined },
): Html {
  const label = headingOf(call, table, column)
  const value = table.columns[column] ?? ''
  return select({ name: `column.${column}`, label, value, fault, choices: columnChoices(call) })
}

/** The order of numbers is asked for only if it matters and the dates do not tell it. */
function orderField({ say }: OwnCall, { rows, columns, order }: RowTable): Html | false {
  const isAsked = rows.some((cells) => cells.some((cell, column) => columns[column] !== '' && isAmbiguous(cell)))
  if (!isAsked) return false
  const choices = dayOrders.map((one): Choice => [one, say(`rows.order.${one}`)])
  return select({ name: 'order', label: say('rows.order'), value: order ?? '', choices: [['', '–'], ...choices] })
}

function minutesText({ textLanguage }: OwnCall, minutes: number): string {
  const { locale } = catalogueOf(textLanguage).dates
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes)
}

interface ShownRow {
  readonly table: RowTable
  readonly faults: Faults
  readonly row: number
  readonly cells: readonly string[]
  readonly event: RowEvent | undefined
  readonly double: RowDouble | undefined
  readonly alike: string | undefined
  readonly isFresh: boolean
}

function tableRow(call: OwnCall, { table, faults, row, cells, event, double, alike, isFresh }: ShownRow): Html {
  const { say } = call
  return html`<tr>
<th scope="row"><label class="check"><input type="checkbox" name="use" value="${row}"${event && !(isFresh && double) && raw(' checked')}> <span><span class="unseen">${say('rows.use')} </span>${row + 1}</span></label>
${table.columns.map((name, column) => name === '' && hidden(cellName(row, column), cells[column] ?? ''))}</th>
<td class="understood">${event && understood(call, event)}${double && doubleNote(call, double)}</td>
${table.columns.map((name, column) => name !== '' && cellField(call, { name, own: cellName(row, column), value: cells[column] ?? '', row, fault: faults[cellName(row, column)], alike: name === 'venue' ? alike : undefined }))}
</tr>`
}

interface CellField {
  readonly name: string
  readonly own: string
  readonly value: string
  readonly row: number
  readonly fault: string | undefined
  readonly alike: string | undefined
}

function cellField(call: OwnCall, { name, own, value, row, fault, alike }: CellField): Html {
  const [column = '', language] = name.split('.')
  // The button follows the field, and the last value of a name is the one that is read.
  const isLong = isText(column) && column !== 'title'
  const shared = html`dir="auto" id="f-${own}" name="${own}"${language && html` lang="${language}"`}${fault && html` aria-invalid="true" aria-describedby="x-${own}"`}`
  return html`<td class="cell-${column}"><label for="f-${own}">${columnLabel(call, name)}<span class="unseen"> – ${call.say('rows.row')} ${row + 1}</span></label>
${isLong ? html`<textarea ${shared} rows="2">\n${value}</textarea>` : html`<input ${shared} value="${value}">`}
${alike !== undefined && html`<button name="${own}" value="${alike}" class="quiet small">${call.say('rows.alike', { name: alike })}</button>`}
${fault && html`<p class="fault" id="x-${own}">${fault}</p>`}</td>`
}

/** Returns what was understood of a row: the time in full, and whether names exist already. */
function understood(call: OwnCall, event: RowEvent): Html {
  const { say, textLanguage } = call
  const { times, venue, organizers, categories, hidden } = event
  const isTimed = times.startFault === undefined && times.endFault === undefined
  const { start_date: start = '', end_date: end = '' } = isTimed ? timeParameters(times) : {}
  const made = (key: 'venue' | 'organizer' | 'category', link: RowLink | undefined) =>
    link && html`<li>${linkText(call, key, link)}</li>`
  return html`<ul class="inline-list">
${isTimed && html`<li>${whenText(textLanguage, { start_date: start, end_date: end, all_day: times.isAllDay })}${isOvernight(times.start, times.end) && html` <span class="saved">${say('editor.check.overnight')}</span>`}</li>`}
${made('venue', venue)}${organizers.map((one) => made('organizer', one))}
${categories.filter(({ known }) => known === undefined).map((one) => made('category', one))}
${hidden && html`<li><span class="status ${hidden}">${say(`status.${hidden}`)}</span></li>`}
</ul>${event.languages.length === 0 && html`<p class="hint">${say('events.untitled')}</p>`}`
}

/** Returns what a row looks like a double of. The events open beside the table, which is not saved yet. */
function doubleNote(call: OwnCall, { row, events }: RowDouble): Html {
  const { say } = call
  return html`<div class="double">${row !== undefined && html`<p>${say('rows.double.row', { row: row + 1 })}</p>`}
${events.length > 0 && html`<p>${say('rows.double.event')} ${events.slice(0, maxLinked).map(({ id, title }, place) => html`${place > 0 && ', '}<a href="${linkTo(call, `/admin/events/${id}/`)}" target="_blank">${title}<span class="unseen"> (${say('rows.double.tab')})</span></a>`)}</p>`}</div>`
}

function linkText({ say }: OwnCall, key: 'venue' | 'organizer' | 'category', { name, city, known }: RowLink): Html {
  if (!known)
    return html`<span class="status draft">${say(`rows.new.${key}`)}</span> ${name}${city !== '' && `, ${city}`}`
  return html`${known.name}${known.city !== '' && `, ${known.city}`}`
}
