import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { fieldsIn, givenDesk } from './desk.ts'

const path = '/admin/events/rows/'

const columnsIn = (text: string) =>
  [...text.matchAll(/<select id="f-column\.\d+"[\s\S]*?<\/select>/g)].map(
    ([select]) => /<option value="([^"]*)" selected/.exec(select)?.[1] ?? '',
  )
const faultsIn = (text: string) =>
  [...text.matchAll(/<li><a href="#f-([^"]*)">([^<]*)<\/a> ([^<]*)/g)].map(
    ([, at, label, fault]) => `${at} ${label} ${fault}`,
  )

/** Reads a table at the desk, and sends it as it is shown. */
export async function sendTable(app: TestApp, table: string, to = 'publish') {
  const desk = await givenDesk(app, 'editor')
  await desk.get(path)
  const read = await desk.sendFile(path, { bytes: Buffer.from(table), name: 'events.csv' }, { to: 'read' })
  assert.equal(read.status, 200, read.text)
  const columns = columnsIn(read.text)
  const chosen = Object.fromEntries(columns.map((name, column) => [`column.${column}`, name]))
  const use = [...read.text.matchAll(/name="use" value="(\d+)"/g)].map(([, row]) => row ?? '')
  const done = await desk.send(path, { ...fieldsIn(read.text), ...chosen, use, duration: '60', to })
  return { columns, read, done, faults: [...faultsIn(read.text), ...faultsIn(done.text)] }
}
