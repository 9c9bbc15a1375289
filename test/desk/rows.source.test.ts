import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCommandsOnEngine } from '../support/engine.command.ts'

const tec = [
  'Event Name,Event Description,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Cost,Event Category,Event Website',
  'Fair,<b>All</b> welcome,2030-05-01,10:00,2030-05-01,16:00,,Hall 2,"Ann, Bob",5,"Markets, Outside",https://fair.example',
  'Rest,,2030-05-02,,2030-05-03,,TRUE,,,,,',
  'Broken,,someday,10:00,,,,,,,,',
].join('\r\n')

test('a table of The Events Calendar is imported as at the desk, and the second time nothing is new', async (t) => {
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'old events.csv')
  await writeFile(file, tec)

  const first = await run(['import', 'csv', file])
  const again = JSON.parse((await run(['import', 'csv', file, '--json'])).out)
  await writeFile(
    file,
    tec.replace('10:00,2030-05-01,16:00', '10:00,2030-05-01,17:00').replace('someday', '2030-05-09'),
  )
  const changed = JSON.parse((await run(['import', 'csv', file, '--dry-run', '--json'])).out)

  assert.match(first.out, /3 events found[\s\S]*2 created, 0 changed, 0 unchanged, 1 failed\. The source is old-events/)
  assert.match(first.err, /old events\.csv: 4 \(Broken\): /)
  assert.deepEqual([again.created, again.unchanged, again.failed], [0, 2, 1])
  // Other times are another event, because its row has no id.
  assert.deepEqual([changed.created, changed.changed, changed.unchanged, changed.failed], [2, 0, 1, 0])
})

test('rows with ids, rules and days before months are followed, in French and in the encoding of Windows', async (t) => {
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'agenda.csv')
  const rows = (title: string) =>
    Buffer.from(
      [
        'UID;Titre;Date;Heure de début;RRULE',
        `1;${title};03/04/2030;19 h;"FREQ=WEEKLY;COUNT=3"`,
        '2;Bal;05/04/2030;20 h;',
      ].join('\r\n'),
      'latin1',
    )
  await writeFile(file, rows('Été'))
  const unclear = await run(['import', 'csv', file])
  const done = JSON.parse((await run(['import', 'csv', file, '--dates', 'day', '--source', 'agenda', '--json'])).out)
  await writeFile(file, rows('Fête'))
  const renamed = JSON.parse((await run(['import', 'csv', file, '--dates', 'day', '--source', 'agenda', '--json'])).out)

  assert.equal(unclear.exitCode, 1)
  assert.deepEqual([done.created, done.failed], [2, 0], JSON.stringify(done.problems))
  assert.deepEqual([renamed.changed, renamed.unchanged], [1, 1])
})

test('what is no table of events is refused', async (t) => {
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'x.csv')
  for (const [text, reason] of [
    ['a,b\n1,2', /no column of titles/],
    ['Title\nFair', /no column of titles or of dates/],
    ['', /no column of titles/],
    [`Title,Date\n${'a,2030-01-01\n'.repeat(5002)}`, /5,000 rows/],
  ] as const) {
    await writeFile(file, text)
    const { exitCode, err } = await run(['import', 'csv', file])
    assert.deepEqual([exitCode, reason.test(err)], [1, true], err)
  }
  assert.equal((await run(['import', 'csv', file, '--dates', 'year'])).exitCode, 2)
})

test('the work of a table full of faults does not grow with the square of its rows', async (t) => {
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'faults.csv')
  await writeFile(
    file,
    `Title,Start date,Start time,End date,Cost,Website\n${'x,someday,99,nope,free,::\n'.repeat(5000)}`,
  )
  await run(['user', 'add', 'ada', '--role', 'administrator'])
  const begin = performance.now()
  const { found, failed } = JSON.parse((await run(['import', 'csv', file, '--dry-run', '--json', '--quiet'])).out)
  assert.deepEqual([found, failed], [5000, 1])
  assert.ok(performance.now() - begin < 15_000)
})

test('instants are read in the zone of their row, and a fault names the row that a spreadsheet shows', async (t) => {
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'x.csv')
  const rows = [
    ['', 'Title;Start;End;Timezone', ';;;', 'West;2030-06-01T18:00:00-04:00;;America/Toronto', ';;;'],
    ['Zulu;2030-06-02T22:00:00.000Z;2030-06-02T23:30:00Z;America/Toronto', 'Broken;someday 9:00;;'],
  ]
  await writeFile(file, rows.flat().join('\n'))
  const { out, err } = await run(['import', 'csv', file])
  assert.match(out, /3 events found[\s\S]*2 created, 0 changed, 0 unchanged, 1 failed/)
  assert.match(err, /x\.csv: 7 \(Broken\): /)
  const list = join(folder, 'list.csv')
  await run(['export', 'csv', list])
  const told = await readFile(list, 'utf8')
  assert.match(told, /West,.*2030-06-01,18:00:00,2030-06-01,19:00:00,America\/Toronto/)
  assert.match(told, /Zulu,.*2030-06-02,18:00:00,2030-06-02,19:30:00,America\/Toronto/)
})
