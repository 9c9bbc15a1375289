import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenDesk } from '../../../test/support/desk.ts'
import { givenCopies, givenOrganizer, givenVenue } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'

interface Item {
  readonly venue?: { readonly id: number; readonly venue: string }
  readonly organizer?: { readonly id: number; readonly organizer: string }
  readonly alike: readonly { readonly id: number; readonly reason: string }[]
}

/** Returns the pairs that look alike, each with its reason. */
async function alikeIn(app: TestApp, kind: 'venue' | 'organizer', as: Role = 'editor') {
  const { status, body } = await app.send({ as, path: `//cal/service/v1/${kind}s/usage?alike=true` })
  assert.equal(status, 200)
  const items: readonly Item[] = body.items
  return items.flatMap((item) => item.alike.map(({ id, reason }) => [item[kind]?.id ?? 0, id, reason] as const))
}

const pairText = ([one, other, reason]: readonly [number, number, string]) =>
  [...[one, other].toSorted((a, b) => a - b), reason].join(' ')

test('names of the same place are alike, and those of neighbours are not', async (t) => {
  const app = await startTestApp(t)
  const cases = [
    ['Nature Centre', 'Nature Center', 'spelling'],
    ['The Nature Centre', 'nature centre', 'name'],
    ['Town hall', 'Townhall', 'name'],
    ['Bibliothèque de Québec', 'Quebec bibliotheque', 'name', 'Québec'],
    ['Town Hall, Laval', 'Town Hall', 'name', 'Laval'],
    ['Nature Centre', 'Natuer Centre', 'spelling'],
    ['Bibliothèque Émile-Nelligan', 'Bibliotheque Emile Neligan', 'spelling'],
    ['L’Agora de la danse', 'Agora danse', 'name'],
    ['Room 12', 'Room 13'],
    ['Salle A', 'Salle B'],
    ['Salle A', 'Salle E'],
    ['Parc Marie', 'Parc Moreau'],
    ['East Park', 'West Park'],
    ['North Gallery', 'South Gallery'],
    ['City Hall', 'Town Hall'],
    ['–', '…'],
    ['Le “Quai” \\ 5', 'Quai 5', 'name'],
  ] as const
  const expected: string[] = []
  for (const [place, [one, other, reason, city = `Ville ${place}`]] of cases.entries()) {
    const first = await givenVenue(app, { venue: one, city, apart: true })
    const second = await givenVenue(app, { venue: other, city: city.replace('é', 'e'), apart: true })
    if (reason) expected.push(`${first.id} ${second.id} ${reason}`)
  }

  assert.deepEqual((await alikeIn(app, 'venue')).map(pairText).toSorted(), expected.toSorted())
})

test('towns, addresses and translations count, and nobody learns of drafts of others', async (t) => {
  const app = await startTestApp(t)
  const venue = (sent: object) => givenVenue(app, { apart: true, ...sent })
  const hall = await venue({ venue: 'Town Hall' })
  const laval = await venue({ venue: 'Town Hall', city: 'Laval' })
  await venue({ venue: 'Town Hall', city: 'Sutton' })
  await venue({ venue: 'Hôtel de ville', city: 'Sutton', ml_language: 'fr-CA', ml_translation_of: laval.id })
  const bar = await venue({ venue: 'Bar', address: '1, rue du Parc', zip: 'H1A 2B3', description: 'One\ntwo "three"' })
  const lounge = await venue({ venue: 'Lounge', address: '1 Rue du parc', zip: 'h1a2b3' })
  await venue({ venue: 'Pub', address: '1 Rue du parc', zip: 'J0E 1A0' })
  const one = await venue({ venue: 'Old Mill', city: 'Sutton', address: '5 Main' })
  const other = await venue({ venue: 'The Old Mill', city: 'Sutton', address: '5 Main', status: 'draft' })
  const gone = await venue({ venue: 'Mill Old Mill', city: 'Sutton', address: '5 Main' })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/venues/${gone.id}` })
  const jazz = await givenOrganizer(app, { organizer: 'Les Amis du jazz', phone: '555' })
  const friends = await givenOrganizer(app, { organizer: 'Amis du Jazz!' })

  const pairs = (await alikeIn(app, 'venue')).map(pairText).toSorted()
  const ofAuthor = (await alikeIn(app, 'venue', 'author')).map(pairText).toSorted()
  const organizers = (await alikeIn(app, 'organizer')).map(pairText)
  const plain = await app.send({ as: 'editor', path: '//cal/service/v1/venues/usage' })

  const known = [`${hall.id} ${laval.id} name`, `${bar.id} ${lounge.id} address`].toSorted()
  assert.deepEqual(pairs, [...known, `${one.id} ${other.id} name`].toSorted())
  assert.deepEqual(ofAuthor, known)
  assert.deepEqual(organizers, [`${jazz.id} ${friends.id} name`])
  assert.ok(plain.body.items.every((item: object) => !Object.hasOwn(item, 'alike')))
  assert.equal((await app.send({ as: 'subscriber', path: '//cal/service/v1/venues/usage?alike=true' })).status, 403)
})

test('among 2,000 venues, the pairs are found with as many statements, and at most 50 are listed', async (t) => {
  const app = await startTestApp(t)
  const venue = (sent: object) => givenVenue(app, { apart: true, ...sent })
  await venue({ venue: 'Nature Centre' })
  await venue({ venue: 'Arena' })
  await venue({ venue: 'The Arena' })
  const count = async () => {
    app.statements()
    const pairs = await alikeIn(app, 'venue')
    return { pairs, statements: app.statements().length }
  }
  await count()
  const few = await count()
  await givenCopies(app, (await venue({ venue: 'Salle x0', city: 'Ville x0' })).id, 1000)
  await givenCopies(app, (await venue({ venue: 'Town Hall', city: 'Ville x0' })).id, 1000)
  await venue({ venue: 'Nature Center' })
  const many = await count()
  await givenCopies(app, (await venue({ venue: 'Room x0', address: '1 Main' })).id, 80)
  const most = await count()
  const named = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/names' },
    json: { venues: ['Natuer centre', 'Sale x998', 'Nothing'], alike: true },
  })
  const page = await (await givenDesk(app, 'editor')).get('/admin/venues/')

  assert.deepEqual([few.pairs.length, many.pairs.length, most.pairs.length], [1, 2, 50])
  assert.deepEqual(many.pairs.map(([, , reason]) => reason).toSorted(), ['name', 'spelling'])
  assert.ok(many.statements <= few.statements, `${many.statements} statements, ${few.statements} for few venues`)
  assert.deepEqual(
    named.body.alike.map((one: { readonly asked: string; readonly name: string }) => [one.asked, one.name]),
    [
      ['Natuer centre', 'Nature Centre'],
      ['Sale x998', 'Salle x998'],
      ['Natuer centre', 'Nature Center'],
    ],
  )
  assert.match(page.text, /50 pairs look alike[\s\S]*Nature Cent[\s\S]*Almost the same name[\s\S]*Same address/)
})

test('who looks for names that look like others is limited more, as all names are read for each request', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '101/600', RATE_LIMIT_EXEMPT: '' })
  const ask = async (json: object) =>
    (await app.send({ as: 'contributor', method: 'POST', path: '//cal/service/v1/names', json })).status

  assert.deepEqual([await ask({ venues: ['A'], alike: true }), await ask({ venues: ['B'], alike: true })], [200, 200])
  assert.equal(await ask({ venues: ['A'] }), 200)
  assert.equal(await ask({ venues: ['A'], alike: true }), 429)
})
