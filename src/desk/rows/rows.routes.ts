import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { mayCreate, mayPublish } from '../../access/auth/policy.ts'
import { decodeText } from '../../base/text/decode.ts'
import { keyFor } from '../api/batch.ts'
import { tablePage } from '../events/many.done.ts'
import { newest, tableAt } from '../events/table.place.ts'
import {
  actorOf,
  type DeskAnswer,
  type DeskForm,
  type DeskPage,
  type DeskRoutes,
  type OwnCall,
  type Told,
  type TypedAgain,
} from '../shell/desk.call.ts'
import { tellOnPage } from '../shell/told.ts'
import { readDelimited } from './delimited.ts'
import { maxOperations, operationsOf, tryRows, writeRows } from './row.batch.ts'
import { readTable } from './row.read.ts'
import { maxColumns, maxRows, tableFrom, tableIn } from './row.table.ts'
import { removeMade, undoRows, undoText } from './row.undo.ts'
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
  const table = tableFrom(call, cells.slice(0, maxRows + 2))
  if (table.rows.length === 0) return pastePage(call, { text, fault: say('rows.empty') })
  if (table.rows.length > maxRows) return pastePage(call, { text, fault: say('rows.too-many', { most: maxRows }) })
  const isCut = cells.some((row) => row.slice(maxColumns).some((cell) => cell.trim() !== ''))
  const read = await readTable(call, table)
  const cut = isCut ? { notice: say('rows.cut-columns', { most: maxColumns }) } : {}
  return previewPage(call, read, { ...cut, isFresh: true })
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
  if (operations.length > maxOperations) {
    return previewPage(call, read, { faults: { form: say('rows.too-many', { most: maxRows }) }, status: 422 })
  }
  const refused = await tryRows(call, read, operations)
  if (Object.keys(refused).length > 0) return previewPage(call, read, { faults: refused, status: 422 })
  // A button that corrects a cell has no other meaning.
  if (to === 'check' || to === '') return previewPage(call, read, { notice: say('rows.fine') })
  const { made, faults, isRepeated } = await writeRows(call, read, { form, status })
  if (isRepeated) return tellNewest(call, { text: say('rows.done-before') })
  if (Object.keys(faults).length === 0) {
    const count = made.filter(({ language }) => language !== undefined).length
    const undo = { path: `${rowsPath}undo/`, fields: { undo: undoText(made), key: keyFor(form.get('key'), 'undo') } }
    return tellNewest(call, { text: say('rows.done', { count }), undo })
  }
  await removeMade(call, made, randomUUID())
  return previewPage(call, read, { faults, status: 422 })
}

/** Leads to the events that a table made, with what it did. */
function tellNewest(call: OwnCall, told: Told): Promise<DeskAnswer> {
  return tellOnPage(call, tableAt(newest), { told, page: () => tablePage(call, newest) })
}

async function undo(call: OwnCall, form: DeskForm): Promise<DeskAnswer> {
  const { removed, kept } = await undoRows(call, form)
  const { say } = call
  const text = `${say('rows.undone', { count: removed })} ${kept > 0 ? say('rows.kept', { count: kept }) : ''}`
  return tellNewest(call, { text: text.trim() })
}

/** Shows a table or a text again, without writing anything. */
async function again(call: OwnCall, { form, notice: said }: TypedAgain): Promise<DeskAnswer> {
  if (form.get('rows') === '') return pastePage(call, { text: form.get('table'), notice: said })
  return previewPage(call, await readTable(call, tableIn(call, form)), { notice: said })
}

/** The page on which rows of a spreadsheet become events. */
export const rowRoutes: DeskRoutes = {
  [rowsPath]: { mayUse: mayCreate, show: async (call) => pastePage(call), ...{ submit, again } },
  [`${rowsPath}undo/`]: { mayUse: mayCreate, show: rowsPath, submit: undo },
}
