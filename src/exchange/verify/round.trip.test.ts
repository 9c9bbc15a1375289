import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { startCommands } from '../../../test/support/called.command.ts'
import { picture } from '../../../test/support/pictures.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { createUser } from '../../access/auth/user.service.ts'
import { ownCalendar } from '../../cli/own.calendar.ts'
import { wxrOf } from '../export/wxr.ts'
import { IdsTakenError } from '../imports/moved.ids.ts'
import { importMoved } from '../imports/moved.import.ts'
import { openPullFolder, type PulledEvent, type PullManifest } from '../pull/pull.folder.ts'
import { pullTec } from '../pull/pull.tec.ts'
import { verifyFolders } from './verify.ts'

const password = 'aaaa bbbb cccc dddd eeee ffff'

async function served({ deps, server }: TestApp): Promise<string> {
  await createUser(deps, { name: 'mover', role: 'administrator', email: 'mover@example.org', secret: password })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** Fills a calendar with what a calendar may have. */
async function filled({ send }: TestApp): Promise<void> {
  const post = async (path: string, json: object) => {
    const { status, body } = await send({ as: 'editor', method: 'POST', path, json })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const service = '//cal/service/v1'
  const french = { ml_language: 'fr-CA' }
  const music = await post('/categories', { name: 'Music', description: 'All that sounds.' })
  const jazz = await post('/categories', { name: 'Jazz', parent: music.id })
  await post('/categories', { name: 'Musique', ...french, ml_translation_of: music.id })
  const tag = await post('/tags', { name: 'Free' })
  await post('/tags', { name: 'Gratuit', ...french, ml_translation_of: tag.id })
  await post('/tags', { name: 'Seulement en français', ...french })
  const file = await picture(320, 240)
  const image = await send({
    ...{ as: 'editor', method: 'POST', path: `${service}/media?title=Trumpet&alt_text=A%20trumpet`, payload: file },
    headers: { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="trumpet.jpg"' },
  })
  assert.equal(image.status, 201, image.text)
  const hall = await post('/venues', { venue: 'Hall', city: 'Laval', geo_lat: 45.5, geo_lng: -73.7, phone: '1' })
  await post('/venues', { venue: 'Salle', ...french, ml_translation_of: hall.id })
  await post('/venues', { venue: 'Attic', status: 'draft' })
  const gone = await post('/venues', { venue: 'Demolished' })
  await send({ as: 'editor', method: 'DELETE', path: `/venues/${gone.id}` })
  const club = await post('/organizers', {
    organizer: 'Club',
    email: 'club@example.org',
    website: 'https://club.example',
  })
  const at = { start_date: '2030-05-03 19:30', end_date: '2030-05-03 22:00', timezone: 'America/New_York' }
  const rich = {
    ...{ venue: hall.id, organizer: club.id, categories: [jazz.id], tags: [tag.id], image: image.body.id },
    ...{ cost: '$5', website: 'https://example.org/', featured: true, sticky: true, show_map: false },
    ...{ description: 'First.\n\nSecond & <strong>bold</strong> – “quoted”…', excerpt: 'In short.' },
  }
  const concert = await post('/events', { title: 'Concert – l’été “live”', ...at, ...rich })
  await post('/events', { title: 'Récital', ...french, ml_translation_of: concert.id, description: 'Bientôt.' })
  await post('/events', { title: 'En français', ...at, ...french })
  for (const status of ['draft', 'pending', 'private']) await post('/events', { title: `A ${status}`, ...at, status })
  await post('/events', { title: 'Hidden', ...at, hide_from_listings: true })
  await post('/events', { title: 'Protected', ...at, event_password: 'sesame', description: 'For members.' })
  await post('/events', { title: 'All day', all_day: true, start_date: '2030-06-01', end_date: '2030-06-03' })
  const trashed = await post('/events', { title: 'Trashed', ...at })
  await send({ as: 'editor', method: 'DELETE', path: `/events/${trashed.id}` })
  const states = { event_status: 'postponed', event_status_reason: 'The hall is flooded.' }
  await post('/events', { title: 'Postponed', ...at, ...states })
  const moved = await post('/events', { title: 'Moved', ...at })
  await post('/events', { title: 'Déplacé', ...french, ml_translation_of: moved.id })
  for (const day of ['09', '10']) {
    const times = { start_date: `2030-05-${day} 19:30`, end_date: `2030-05-${day} 22:00` }
    const json = { event_status: 'rescheduled', ...times }
    const { status } = await send({ as: 'editor', method: 'PATCH', path: `/events/${moved.id}`, json })
    assert.equal(status, 200)
  }
  const online = {
    attendance: 'online',
    virtual_url: 'https://meet.example.org/1',
    availability: 'sold-out',
    capacity: 9,
  }
  await post('/events', { title: 'Online', ...at, ...online })
  for (let day = 1; day <= 25; day += 1) {
    const date = `2030-07-${String(day).padStart(2, '0')}`
    await post('/events', { title: 'Market', start_date: `${date} 08:00`, end_date: `${date} 12:00`, venue: hall.id })
  }
  const rule = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6', except: ['2030-05-17'] } }
  const yoga = await post('/events', { title: 'Yoga', ...at, ...rule, venue: hall.id, categories: [jazz.id] })
  const { dates } = (await send({ as: 'editor', path: `${service}/series/${yoga.series.id}/dates` })).body
  const changed = { start_date: '2030-05-11 10:00', end_date: '2030-05-11 11:00', title: 'Yoga outside' }
  await send({ as: 'editor', method: 'PATCH', path: `/events/${dates[1].event_id}`, json: changed })
  await send({ as: 'editor', method: 'DELETE', path: `/events/${dates[2].event_id}` })
  const translated = { title: 'Yoga en français', ml_language: 'fr-CA' }
  const version = await send({
    ...{ as: 'editor', method: 'POST', path: `${service}/series/${yoga.series.id}/translations`, json: translated },
  })
  assert.equal(version.status, 201, version.text)
  await post('/events', { title: 'Without end', ...at, recurrence: { rrule: 'FREQ=MONTHLY;BYDAY=1FR' } })
}

/** Pulls a calendar that has what a calendar may have. */
async function pulledCalendar(t: TestContext) {
  const old = await startTestApp(t)
  await filled(old)
  const oldUrl = await served(old)
  const { run, folder: cwd } = await startCommands(t)
  await writeFile(join(cwd, 'key.txt'), password)
  const pull = ['pull', 'tec', oldUrl, '--folder', 'old', '--user', 'mover', '--password-file', 'key.txt']
  const pulled = await run([...pull, '--pause', '0'])
  assert.deepEqual([pulled.exitCode, pulled.err], [0, ''])
  const folder = openPullFolder(join(cwd, 'old'))
  return { old, run, folder, calendar: { folder, manifest: (await folder.readManifest()) as PullManifest } }
}

const authorId = 5 as UserId

test('a calendar of this service loses nothing on its way into an empty one', async (t) => {
  const now = await startTestApp(t, { SITE_TIMEZONE: 'Asia/Kolkata' })
  const newUrl = await served(now)
  const { run, calendar } = await pulledCalendar(t)
  const asNew = ['--new-user', 'mover', '--new-password-file', 'key.txt']

  const { failures, events, warnings } = await importMoved(now.deps, calendar, { authorId })
  const again = await importMoved(now.deps, calendar, { authorId })
  const { exitCode, out } = await run(['verify', 'tec', 'old', newUrl, ...asNew, '--pause', '0', '--json'])

  assert.deepEqual(failures, [])
  const { differences, deviations, compared } = JSON.parse(out)
  assert.deepEqual(differences, [])
  assert.deepEqual([exitCode, deviations], [0, { trash: 3 }])
  assert.equal(compared.events, events.created)
  assert.ok(compared.events > 60 && compared.series === 3, JSON.stringify(compared))
  assert.deepEqual(again.events, { created: 0, updated: 0, unchanged: events.created, failed: 0 })
  assert.ok(warnings.some(({ text }) => 'key' in text && text.key === 'import.moved.password'))
})

test('an import into an empty calendar keeps ids, also if it was interrupted', async (t) => {
  const now = await startTestApp(t)
  const { old, folder, calendar } = await pulledCalendar(t)
  const options = { authorId, keepsIds: true }
  const cut = new Error('Killed.')
  const kill = () => {
    throw cut
  }
  const listed = async ({ send }: TestApp) => {
    const ids: Record<string, unknown> = {}
    for (const [kind, language] of ['categories', 'tags', 'venues', 'organizers'].flatMap((kind) => [
      [kind, 'en'],
      [kind, 'fr-CA'],
    ])) {
      const path = `/${kind}?hide_empty=false&per_page=50&ml_language=${language}`
      const { body } = await send({ as: 'editor', path })
      ids[`${kind} ${language}`] = body[kind as string]?.map(({ id, slug }: { id: number; slug: string }) => [id, slug])
    }
    return ids
  }

  await importMoved(now.deps, calendar, { ...options, isDryRun: true })
  await assert.rejects(importMoved(now.deps, calendar, { ...options, onProgress: kill }), cut)
  const { failures, events } = await importMoved(now.deps, calendar, options)

  assert.deepEqual([failures, events.failed], [[], 0])
  for (const file of await folder.list('events')) {
    const { id, v1, source } = (await folder.readJson<PulledEvent & { v1: { slug: string } }>(file)) as never
    if ((v1 as { status: string }).status === 'trash') continue
    const here = await now.send({ as: 'editor', path: `//cal/service/v1/events/${id}/source` })
    assert.equal(here.body.title, (source as { title: string }).title, file)
  }
  assert.deepEqual(await listed(now), await listed(old))
  const times = { start_date: '2031-01-01 10:00', end_date: '2031-01-01 11:00' }
  const [before, next] = await Promise.all(
    [old, now].map(({ send }) =>
      send({ as: 'editor', method: 'POST', path: '/events', json: { title: 'Next', ...times, categories: ['New'] } }),
    ),
  )
  assert.deepEqual([before?.status, next?.status], [201, 201])
  assert.ok(next?.body.id >= before?.body.id && next?.body.categories[0].id >= before?.body.categories[0].id)
  await assert.rejects(importMoved(now.deps, calendar, options), IdsTakenError)
})

test('an export is what an administrator fetches over HTTP, and WordPress finds all of it in its XML', async (t) => {
  const { old, folder, calendar } = await pulledCalendar(t)
  const own = ownCalendar(old.deps, authorId)
  const exported = openPullFolder(`${folder.path}-exported`)
  const from = { site: own.site, credentials: { user: '', password: '' }, pauseMs: 0, client: own }

  const { failures, counts, ...manifest } = await pullTec({ ...from, folder: exported, now: () => new Date() })
  const { differences } = await verifyFolders(calendar, { folder: exported, manifest: { ...manifest, counts } })
  const items: Record<string, string>[] = []
  const parser = new SaxesParser()
  let [name, text] = ['', '']
  let meta: Record<string, string> = {}
  parser.on('opentag', (tag) => {
    name = tag.name
    text = ''
    if (name === 'item') meta = {}
  })
  parser.on('cdata', (cdata) => {
    text += cdata
  })
  parser.on('closetag', (tag) => {
    if (tag.name === 'item') items.push(meta)
    else if (tag.name === 'wp:meta_value') meta[meta['wp:meta_key'] ?? ''] = text
    else meta[tag.name] = text
    text = ''
  })
  for await (const part of wxrOf(exported, { site: own.site.origin })) parser.write(part)
  parser.close()

  assert.deepEqual([failures, differences], [[], []])
  const ofType = Map.groupBy(items, (item) => item['wp:post_type'])
  assert.deepEqual(
    ['tribe_events', 'tribe_venue', 'tribe_organizer', 'attachment'].map((type) => ofType.get(type)?.length),
    [counts.events, counts.venues, counts.organizers, counts.pictures],
  )
  const concert = items.find((item) => item._EventURL === 'https://example.org/')
  assert.partialDeepStrictEqual(concert, {
    ...{
      title: 'Concert – l’été “live”',
      'content:encoded': 'First.\n\nSecond &amp; <strong>bold</strong> – “quoted”…',
    },
    ...{
      'wp:menu_order': '-1',
      'wp:status': 'publish',
      _tribe_featured: '1',
      _EventCost: '$5',
      _EventDuration: '9000',
    },
    ...{ _EventStartDate: '2030-05-03 19:30:00', _EventStartDateUTC: '2030-05-03 23:30:00' },
    ...{ _EventTimezone: 'America/New_York', _EventShowMap: '0' },
  })
  const known = (type: string, id = '') => ofType.get(type)?.some((item) => item['wp:post_id'] === id)
  assert.ok(known('tribe_venue', concert?._EventVenueID) && known('tribe_organizer', concert?._EventOrganizerID))
  assert.ok(known('attachment', concert?._thumbnail_id))
  assert.equal(items.find(({ title }) => title === 'Protected')?.['wp:status'], 'private')
})
