import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenVenue } from '../../../test/support/given.ts'
import { createSeriesOf } from '../../../test/support/series.calls.ts'
import { service } from '../../../test/support/signing.ts'
import { mergedLinks, unmergedLinks } from './merge.ts'

const post = (app: TestApp, path: string, json: object = {}, others: Partial<TestRequest> = {}) =>
  app.send({ as: 'editor', method: 'POST', path: service(path), json, ...others })

async function venuesOf(app: TestApp, id: number): Promise<readonly string[]> {
  const { body } = await app.send({ as: 'editor', path: `/events/${id}?context=edit` })
  return [body.venue].flat().map(({ venue }: { readonly venue: string }) => venue)
}

const entries = (app: TestApp, kind: string, id: number) =>
  app.send({ as: 'administrator', path: service(`/audit?kind=${kind}&id=${id}`) })

test('a series moves with its dates, and its texts do not count as one', async (t) => {
  const app = await startTestApp(t)
  const [hall, arena] = [await givenVenue(app, { venue: 'Hall' }), await givenVenue(app, { venue: 'Arena' })]
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' }, { venue: hall.id })

  const { body: merged } = await post(app, `/venues/${hall.id}/merge`, { into: arena.id })

  assert.equal(merged.count, 3)
  assert.deepEqual(await venuesOf(app, first.id), ['Arena'])
})

test('events of all authors, states and languages move in one step, and back again', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  const salle = await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: hall.id })
  const arena = await givenVenue(app, { venue: 'Arena' })
  const tent = await givenVenue(app, { venue: 'Tent' })
  const first = await givenEvent(app, { title: 'One', venue: hall.id })
  const un = await givenEvent(app, { title: 'Un', ml_language: 'fr-CA', ml_translation_of: first.id })
  const several = await givenEvent(app, { title: 'Several', venue: salle.id })
  const draft = await givenEvent(app, { title: 'Draft', status: 'draft', venue: hall.id }, 'author')
  const gone = await givenEvent(app, { title: 'Gone', venue: hall.id })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${gone.id}` })
  const other = await givenEvent(app, { title: 'Other', venue: tent.id })
  const { body: before } = await app.send({ path: '/events' })
  const { headers: cursor } = await app.send({ path: '/venues' })
  const version = async (id: number) =>
    (await app.send({ as: 'editor', path: `/events/${id}` })).headers['x-record-version']
  const versions = [await version(first.id), await version(other.id)]

  const dry = await post(app, `/venues/${hall.id}/merge`, { into: arena.id, dry_run: true })
  assert.deepEqual([dry.status, dry.body.count, dry.body.undo, dry.body.lost_languages], [200, 3, null, ['fr-CA']])
  assert.deepEqual(await venuesOf(app, first.id), ['Hall'])

  const { body: merged } = await post(app, `/venues/${hall.id}/merge`, { into: arena.id, per_page: 2 })
  assert.deepEqual([merged.count, merged.events.length, merged.next_page], [3, 2, 2])
  for (const { id } of [first, un, draft]) assert.deepEqual(await venuesOf(app, id), ['Arena'])
  assert.deepEqual(await venuesOf(app, several.id), ['Arena'])
  for (const { id } of [hall, salle]) {
    assert.equal((await app.send({ as: 'editor', path: `/venues/${id}` })).body.status, 'trash')
  }
  assert.notEqual(await version(first.id), versions[0])
  assert.equal(await version(other.id), versions[1])
  const { body: changed } = await app.send({
    path: service(`/changes?after=${cursor['x-changes-cursor']}&data=ids`),
  })
  const ids = changed.items.map(({ id }: { readonly id: number }) => id)
  for (const { id } of [first, un, several, hall, salle]) assert.ok(ids.includes(id), `${id} of ${ids}`)
  assert.deepEqual((await entries(app, 'event', several.id)).body.entries[0].changes, {
    venue: { before: [hall.id], after: [arena.id] },
  })
  assert.equal((await app.send({ path: `/events?venue=${arena.id}` })).body.total, 2)

  const { body: undone } = await post(app, `/venues/merge/${merged.undo.id}/undo`)
  assert.deepEqual([undone.count, undone.skipped], [3, []])
  assert.deepEqual(await venuesOf(app, several.id), ['Hall'])
  await post(app, `/events/${gone.id}/restore`)
  assert.deepEqual(await venuesOf(app, gone.id), ['Hall'])
  const { body: after } = await app.send({ path: '/events?search=one' })
  assert.deepEqual(
    after.events[0].venue,
    before.events.find(({ id }: { readonly id: number }) => id === first.id).venue,
  )
  const again = await post(app, `/venues/merge/${merged.undo.id}/undo`)
  assert.deepEqual([again.status, again.body.count], [200, 0])
})

test('undoing moves back exactly the events that still have the other one', async (t) => {
  const app = await startTestApp(t)
  const [one, two, three] = [
    await givenOrganizer(app, { organizer: 'One' }),
    await givenOrganizer(app, { organizer: 'Two' }),
    await givenOrganizer(app, { organizer: 'Three' }),
  ]
  const stays = await givenEvent(app, { title: 'Stays', organizer: [three.id, one.id] })
  const both = await givenEvent(app, { title: 'Both', organizer: [one.id, two.id] })
  const moved = await givenEvent(app, { title: 'Moved on', organizer: one.id })
  const added = await givenEvent(app, { title: 'Added', organizer: one.id })
  const { body: merged } = await post(app, `/organizers/${one.id}/merge`, { into: two.id })
  const change = (id: number, organizer: unknown) =>
    app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { organizer } })
  await change(moved.id, three.id)
  await change(added.id, [three.id, two.id])
  const later = await givenEvent(app, { title: 'Later', organizer: two.id })
  const organizersOf = async ({ id }: { readonly id: number }): Promise<readonly string[]> =>
    (await app.send({ path: `/events/${id}` })).body.organizer.map(
      (one: { readonly organizer: string }) => one.organizer,
    )
  const all = [stays, both, moved, added, later]
  assert.deepEqual(await Promise.all(all.map(organizersOf)), [
    ...[['Three', 'Two'], ['Two'], ['Three'], ['Three', 'Two'], ['Two']],
  ])

  const { body: undone } = await post(app, `/organizers/merge/${merged.undo.id}/undo`)

  assert.deepEqual([undone.count, undone.skipped], [3, [moved.id]])
  assert.deepEqual(await Promise.all(all.map(organizersOf)), [
    ...[['Three', 'One'], ['One', 'Two'], ['Three'], ['Three', 'One'], ['Two']],
  ])
})

test('what a source calls the merged one means the other one, which a sweep leaves alone', async (t) => {
  const app = await startTestApp(t)
  const put = (path: string, json: object) =>
    app.send({ as: 'editor', method: 'PUT', path: service(`/sources/festival/${path}`), json })
  const { body: old } = await put('venues/h1', { venue: 'Hall', phone: '1' })
  const arena = await givenVenue(app, { venue: 'Arena', phone: '2' })
  const { body: merged } = await post(app, `/venues/${old.id}/merge`, { into: arena.id })
  const times = { start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }

  const { body: event } = await put('events/e1', { title: 'New', ...times, venue: { external_id: 'h1' } })
  const sweep = { seen_since: '2040-01-01T00:00:00Z', action: 'trash', kind: 'venue' }
  const { body: swept } = await post(app, '/sources/festival/sweep', sweep)
  await put('venues/h1', { venue: 'Hall', phone: '3' })

  assert.equal(event.venue.id, arena.id)
  assert.equal(swept.count ?? swept.records?.length ?? 0, 0)
  const { body: kept } = await app.send({ path: `/venues/${arena.id}` })
  assert.deepEqual([kept.venue, kept.phone], ['Arena', '2'])
  await post(app, `/venues/merge/${merged.undo.id}/undo`)
  assert.equal((await app.send({ as: 'editor', path: service('/sources/festival/venues/h1') })).body.id, old.id)
})

test('only editors merge, and only what makes sense', async (t) => {
  const app = await startTestApp(t)
  const [band, choir] = [
    await givenOrganizer(app, { organizer: 'Band' }),
    await givenOrganizer(app, { organizer: 'Choir' }),
  ]
  const groupe = await givenOrganizer(app, { organizer: 'Groupe', ml_language: 'fr-CA', ml_translation_of: band.id })
  const draft = await givenOrganizer(app, { organizer: 'Draft', status: 'draft' })
  const hall = await givenVenue(app, { venue: 'Hall' })
  const path = `/organizers/${band.id}/merge`
  const { id } = await givenEvent(app, { organizer: band.id })
  const key = { headers: { 'idempotency-key': '"merge-1"' } }

  assert.equal((await post(app, path, { into: choir.id }, { as: 'author' })).status, 403)
  assert.equal((await app.send({ method: 'POST', path: service(path), json: { into: choir.id } })).status, 401)
  for (const into of [band.id, groupe.id, draft.id, hall.id, 999, 'x']) {
    const { status, body } = await post(app, path, { into })
    assert.deepEqual([status, Object.keys(body.errors)], [400, ['into']], String(into))
  }
  assert.equal((await post(app, path, { into: choir.id }, { headers: { 'if-match': '"77"' } })).status, 412)
  const [done, twice] = [await post(app, path, { into: choir.id }, key), await post(app, path, { into: choir.id }, key)]
  assert.deepEqual([done.status, done.body, twice.body], [200, twice.body, done.body])
  assert.equal((await post(app, path, { into: choir.id })).body.code, 'organizer-is-in-trash')
  assert.equal((await post(app, `/venues/merge/${done.body.undo.id}/undo`)).body.code, 'merge-not-found')
  assert.equal((await app.send({ path: `/events/${id}` })).body.organizer[0].organizer, 'Choir')
})

test('links keep their order, and undoing gives back what was lost and nothing else', () => {
  const into = new Set([7, 8])
  const ids = { from: new Set([1, 2]), into, intoId: 7 }
  let seed = 1
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let round = 0; round < 500; round += 1) {
    const before = [...new Set(Array.from({ length: 1 + next(4) }, () => [1, 2, 3, 4, 7, 8][next(6)] as number))]
    if (!before.some((id) => ids.from.has(id))) continue
    const after = mergedLinks(before, ids)
    const others = (links: readonly number[]) => links.filter((id) => !ids.from.has(id) && !into.has(id))

    assert.equal(after.filter((id) => into.has(id)).length, 1)
    assert.deepEqual(others(after), others(before))
    assert.deepEqual(unmergedLinks(after, { before, after }, into), before)
    const extended = [5, ...after]
    const back = unmergedLinks(extended, { before, after }, into) ?? []
    assert.deepEqual(others(back), [5, ...others(before)])
    assert.equal(unmergedLinks(others(after), { before, after }, into), undefined)
  }
})
