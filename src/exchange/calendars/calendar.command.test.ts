import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startCommands } from '../../../test/support/called.command.ts'

const text = [
  ...[
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'SUMMARY:Yoga',
    'DTSTART:20300501T190000',
    'RRULE:FREQ=WEEKLY;COUNT=3',
  ],
  ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:b', 'SUMMARY:Broken', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

async function startSite(t: TestContext) {
  const server = createServer((request, response) => {
    if (request.url === '/club.ics') response.end(text)
    else response.writeHead(request.url === '/page' ? 200 : 404).end('<html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a calendar is imported from a file or an address, after a dry run', async (t) => {
  const site = await startSite(t)
  const { run, folder } = await startCommands(t)
  const file = join(folder, 'Club 2030.ics')
  await writeFile(file, text)

  const early = await run(['import', 'ics', file, '--dry-run'])
  assert.deepEqual([early.exitCode, /There is no user yet/.test(early.err)], [1, true])
  const first = await run(['import', 'ics', file, '--category', 'Sport'])
  assert.equal(first.exitCode, 1)
  assert.match(first.out, /2 events found[\s\S]*1 created, 0 changed, 0 unchanged, 1 failed\. The source is club-2030/)
  assert.match(first.err, /Club 2030\.ics: 2 \(Broken\): .*start_date/)
  assert.match(first.err, /1 event has no time zone/)
  const dry = JSON.parse((await run(['import', 'ics', `${site}/club.ics`, '--dry-run', '--json', '--quiet'])).out)
  assert.deepEqual([dry.source, dry.dry_run, dry.created], ['127-0-0-1', true, 1])
  const again = JSON.parse(
    (await run(['import', 'ics', `${site}/club.ics`, '--source', 'club-2030', '--category', 'Sport', '--json'])).out,
  )
  assert.deepEqual([again.created, again.unchanged, again.problems.length], [0, 1, 1])
})

test('a page, a missing file and wrong options are told', async (t) => {
  const site = await startSite(t)
  const { run } = await startCommands(t)
  for (const [args, exitCode, reason] of [
    [[`${site}/page`], 1, /not a whole iCalendar file/],
    [[`${site}/none`], 1, /answers with the status 404/],
    [['http://user:secret@127.0.0.1/'], 1, /no web address without a password/],
    [['none.ics'], 1, /cannot be read/],
    [['none.ics', '--status', 'trash'], 1, /cannot be read/],
    [[`${site}/club.ics`, '--status', 'trash'], 2, /--status must be/],
    [[`${site}/club.ics`, '--source', 'A B'], 2, /--source must have/],
    [[`${site}/club.ics`, '--language', 'xx'], 2, /--language must be/],
    [[`${site}/club.ics`, '--author', 'nobody'], 1, /User nobody not found/],
  ] as const) {
    const { exitCode: code, err } = await run(['import', 'ics', ...args])
    assert.deepEqual([code, reason.test(err)], [exitCode, true], err)
  }
})
