import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startCommandsOnEngine } from '../../../test/support/engine.command.ts'

const text = [
  ...[
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'SUMMARY:Yoga',
    'DTSTART:20300501T190000',
    'RRULE:FREQ=WEEKLY;COUNT=3',
  ],
  ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:b', 'SUMMARY:Broken', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

async function startSite(t: TestContext) {
  const server = createServer((request, response) => {
    if (request.url === '/club.ics') response.end(text)
    else response.writeHead(request.url === '/page' ? 200 : 404).end('<html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a calendar is imported from a file or an address, after a dry run', async (t) => {
  const site = await startSite(t)
  const { run, folder } = await startCommandsOnEngine(t)
  const file = join(folder, 'Club 2030.ics')
  await writeFile(file, text)

  const early = await run(['import', 'ics', file, '--dry-run'])
  assert.deepEqual([early.exitCode, /There is no user yet/.test(early.err)], [1, true])
  const first = await run(['import', 'ics', file, '--category', 'Sport'])
  assert.equal(first.exitCode, 1)
  assert.match(first.out, /2 events found[\s\S]*1 created, 0 changed, 0 unchanged, 1 failed\. The source is club-2030/)
  assert.match(first.err, /Club 2030\.ics: 2 \(Broken\): .*start_date/)
  assert.match(first.err, /1 event has no time zone/)
  const dry = JSON.parse((await run(['import', 'ics', `${site}/club.ics`, '--dry-run', '--json', '--quiet'])).out)
  assert.deepEqual([dry.source, dry.dry_run, dry.created], ['127-0-0-1', true, 1])
  const again = JSON.parse(
    (await run(['import', 'ics', `${site}/club.ics`, '--source', 'club-2030', '--category', 'Sport', '--json'])).out,
  )
  assert.deepEqual([again.created, again.unchanged, again.problems.length], [0, 1, 1])
})

test('a page, a missing file and wrong options are told', async (t) => {
  const site = await startSite(t)
  const { run } = await startCommandsOnEngine(t)
  for (const [args, exitCode, reason] of [
    [[`${site}/page`], 1, /not a whole iCalendar file/],
    [[`${site}/none`], 1, /answers with the status 404/],
    [['http://user:secret@127.0.0.1/'], 1, /no web address without a password/],
    [['none.ics'], 1, /cannot be read/],
    [['none.ics', '--status', 'trash'], 1, /cannot be read/],
    [[`${site}/club.ics`, '--status', 'trash'], 2, /--status must be/],
    [[`${site}/club.ics`, '--source', 'A B'], 2, /--source must have/],
    [[`${site}/club.ics`, '--language', 'xx'], 2, /--language must be/],
    [[`${site}/club.ics`, '--author', 'nobody'], 1, /User nobody not found/],
  ] as const) {
    const { exitCode: code, err } = await run(['import', 'ics', ...args])
    assert.deepEqual([code, reason.test(err)], [exitCode, true], err)
  }
})

test('a subscription is added, paused, listed with its failure, and removed', async (t) => {
  const { run } = await startCommandsOnEngine(t)
  await run(['user', 'add', 'ada', '--role', 'administrator'])
  const add = (...more: readonly string[]) =>
    run(['subscription', 'add', 'club', 'https://localhost/club.ics', ...more])

  assert.match((await add('--every', '1h', '--missing', 'trash')).out, /club is fetched every 60 minutes/)
  const [waiting] = JSON.parse((await run(['subscription', 'list', '--json'])).out)
  assert.deepEqual(
    [waiting.source, waiting.every_minutes, waiting.missing, waiting.failure],
    ['club', 60, 'trash', null],
  )
  const fetched = await run(['subscription', 'fetch', 'club'])
  assert.deepEqual(
    [fetched.exitCode, /^club: the (address leads|site cannot)/.test(fetched.err)],
    [1, true],
    fetched.err,
  )
  const failing = await run(['subscription', 'list'])
  assert.deepEqual([failing.exitCode, /club .*failing since 20/.test(failing.out)], [1, true], failing.out)
  await run(['subscription', 'pause', 'club'])
  const paused = await run(['subscription', 'list'])
  assert.deepEqual([paused.exitCode, /paused/.test(paused.out)], [0, true])
  assert.equal((await run(['subscription', 'resume', 'club'])).exitCode, 0)
  assert.equal((await run(['subscription', 'remove', 'club'])).exitCode, 0)
  assert.equal((await run(['subscription', 'remove', 'club'])).exitCode, 1)

  for (const [args, exitCode] of [
    [['club', 'http://club.example/'], 2],
    [['club', 'https://ada:secret@club.example/'], 2],
    [['A b', 'https://club.example/'], 2],
    [['club', 'https://club.example/', '--every', '5m'], 2],
    [['club', 'https://club.example/', '--missing', 'burn'], 2],
    [['club', 'https://club.example/', '--author', 'nobody'], 1],
  ] as const) {
    assert.equal((await run(['subscription', 'add', ...args])).exitCode, exitCode, args.join(' '))
  }
})

test('the events of any site are found by its sitemap, and known again', async (t) => {
  const { run } = await startCommandsOnEngine(t)
  const event = (name: string, more: object = {}) => ({
    '@type': 'MusicEvent',
    name,
    startDate: '2030-05-01T19:00:00-04:00',
    ...more,
  })
  const place = {
    '@type': 'Place',
    name: 'Hall &amp; Bar',
    address: { streetAddress: '12 Main Street', addressLocality: 'Laval' },
  }
  const pages: Record<string, string> = {
    '/wp-sitemap.xml': '<sitemapindex><sitemap><loc>SITE/sitemap-2.xml</loc></sitemap></sitemapindex>',
    '/sitemap-2.xml': ['a', 'b', 'gone', 'other']
      .map((page) => `<url><loc>SITE/${page === 'other' ? '' : 'event/'}${page}</loc></url>`)
      .join(''),
    '/event/a': `<script type="application/ld+json">${JSON.stringify({ '@graph': [{ '@type': 'WebPage' }, event('Concert', { location: place, organizer: { name: 'Ann' }, eventStatus: 'https://schema.org/EventCancelled' })] })}</script>`,
    '/event/b': `<script type="application/ld+json">{broken</script><script type='application/ld+json'>${JSON.stringify([event('Fair', { startDate: '2030-05-02', location: [place] }), { '@type': 'EventSeries', subEvent: [event('Night', { startDate: '2030-05-03T19:00:00.000-04:00', endDate: '2030-05-03', eventStatus: 'https://schema.org/EventMovedOnline' }), event('Days', { '@type': 'https://schema.org/Event', '@id': 'days', startDate: '2030-05-04T19:00', endDate: '2030-05-06' })] }])}</script>`,
  }
  const server = createServer((request, response) => {
    const text = pages[request.url ?? '']
    response.writeHead(text === undefined ? 404 : 200).end(text?.replaceAll('SITE', `http://${request.headers.host}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const first = await run(['import', 'jsonld', site, '--match', '/event/', '--pause', '0', '--json'])
  const again = JSON.parse((await run(['import', 'jsonld', site, '--match', '/event/', '--pause', '0', '--json'])).out)

  const told = JSON.parse(first.out)
  assert.deepEqual([told.found, told.created, told.problems], [4, 4, []])
  assert.match(first.err, /event\/gone cannot be fetched: it answers with the status 404/)
  assert.deepEqual([again.created, again.unchanged], [0, 4])
  assert.equal((await run(['import', 'jsonld', 'club'])).exitCode, 2)
})

test('a site that was made to keep the command busy, or to lead it inside, does not', async (t) => {
  const { run } = await startCommandsOnEngine(t)
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    asked.push(url)
    const number = Number(/\/s-(\d+)\.xml/.exec(url)?.[1] ?? 0)
    const site = `http://${headers.host}`
    if (url === '/leading.ics') response.writeHead(302, { location: `${site}/inside.ics` }).end()
    else if (url === '/inside.ics') response.end(text)
    else if (number < 3) response.end(`<loc>${site}/s-${number + 1}.xml</loc><loc>${site}/page</loc>`)
    else if (url.endsWith('.xml')) response.end(`<loc>${site}/s-${number + 1}.xml</loc>`)
    else response.end(`${'<script '.repeat(1_000_000)}${'<script type="application/ld+json">'.repeat(20_000)}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await run(['user', 'add', 'ada', '--role', 'administrator'])

  const led = await run(['import', 'ics', `${site}/leading.ics`])
  assert.deepEqual([led.exitCode, /leads to another address/.test(led.err)], [1, true], led.err)
  assert.deepEqual(asked, ['/leading.ics'])
  const begin = performance.now()
  const read = await run(['import', 'jsonld', site, '--pause', '0', '--json'])
  assert.deepEqual(
    [read.exitCode, /No events were found at this address/.test(read.err)],
    [1, true],
    read.err.slice(-500),
  )
  assert.ok(asked.length < 520, `${asked.length}`)
  assert.ok(performance.now() - begin < 30_000)
})
