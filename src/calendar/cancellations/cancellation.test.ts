import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { ROLES, type Role } from '../../access/auth/actor.ts'
import { hasOldUndos, removeOldUndos } from '../undo/undo.service.ts'

const days = { from: '2030-01-22', to: '2030-01-22' }

async function cancel(app: TestApp, json: object, as: Role = 'editor') {
  return app.send({ as, method: 'POST', path: '//cal/service/v1/events/cancel', json })
}

async function canceled(app: TestApp, json: object, as?: Role) {
  const answer = await cancel(app, json, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function undo(app: TestApp, id: number, { json = {}, as = 'editor' }: { json?: object; as?: Role } = {}) {
  return app.send({ as, method: 'POST', path: `//cal/service/v1/events/cancel/${id}/undo`, json })
}

/** What the interface tells of the state of an event. */
async function stateOf(app: TestApp, id: number) {
  const { body } = await app.send({ as: 'administrator', path: `/events/${id}?context=edit` })
  const { event_status, event_status_reason, event_status_date, previous_start_dates, attendance, is_virtual } = body
  return { event_status, event_status_reason, event_status_date, previous_start_dates, attendance, is_virtual }
}

const idsOf = (body: { readonly events: readonly { readonly id: number }[] }) => body.events.map(({ id }) => id)

test('one request cancels the events of a venue on some days, with a reason in each language', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app)
  const other = await givenVenue(app, { venue: 'Barn' })
  const original = await givenEvent(app, { venue: hall.id, ml_language: 'en' })
  const translation = await givenEvent(app, {
    ml_language: 'fr-CA',
    ml_translation_of: original.id,
    title: 'Spectacle',
  })
  const elsewhere = await givenEvent(app, { venue: other.id })
  const later = await givenEvent(app, {
    venue: hall.id,
    start_date: '2030-01-23 00:00:00',
    end_date: '2030-01-23 01:00:00',
  })
  const draft = await givenEvent(app, { venue: hall.id, status: 'draft' })
  const hidden = await givenEvent(app, { venue: hall.id, hide_from_listings: true, ml_language: 'en-CA' })

  const body = await canceled(app, {
    where: { ...days, venue: [hall.id] },
    reason: { en: 'Storm <b>Ann</b>', 'fr-CA': 'Tempête' },
  })

  assert.deepEqual(
    [body.dry_run, body.count, body.unchanged, body.left_out, body.event_status, body.next_page],
    [false, 3, 0, 0, 'canceled', null],
  )
  assert.deepEqual(idsOf(body), [original.id, translation.id, hidden.id])
  const state = { event_status: 'canceled', event_status_date: '2030-01-15 12:00:00' }
  const no = { previous_start_dates: undefined, attendance: undefined, is_virtual: undefined }
  assert.deepEqual(await stateOf(app, original.id), { ...state, ...no, event_status_reason: 'Storm Ann' })
  assert.deepEqual(await stateOf(app, translation.id), { ...state, ...no, event_status_reason: 'Tempête' })
  assert.equal((await stateOf(app, hidden.id)).event_status_reason, 'Storm Ann')
  for (const { id } of [elsewhere, later, draft]) assert.equal((await stateOf(app, id)).event_status, undefined)
})

test('a translation shares the state even if it is a draft, and has no reason in another language', async (t) => {
  const app = await startTestApp(t)
  const original = await givenEvent(app, { ml_language: 'en' })
  const draft = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: original.id, status: 'draft' })

  assert.equal((await canceled(app, { where: days, reason: { en: 'Storm' } })).count, 2)

  assert.equal((await stateOf(app, original.id)).event_status_reason, 'Storm')
  const { event_status, event_status_reason } = await stateOf(app, draft.id)
  assert.deepEqual([event_status, event_status_reason], ['canceled', undefined])
})

test('a dry run tells what would change, and changes nothing', async (t) => {
  const app = await startTestApp(t)
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  const ids: number[] = []
  for (const category of [music.id, jazz.id, jazz.id]) ids.push((await givenEvent(app, { categories: [category] })).id)
  await givenEvent(app)
  const where = { ...days, category: ['music'] }
  const before = await app.deps.storage.revision()

  const first = await canceled(app, { where, dry_run: true, per_page: 2 })
  const second = await canceled(app, { where, dry_run: 'true', per_page: 2, page: first.next_page })

  assert.deepEqual([first.dry_run, first.count, first.undo, first.next_page], [true, 3, null, 2])
  assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
  assert.equal(second.next_page, null)
  assert.deepEqual(first.events[0], {
    ...{ id: ids[0], rest_url: `http://calendar.test/cal/events/v1/events/${ids[0]}`, language: 'en' },
    ...{ title: 'Concert', start_date: '2030-01-22 19:00:00', timezone: 'UTC', event_status: 'canceled' },
  })
  assert.equal(await app.deps.storage.revision(), before)
  assert.deepEqual(idsOf(await canceled(app, { where })), ids)
})

test('a request that does not say which events is refused', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const event = await givenEvent(app)
  const refusals: readonly (readonly [where: unknown, message: RegExp])[] = [
    [undefined, /Missing parameter: where/],
    [{}, /“where” must say which events/],
    [[], /“where” must say/],
    ['2030-01-22', /“where” must say/],
    [null, /Missing parameter/],
    [{ venue: [venue.id] }, /“where” must say/],
    [{ from: '2030-01-22' }, /“where” must say/],
    [{ ...days, venues: [venue.id] }, /nothing besides from, to, venue/],
    [{ ...days, __proto__: null, constructor: 1 }, /nothing besides/],
    [{ ...days, venue: [] }, /“where.venue”/],
    [{ ...days, venue: null }, /“where.venue”/],
    [{ ...days, venue: [event.id] }, /“where.venue” must name a venue/],
    [{ ...days, venue: Array.from({ length: 101 }, (_, n) => n + 1) }, /at most 100 items/],
    [{ ...days, category: ['unknown'] }, /“where.category” must name categories/],
    [{ ...days, category: {} }, /“where.category”/],
    [{ ...days, to: 'tomorrow' }, /“where.to” must be a day/],
    [{ ...days, to: '2030-02-30' }, /“where.to” must be a day/],
    [{ ...days, to: 2030 }, /“where.to” must be a day/],
    [{ ...days, from: '' }, /“where.from” must be a day/],
    [{ ...days, to: '2030-01-21' }, /“where.to” must be at most 366 days after/],
    [{ ...days, to: '2031-01-23' }, /“where.to” must be at most 366 days after/],
    [{ ...days, from: '0001-01-01', to: '9999-12-31' }, /at most 366 days/],
  ]
  for (const [where, message] of refusals) {
    const { status, text } = await cancel(app, { where })
    assert.equal(status, 400, `${JSON.stringify(where)}: ${text}`)
    assert.match(JSON.parse(text).errors?.where ?? text, message)
  }
  const wrong = { reason: { xx: 'Storm' }, event_status: 'scheduled', dry_run: 'perhaps', page: 0, per_page: -1 }
  for (const [name, value] of Object.entries(wrong)) {
    const { status, body } = await cancel(app, { where: days, [name]: value })
    assert.deepEqual([status, Object.keys(body.errors)], [400, [name]])
  }
  const { status } = await cancel(app, { where: days, reason: { en: 'x'.repeat(1001) } })
  assert.equal(status, 400)
  assert.equal((await stateOf(app, event.id)).event_status, undefined)
})

test('each role changes the events that it may change, and learns how many were left out', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const makers: readonly Role[] = ['author', 'editor', 'administrator']
  const own: Partial<Record<Role, number>> = {}
  for (const role of makers) own[role] = (await givenEvent(app, { venue: venue.id }, role)).id
  // What others may not read is not counted either.
  await givenEvent(app, { status: 'private', venue: venue.id }, 'editor')
  await givenEvent(app, { event_password: 'open', venue: venue.id }, 'editor')
  const where = { ...days, venue: [venue.id] }

  for (const role of [undefined, ...ROLES]) {
    const { status, body } = await app.send({
      ...(role ? { as: role } : {}),
      method: 'POST',
      path: '//cal/service/v1/events/cancel',
      json: { where, dry_run: true },
    })
    const expected = {
      ...{ visitor: [401], subscriber: [403], contributor: [403], author: [200, 1, 2] },
      ...{ editor: [200, 5, 0], administrator: [200, 5, 0] },
    }[role ?? 'visitor']
    assert.deepEqual(status === 200 ? [status, body.count, body.left_out] : [status], expected, role ?? 'visitor')
  }
  assert.deepEqual(idsOf(await canceled(app, { where }, 'author')), [own.author])
  assert.equal((await stateOf(app, own.editor ?? 0)).event_status, undefined)
})

test('translations of which the caller may change only one are left out', async (t) => {
  const app = await startTestApp(t)
  const original = await givenEvent(app, { ml_language: 'en' }, 'author')
  const translation = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: original.id }, 'editor')

  const body = await canceled(app, { where: days }, 'author')

  assert.deepEqual([body.count, body.left_out, body.undo], [0, 2, null])
  for (const { id } of [original, translation]) assert.equal((await stateOf(app, id)).event_status, undefined)
})

test('a canceled event is not changed again, and does not become postponed', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app)
  const postponed = await givenEvent(app, { event_status: 'postponed', event_status_reason: 'Date to follow' })
  await changed(app, `/events/${event.id}`, { event_status: 'canceled', event_status_reason: 'Illness' })
  const other = await givenEvent(app)
  app.pass(60)

  const first = await canceled(app, { where: days, event_status: 'postponed', reason: 'Storm' })
  const second = await canceled(app, { where: days, event_status: 'EventCancelled', reason: 'Storm' })

  assert.deepEqual([first.count, first.unchanged, idsOf(first)], [1, 2, [other.id]])
  assert.deepEqual([second.count, second.unchanged], [2, 1])
  const { event_status_reason, event_status_date } = await stateOf(app, event.id)
  assert.deepEqual([event_status_reason, event_status_date], ['Illness', '2030-01-15 12:00:00'])
  for (const { id } of [postponed, other]) {
    const state = await stateOf(app, id)
    assert.deepEqual([state.event_status, state.event_status_reason], ['canceled', 'Storm'])
  }
})

test('events that are over are only changed if the request says a time that has passed', async (t) => {
  const app = await startTestApp(t)
  const at = async (start: string, end: string) => (await givenEvent(app, { start_date: start, end_date: end })).id
  const yesterday = await at('2030-01-14 10:00:00', '2030-01-14 11:00:00')
  const thisMorning = await at('2030-01-15 10:00:00', '2030-01-15 11:00:00')
  const running = await at('2030-01-15 11:00:00', '2030-01-15 13:00:00')
  const tonight = await at('2030-01-15 20:00:00', '2030-01-15 22:00:00')
  const asked = async (where: object, event_status = 'canceled') =>
    idsOf(await canceled(app, { where, event_status, dry_run: true }))

  const to = '2030-01-15'
  assert.deepEqual(await asked({ to }), [running, tonight])
  assert.deepEqual(await asked({ from: '2030-01-15', to }), [running, tonight])
  assert.deepEqual(await asked({ from: '2030-01-15 10:00', to }), [thisMorning, running, tonight])
  assert.deepEqual(await asked({ from: '2030-01-14', to }), [yesterday, thisMorning, running, tonight])
  assert.deepEqual(await asked({ from: '2030-01-14', to: '2030-01-14T10:00:00' }), [yesterday])
  // An event of the past cannot become postponed.
  assert.deepEqual(await asked({ from: '2030-01-14', to }, 'postponed'), [running, tonight])
})

test('an undo gives back each state exactly, once', async (t) => {
  const app = await startTestApp(t)
  const plain = await givenEvent(app)
  const moved = await givenEvent(app)
  await changed(app, `/events/${moved.id}`, {
    ...{ event_status: 'rescheduled', event_status_reason: 'New hall' },
    ...{ start_date: '2030-01-22 20:00:00', end_date: '2030-01-22 22:00:00' },
  })
  const online = await givenEvent(app, { event_status: 'moved_online', virtual_url: 'https://example.org/room' })
  const mixed = await givenEvent(app, { event_status: 'postponed', attendance: 'mixed', event_status_reason: 'Soon' })
  const ids = [plain.id, moved.id, online.id, mixed.id]
  const before = await Promise.all(ids.map((id) => stateOf(app, id)))
  app.pass(60)
  const { undo: way } = await canceled(app, { where: days, reason: 'Storm' })
  app.pass(60)

  const dry = await undo(app, way.id, { json: { dry_run: true } })
  assert.deepEqual([dry.status, dry.body.count], [200, 4], dry.text)
  assert.equal((await stateOf(app, plain.id)).event_status, 'canceled')
  const { body } = await undo(app, way.id)
  const again = await undo(app, way.id)

  assert.equal(way.url, `http://calendar.test/cal/service/v1/events/cancel/${way.id}/undo`)
  assert.equal(way.until, '2030-02-14T12:01:00Z')
  assert.deepEqual([body.count, body.skipped, body.left_out, body.next_page], [4, [], 0, null])
  assert.deepEqual(
    body.events.map(({ event_status }: { event_status: string }) => event_status),
    ['scheduled', 'moved_online', 'postponed', 'rescheduled'],
  )
  assert.deepEqual(await Promise.all(ids.map((id) => stateOf(app, id))), before)
  assert.deepEqual([again.status, again.body.count, again.body.skipped], [200, 0, []])
})

test('an undo skips events whose state has changed since, and keeps other changes', async (t) => {
  const app = await startTestApp(t)
  const [renamed, reopened, explained] = [await givenEvent(app), await givenEvent(app), await givenEvent(app)]
  const pair = await givenEvent(app, { ml_language: 'en' })
  const other = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: pair.id })
  const late = await givenEvent(app, { ml_language: 'en' })
  const gone = await givenEvent(app)
  const { undo: way, count } = await canceled(app, { where: days, reason: 'Storm' })
  assert.equal(count, 7)
  await changed(app, `/events/${renamed.id}`, { title: 'Recital' })
  await changed(app, `/events/${reopened.id}`, { event_status: 'moved_online' })
  await changed(app, `/events/${explained.id}`, { event_status_reason: 'Ice storm' })
  await changed(app, `/events/${other.id}`, { event_status_reason: 'Tempête' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${gone.id}` })
  const added = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: late.id })
  assert.equal((await stateOf(app, added.id)).event_status, 'canceled')

  const { body } = await undo(app, way.id)

  assert.deepEqual(body.skipped.toSorted(), [reopened.id, explained.id, pair.id, other.id].toSorted())
  assert.deepEqual(idsOf(body), [renamed.id, late.id, gone.id, added.id])
  const { status, body: shown } = await app.send({ path: `/events/${renamed.id}` })
  assert.deepEqual([status, shown.title, shown.event_status], [200, 'Recital', undefined])
  assert.equal((await stateOf(app, added.id)).event_status, undefined)
  assert.equal((await stateOf(app, reopened.id)).event_status, 'moved_online')
  assert.equal((await stateOf(app, pair.id)).event_status, 'canceled')
  const { body: trashed } = await app.send({
    as: 'editor',
    method: 'POST',
    path: `//cal/service/v1/events/${gone.id}/restore`,
  })
  assert.equal(trashed.event_status, undefined)
})

test('who canceled events and who may edit them all can undo it, for thirty days', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, {}, 'author')
  const byAuthor = await canceled(app, { where: days }, 'author')
  const byEditor = await canceled(app, { where: days, event_status: 'canceled', reason: 'x' }, 'editor')
  assert.equal(byEditor.undo, null)
  await givenEvent(app, {}, 'editor')
  const { undo: ofEditor } = await canceled(app, { where: days }, 'editor')

  assert.equal((await undo(app, ofEditor.id, { as: 'author' })).body.code, 'cancellation-not-found')
  assert.equal((await undo(app, ofEditor.id, { as: 'contributor' })).status, 403)
  assert.equal((await undo(app, byAuthor.undo.id + 1000)).status, 404)
  const wrong = await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/events/cancel/x/undo' })
  assert.equal(wrong.status, 404)
  assert.equal((await undo(app, byAuthor.undo.id, { as: 'author', json: { dry_run: true } })).body.count, 1)

  app.pass(30 * 86_400 + 1)
  assert.equal((await undo(app, byAuthor.undo.id, { as: 'author' })).status, 404)
  assert.ok(await hasOldUndos(app.deps))
  assert.equal(await removeOldUndos(app.deps), false)
  assert.ok(!(await hasOldUndos(app.deps)))
  assert.equal((await stateOf(app, event.id)).event_status, 'canceled')
})

test('without shared fields, each version is an event of its own', async (t) => {
  const app = await startTestApp(t, { SHARE_FIELDS: 'false' })
  const original = await givenEvent(app, { ml_language: 'en' })
  const translation = await givenEvent(app, {
    ...{ ml_language: 'fr-CA', ml_translation_of: original.id },
    ...{ start_date: '2030-02-01 19:00:00', end_date: '2030-02-01 20:00:00' },
  })

  assert.deepEqual(idsOf(await canceled(app, { where: days })), [original.id])
  assert.equal((await stateOf(app, translation.id)).event_status, undefined)
})

test('the audit log has one entry for each event and one for the request', async (t) => {
  const app = await startTestApp(t)
  const ids = [(await givenEvent(app)).id, (await givenEvent(app)).id]
  const { undo: way } = await canceled(app, { where: days, reason: 'Storm' })
  await undo(app, way.id)
  const entries = async (query: string) =>
    (await app.send({ as: 'administrator', path: `//cal/service/v1/audit?${query}` })).body.entries

  const [undone, made] = await entries(`kind=cancellation&id=${way.id}`)
  assert.deepEqual([made.action, made.actor.name, undone.action], ['create', 'editor', 'update'])
  assert.deepEqual(undone.changes, { undone_at: { before: null, after: '2030-01-15T12:00:00Z' } })
  for (const id of ids) {
    const [back, there] = await entries(`kind=event&id=${id}`)
    assert.deepEqual(there.changes.event_status, { before: 'scheduled', after: 'canceled' })
    assert.deepEqual(there.changes.event_status_reason, { before: '', after: 'Storm' })
    assert.deepEqual(back.changes.event_status, { before: 'canceled', after: 'scheduled' })
    assert.equal(there.from.request_id, made.from.request_id)
  }
})

test('five hundred events are canceled and restored with few statements, and more than 2,000 are refused', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const few = await givenEvent(app, { venue: venue.id })
  app.statements()
  const one = await canceled(app, { where: days })
  const statementsOfOne = app.statements().length
  await undo(app, one.undo.id)
  const statementsOfUndo = app.statements().length
  for (let batch = 0; batch < 40; batch += 1) {
    const sent = Array.from({ length: 50 }, () => givenEvent(app, batch < 10 ? { venue: venue.id } : {}))
    await Promise.all(sent)
  }
  const tooMany = await cancel(app, { where: days })
  app.statements()
  const many = await canceled(app, { where: { ...days, venue: [venue.id] }, reason: 'Storm' })
  const statementsOfMany = app.statements().length
  await undo(app, many.undo.id)

  assert.deepEqual([many.count, many.events.length, many.next_page], [501, 50, 2])
  assert.equal(tooMany.status, 400)
  assert.match(tooMany.body.errors.where, /means 2001 events. One request changes at most 2000/)
  // Rows of the audit log and of the undo are inserted 64 at a time. A commit also indexes the texts of up to 1,024
  // earlier events that wait, with four statements for each 64 of them.
  assert.ok(statementsOfMany < statementsOfOne + 60 + 64, `${statementsOfMany} statements, ${statementsOfOne} for one`)
  assert.ok(app.statements().length < statementsOfUndo + 60 + 64)
  assert.equal((await stateOf(app, few.id)).event_status, undefined)
})

test('a list shows the change at once, and writes that come meanwhile are not lost', async (t) => {
  const app = await startTestApp(t)
  const ids: number[] = []
  for (let n = 0; n < 20; n += 1) ids.push((await givenEvent(app)).id)
  await app.send({ path: '/events' })

  const [answer, ...others] = await Promise.all([
    cancel(app, { where: days, reason: 'Storm' }),
    ...ids.map((id) => app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { title: `T${id}` } })),
    cancel(app, { where: days, reason: 'Other' }),
  ])
  assert.deepEqual([answer.status, ...others.map(({ status }) => status)], Array(22).fill(200))
  assert.equal(answer.body.count + others.at(-1)?.body.count, 20)

  const { body } = await app.send({ path: '/events?per_page=50' })
  assert.ok(body.events.every((event: { event_status?: string }) => event.event_status === 'canceled'))
  assert.deepEqual(
    body.events.map(({ title }: { title: string }) => title.replace('Canceled: ', '')),
    ids.map((id) => `T${id}`),
  )
})
