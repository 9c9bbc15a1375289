// Who may do what: the matrix of conventions.md §8.1, cell by cell, as corrected by rulings.md 1, 6 and 7, events.md §8
// rows 5 and 7 and venues-organizers.md §11 rows 1, 3, 8 and 10. A refused write leaves every row of the database
// unchanged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../support/app.ts'

/**
 * Cells: the status, and after `>` the state of the record then; `–`: impossible. Lists: the owners of the records of
 * the requested states that are shown. `directory` is venues and organizers.
 */
const MATRIX = `
on         | operation              | whose | state   | visitor | subscriber | contributor | author      | editor      | administrator
all        | GET by id              | own   | publish | –       | 200        | 200         | 200         | 200         | 200
all        | GET by id              | own   | pending | –       | 200        | 200         | 200         | 200         | 200
all        | GET by id              | own   | draft   | –       | 200        | 200         | 200         | 200         | 200
all        | GET by id              | own   | private | –       | 200        | 200         | 200         | 200         | 200
all        | GET by id              | own   | future  | –       | 200        | 200         | 200         | 200         | 200
directory  | GET by id              | own   | trash   | –       | 200        | 200         | 200         | 200         | 200
events     | GET by id              | own   | trash   | –       | 403        | 403         | 403         | 403         | 403
all        | GET by id              | other | publish | 200     | 200        | 200         | 200         | 200         | 200
all        | GET by id              | other | pending | 403     | 403        | 403         | 403         | 200         | 200
all        | GET by id              | other | draft   | 403     | 403        | 403         | 403         | 200         | 200
all        | GET by id              | other | private | 403     | 403        | 403         | 403         | 200         | 200
all        | GET by id              | other | future  | 403     | 403        | 403         | 403         | 200         | 200
directory  | GET by id              | other | trash   | 403     | 403        | 403         | 403         | 200         | 200
events     | GET by id              | other | trash   | 403     | 403        | 403         | 403         | 403         | 403
all        | GET by slug            | own   | draft   | –       | 200        | 200         | 200         | 200         | 200
all        | GET by slug            | other | publish | 200     | 200        | 200         | 200         | 200         | 200
all        | GET by slug            | other | draft   | 403     | 403        | 403         | 403         | 200         | 200
all        | update by id           | own   | publish | –       | 403        | 403         | 200>publish | 200>publish | 200>publish
all        | update by id           | own   | pending | –       | 403        | 200>pending | 200>pending | 200>pending | 200>pending
all        | update by id           | own   | draft   | –       | 403        | 200>draft   | 200>draft   | 200>draft   | 200>draft
all        | update by id           | own   | private | –       | 403        | 200>private | 200>private | 200>private | 200>private
all        | update by id           | own   | future  | –       | 403        | 403         | 200>future  | 200>future  | 200>future
all        | update by id           | own   | trash   | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | update by id           | other | publish | 401     | 403        | 403         | 403         | 200>publish | 200>publish
all        | update by id           | other | pending | 401     | 403        | 403         | 403         | 200>pending | 200>pending
all        | update by id           | other | draft   | 401     | 403        | 403         | 403         | 200>draft   | 200>draft
all        | update by id           | other | private | 401     | 403        | 403         | 403         | 200>private | 200>private
all        | update by id           | other | future  | 401     | 403        | 403         | 403         | 200>future  | 200>future
all        | update by id           | other | trash   | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | update by slug         | own   | draft   | –       | 403        | 200>draft   | 200>draft   | 200>draft   | 200>draft
all        | update by slug         | other | publish | 401     | 403        | 403         | 403         | 200>publish | 200>publish
all        | update by slug         | other | draft   | 401     | 403        | 403         | 403         | 200>draft   | 200>draft
all        | DELETE by id           | own   | publish | –       | 403        | 403         | 200>trash   | 200>trash   | 200>trash
all        | DELETE by id           | own   | pending | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | DELETE by id           | own   | draft   | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | DELETE by id           | own   | private | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | DELETE by id           | own   | future  | –       | 403        | 403         | 200>trash   | 200>trash   | 200>trash
all        | DELETE by id           | own   | trash   | –       | 403        | 410         | 410         | 410         | 410
all        | DELETE by id           | other | publish | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | DELETE by id           | other | pending | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | DELETE by id           | other | draft   | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | DELETE by id           | other | private | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | DELETE by id           | other | future  | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | DELETE by id           | other | trash   | 401     | 403        | 403         | 403         | 410         | 410
all        | DELETE by slug         | own   | draft   | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | DELETE by slug         | other | publish | 401     | 403        | 403         | 403         | 200>trash   | 200>trash
all        | create                 | own   | unsaid  | 401     | 403        | 201>draft   | 201>publish | 201>publish | 201>publish
all        | create                 | own   | publish | 401     | 403        | 201>pending | 201>publish | 201>publish | 201>publish
all        | create                 | own   | future  | 401     | 403        | 201>pending | 201>publish | 201>publish | 201>publish
all        | create                 | own   | pending | 401     | 403        | 201>pending | 201>pending | 201>pending | 201>pending
all        | create                 | own   | draft   | 401     | 403        | 201>draft   | 201>draft   | 201>draft   | 201>draft
directory  | create                 | own   | private | 401     | 403        | 201>private | 201>private | 201>private | 201>private
events     | create                 | own   | private | 401     | 403        | 201>pending | 201>private | 201>private | 201>private
all        | create                 | own   | trash   | 401     | 403        | 201>trash   | 201>trash   | 201>trash   | 201>trash
all        | create                 | own   | inherit | 400     | 400        | 400         | 400         | 400         | 400
all        | create for another     | other | draft   | 401     | 403        | 403         | 403         | 201>draft   | 201>draft
all        | give a draft away      | own   | draft   | –       | 403        | 403         | 403         | 200>draft   | 200>draft
all        | ask of a draft         | own   | publish | –       | 403        | 200>pending | 200>publish | 200>publish | 200>publish
all        | ask of a draft         | own   | future  | –       | 403        | 200>pending | 200>publish | 200>publish | 200>publish
all        | ask of a draft         | own   | pending | –       | 403        | 200>pending | 200>pending | 200>pending | 200>pending
all        | ask of a draft         | own   | draft   | –       | 403        | 200>draft   | 200>draft   | 200>draft   | 200>draft
directory  | ask of a draft         | own   | private | –       | 403        | 200>private | 200>private | 200>private | 200>private
events     | ask of a draft         | own   | private | –       | 403        | 200>pending | 200>private | 200>private | 200>private
all        | ask of a draft         | own   | trash   | –       | 403        | 200>trash   | 200>trash   | 200>trash   | 200>trash
all        | list                   | –     | unsaid  | publish | publish    | own         | own         | all         | all
all        | list                   | –     | publish | publish | publish    | publish     | publish     | publish     | publish
all        | list                   | –     | draft   | 400     | 400        | own         | own         | all         | all
all        | list                   | –     | private | 400     | 400        | own         | own         | all         | all
all        | list                   | –     | pending | 400     | 400        | own         | own         | all         | all
all        | list                   | –     | future  | 400     | 400        | own         | own         | all         | all
all        | list                   | –     | trash   | 400     | 400        | own         | own         | all         | all
categories | create                 | –     | –       | 401     | 403        | 403         | 201         | 201         | 201
categories | update by id           | –     | –       | 401     | 403        | 403         | 200         | 200         | 200
categories | DELETE by id           | –     | –       | 401     | 403        | 403         | 200         | 200         | 200
categories | GET by id              | –     | –       | 200     | 200        | 200         | 200         | 200         | 200
categories | list                   | –     | –       | 200     | 200        | 200         | 200         | 200         | 200
tags       | create                 | –     | –       | 401     | 403        | 403         | 403         | 201         | 201
tags       | update by id           | –     | –       | 401     | 403        | 403         | 403         | 200         | 200
tags       | DELETE by id           | –     | –       | 401     | 403        | 403         | 403         | 200         | 200
tags       | GET by id              | –     | –       | 200     | 200        | 200         | 200         | 200         | 200
tags       | list                   | –     | –       | 200     | 200        | 200         | 200         | 200         | 200
`

type Kind = 'events' | 'venues' | 'organizers'
type Caller = 'visitor' | Role

interface Cell {
  readonly on: string
  readonly operation: string
  readonly whose: string
  readonly state: string
  readonly caller: Caller
  readonly expected: string
}

const callers: readonly Caller[] = ['visitor', ...ROLES]
const cells: readonly Cell[] = MATRIX.trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [on = '', operation = '', whose = '', state = '', ...answers] = line.split('|').map((text) => text.trim())
    return callers.map((caller, index) => ({ on, operation, whose, state, caller, expected: answers[index] ?? '' }))
  })
  .filter(({ expected }) => expected !== '–')

const nameOf = { events: 'title', venues: 'venue', organizers: 'organizer' } as const
const dates = { start_date: '2030-03-01 10:00', end_date: '2030-03-01 11:00' }
/** The users of the test are numbered in the order of their roles. */
const idOf = (role: Role) => ROLES.indexOf(role) + 1
const asCaller = (caller: Caller) => (caller === 'visitor' ? {} : { as: caller })
const titled = ({ operation, whose, state, caller, expected }: Cell) =>
  `${operation}, ${whose} ${state}, ${caller}: ${expected}`

/** Writes that wait together share a commit. */
const maxAtOnce = 50

let number = 0

/** A record of the caller or of another user, in this state. Each has a different name. */
async function givenRecord(app: TestApp, kind: Kind, state: string, authorId: number): Promise<TestAnswer['body']> {
  number += 1
  const { body } = await app.send({
    as: 'administrator',
    method: 'POST',
    path: `/${kind}`,
    json: {
      [nameOf[kind]]: `Record ${number}`,
      ...(kind === 'events' ? { ...dates, slug: `record-${number}` } : {}),
      ...(state === 'future' ? { date: '2031-01-01 00:00' } : { status: state === 'trash' ? 'publish' : state }),
      author: authorId,
    },
  })
  if (state !== 'trash') {
    assert.equal(body.status, state)
    return body
  }
  return (await app.send({ as: 'administrator', method: 'DELETE', path: `/${kind}/${body.id}` })).body
}

/** All data that a refused write must not change. */
async function everything({ deps: { storage } }: TestApp): Promise<unknown> {
  return Promise.all([
    storage.db.selectFrom('records').selectAll().orderBy('id').execute(),
    storage.db.selectFrom('terms').selectAll().orderBy('id').execute(),
  ])
}

function otherThan(caller: Caller): number {
  return idOf(caller === 'administrator' ? 'editor' : 'administrator')
}

async function requestOf(app: TestApp, kind: Kind, cell: Cell): Promise<TestRequest> {
  const { operation, state, caller } = cell
  const owner = cell.whose === 'own' && caller !== 'visitor' ? idOf(caller) : otherThan(caller)
  const as = asCaller(caller)
  const name = { [nameOf[kind]]: `Sent ${++number}`, ...(kind === 'events' ? dates : {}) }
  if (operation === 'create') {
    const json = { ...name, ...(state === 'unsaid' ? {} : { status: state }) }
    return { ...as, method: 'POST', path: `/${kind}`, json }
  }
  if (operation === 'create for another') {
    return { ...as, method: 'POST', path: `/${kind}`, json: { ...name, status: state, author: otherThan(caller) } }
  }
  const isAsking = operation === 'ask of a draft'
  const record = await givenRecord(app, kind, isAsking ? 'draft' : state, owner)
  const path = `/${kind}/${operation.endsWith('by slug') ? `by-slug/${record.slug}` : record.id}`
  if (isAsking) return { ...as, method: 'PATCH', path, json: { status: state } }
  if (operation === 'give a draft away') return { ...as, method: 'PATCH', path, json: { author: otherThan(caller) } }
  if (operation.startsWith('update')) return { ...as, method: 'PATCH', path, json: { [nameOf[kind]]: `New ${number}` } }
  return { ...as, method: operation.startsWith('DELETE') ? 'DELETE' : 'GET', path }
}

for (const kind of ['events', 'venues', 'organizers'] as const) {
  test(`permissions on ${kind}`, async (t) => {
    const app = await startTestApp(t)
    const singular = kind.slice(0, -1)
    const belongs = ({ on }: Cell) => on === 'all' || on === kind || (on === 'directory' && kind !== 'events')

    const about = cells.filter((each) => belongs(each) && each.operation !== 'list')
    const sent: { readonly cell: Cell; readonly request: TestRequest }[] = []
    for (let at = 0; at < about.length; at += maxAtOnce) {
      const some = about.slice(at, at + maxAtOnce)
      sent.push(...(await Promise.all(some.map(async (cell) => ({ cell, request: await requestOf(app, kind, cell) })))))
    }
    const untouched = await everything(app)

    for (const { cell, request } of sent.filter((each) => isRefused(each.cell))) {
      await t.test(titled(cell), async () => {
        const answer = await app.send(request)

        assert.equal(answer.status, Number(cell.expected), answer.text)
        assert.equal(answer.body.code, refusal(singular, cell))
        // The caller has the right to the method, but not for this author, this state or this record.
        const isAboutAuthor = /another|away/.test(cell.operation)
        if (isAboutAuthor || answer.status === 410 || request.method === 'GET' || answer.status === 400) return
        assert.ok(!answer.headers.allow?.includes(String(request.method)), `Allow: ${answer.headers.allow}`)
      })
    }
    await t.test('no refused request changes anything', async () => {
      assert.deepEqual(await everything(app), untouched)
    })
    for (const { cell, request } of sent.filter((each) => !isRefused(each.cell))) {
      await t.test(titled(cell), async () => {
        const [status, state] = cell.expected.split('>')

        const answer = await app.send(request)

        assert.equal(answer.status, Number(status), answer.text)
        if (state !== undefined) assert.equal(answer.body.status, state)
      })
    }
  })

  test(`lists of ${kind} hold what the caller may read`, async (t) => {
    const app = await startTestApp(t)
    const states = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
    const records: { readonly id: number; readonly state: string; readonly authorId: number }[] = []
    for (const role of ROLES) {
      for (const state of states) {
        const { id } = await givenRecord(app, kind, state, idOf(role))
        records.push({ id, state, authorId: idOf(role) })
      }
    }

    for (const cell of cells.filter((each) => each.on === 'all' && each.operation === 'list')) {
      const { state, caller, expected } = cell
      const query = `per_page=100${state === 'unsaid' ? '' : `&status=${state}`}`
      const { status, body } = await app.send({ ...asCaller(caller), path: `/${kind}?${query}` })
      if (expected === '400') {
        assert.deepEqual([status, Object.keys(body.data.params)], [400, ['status']], titled(cell))
        continue
      }
      const isAsked = (record: { readonly state: string }) =>
        state === 'unsaid' ? record.state !== 'trash' : record.state === state
      const isReadable = (record: { readonly state: string; readonly authorId: number }) =>
        record.state === 'publish' ||
        expected === 'all' ||
        (expected === 'own' && caller !== 'visitor' && record.authorId === idOf(caller))
      const readable = records.filter((record) => isAsked(record) && isReadable(record)).map(({ id }) => id)
      const listed = body[kind].map(({ id }: { readonly id: number }) => id)
      assert.deepEqual([...listed].sort(ascending), readable, titled(cell))
      assert.equal(body.total, readable.length, titled(cell))
    }
  })
}

function isRefused({ expected }: Cell): boolean {
  return !expected.startsWith('200') && !expected.startsWith('201')
}

const ascending = (one: number, other: number) => one - other

function refusal(singular: string, { operation, expected, state }: Cell): string {
  if (expected === '400') return 'rest_invalid_param'
  if (expected === '410') return `${singular}-is-in-trash`
  if (!operation.startsWith('GET')) return 'rest_forbidden'
  return singular === 'event' && state === 'trash' ? 'event-no-longer-available' : `${singular}-not-accessible`
}

for (const taxonomy of ['categories', 'tags'] as const) {
  test(`permissions on ${taxonomy}`, async (t) => {
    const app = await startTestApp(t)
    for (const cell of cells.filter(({ on }) => on === taxonomy)) {
      const name = `Term ${++number}`
      const { body } = await app.send({ as: 'editor', method: 'POST', path: `/${taxonomy}`, json: { name } })
      const item = `/${taxonomy}/${body.id}`
      const requests: Readonly<Record<string, TestRequest>> = {
        create: { method: 'POST', path: `/${taxonomy}`, json: { name: `Another ${number}` } },
        'update by id': { method: 'PATCH', path: item, json: { name: `New ${number}` } },
        'DELETE by id': { method: 'DELETE', path: item },
        'GET by id': { path: item },
        list: { path: `/${taxonomy}?hide_empty=0` },
      }
      const untouched = await everything(app)

      const answer = await app.send({ ...asCaller(cell.caller), path: item, ...requests[cell.operation] })

      assert.equal(answer.status, Number(cell.expected), titled(cell))
      if (answer.status < 400) continue
      assert.equal(answer.body.code, 'rest_forbidden')
      assert.deepEqual(await everything(app), untouched, titled(cell))
    }
  })
}
