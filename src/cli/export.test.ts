import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startCommands } from '../../test/support/called.command.ts'

const head = [
  ...['Event Name', 'Event Description', 'Event Excerpt', 'Event Start Date', 'Event Start Time', 'Event End Date'],
  ...['Event End Time', 'Event Time Zone', 'All Day Event', 'Hide Event From Event Listings'],
  ...['Event Sticky in Month View', 'Feature Event', 'Event Venue Name', 'Event Organizer Name(s) or ID(s)'],
  ...['Event Show Map Link', 'Event Show Map', 'Event Cost', 'Event Category', 'Event Tags', 'Event Website'],
  ...['city', 'status', 'event_status'],
].join(',')
const rows = `${head}
"=Q&amp;A <em>live</em>","<p>A ""quote"".</p>
<p>Second; '=1</p>",Short,2035-06-01,19:30:00,2035-06-01,22:00:00,America/New_York,FALSE,FALSE,TRUE,TRUE,"Hall, big","Ann, Bob",TRUE,FALSE,$5,"Music, Jazz","free, kids",https://example.org/?b=1&c=2,Laval,publish,canceled
Fair,,,2035-06-07,,2035-06-08,,Asia/Tokyo,TRUE,FALSE,FALSE,FALSE,,,FALSE,TRUE,,,,,,publish,
Draft,,,2035-06-09,10:00,2035-06-09,11:00,,FALSE,FALSE,FALSE,FALSE,,,TRUE,TRUE,,,,,,draft,
`

/** Starts the command line with a calendar that has these rows, in this language. */
async function started(t: TestContext, language = 'en') {
  const { run, folder } = await startCommands(t)
  await writeFile(join(folder, 'rows.csv'), rows)
  const imported = await run(['import', 'csv', 'rows.csv', '--language', language])
  assert.equal(imported.exitCode, 0, imported.err)
  return { run, folder }
}

const withoutIds = (text: string) => text.replace(/\?id=\d+/g, '')

for (const language of ['en', 'fr-CA']) {
  test(`a table with the columns of the reference is read back as it is (${language})`, async (t) => {
    const [one, two] = [await started(t, language), await startCommands(t)]
    const out = ['--language', language, '--status', 'publish,draft', '--json']

    const { exitCode, out: told } = await one.run(['export', 'csv', 'one.csv', ...out])
    const text = await readFile(join(one.folder, 'one.csv'), 'utf8')
    await writeFile(join(two.folder, 'one.csv'), text)
    const imported = await two.run(['import', 'csv', 'one.csv', '--language', language])
    await two.run(['export', 'csv', 'two.csv', ...out])

    assert.deepEqual([exitCode, JSON.parse(told).events, imported.exitCode], [0, 3, 0])
    assert.equal(withoutIds(await readFile(join(two.folder, 'two.csv'), 'utf8')), withoutIds(text))
    const [headings = [], first = []] = parse(text, { bom: true }) as string[][]
    assert.equal(headings.length, first.length)
    assert.equal(new Set(headings).size, 39)
    const firstHeading = language === 'en' ? 'Event Name' : 'Nom de l’événement'
    assert.deepEqual([headings[0], headings[26], first[0]], [firstHeading, 'uid', "'=Q&amp;A <em>live</em>"])
  })
}

test('a calendar file is read back, and only what is asked for is in it', async (t) => {
  const [one, two] = [await started(t), await startCommands(t)]

  const { out } = await one.run(['export', 'ics', 'one.ics'])
  await writeFile(join(two.folder, 'one.ics'), await readFile(join(one.folder, 'one.ics')))
  const imported = JSON.parse((await two.run(['import', 'ics', 'one.ics', '--json', '--quiet'])).out)
  await two.run(['export', 'csv', 'two.csv'])

  assert.equal(out, '2 events exported to one.ics.\n')
  assert.deepEqual([imported.created, imported.problems], [2, []])
  const table = parse(await readFile(join(two.folder, 'two.csv')), { bom: true, columns: true }) as Record<
    string,
    string
  >[]
  assert.deepEqual(
    table.map((row) => [row['Event Name'], row['Event Start Date'], row['Event Start Time'], row['Event Time Zone']]),
    [
      ["'=Q&amp;A live", '2035-06-01', '19:30:00', 'America/New_York'],
      ['Fair', '2035-06-07', '', 'UTC'],
    ],
  )
})

test('a folder is imported with its ids, and brought up to date by the next export', async (t) => {
  const [one, two] = [await started(t), await startCommands(t)]
  const path = join(one.folder, 'all')

  const first = await one.run(['export', 'folder', 'all'])
  await writeFile(join(one.folder, 'more.csv'), 'Title,Date\nLater,2035-07-01\n')
  await one.run(['import', 'csv', 'more.csv'])
  const second = JSON.parse((await one.run(['export', 'folder', 'all', '--json'])).out)
  const imported = await two.run(['import', 'tec', path, '--keep-ids', '--quiet'])
  await two.run(['export', 'folder', 'back'])
  const verified = await two.run(['verify', 'tec', path, 'back', '--json'])
  const refused = await one.run(['import', 'tec', path, '--keep-ids'])
  await one.run(['export', 'wxr', 'all.xml'])

  assert.deepEqual([first.exitCode, second.counts.events, imported.exitCode], [0, 4, 0], imported.err)
  // What a spreadsheet has sent belongs to nobody in a new calendar.
  assert.deepEqual([verified.exitCode, JSON.parse(verified.out).deviations], [0, { source: 4 }], verified.out)
  assert.deepEqual([refused.exitCode, /--keep-ids needs an empty calendar/.test(refused.err)], [1, true])
  assert.equal((await readFile(join(one.folder, 'all.xml'), 'utf8')).match(/>tribe_events</g), null)
  assert.equal((await readFile(join(one.folder, 'all.xml'), 'utf8')).match(/\[tribe_events\]/g)?.length, 4)
})

test('an empty calendar, a wrong status and a folder that is not there are told', async (t) => {
  const [one, two] = [await started(t), await startCommands(t)]
  for (const [commands, args, exitCode, reason] of [
    [two, ['csv', 'one.csv'], 1, /no administrator yet/],
    [one, ['csv', 'one.csv', '--status', 'gone'], 2, /status/],
    [one, ['ics', 'none/one.ics'], 1, /none\/one\.ics cannot be written/],
    [one, ['ics', 'one.ics', '--language', 'xx'], 2, /--language must be/],
  ] as const) {
    const { exitCode: code, err } = await commands.run(['export', ...args])
    assert.deepEqual([code, reason.test(err)], [exitCode, true], err)
  }
})
