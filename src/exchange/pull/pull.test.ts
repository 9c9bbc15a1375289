import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startCommands } from '../../../test/support/called.command.ts'
import { program } from '../../../test/support/program.ts'
import { referenceEvents, referencePassword, startReferenceSite } from '../../../test/support/reference.site.ts'
import { openPullFolder, type PulledEvent, type PulledPicture, PullFolderError } from './pull.folder.ts'

async function startPull(t: TestContext, options: Parameters<typeof startReferenceSite>[1] = {}) {
  const site = await startReferenceSite(t, options)
  const { run, folder } = await startCommands(t)
  await writeFile(join(folder, 'key.txt'), `${referencePassword}\n`)
  const args = ['pull', 'tec', site.url, '--folder', 'old', '--pause', '0', '--json']
  const asAdmin = [...args, '--user', 'admin', '--password-file', 'key.txt']
  return { ...site, run, folder, args, asAdmin, pulled: openPullFolder(join(folder, 'old')) }
}

test('an administrator fetches everything that the site has, each once', async (t) => {
  const { run, asAdmin, pulled, requests } = await startPull(t)

  const first = await run([...asAdmin, '--events', '110'])
  const asked = requests.length
  const second = await run([...asAdmin, '--events', '110'])

  const { counts, refused } = JSON.parse(first.out)
  const hidden = await pulled.readJson<PulledEvent>('events/111.json')
  const trashed = await pulled.readJson<PulledEvent>('events/109.json')
  assert.deepEqual([first.exitCode, first.err, second.exitCode], [0, '', 0])
  assert.deepEqual(counts, {
    ...{ events: referenceEvents.length, pictures: 2, categories: 2, tags: 0 },
    ...{ organizers: 2, venues: 5, users: 4 },
  })
  assert.deepEqual(refused, {})
  assert.deepEqual(
    [hidden?.raw, hidden?.v1]
      .map((shown) => shown as { readonly password?: string; readonly all_day?: boolean })
      .map((shown) => shown.password ?? shown.all_day),
    ['sesame', false],
  )
  assert.equal(trashed?.v1, null)
  assert.equal((await readFile(pulled.pathOf('media/501.file'))).subarray(0, 2).toString('hex'), 'ffd8')
  // The interface of the site is found again. Its events are not fetched again.
  assert.deepEqual([new Set(requests).size, requests.length], [asked, asked + 2])
  assert.equal((await stat(pulled.pathOf('events/111.json'))).mode & 0o077, 0)
  assert.equal((await stat(pulled.pathOf('events'))).mode & 0o077, 0)
})

test('a visitor fetches what everybody sees, and is told what is missing', async (t) => {
  const { run, args, pulled } = await startPull(t)

  const { exitCode, out } = await run(args.filter((arg) => arg !== '--json'))

  assert.equal(exitCode, 0)
  assert.match(out, /Visitors cannot see drafts/)
  assert.equal((await pulled.list('raw')).length, 0)
  assert.equal(await pulled.readJson('events/103.json'), undefined)
  assert.notEqual(await pulled.readJson('events/102.json'), undefined)
})

test('a busy site, a page in place of data and cut data are asked again', async (t) => {
  const faults = [
    { status: 503, body: 'busy', headers: { 'retry-after': '0' } },
    { status: 200, body: '<html>Maintenance</html>' },
    { status: 200, body: '{"events": [' },
    { status: 429, body: '{}' },
  ]
  const { run, asAdmin } = await startPull(t, {
    fault: (_path, count) => (count % 3 === 0 ? faults[count % 4] : undefined),
  })

  const { exitCode, out } = await run(asAdmin)

  assert.deepEqual([exitCode, JSON.parse(out).counts.events], [0, referenceEvents.length - 1])
})

test('what the site cannot show is told and asked for again by the next run, and the others are fetched', async (t) => {
  let isBroken = true
  const broken = /\/wp\/v2\/tribe_events\/10[1-4]$|\/tribe\/events\/v1\/events\/111$|^\/uploads\/502/
  const { run, asAdmin, pulled } = await startPull(t, {
    fault: (path) => (isBroken && broken.test(path) ? { status: 500, body: 'broken' } : undefined),
  })

  const { exitCode, err } = await run([...asAdmin, '--events', '999'])
  const unfinished = await pulled.readManifest()
  const last = await pulled.readJson('events/131.json')
  isBroken = false
  const second = await run(asAdmin)

  assert.equal(exitCode, 1)
  assert.deepEqual(
    err.match(/(?:tribe_events|events|uploads)\/\d+.*/g)?.map((line) => line.replace(/, 6 times\.$/, '')),
    [
      ...[101, 102, 103, 104].map((id) => `tribe_events/${id}?context=edit: HTTP 500`),
      ...['events/111: HTTP 500', 'events/999.json: HTTP 404', 'uploads/502.jpg: HTTP 500'],
    ],
  )
  assert.equal(unfinished?.finishedAt, '')
  assert.notEqual(last, undefined)
  assert.deepEqual([second.exitCode, second.err], [0, ''])
  assert.notEqual((await pulled.readManifest())?.finishedAt, '')
  assert.equal((await pulled.readJson<PulledPicture>('media/502.json'))?.fault, undefined)
})

test('a site that is gone is not asked for everything else', async (t) => {
  let isGone = false
  const { run, asAdmin, requests } = await startPull(t, {
    fault: (path) => {
      isGone ||= path.endsWith('/tribe_events/103')
      return isGone ? { status: 503, body: 'gone' } : undefined
    },
  })

  const { exitCode, err } = await run(asAdmin)

  assert.equal(exitCode, 1)
  assert.match(err, /HTTP 503, 6 times\.\nRun the same command again to continue\./)
  assert.equal(
    requests
      .filter((request) => /tribe_events\/\d+/.test(request))
      .at(-1)
      ?.includes('/103'),
    true,
  )
})

test('a site without addresses of words is read, in the language of its address', async (t) => {
  const { run, args, url, requests } = await startPull(t, {
    fault: (path) => (path.startsWith('/wp-json') ? { status: 200, body: '<html>Welcome</html>' } : undefined),
  })

  const { exitCode, out } = await run(args.map((arg) => (arg === url ? `${url}/?lang=fr` : arg)))

  assert.deepEqual([exitCode, JSON.parse(out).site, JSON.parse(out).is_signed_in], [0, `${url}/?lang=fr`, false])
  assert.equal(requests.filter((request) => request.startsWith('/wp-json')).length, 1)
  assert.ok(requests.every((request) => request.includes('lang=fr') || request.startsWith('/uploads/')))
})

test('a folder that is finished keeps its date, and says how to fetch changes', async (t) => {
  const { run, asAdmin, pulled } = await startPull(t)
  const asked = asAdmin.filter((arg) => arg !== '--json')

  await run(asked)
  const first = await pulled.readManifest()
  const second = await run(asked)

  assert.equal((await pulled.readManifest())?.finishedAt, first?.finishedAt)
  assert.match(second.out, /To fetch changes, add --since-last/)
})

test('folders of something else and broken ones are told, and left as they are', async (t) => {
  const { run, args, pulled } = await startPull(t)
  await mkdir(pulled.path)
  const answers: string[] = []
  for (const manifest of ['{"name":"Something else"}', '{']) {
    await writeFile(pulled.pathOf('manifest.json'), manifest)
    for (const command of [args, ['import', 'tec', 'old']]) {
      const { exitCode, err } = await run(command)
      answers.push(`${exitCode} ${err.replace(/^.*?manifest.json is /, '').slice(0, 7)}`)
    }
    assert.equal(await readFile(pulled.pathOf('manifest.json'), 'utf8'), manifest)
  }
  const onFile = await run(args.map((arg) => (arg === 'old' ? 'key.txt' : arg)))

  assert.deepEqual(answers, ['1 not the', '1 not the', '1 not JSO', '1 not JSO'])
  assert.deepEqual([onFile.exitCode, /^key.txt cannot be written/.test(onFile.err)], [1, true])
})

test('no word of a site leads out of the folder', async (t) => {
  const { folder } = await startCommands(t)
  const { pathOf, write, readJson } = openPullFolder(join(folder, 'old'))
  for (const language of ['x/../../..', '../../..', '/../../..']) {
    const name = `ids/${language}/stolen-live-1.json`
    assert.throws(() => pathOf(name), PullFolderError)
    await assert.rejects(write(name, '{}'), PullFolderError)
    await assert.rejects(readJson(name), PullFolderError)
  }
  assert.equal(pathOf('ids/fr-live-1.json'), join(folder, 'old', 'ids', 'fr-live-1.json'))
})

test('a wrong password, a site without a calendar and another site in the folder are refused', async (t) => {
  const { run, asAdmin, args, folder, url } = await startPull(t)
  const empty = await startPull(t, { fault: () => ({ status: 404, body: 'nothing' }) })
  await writeFile(join(folder, 'wrong.txt'), 'wrong')

  const wrong = await run([...args, '--user', 'admin', '--password-file', 'wrong.txt'])
  const none = await empty.run(empty.args)
  const noneAsAdmin = await empty.run(empty.asAdmin)
  const unreachable = await run(args.map((arg) => (arg === url ? 'http://127.0.0.1:9' : arg)))
  await run(asAdmin)
  const other = await run([...asAdmin.filter((arg) => arg !== url), `${url}/other`])
  const insecure = await run(['pull', 'tec', 'http://old.example.org', '--user', 'a', '--password-file', 'key.txt'])

  assert.deepEqual([wrong.exitCode, none.exitCode, other.exitCode, insecure.exitCode], [1, 1, 2, 2])
  assert.match(wrong.err, /refuses the user admin: HTTP 401/)
  assert.match(none.err, /has no calendar.*\n$/)
  assert.equal(noneAsAdmin.err, none.err)
  assert.match(unreachable.err, /: no answer\.\n$/)
  assert.match(other.err, /--folder/)
  assert.match(insecure.err, /https/)
})

test('a run that is killed at any moment goes on where it was', async (t) => {
  let kill = () => {}
  const { folder, asAdmin, run, requests } = await startPull(t, {
    fault: (_path, count) => {
      if (count === 30) kill()
      return undefined
    },
  })
  const child = spawn(process.execPath, [program, ...asAdmin], { cwd: folder, stdio: 'ignore' })
  kill = () => child.kill('SIGKILL')
  await once(child, 'exit')
  const before = new Set(requests.slice(0, -1))

  const { exitCode, out } = await run(asAdmin)

  const again = requests.slice(30).filter((request) => before.has(request) && request.includes('tribe_events/'))
  assert.deepEqual([exitCode, JSON.parse(out).counts.events], [0, referenceEvents.length - 1])
  assert.ok(again.length <= 1, `asked again for ${again}`)
})

test('a later run fetches only what has changed, and tells what is gone', async (t) => {
  let isLater = false
  const { run, asAdmin, pulled, requests } = await startPull(t, {
    fault: (path) => (isLater && /\/(?:tribe_)?events\/131$/.test(path) ? { status: 404, body: '{}' } : undefined),
  })
  await run(asAdmin)
  const { raw, ...event } = (await pulled.readJson<{ raw: object }>('events/102.json')) ?? { raw: {} }
  await pulled.writeJson('events/102.json', {
    ...event,
    raw: { ...raw, modified_gmt: '2021-01-01T00:00:00' },
    v1: null,
  })
  await pulled.writeJson('events/131.json', { id: 131, raw: { modified_gmt: '2021-01-01T00:00:00' }, v1: null })
  isLater = true
  const before = requests.length

  const { exitCode, out } = await run([...asAdmin, '--since-last'])

  const asked = requests.slice(before).flatMap((one) => /v1\/events\/(\d+)/.exec(one)?.[1] ?? [])
  assert.deepEqual([exitCode, JSON.parse(out).gone], [0, [131]])
  // No list tells when hidden events were changed.
  assert.deepEqual(asked, ['102', '103', '104', '108', '131'])
  assert.notEqual((await pulled.readJson<PulledEvent>('events/102.json'))?.v1, null)
  assert.equal(await pulled.readJson('events/131.json'), undefined)
})
