import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { startCommands } from '../../../test/support/called.command.ts'
import { referenceEvents, referencePassword, startReferenceSite } from '../../../test/support/reference.site.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { findUserByLogin } from '../../access/auth/user.repository.ts'
import { openPullFolder, type PullManifest } from '../pull/pull.folder.ts'
import { presentSummary } from './import.summary.ts'
import { importMoved } from './moved.import.ts'

const always = 'per_page=100&start_date=2000-01-01&end_date=2100-01-01'

/** Pulls the double of a site, as an administrator or as a visitor. */
async function pulledSite(t: TestContext, as: 'admin' | 'visitor' = 'admin') {
  const site = await startReferenceSite(t)
  const { run, folder: cwd } = await startCommands(t)
  await writeFile(join(cwd, 'key.txt'), referencePassword)
  const asAdmin = as === 'admin' ? ['--user', 'admin', '--password-file', 'key.txt'] : []
  const args = ['pull', 'tec', site.url, '--folder', 'old', '--pause', '0', '--events', '110', ...asAdmin]
  assert.equal((await run(args)).exitCode, 0)
  const folder = openPullFolder(join(cwd, 'old'))
  const manifest = (await folder.readManifest()) as PullManifest
  return { pulled: { folder, manifest }, run, url: site.url }
}

const administrator = 5 as UserId

test('everything that an administrator sees is moved, with its states, authors, pictures and passwords', async (t) => {
  const app = await startTestApp(t)
  const { pulled } = await pulledSite(t)

  const summary = await importMoved(app.deps, pulled, { authorId: administrator })

  const said = presentSummary(summary, 'en')
  const { body } = await app.send({
    as: 'administrator',
    path: `/events?${always}&status=publish,future,draft,pending,private,trash`,
  })
  const listed = new Map<string, ReturnType<typeof JSON.parse>>(
    body.events.map((event: { title: string }) => [event.title, event]),
  )
  const alice = await findUserByLogin(app.deps.storage.db, 'alice@example.org')
  const admin = await findUserByLogin(app.deps.storage.db, 'admin@example.org')
  const bob = await findUserByLogin(app.deps.storage.db, 'bob')
  assert.deepEqual(said.failures, [])
  assert.deepEqual(summary.events, { created: referenceEvents.length, updated: 0, unchanged: 0, failed: 0 })
  assert.deepEqual([alice?.role, bob?.role, bob?.email], ['editor', 'contributor', 'bob@example.org'])
  const get = (title: string) => listed.get(title) ?? assert.fail(`${title} is missing`)
  assert.deepEqual(
    ['Over', 'Concert', 'Draft', 'Pending', 'Private', 'Trashed', 'Reversed'].map((title) => [
      title,
      get(title).status,
      Number(get(title).author),
    ]),
    [
      ['Over', 'publish', alice?.id],
      ['Concert', 'publish', alice?.id],
      ['Draft', 'draft', bob?.id],
      ['Pending', 'pending', bob?.id],
      ['Private', 'private', admin?.id],
      ['Trashed', 'trash', admin?.id],
      ['Reversed', 'publish', admin?.id],
    ],
  )
  assert.deepEqual(
    [get('Concert').image, get('Concert').categories[0]].map(
      (shown: Record<string, unknown>) => shown.alt ?? shown.slug,
    ),
    ['A trumpet', 'jazz'],
  )
  assert.deepEqual(
    [get('Postponed').event_status, get('Postponed').event_status_reason],
    ['postponed', 'The hall is flooded.'],
  )
  assert.equal(get('Draft').modified_utc, '2022-02-02 12:00:00')
  assert.equal(get('Blues\u00a0-\u00a0live').description, '<p>First.</p>\n<p>Second.</p>')
  const { body: venues } = await app.send({
    as: 'administrator',
    path: '/venues?per_page=50&status=publish,draft,private,trash',
  })
  const shown = venues.venues.map(({ venue, status, author }: Record<string, string>) => [
    venue,
    status,
    Number(author),
  ])
  assert.deepEqual(shown.toSorted(), [
    ['Attic', 'draft', admin?.id],
    // A published event shows it.
    ['Cellar', 'publish', alice?.id],
    ['Demolished', 'trash', admin?.id],
    ['Hall', 'publish', admin?.id],
    ['Roof', 'private', admin?.id],
  ])
  assert.deepEqual([summary.hiddenEvents, summary.skippedImages], [3, 0])
  const guarded = get('Protected').id
  const asVisitor = await app.send({ path: `/events/${guarded}` })
  const opened = await app.send({ path: `/events/${guarded}?password=sesame` })
  assert.deepEqual(
    [asVisitor.body.description ?? asVisitor.status, opened.body.description],
    [403, '<p>For members.</p>'],
  )
  const old = await app.server.inject({ url: '/?p=102' })
  assert.deepEqual([old.statusCode, old.headers.location], [301, '/event/concert/'])
})

test('each thing that does not come is named, a second import changes nothing, and a dry run adds nothing', async (t) => {
  const app = await startTestApp(t)
  const { pulled } = await pulledSite(t)
  const options = { authorId: administrator }

  const rehearsed = await importMoved(app.deps, pulled, { ...options, isDryRun: true })
  const usersAfterRehearsal = await findUserByLogin(app.deps.storage.db, 'alice')
  const first = await importMoved(app.deps, pulled, options)
  const second = await importMoved(app.deps, pulled, options)

  const said = presentSummary(first, 'en').warnings.map(({ file, path, text }) =>
    [file, path, text].filter(Boolean).join(': '),
  )
  assert.deepEqual(said, [
    'venues 202: was not published, but an event that is shows it, so it is published here',
    'manifest.json: the settings of the site, the passwords of its users, and events that end before they start and were not named are not imported',
    'users: admin: the user admin is created with the role administrator and without a password',
    'users: alice: the user alice is created with the role editor and without a password',
    'users: bob: the user bob is created with the role contributor and without a password',
    'users: carol: the user carol@example.org owns no record and was not imported',
    'media/501.json: the caption “Photo: Alice” has no place here',
    'events/110.json: the event ends before it starts; here it ends when it starts',
    'events/113.json: the event starts in the second of two equal hours; here it starts in the first',
  ])
  assert.deepEqual(presentSummary(rehearsed, 'en').warnings, presentSummary(first, 'en').warnings)
  assert.equal(usersAfterRehearsal, undefined)
  assert.deepEqual(rehearsed.events, first.events)
  assert.deepEqual(second.events, { created: 0, updated: 0, unchanged: referenceEvents.length, failed: 0 })
})

test('a visitor’s calendar says what cannot be known', async (t) => {
  const app = await startTestApp(t)
  const { pulled } = await pulledSite(t, 'visitor')

  const { warnings, failures, events } = await importMoved(app.deps, pulled, { authorId: administrator })

  const said = [...warnings, ...failures].map(({ text }) => ('key' in text ? text.key : text.refused.code))
  assert.ok(said.includes('import.moved.visitors'))
  assert.ok(said.includes('import.event.protected'))
  assert.equal(events.failed, 1)
})

test('the command line imports a folder, a dry run first', async (t) => {
  const { pulled, run } = await pulledSite(t)
  const args = ['import', 'tec', 'old', '--quiet']

  const rehearsed = await run([...args, '--dry-run', '--json'])
  const done = await run(args)
  const again = await run([...args, '--json'])

  assert.deepEqual([rehearsed.exitCode, done.exitCode, again.exitCode], [0, 0, 0])
  assert.equal(JSON.parse(rehearsed.out).warnings[1].file, 'manifest.json')
  assert.match(done.err, /The administrator admin was created/)
  assert.match(done.out, new RegExp(`${referenceEvents.length} of ${referenceEvents.length} events imported from old`))
  assert.equal(JSON.parse(again.out).events.unchanged, referenceEvents.length)
  assert.equal(pulled.manifest.counts.events, referenceEvents.length)
})

test('an event that was changed here stays, and the report tells of it if the old site changed it too', async (t) => {
  const app = await startTestApp(t)
  const { pulled } = await pulledSite(t)
  const options = { authorId: administrator }
  await importMoved(app.deps, pulled, options)
  const byTitle = async (title: string) => {
    const { body } = await app.send({ as: 'administrator', path: `/events?${always}&search=${title}` })
    return body.events[0]
  }
  const { id } = await byTitle('Concert')
  app.pass(60)
  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { cost: '7' } })
  for (const file of ['events/102.json', 'events/101.json']) {
    const { raw, ...event } = (await pulled.folder.readJson<{ raw: object }>(file)) ?? { raw: {} }
    await pulled.folder.writeJson(file, { ...event, raw: { ...raw, content: { raw: 'Changed there.' } } })
  }
  app.pass(60)

  const { events, warnings } = await importMoved(app.deps, pulled, options)
  const again = await importMoved(app.deps, pulled, options)

  const [ours, theirs] = [await byTitle('Concert'), await byTitle('Over')]
  assert.deepEqual([ours.description, ours.cost.includes('7')], ['', true])
  assert.equal(theirs.description, '<p>Changed there.</p>')
  assert.deepEqual([events.updated, events.failed], [1, 0])
  const kept = (all: typeof warnings) => all.filter(({ text }) => 'key' in text && text.key === 'import.kept')
  assert.deepEqual(
    [kept(warnings), kept(again.warnings)].map((all) => all.map(({ file }) => file)),
    [['events/102.json'], ['events/102.json']],
  )
})
