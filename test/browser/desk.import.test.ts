import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchDocument } from '../../src/base/outbound/outbound.ts'
import { givenRecording, tecEvent } from '../support/recording.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const events = Array.from({ length: 120 }, (_, index) =>
  tecEvent(index + 1, { title: `Fair ${index + 1}`, ...(index === 70 ? { start_date: 'never' } : {}) }),
)

test('a file is tried and imported in parts, and continues after the connection failed', async (t) => {
  const { app, page, faults } = await startDesk(t)
  await page.getByLabel('More ways to add events').click()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.waitForLoadState()

  const found = [...(await violationsOf(page))]
  await page.getByLabel('File').setInputFiles({
    ...{ name: 'events.json', mimeType: 'application/json' },
    buffer: Buffer.from(givenRecording(events)),
  })
  await page.getByRole('button', { name: 'Try it first' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('This is what would happen. Nothing is saved yet.').waitFor()
  await page.getByText(/119\snew records/).waitFor()
  found.push(...(await violationsOf(page)))
  await screenshot(page, 'desk-import-tried', { isWhole: true })

  // The second part does not arrive.
  let sent = 0
  await page.route('**/admin/import/', (route) => {
    sent += 1
    return sent === 2 ? route.abort('connectionrefused') : route.continue()
  })
  await page.getByRole('button', { name: 'Import now' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No connection. Everything imported so far is kept.').waitFor()
  const between = (await app.send({ path: '/events?start_date=2000-01-01' })).body.total
  found.push(...(await violationsOf(page)))
  await page.getByRole('button', { name: 'Continue' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The import is done.').waitFor()
  await page.setViewportSize({ width: 320, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await screenshot(page, 'desk-import-done-phone-dark', { isWhole: true })
  found.push(...(await violationsOf(page)))

  const { body } = await app.send({ path: '/events?start_date=2000-01-01' })
  assert.deepEqual([between, body.total, sent], [50, 119, 4])
  assert.equal(await page.getByText(/1\srecord with problems/).count(), 1)
  assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 320)
  assert.deepEqual(found, [])
  assert.deepEqual(
    faults.filter((fault) => !/ERR_CONNECTION_REFUSED/.test(fault)),
    [],
  )
})

const times = { start_date: '2030-05-05 19:00', end_date: '2030-05-05 21:00' }

test('the result of an import has the focus, and each cause of a failure its own text', async (t) => {
  const { page } = await startDesk(t)
  const lines = Array.from({ length: 203 }, (_, index) =>
    JSON.stringify({ external_id: `e${index}`, title: `Fair ${index}`, ...times }),
  )
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  const answers: (
    | { readonly status: number; readonly json?: object; readonly contentType?: 'text/html' }
    | undefined
  )[] = []
  await page.getByLabel('More ways to add events').click()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.waitForLoadState()
  await page.route('**/admin/import/', (route) => {
    const answer = answers.shift()
    return answer ? route.fulfill(answer) : route.continue()
  })
  await page.getByLabel('File').setInputFiles({
    ...{ name: 'events.ndjson', mimeType: 'application/x-ndjson' },
    buffer: Buffer.from(lines.join('\n')),
  })
  const go = page.getByRole('button', { name: /^(?:Import now|Continue)$/ })

  await page.getByRole('button', { name: 'Try it first' }).click()
  await page.getByText('This is what would happen.').waitFor()
  assert.match(await focused(), /^This is what would happen/)
  answers.push({ status: 503, contentType: 'text/html' })
  await go.click()
  await page.getByText('The server is busy.').waitFor()
  answers.push({ status: 403, contentType: 'text/html' })
  await go.click()
  await page.getByText('Your session has ended.').waitFor()
  // The first part is imported, and the second one is refused.
  answers.push(undefined, { status: 422, json: { refusal: 'No such source.' } })
  await go.click()
  await page.getByRole('alert').getByText('The import has stopped.').waitFor()

  assert.match(await focused(), /^The import has stopped\. Everything imported so far is kept\. No such source\.$/)
  assert.equal(await go.count(), 0)
  assert.equal(await page.locator('progress').isVisible(), false)
  assert.deepEqual(await violationsOf(page), [])
})

test('a broken line at the beginning of the second part loses no other line', async (t) => {
  const { app, page, faults } = await startDesk(t)
  const lines = Array.from({ length: 203 }, (_, index) =>
    index === 200 ? '{broken' : JSON.stringify({ external_id: `e${index}`, title: `Fair ${index}`, ...times }),
  )
  await page.getByLabel('More ways to add events').click()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.waitForLoadState()

  await page.getByLabel('File').setInputFiles({
    ...{ name: 'events.ndjson', mimeType: 'application/x-ndjson' },
    buffer: Buffer.from(lines.join('\n')),
  })
  await page.getByRole('button', { name: 'Try it first' }).click()
  await page.getByRole('button', { name: 'Import now' }).click()
  await page.getByText('The import is done.').waitFor()

  const { body } = await app.send({ path: '/events?start_date=2000-01-01' })
  assert.equal(body.total, 202)
  assert.equal(await page.getByText('Line 201').count(), 1)
  assert.deepEqual(faults, [])
})

test('what would become of each event is a table, of a file with the script and of an address, on a phone too', async (t) => {
  const names = ['Tea dance', 'A long evening of songs, readings and other entertainments in the old town hall', 'Fair']
  const event = (name: string, start: string) =>
    `BEGIN:VEVENT\r\nUID:${name}\r\nSUMMARY:${name}\r\nDTSTART${start}\r\nEND:VEVENT\r\n`
  const events = names.map((name, place) => event(name, place === 1 ? ':soon' : ':20300501T190000Z'))
  const buffer = Buffer.from(`BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`)
  const fetchDocument: FetchDocument = async () => ({ status: 200, body: buffer, headers: {} })
  const { page, url, faults } = await startDesk(t, {}, { fetchDocument })
  await page.goto(`${url}/admin/import/`)
  await page.getByLabel('File').setInputFiles({ name: 'club.ics', mimeType: 'text/calendar', buffer })
  await page.getByRole('button', { name: 'Try it first' }).click()
  const rows = page.getByRole('row')
  await rows.nth(3).waitFor()
  const ofScript = await rows.allInnerTexts()
  const found = [...(await violationsOf(page))]
  await screenshot(page, 'desk-import-rows', { isWhole: true })

  await page.goto(`${url}/admin/import/`)
  await page.getByLabel('Or an address').fill('https://club.example/basic.ics')
  await page.getByRole('button', { name: 'Try it first' }).click()
  await rows.nth(3).waitFor()
  const ofAddress = await rows.allInnerTexts()
  found.push(...(await violationsOf(page)))
  await screenshot(page, 'desk-import-address', { isWhole: true })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await violationsOf(page)))
  await screenshot(page, 'desk-import-address-phone-dark', { isWhole: true })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  await page.getByRole('button', { name: 'Import now' }).click()
  await page.getByText('The import is done.').waitFor()
  await page.goto(`${url}/fr/admin/import/`)
  await page.getByLabel('Ou une adresse').fill('https://club.example/basic.ics')
  await page.getByRole('button', { name: 'Essayer d’abord' }).click()
  await rows.nth(3).waitFor()
  await screenshot(page, 'desk-import-address-phone-french', { isWhole: true })

  assert.equal(ofScript.length, 4)
  assert.match(ofScript[1] ?? '', /^A long evening[\s\S]*Refused – /)
  assert.match(ofScript[2] ?? '', /^Tea dance[\s\S]*Wednesday, May 1, 2030[\s\S]*New$/)
  assert.deepEqual(ofAddress, ofScript)
  assert.equal(width, 390)
  assert.deepEqual([...found, ...faults], [])
})

test('an address is fetched once however often the button is pressed, and its progress is shown', async (t) => {
  const buffer = Buffer.from(
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:Tea\r\nDTSTART:20300501T190000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  )
  let fetched = 0
  let release = () => {}
  const fetchDocument: FetchDocument = async () => {
    fetched += 1
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return { status: 200, body: buffer, headers: {} }
  }
  const { page, url, faults } = await startDesk(t, {}, { fetchDocument })
  await page.goto(`${url}/admin/import/`)
  await page.getByLabel('Or an address').fill('https://club.example/basic.ics')

  await page.getByRole('button', { name: 'Try it first' }).dblclick()
  await page.getByText('Trying it…').waitFor()
  assert.equal(await page.locator('progress').isVisible(), true)
  release()
  await page.getByText('This is what would happen.').waitFor()
  const tried = fetched
  await page.getByRole('button', { name: 'Import now' }).dblclick()
  await page.getByText('Importing…').waitFor()
  await screenshot(page, 'desk-import-address-progress', { isWhole: true })
  release()
  await page.getByText('The import is done.').waitFor()
  const found = await violationsOf(page)
  await screenshot(page, 'desk-import-address-done', { isWhole: true })
  await page.getByRole('link', { name: 'See the imported events' }).click()
  await page
    .getByRole('cell', { name: 'Tea' })
    .or(page.getByRole('rowheader', { name: 'Tea' }))
    .first()
    .waitFor()

  assert.deepEqual([tried, fetched], [1, 2])
  assert.deepEqual([...found, ...faults], [])
})
