import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, givenDesk, shownAfter } from '../support/desk.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'

const path = '/admin/events/rows/'
const everyDay = 'start_date=2000-01-01&end_date=2100-01-01'

/** The part of an event that the tests read. */
interface ListedEvent {
  readonly title: string
  readonly start_date: string
  readonly end_date: string
  readonly all_day: boolean
  readonly cost: string
  readonly venue: { readonly id: number; readonly venue: string }
  readonly categories: readonly { readonly id: number }[]
  readonly organizer: readonly { readonly organizer: string }[]
}

const listed = async (app: TestApp, query = ''): Promise<readonly ListedEvent[]> =>
  (await app.send({ as: 'editor', path: `/events?${everyDay}&${query}` })).body.events
const totalOf = async (app: TestApp, query = '') =>
  (await app.send({ as: 'editor', path: `/events?${everyDay}&${query}` })).body.total

/** Returns what is chosen for each column. */
const columnsIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<select id="f-column\.\d+"[\s\S]*?<\/select>/g)].map(
    ([select]) => /<option value="([^"]*)" selected/.exec(select)?.[1] ?? '',
  )
const faultsIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<li><a href="#f-([^"]*)">([^<]*)<\/a> ([^<]*)/g)].map(
    ([, at, label, fault]) => `${at} ${label} ${fault}`,
  )
const chosen = (page: { readonly text: string }) =>
  Object.fromEntries(columnsIn(page).map((name, column) => [`column.${column}`, name]))
const used = (count: number) => ({ use: Array.from({ length: count }, (_, row) => String(row)) })

test('rows of a spreadsheet become events in both languages, with new and known venues, and Undo takes all back', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture', city: 'Laval' })
  await givenOrganizer(app, { organizer: 'The City' })
  const music = await givenTerm(app, 'categories', { name: 'Musique' })
  const desk = await givenDesk(app, 'editor')
  const rows = [
    [
      'Titre',
      'English title',
      'Date',
      'Heure',
      'Fin',
      'Lieu',
      'Ville',
      'Catégorie',
      'Organisme',
      'Prix',
      'Site web',
      'Notes',
    ],
    [
      'Concert',
      'The concert',
      'ven. 1er fév. 2030',
      '19 h 30',
      '22 h',
      'maison de la Culture',
      'Laval',
      'Musique',
      'the city',
      '12',
      'https://a.test/',
      'x',
    ],
    ['Foire', '', '2030-02-02', '', '', 'Le Parc', 'Québec', 'Nouvelle', '', 'Gratuit', '', ''],
    ['Nuit', 'Night', '3 février 2030', '22:00 – 2:00', '', 'le parc', 'Québec', '', '', '', '', ''],
  ]

  await desk.get(path)
  const read = await desk.send(path, { table: rows.map((row) => row.join('\t')).join('\n'), to: 'read' })
  const before = await totalOf(app, 'status=any')
  const form = { ...chosen(read), ...used(3), duration: '60' }
  const checked = await desk.send(path, { ...form, to: 'check' })
  const untouched = [await totalOf(app, 'status=any'), (await app.send({ path: '/venues' })).body.total]
  const done = await desk.send(path, { ...form, to: 'publish' })
  const french = await listed(app, 'ml_language=fr-CA')
  const english = await listed(app, 'ml_language=en')
  const shown = await desk.get(done.headers.location ?? '')
  const reloaded = await desk.get(done.headers.location ?? '')
  const undoing = await desk.send(`${path}undo/`)
  const undone = await desk.get(undoing.headers.location ?? '')
  const empty = await desk.get(done.headers.location ?? '')
  const after = await totalOf(app, 'status=any')
  const trash = [
    await totalOf(app, 'status=trash&ml_language=fr-CA'),
    await totalOf(app, 'status=trash&ml_language=en'),
  ]
  const venues = (await app.send({ path: '/venues' })).body.venues

  assert.deepEqual(columnsIn(read), [
    ...[
      'title.fr-CA',
      'title.en',
      'date',
      'start',
      'end',
      'venue',
      'city',
      'categories',
      'organizer',
      'cost',
      'website',
      '',
    ],
  ])
  assert.match(read.text, /New venue<\/span> Le Parc, Québec/)
  assert.match(read.text, /Maison de la culture, Laval/)
  assert.match(read.text, /New category<\/span> Nouvelle/)
  assert.deepEqual([read.status, faultsIn(read), before], [200, [], 0])
  assert.match(checked.text, /All rows can be saved/)
  assert.deepEqual(untouched, [0, 1])
  assert.equal(done.status, 303)
  assert.match(shown.text, /3 events were added[\s\S]*>Undo</)
  for (const title of ['The concert', 'Foire', 'Night'])
    assert.match(shown.text, new RegExp(`<tbody>[\\s\\S]*${title}`))
  assert.equal(reloaded.text.match(/<tr /g)?.length, shown.text.match(/<tr /g)?.length)
  assert.doesNotMatch(empty.text, /<tbody>[\s\S]*The concert/)
  const made = french.map((event: ListedEvent) => [
    ...[event.title, event.start_date, event.end_date, event.all_day, event.venue.venue, event.cost],
  ])
  assert.deepEqual(made, [
    ['Concert', '2030-02-01 19:30:00', '2030-02-01 22:00:00', false, 'Maison de la culture', '$12'],
    ['Foire', '2030-02-02 00:00:00', '2030-02-02 23:59:59', true, 'Le Parc', 'Gratuit'],
    ['Nuit', '2030-02-03 22:00:00', '2030-02-04 02:00:00', false, 'Le Parc', ''],
  ])
  assert.deepEqual(
    [french[0]?.venue.id, french[0]?.categories[0]?.id, french[0]?.organizer[0]?.organizer],
    [hall.id, music.id, 'The City'],
  )
  assert.equal(french[1]?.venue.id, french[2]?.venue.id)
  assert.deepEqual(
    english.map((event: ListedEvent) => event.title),
    ['The concert', 'Night'],
  )
  assert.match(undone.text, /5 entries are in the trash/)
  assert.deepEqual([after, trash], [0, [3, 2]])
  assert.deepEqual(
    venues.map((venue: { readonly venue: string }) => venue.venue),
    ['Maison de la culture'],
  )
})

test('each problem is told at its cell, corrected in place, and nothing is written before all is well', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const table = [
    'Title,Date,Time,End,Price,Website',
    'One,03/04/2030,7pm,,5,https://a.test/',
    ',2030-02-30,7pm,6pm,,',
    'Three,2030-05-05,7pm,5 May 2030 6pm,,not an address',
    '"<b>Four</b>, and ""more""",2030-05-06,soon,,,',
  ].join('\n')

  await desk.get(path)
  const read = await desk.sendFile(path, { bytes: Buffer.from(table), name: 'rows.csv' }, { to: 'read' })
  const form = { ...chosen(read), ...used(4), duration: '90' }
  const refused = await desk.send(path, { ...form, to: 'draft' })
  const corrected = {
    ...{ ...form, order: 'day', 'cell.1.0': 'Two', 'cell.1.1': '2030-02-28', 'cell.1.3': '9pm' },
    ...{ 'cell.2.3': '9pm', 'cell.3.2': '8 p.m.' },
  }
  const tried = await desk.send(path, { ...corrected, to: 'draft' })
  const between = await totalOf(app, 'status=any')
  const skipped = await desk.send(path, { ...corrected, use: ['0', '1', '3'], to: 'draft' })
  const drafts = await listed(app, 'status=draft')

  assert.deepEqual(faultsIn(read), [
    'cell.0.1 Row 1, Day: Write the month as a word, or the date as 2027-03-05.',
    'cell.1.0 Row 2, Title (English): Fill this in.',
    'cell.1.1 Row 2, Day: This day does not exist.',
    'cell.2.3 Row 3, End: The end is before the start.',
    'cell.3.2 Row 4, Start: This date or time cannot be read. Write it like “Fri 7:30pm”, “March 5, 7 p.m.” or “2027-03-05 19:30”.',
  ])
  assert.deepEqual([read.status, refused.status, tried.status], [200, 422, 422])
  assert.match(read.text, /Dates such as 03\/04\/2030 begin with/)
  assert.match(read.text, /value="&lt;b&gt;Four&lt;\/b&gt;, and &quot;more&quot;"/)
  assert.equal(faultsIn(tried).length, 1)
  assert.match(faultsIn(tried)[0] ?? '', /^cell\.2\.5 Row 3, Website of the event/)
  assert.equal(between, 0)
  assert.match((await desk.get(skipped.headers.location ?? '')).text, /3 events were added/)
  assert.deepEqual(
    drafts.map((event: ListedEvent) => [event.title, event.start_date.slice(0, 16), event.end_date.slice(11, 16)]),
    [
      ['Two', '2030-02-28 19:00', '21:00'],
      ['One', '2030-04-03 19:00', '20:30'],
      ['<b>Four</b>, and &#8220;more&#8221;', '2030-05-06 20:00', '21:30'],
    ],
  )
})

test('a form sent twice adds once and shows the same result, even though its names are new only the first time', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: 'Old hall' })
  const desk = await givenDesk(app, 'editor')
  const rows = [
    'Title\tDate\tVenue\tOrganizer\tCategory',
    'Ball\t2030-05-01\tNew hall\tNew host\tNew category',
    'Swap\t2030-05-02\tNew hall\t\t',
    'Talk\t2030-05-03\tOld hall\t\tNew category',
  ]

  await desk.get(path)
  const read = await desk.send(path, { table: rows.join('\n'), to: 'read' })
  const sent = { ...fieldsIn(read.text), ...chosen(read), ...used(3), duration: '60', to: 'publish' }
  const send = async (more = {}) => {
    await desk.get(path)
    return desk.send(path, { ...sent, ...more })
  }
  const first = await send()
  const second = await send()
  const newer = {
    ...{ 'cell.0.2': 'Newer hall', 'cell.0.3': 'Newer host', 'cell.0.4': 'Newer category' },
    ...{ 'cell.1.2': 'Newer hall', 'cell.2.4': 'Newer category' },
  }
  const corrected = [await send(newer), await send(newer)]
  // A form that does not say what existed before it.
  const unsaid = { known: '', use: ['0', '2'], 'cell.0.2': 'Newest hall' }
  const forged = [await send(unsaid), await send(unsaid)]
  const before = await desk.get(forged[1]?.headers.location ?? '')
  const titles = (await listed(app)).map(({ title }) => title)
  const venues = (await app.send({ path: '/venues' })).body.total
  await desk.get(second.headers.location ?? '')
  const [undone, undoneAgain] = [await desk.send(`${path}undo/`), await desk.send(`${path}undo/`)]

  assert.equal(first.status, 303)
  assert.match(first.headers.location ?? '', /^\/admin\/events\/\?from=&sort=modified&result=/)
  assert.equal(second.headers.location, first.headers.location)
  assert.notEqual(corrected[0]?.headers.location, first.headers.location)
  assert.equal(corrected[1]?.headers.location, corrected[0]?.headers.location)
  assert.match(before.text, /These rows were added before/)
  assert.deepEqual(titles, [...Array(3).fill('Ball'), 'Swap', 'Swap', ...Array(3).fill('Talk')])
  assert.equal(venues, 4)
  assert.match((await shownAfter(desk, undone)).text, /3 entries are in the trash\./)
  assert.equal(undoneAgain.headers.location, undone.headers.location)
})

test('what a table made is only told in the session that made it', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const other = await givenDesk(app, 'administrator')
  const table = 'Title\tDate\nBall\t2030-05-01'

  await desk.get(path)
  const read = await desk.send(path, { table, to: 'read' })
  const done = await desk.send(path, { ...chosen(read), ...used(1), duration: '60', to: 'draft' })
  const address = done.headers.location ?? ''
  const changed = address.replace(/result=./, (start) => `result=${start.endsWith('A') ? 'B' : 'A'}`)
  const foreign = [
    await other.get(address),
    await desk.get(changed),
    await desk.get(address.slice(0, -1)),
    await desk.get('/admin/events/?result=.'),
    await desk.get('/admin/events/?result='),
  ]

  assert.match((await desk.get(address)).text, /1 event was added\.[\s\S]*>Undo</)
  for (const { status, text } of foreign) {
    assert.equal(status, 200)
    assert.doesNotMatch(text, /was added|>Undo</)
  }
})

test('what a table made is counted and undone in each language, whichever languages lists show', async (t) => {
  const app = await startTestApp(t, { DEFAULT_LISTS_ALL_GROUPS: 'false', EVENTS_FALLBACK: 'none' })
  const desk = await givenDesk(app, 'editor')
  const table = [
    'Title\tTitre\tDate\tVenue',
    '\tLe bal\t2030-05-01\tThe Hall',
    'Fair\tLa foire\t2030-05-02\t',
    '\tLa danse\t2030-04-03\tThe Loft',
  ].join('\n')

  await desk.get(path)
  const read = await desk.send(path, { table, to: 'read' })
  const done = await desk.send(path, { ...chosen(read), ...used(3), duration: '60', to: 'draft' })
  const { body } = await app.send({ as: 'editor', path: '/venues' })
  const hall = body.venues.find(({ venue }: { readonly venue: string }) => venue === 'The Hall')
  await givenEvent(app, { title: 'La fête', ml_language: 'fr-CA', venue: [hall.id] })
  const page = await desk.get(done.headers.location ?? '')
  const undone = await desk.send(`${path}undo/`)
  const { body: after } = await app.send({ as: 'editor', path: '/venues?status=any' })

  assert.match(page.text, /3 events were added\./)
  assert.match((await shownAfter(desk, undone)).text, /4 entries are in the trash\./)
  assert.deepEqual(
    after.venues.map(({ venue }: { readonly venue: string }) => venue),
    ['The Hall'],
    'a venue stays if another event takes place there',
  )
})

test('columns without headings are assigned by hand, a form sent twice adds once, and a session that ends keeps the rows', async (t) => {
  const app = await startTestApp(t)
  const contributor = await givenDesk(app, 'contributor')

  await contributor.get(`/fr${path}`)
  const read = await contributor.send(`/fr${path}`, { table: 'Bal\t1er mai 2030\nTroc\t2 mai 2030', to: 'read' })
  const form = { 'column.0': 'title.fr-CA', 'column.1': 'date', ...used(2), duration: '60' }
  const twice = await contributor.send(`/fr${path}`, { ...form, 'column.1': 'title.fr-CA', to: 'pending' })
  contributor.forget()
  const signedOut = await contributor.send(`/fr${path}`, { ...form, to: 'publish' })
  const again = await contributor.send('/fr/admin/sign-in/', {
    login: 'contributor',
    password: 'correct horse battery staple',
  })
  const [one, other] = await Promise.all([1, 2].map(() => contributor.send(`/fr${path}`, { ...form, to: 'pending' })))
  const pending = await listed(app, 'status=pending&ml_language=fr-CA')
  await contributor.get(path)
  const empty = await contributor.send(path, { table: ' \n', to: 'read' })
  const long = await contributor.send(path, {
    table: 'Title\tDate\n'.concat('a\t2030-01-01\n'.repeat(101)),
    to: 'read',
  })
  const huge = await contributor.send(path, { table: 'x'.repeat(300_000), to: 'read' })
  await contributor.get(path)
  const columns = Array.from({ length: 41 }, (_, column) => `c${column}`).join('\t')
  const wide = await contributor.send(path, { table: `${columns}\n${columns}`, to: 'read' })
  await contributor.get(path)
  const fitting = await contributor.send(path, { table: columns.replace('\tc40', '\t'), to: 'read' })

  assert.deepEqual(columnsIn(read), ['', ''])
  assert.match(read.text, /Indiquez la colonne du titre/)
  assert.match(twice.text, /Une autre colonne correspond déjà à ce champ/)
  assert.equal(signedOut.status, 403)
  assert.match(again.text, /value="Bal"/)
  assert.deepEqual([one?.status, other?.status], [303, 303])
  assert.equal(one?.headers.location, other?.headers.location)
  assert.deepEqual(
    pending.map((event: ListedEvent) => event.title),
    ['Bal', 'Troc'],
  )
  assert.match(empty.text, /Paste at least one row/)
  assert.match(long.text, /At most 100 events/)
  assert.match(huge.text, /At most 256 KB/)
  assert.ok(huge.text.includes('x'.repeat(300_000)))
  assert.match(wide.text, /Only the first 40 columns are read\./)
  assert.doesNotMatch(fitting.text, /Only the first/)
})

test('rows that look like doubles are told beside the row in both languages, and are saved all the same', async (t) => {
  const app = await startTestApp(t)
  const fair = await givenEvent(app, { title: 'Foire du livre', start_date: '2030-02-01 19:00:00' })
  const gone = await givenEvent(app, { title: 'Gone', start_date: '2030-02-01 19:00:00' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${gone.id}` })
  const desk = await givenDesk(app, 'editor')
  const rows = [
    ['Title', 'Titre en français', 'Date', 'Start'],
    ['Book fair', 'FOIRE DU LIVRE', '2030-02-01', '19:00'],
    ['Concert', '', '2030-02-02', '20:00'],
    ['Book fair', '', '2030-02-02', '19:00'],
    ['CONCERT ', '', '2030-02-02', '8 pm'],
    ['Gone', '', '2030-02-01', '19:00'],
  ]
  const table = rows.map((row) => row.join('\t')).join('\n')
  const told = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/<td class="understood">([\s\S]*?)<\/td>/g)].map(([, cell = '']) =>
      (/<div class="double">([\s\S]*?)<\/div>/.exec(cell)?.[1] ?? '').replace(/<[^>]*>/g, '').trim(),
    )

  await desk.get(path)
  app.statements()
  const english = await desk.send(path, { table, to: 'read' })
  const queries = app.statements().filter((one) => one.includes('substr(records.title_folded'))
  const saved = await desk.send(path, { ...chosen(english), ...used(5), to: 'draft' })
  await desk.get(`/fr${path}`)
  const french = await desk.send(`/fr${path}`, { table, to: 'read' })

  assert.deepEqual(told(english), [
    ...['Exists already: Foire du livre (opens in a new tab)', '', ''],
    ...['Same title and start as row 2.', ''],
  ])
  assert.match(english.text, /2 rows look like events that are there already/)
  const selected = [...english.text.matchAll(/name="use" value="(\d)" checked/g)].map(([, row]) => row)
  assert.deepEqual(selected, ['1', '2', '4'])
  assert.match(english.text, /<details class="named panel columns"><summary>/)
  assert.match(english.text, new RegExp(`href="/admin/events/${fair.id}/" target="_blank"`))
  assert.deepEqual(faultsIn(english), [])
  assert.equal(queries.length, 1)
  assert.equal(saved.status, 303)
  assert.match(
    told(french)[3] ?? '',
    /Même titre et même début que la ligne 2\.\s+Existe déjà\u00a0: (?:Concert|CONCERT)/,
  )
})
