import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { mayCreate, mayPublish } from '../../access/auth/policy.ts'
import { html } from '../../publish/pages/html.ts'
import { timeParameters } from '../events/editor.dates.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoute,
  linkTo,
  type OwnCall,
  type TypedAgain,
  withParameters,
} from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { csrfField, hidden, notice } from '../shell/fields.ts'
import { decodeText, readDelimited } from './delimited.ts'
import { type Made, mostOperations, operationsOf, tryRows, writeRows } from './row.batch.ts'
import { type ReadTable, readTable } from './row.read.ts'
import { mostColumns, mostRows, tableFrom, tableIn } from './row.table.ts'
import { undoRows, undoText } from './row.undo.ts'
import { pastePage, previewPage, rowsPath } from './rows.page.ts'

/** The cells of a table come back as fields of a form, which has at most 512 KB. */
const longestTable = 256 * 1024

/** Returns the text that was pasted or uploaded; undefined if it is too long. */
async function textIn(form: DeskForm): Promise<string | undefined> {
  const { file } = form
  if (!file) return form.get('table').length > longestTable ? undefined : form.get('table')
  const { size } = await stat(file.localFile)
  return size > longestTable ? undefined : decodeText(await readFile(file.localFile)).replaceAll('\0', '')
}

async function readPasted(call: OwnCall, form: DeskForm): Promise<DeskPage> {
  const { say } = call
  const text = await textIn(form)
  if (text === undefined) return pastePage(call, { text: form.get('table'), fault: say('rows.too-long') })
  const cells = readDelimited(text)
  const table = tableFrom(call, cells.slice(0, mostRows + 2))
  if (table.rows.length === 0) return pastePage(call, { text, fault: say('rows.empty') })
  if (table.rows.length > mostRows) return pastePage(call, { text, fault: say('rows.too-many', { most: mostRows }) })
  const isCut = cells.some((row) => row.slice(mostColumns).some((cell) => cell.trim() !== ''))
  const read = await readTable(call, table)
  return previewPage(call, read, isCut ? { notice: say('rows.cut-columns', { most: mostColumns }) } : {})
}

async function submit(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { say, me } = call
  const to = form.get('to')
  if (to === 'read' || form.get('rows') === '') return readPasted(call, form)
  const read = await readTable(call, tableIn(call, form))
  const isFaulty = Object.keys(read.faults).length > 0
  if (isFaulty || read.events.length === 0) return previewPage(call, read, { status: isFaulty ? 422 : 200 })
  const status = to === 'publish' && mayPublish(actorOf(me)) ? 'publish' : to === 'pending' ? 'pending' : 'draft'
  const operations = operationsOf(call, read, status)
  if (operations.length > mostOperations) {
    return previewPage(call, read, { faults: { form: say('rows.too-many', { most: mostRows }) }, status: 422 })
  }
  const refused = await tryRows(call, read, operations)
  if (Object.keys(refused).length > 0) return previewPage(call, read, { faults: refused, status: 422 })
  if (to === 'check') return previewPage(call, read, { notice: say('rows.fine') })
  const { made, faults, isRepeated } = await writeRows(call, read, { operations, form })
  if (isRepeated) return pastePage(call, { notice: say('rows.done-before') })
  return made.length > 0 ? donePage(call, read, made) : previewPage(call, read, { faults, status: 422 })
}

/** Shows what was made, and offers to undo it. */
function donePage(call: OwnCall, { events }: ReadTable, made: readonly Made[]): DeskPage {
  const { say, textLanguage } = call
  const own = made.filter(({ row }) => row !== undefined)
  const undo = html`<form method="post" action="${linkTo(call, `${rowsPath}undo/`)}">${csrfField(call)}${hidden('undo', undoText(made))}${hidden('key', randomUUID())}<button class="quiet">${say('events.undo')}</button></form>`
  const items = own.flatMap(({ id, row }) => {
    const event = events.find((one) => one.row === row)
    if (!event) return []
    const title = event.values[`title.${event.languages[0]}`] ?? ''
    const { start_date: start = '', end_date: end = '' } = timeParameters(event.times)
    const when = whenText(textLanguage, { start_date: start, end_date: end, all_day: event.times.isAllDay })
    return html`<li><span><a href="${linkTo(call, `/admin/events/${id}/`)}">${title}</a><br><span class="hint">${when}</span></span></li>`
  })
  return {
    ...{ kind: 'page', title: say('rows.title'), section: 'events', address: rowsPath },
    main: html`<h1>${say('rows.title')}</h1>
${notice(say('rows.done', { count: own.length }), undo)}
<section class="panel" aria-labelledby="made"><h2 id="made">${say('rows.made')}</h2><ul class="rows">${items}</ul></section>
<div class="buttons"><a class="button" href="${linkTo(call, withParameters('/admin/events/', { sort: 'modified' }))}">${say('many.back')}</a> <a class="button quiet" href="${linkTo(call, rowsPath)}">${say('rows.again')}</a></div>`,
  }
}

async function undo(call: OwnCall, form: DeskForm): Promise<DeskPage> {
  const { say } = call
  const { removed, kept } = await undoRows(call, form)
  return pastePage(call, {
    notice: [say('rows.undone', { count: removed }), kept > 0 ? say('rows.kept', { count: kept }) : '']
      .join(' ')
      .trim(),
  })
}

/** Shows a table or a text again, without writing anything. */
async function again(call: OwnCall, { form, notice: said }: TypedAgain): Promise<DeskAnswer> {
  if (form.get('rows') === '') return pastePage(call, { text: form.get('table'), notice: said })
  return previewPage(call, await readTable(call, tableIn(call, form)), { notice: said })
}

/** The page on which rows of a spreadsheet become events. */
export const rowRoutes: readonly DeskRoute[] = [
  {
    ...{ route: rowsPath, pattern: /^\/admin\/events\/rows\/$/, mayUse: mayCreate },
    show: async (call) => pastePage(call),
    ...{ submit, again },
  },
  {
    ...{ route: `${rowsPath}undo/`, pattern: /^\/admin\/events\/rows\/undo\/$/, mayUse: mayCreate },
    show: async () => ({ kind: 'see', path: rowsPath }),
    submit: undo,
  },
]
