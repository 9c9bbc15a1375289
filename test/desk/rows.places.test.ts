import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, givenDesk, shownAfter } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'

const path = '/admin/events/rows/'
const hall = 'Community Hall'

interface VenueJson {
  readonly id: number
  readonly venue: string
  readonly city?: string
  readonly status: string
}

const venuesOf = async (app: TestApp): Promise<readonly VenueJson[]> =>
  (await app.send({ as: 'editor', path: '/venues?per_page=50' })).body.venues
const placesOf = async (app: TestApp) =>
  (await venuesOf(app)).map(({ venue, city, status }) => `${venue}, ${city ?? ''} ${status}`).toSorted()
const eventsOf = async (app: TestApp, query = '') =>
  (
    await app.send({ as: 'editor', path: `/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&${query}` })
  ).body.events.map((event: { readonly title: string; readonly venue: { readonly city?: string } }) => [
    event.title,
    event.venue.city,
  ])
const faultsIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<li><a href="#f-([^"]*)">[^<]*<\/a> ([^<]*)/g)].map(([, at, fault]) => `${at} ${fault}`)

/** Reads a table at the desk, and returns the form as it is shown. */
async function givenTable(app: TestApp, rows: readonly string[]) {
  const desk = await givenDesk(app, 'editor')
  await desk.get(path)
  const read = await desk.send(path, { table: rows.join('\n'), to: 'read' })
  const columns = [...read.text.matchAll(/<select id="f-(column\.\d+)"[\s\S]*?<option value="([^"]*)" selected/g)]
  const chosen = Object.fromEntries(columns.map(([, name, value]) => [name, value]))
  const use = [...read.text.matchAll(/name="use" value="(\d+)"/g)].map(([, row]) => row ?? '')
  return { desk, read, form: { ...fieldsIn(read.text), ...chosen, use, duration: '60' } }
}

test('places of one name in different towns stay apart, drafts change nothing public, and Undo takes all back', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: hall, city: 'Sutton' })
  await givenEvent(app, { title: 'Before', venue: sutton.id })
  const visitorSees = async () => (await app.send({ path: '/venues' })).body.venues
  const before = await visitorSees()
  const { desk, read, form } = await givenTable(app, [
    'Title\tDate\tVenue\tCity\tOrganizer',
    `One\t2030-05-01\t${hall}\tLaval\tNew club`,
    `Two\t2030-05-02\t${hall}\tQuébec\tNew club`,
    `Three\t2030-05-03\t${hall}\tlaval\t`,
    `Four\t2030-05-04\t${hall}\tSUTTON\t`,
    `Five\t2030-05-05\t${hall}, Québec\t\t`,
  ])

  const done = await desk.send(path, { ...form, to: 'draft' })
  const made = [await eventsOf(app, 'status=draft'), await placesOf(app), await visitorSees()]
  await desk.get(done.headers.location ?? '')
  await desk.send(`${path}undo/`)
  const undone = [await placesOf(app), await eventsOf(app, 'status=any')]
  const organizers = (await app.send({ as: 'editor', path: '/organizers' })).body.total

  assert.equal(done.status, 303)
  assert.match(read.text, /New venue<\/span> Community Hall, Laval/)
  assert.match(read.text, /New venue<\/span> Community Hall, Québec/)
  assert.deepEqual(made, [
    [
      ['One', 'Laval'],
      ['Two', 'Québec'],
      ['Three', 'Laval'],
      ['Four', 'Sutton'],
      ['Five', 'Québec'],
    ],
    [`${hall}, Laval draft`, `${hall}, Québec draft`, `${hall}, Sutton publish`],
    before,
  ])
  assert.deepEqual(undone, [[`${hall}, Sutton publish`], [['Before', 'Sutton']]])
  assert.equal(organizers, 0)
})

test('a name with several places and no city is a question at its row', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: hall, city: 'Sutton' })
  await givenVenue(app, { venue: hall, city: 'Laval', apart: true })
  const { desk, read, form } = await givenTable(app, [
    'Title\tDate\tVenue',
    `One\t2030-05-01\t${hall}`,
    `Two\t2030-05-02\t${hall}, Laval`,
    'Three\t2030-05-03\tNew hall, the big one',
  ])

  const refused = await desk.send(path, { ...form, to: 'publish' })
  const done = await desk.send(path, { ...form, 'cell.0.2': `${hall}, Sutton`, to: 'publish' })

  assert.deepEqual([refused.status, faultsIn(refused)], [422, faultsIn(read)])
  assert.deepEqual(faultsIn(read), ['cell.0.2 Several venues have this name. Write the city: Sutton · Laval'])
  assert.equal(done.status, 303)
  assert.deepEqual(await placesOf(app), [
    ...[`${hall}, Laval publish`, `${hall}, Sutton publish`, 'New hall, the big one,  publish'],
  ])
})

test('Undo leaves a venue that existed before, and one that another event has got', async (t) => {
  const app = await startTestApp(t)
  const old = await givenVenue(app, { venue: 'Old hall' })
  const { desk, form } = await givenTable(app, [
    'Title\tDate\tVenue',
    'One\t2030-05-01\tFirst hall',
    'Two\t2030-05-02\tSecond hall',
  ])

  const done = await desk.send(path, { ...form, 'cell.0.2': 'Old hall', to: 'publish' })
  const second = (await venuesOf(app)).find(({ venue }) => venue === 'Second hall')
  await givenEvent(app, { title: 'Other', venue: second?.id, status: 'draft' })
  await desk.get(done.headers.location ?? '')
  await desk.send(`${path}undo/`)

  assert.deepEqual((await venuesOf(app)).map(({ id }) => id).toSorted(), [old.id, second?.id])
})

test('a table of 100 rows, each with a venue and an organizer of its own, is read, saved and undone', async (t) => {
  const app = await startTestApp(t)
  const rows = Array.from(
    { length: 100 },
    (_, row) => `Event ${row}\t2030-05-01\tHall ${row}\tTown ${row}\tClub ${row}\tKind ${row}, Sort ${row}`,
  )
  const desk = await givenDesk(app, 'editor')

  await desk.get(path)
  app.statements()
  const read = await desk.send(path, {
    table: ['Title\tDate\tVenue\tCity\tOrganizer\tCategory', ...rows].join('\n'),
    to: 'read',
  })
  const statements = app.statements().length
  const columns = ['title.en', 'date', 'venue', 'city', 'organizer', 'categories']
  const chosen = Object.fromEntries(columns.map((name, column) => [`column.${column}`, name]))
  const form = { ...fieldsIn(read.text), ...chosen, use: rows.map((_, row) => String(row)), duration: '60' }
  const done = await desk.send(path, { ...form, to: 'publish' })
  const page = await desk.get(done.headers.location ?? '')
  const made = [await app.send({ path: '/venues' }), await app.send({ path: '/organizers' })].map(
    (one) => one.body.total,
  )
  const undone = await desk.send(`${path}undo/`)
  const left = [await app.send({ path: '/venues' }), await app.send({ path: '/organizers' })].map(
    (one) => one.body.total,
  )

  assert.equal(read.status, 200)
  assert.ok(statements < 60, `${statements} statements`)
  assert.equal(done.status, 303, done.text.slice(0, 2000))
  assert.match(page.text, /100 events were added/)
  assert.deepEqual(
    [made, left],
    [
      [100, 100],
      [0, 0],
    ],
  )
  assert.match((await shownAfter(desk, undone)).text, /100 entries are in the trash\./)
})

test('tables of very many names are read with as few statements as small ones, and told where they are too many', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const names = (count: number, letter: string) => Array.from({ length: count }, (_, at) => `${letter}${at}`)
  const read = async (table: readonly string[]) => {
    await desk.get(path)
    app.statements()
    const answer = await desk.send(path, { table: table.join('\n'), to: 'read' })
    return { answer, count: app.statements().length }
  }
  const head = 'Title\tDate\tVenue\tCategory\tOrganizer'

  const small = await read([head, 'One\t2030-05-01\tHall\tMusic\tClub'])
  const wide = await read([head, `One\t2030-05-01\tHall\t${names(35_000, 'c').join(',')}\tClub`])
  const long = await read([
    head,
    ...names(100, 't').map((title) => `${title}\t2030-05-01\t${title}, h\t${names(100, title).join()}\t${title}`),
  ])

  assert.deepEqual([small.answer.status, wide.answer.status, long.answer.status], [200, 200, 200])
  assert.deepEqual(faultsIn(wide.answer), ['cell.0.3 At most 50 categories.'])
  assert.equal(faultsIn(long.answer).length, 100)
  assert.ok(
    wide.count <= small.count + 2 && long.count <= small.count + 4,
    `${small.count} ${wide.count} ${long.count}`,
  )
  assert.ok(wide.answer.text.length < 600_000, String(wide.answer.text.length))
})

test('a new place that looks like one of its town may be that one, by one button', async (t) => {
  const app = await startTestApp(t)
  const centre = await givenVenue(app, { venue: 'Nature & Art Centre', city: 'Laval' })
  const { desk, read, form } = await givenTable(app, [
    'Title\tDate\tVenue\tCity',
    'One\t2030-05-01\tThe Nature & Art Center\t',
    'Two\t2030-05-02\tNature & Art Center, Laval\t',
    'Three\t2030-05-03\tNature & Art Center\tLaval',
    'Four\t2030-05-04\tNature & Art Center\tQuébec',
    'Five\t2030-05-05\tLibrary\t',
  ])
  const offered = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/<button name="(cell[^"]*)" value="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...parts]) => parts)
  const meant = (cell: string) => ({ [cell]: 'Nature & Art Centre' })
  const one = await desk.send(path, { ...form, ...meant('cell.0.2') })
  const done = await desk.send(path, {
    ...form,
    ...meant('cell.0.2'),
    ...meant('cell.2.2'),
    use: ['0', '2'],
    to: 'publish',
  })

  const label = 'Did you mean Nature &amp; Art Centre?'
  const rows = [0, 1, 2].map((row) => [`cell.${row}.2`, 'Nature &amp; Art Centre', label])
  assert.deepEqual(offered(read), rows)
  assert.deepEqual(offered(one), rows.slice(1))
  // What is sent last is what a browser sends for the button.
  assert.match(read.text, /<input [^>]*name="cell\.0\.2"[^>]*>\s*<button name="cell\.0\.2"/)
  assert.equal(done.status, 303)
  assert.deepEqual(
    (await venuesOf(app)).map(({ id }) => id),
    [centre.id],
  )
})
