import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCommands } from '../../../test/support/called.command.ts'
import { openPullFolder } from '../pull/pull.folder.ts'

const events = {
  112: { slug: 'concert', url: 'https://old.example.org/calendar/concert/', status: 'publish' },
  113: { slug: 'recital', url: 'https://old.example.org/fr/calendrier/recital/', status: 'publish' },
  116: {
    ...{ slug: 'a"b\n{env.SECRET}$host', status: 'publish' },
    url: 'https://old.example.org/calendar/a"b{env.SECRET}$host/',
  },
  114: { slug: 'draft', url: 'https://old.example.org/calendar/draft/', status: 'draft' },
  115: { slug: 'usual', url: 'https://old.example.org/event/usual/', status: 'publish' },
}

test('old addresses lead to the new ones, in the form of each server', async (t) => {
  const { run, folder: cwd } = await startCommands(t)
  const folder = openPullFolder(join(cwd, 'old'))
  for (const [id, v1] of Object.entries(events)) {
    await folder.writeJson(`events/${id}.json`, { id: Number(id), raw: null, v1: { id: Number(id), ...v1 } })
  }
  const hall = { id: 20, slug: 'hall', url: 'https://old.example.org/place/hall/', status: 'publish' }
  await folder.writeJson('lists/venues-1.json', { venues: [hall], total_pages: 1 })
  const unknown = await run(['redirects', 'old'])
  await folder.writeManifest({
    ...{ format: 'cal-events-pull', version: 1, site: 'https://old.example.org/', isSignedIn: false },
    ...{ finishedAt: '', counts: {}, refused: {} },
  })

  const [csv, caddy, nginx] = [
    await run(['redirects', 'old']),
    await run(['redirects', 'old', '--format', 'caddy']),
    await run(['redirects', 'old', '--format', 'nginx']),
  ]

  assert.deepEqual([unknown.exitCode, csv.exitCode, caddy.exitCode, nginx.exitCode], [2, 0, 0, 0])
  // What a server takes for a variable, an end or a line is a part of the address.
  const odd = 'a%22b%0A%7Benv.SECRET%7D%24host'
  const ofEvent = (id: number, slug: string, to: string) => [
    `"/?p=${id}",${to}`,
    `"/?post_type=tribe_events&p=${id}",${to}`,
    `"/?tribe_events=${slug}",${to}`,
  ]
  assert.deepEqual(csv.out.trimEnd().split('\n'), [
    'from,to',
    ...[...ofEvent(112, 'concert', '/event/concert/'), '"/calendar/concert/",/event/concert/'],
    ...[...ofEvent(113, 'recital', '/fr/event/recital/'), '"/fr/calendrier/recital/",/fr/event/recital/'],
    ...ofEvent(115, 'usual', '/event/usual/'),
    ...[...ofEvent(116, odd, `/event/${odd}/`), `"/calendar/a%22b%7Benv.SECRET%7D$host/",/event/${odd}/`],
    ...['"/?p=20",/venue/hall/', '"/place/hall/",/venue/hall/'],
  ])
  assert.match(caddy.out, /^map \{uri\} \{moved_to\} \{\n {2}"\/\?p=112" "\/event\/concert\/"\n/)
  assert.match(nginx.out, /\n {2}"\/calendar\/concert\/" "\/event\/concert\/";\n/)
})
