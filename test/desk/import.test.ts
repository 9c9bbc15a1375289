import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchDocument } from '../../src/base/outbound/outbound.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenDesk, shownAfter } from '../support/desk.ts'
import { givenRecording, tecEvent } from '../support/recording.ts'
import { goodPassword, service } from '../support/signing.ts'

const path = '/admin/import/'
const everything = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50'

async function titlesOf(app: TestApp): Promise<readonly string[]> {
  const { body } = await app.send({ path: `/events?${everything}` })
  return body.events.map((event: { readonly title: string }) => event.title)
}

const recordings = givenRecording([tecEvent(1), tecEvent(2, { title: 'Market' }), tecEvent(3, { start_date: 'never' })])
const line = (id: string, title: string, more: object = {}) =>
  JSON.stringify({ external_id: id, title, start_date: '2030-05-05 19:00', end_date: '2030-05-05 21:00', ...more })

test('a recorded list is tried, imported from what was tried, and recognized the second time', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const file = { bytes: Buffer.from(recordings), name: 'events.json' }

  await desk.get(path)
  const tried = await desk.sendFile(path, file, { language: 'en', source: 'files', to: 'try' })
  const before = await titlesOf(app)
  const sent = await desk.send(path, { to: 'import' })
  const done = await shownAfter(desk, sent)
  const after = await titlesOf(app)
  const again = await shownAfter(desk, await desk.sendFile(path, file, { language: 'en', to: 'import', text: '' }))
  const foreign = await (await givenDesk(app, 'administrator')).get(sent.headers.location ?? '')
  const entries = await app.send({ as: 'administrator', path: service('/audit?kind=event&per_page=1') })

  assert.match(tried.text, /Nothing is saved yet[\s\S]*2 new records[\s\S]*1 record with problems/)
  assert.match(tried.text, /<strong>Event 3<\/strong>/)
  assert.deepEqual(before, [])
  assert.match(done.text, /The import is done[\s\S]*2 new records/)
  const newest = /<a href="([^"]*)">See the imported events/.exec(done.text)?.[1]?.replace('&amp;', '&') ?? ''
  assert.match((await desk.get(newest)).text, /Fair[\s\S]*Market|Market[\s\S]*Fair/)
  assert.doesNotMatch(tried.text + again.text, />See the imported events/)
  assert.deepEqual(after, ['Fair', 'Market'])
  assert.match(done.text, /<option value="en" selected/)
  assert.deepEqual([foreign.status, foreign.headers.location], [303, path])
  assert.match(again.text, /0 new records[\s\S]*2 unchanged records/)
  assert.equal(entries.body.entries[0].actor.name, 'editor')
})

test('a calendar of Windows is tried and imported, with what was read otherwise, in both languages', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const event = (uid: string, start: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Fête ${uid}\r\nDTSTART${start}\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEND:VEVENT\r\n`
  const text = `BEGIN:VCALENDAR\r\n${event('a', ':20300501T190000')}${event('b', ':soon')}END:VCALENDAR\r\n`
  const file = { bytes: Buffer.from(text, 'latin1'), name: 'club.ics' }

  await desk.get(path)
  const tried = await desk.sendFile(path, file, { language: 'en', source: 'club', to: 'try' })
  const before = await titlesOf(app)
  const done = await shownAfter(desk, await desk.send(path, { to: 'import' }))
  await desk.get(`/fr${path}`)
  const french = await desk.sendFile(`/fr${path}`, file, { language: 'en', source: 'club', to: 'try' })
  const page = { bytes: Buffer.from('BEGIN:VCALENDAR\n<html>'), name: 'club.ics' }
  const cut = await desk.sendFile(path, page, { language: 'en', source: 'club', to: 'try' })

  assert.match(tried.text, /Nothing is saved yet[\s\S]*1 new record[\s\S]*1 record with problems/)
  assert.match(tried.text, /<strong>Note<\/strong> 1 event has no time zone/)
  assert.match(tried.text, /<th scope="row">Fête b<\/th><td><\/td><td>Refused – [^<]*start_date/)
  assert.match(tried.text, /<th scope="row">Fête a<\/th><td>Wednesday, May 1, 2030[^<]*7[^<]*p\.m\.<\/td><td>New<\/td>/)
  assert.deepEqual(before, [])
  assert.match(done.text, /The import is done[\s\S]*1 new record/)
  assert.deepEqual(await titlesOf(app), ['Fête a', 'Fête a', 'Fête a'])
  assert.match(french.text, /<strong>Remarque<\/strong> 1\u00a0événement n’a pas de fuseau horaire/)
  assert.match(cut.text, /not a whole iCalendar file/)
})

test('lines of a source are imported with the number of each problem, in French too', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'administrator')
  const text = [
    line('a', 'Bal'),
    line('b', 'Troc', { start_date: 'jamais' }),
    '{"external_id": 5',
    line('c', 'Fin'),
  ].join('\n')
  const file = { bytes: Buffer.from(`\ufeff${text}\n`), name: 'lignes.ndjson' }

  await desk.get(`/fr${path}`)
  const tried = await desk.sendFile(`/fr${path}`, file, { language: 'fr-CA', source: 'billetterie', to: 'try' })
  const done = await shownAfter(desk, await desk.send(`/fr${path}`, { to: 'import' }))
  const french = await app.send({ path: `/events?${everything}&ml_language=fr-CA` })
  const wrong = await desk.sendFile(`/fr${path}`, file, { source: 'Pas un nom', to: 'try', text: '' })

  assert.match(tried.text, /Rien n’est encore enregistré[\s\S]*2 nouvelles fiches[\s\S]*2 fiches à problème/)
  assert.match(tried.text, /<strong>Ligne 2 \(b\)<\/strong> start_date/)
  assert.match(tried.text, /<strong>Ligne 3<\/strong>/)
  assert.match(done.text, /L’importation est terminée/)
  assert.equal(french.body.total, 2)
  assert.match(wrong.text, /Rien n’a été importé\. /)
})

test('what is wrong with a recorded list is said in the language of the page, and so are remarks', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const wrong = [tecEvent(1, { start_date: 'jamais' }), tecEvent(2, { status: 'perdu' }), tecEvent(3, { end_date: 5 })]
  const bad = givenRecording([
    ...wrong,
    tecEvent(4, { venue: { id: 7, venue: '<script>x</script>' }, website: 'à venir' }),
  ])
  const problemsIn = ({ text }: { readonly text: string }) =>
    [...text.matchAll(/<li><strong>([^<]*)<\/strong> ([^<]*)/g)].map(([, place, said]) => `${place} ${said}`)
  const ask = (prefix: string) =>
    app.send({
      ...{ as: 'editor', method: 'POST', path: `//${prefix}cal/service/v1/imports?dry_run=true` },
      ...{ payload: Buffer.from(bad), headers: { 'content-type': 'application/json' } },
    })

  await desk.get(`/fr${path}`)
  const shown = await desk.sendFile(`/fr${path}`, { bytes: Buffer.from(bad), name: 'x.json' }, { to: 'try' })
  const [english, french] = [(await ask('')).body, (await ask('fr/')).body]

  assert.deepEqual(problemsIn(shown), [
    'Événement 1 start_date «\u00a0jamais\u00a0» n’est pas une date et une heure, comme 2030-01-31 19:00:00',
    'Événement 2 a l’état inconnu «\u00a0perdu\u00a0»',
    'Événement 3 end_date doit être un texte',
    'Événement 4 lieux\u00a0: Ces renseignements ne permettent pas de créer le lieu.',
  ])
  assert.deepEqual(
    english.failures.map((one: { readonly text: string }) => one.text)[3],
    'venues: The venue could not be created from this information.',
  )
  assert.match(french.warnings[0].text, /le site «\u00a0à venir\u00a0» n’est pas une adresse web/)
  assert.equal(english.failures.length, french.failures.length)
})

test('the script imports in parts, an ended session and files that are none are told, and authors do not import', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const part = { language: 'en', source: 'files', as: 'data', to: 'import', first: '41' }

  await desk.get(path)
  const lines = `${line('a', 'Bal')}\n{`
  const data = await desk.sendFile(path, { bytes: Buffer.from(lines), name: 'part' }, part)
  await desk.get(path)
  const none = await desk.send(path, { to: 'try' })
  const noJson = await desk.sendFile(path, { bytes: Buffer.from('<xml/>'), name: 'x.json' }, { to: 'try' })
  const foreign = await desk.sendFile(path, { bytes: Buffer.from(lines), name: 'part' }, { ...part, csrf: 'other' })
  const refused = await author.get(path)
  const api = await app.send({
    ...{ as: 'author', method: 'POST', path: service('/imports'), payload: Buffer.from(recordings) },
    headers: { 'content-type': 'application/json' },
  })
  const huge = await app.send({
    ...{ as: 'editor', method: 'POST', path: service('/imports'), payload: Buffer.alloc(16 * 1024 * 1024 + 1, 32) },
    headers: { 'content-type': 'application/json' },
  })

  assert.deepEqual([data.body.created, data.body.failed, data.body.problems[0].place], [1, 1, 'Line 42'])
  assert.equal(none.status, 422)
  assert.match(none.text, /<a href="#f-file">File<\/a> Choose a file/)
  assert.match(noJson.text, /<strong>The file<\/strong> is not valid JSON/)
  assert.deepEqual([foreign.status, typeof foreign.body.csrf], [403, 'string'])
  assert.deepEqual([refused.status, api.status, huge.status], [403, 403, 413])
  assert.deepEqual(await titlesOf(app), ['Bal'])
})

test('the source, the language and a tried file stay after a fault and after signing in again', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const typed = { language: 'fr-CA', source: 'billetterie' }
  const shown = ({ text }: { readonly text: string }) => [
    /name="source"[^>]*value="([^"]*)"/.exec(text.slice(text.indexOf('class="panel import"')))?.[1],
    /<option value="([^"]*)" selected/.exec(text)?.[1],
  ]

  await desk.get(path)
  const none = await desk.send(path, { ...typed, to: 'try' })
  await desk.sendFile(path, { bytes: Buffer.from(line('a', 'Bal')), name: 'x' }, { ...typed, to: 'try', text: '' })
  desk.forget()
  await desk.send(path, { ...typed, to: 'import' })
  const again = await desk.send('/admin/sign-in/', { login: 'editor', password: goodPassword })
  const before = await titlesOf(app)
  const done = await shownAfter(desk, await desk.send(path, { to: 'import' }))

  assert.deepEqual([none.status, shown(none)], [422, ['billetterie', 'fr-CA']])
  assert.deepEqual(shown(again), ['billetterie', 'fr-CA'])
  assert.deepEqual(before, [])
  assert.match(done.text, /The import is done[\s\S]*1 new record/)
})

test('a part of lines that begins with a broken line is still one of lines', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const part = { language: 'en', source: 'files', as: 'data', to: 'import', first: '201', kind: 'lines' }

  await desk.get(path)
  const bytes = Buffer.from(`{broken\n${line('a', 'Bal')}\n${line('b', 'Troc')}`)
  const data = await desk.sendFile(path, { bytes, name: 'part' }, part)

  assert.deepEqual([data.body.created, data.body.failed, data.body.problems[0].place], [2, 1, 'Line 201'])
  assert.deepEqual(await titlesOf(app), ['Bal', 'Troc'])
})

test('a trial in parts counts shared records once, and leaves nothing behind', async (t) => {
  const app = await startTestApp(t)
  const venue = { id: 7, venue: 'Hall', slug: 'hall', ...{ date_utc: '2022-01-01 12:00:00', status: 'publish' } }
  const shared = {
    ...venue,
    global_id: 'source.test?id=7',
    rest_url: 'https://source.test/wp-json/tribe/events/v1/venues/7',
  }
  const events = Array.from({ length: 250 }, (_, index) => tecEvent(index + 10, { venue: shared }))
  const send = (query: string) =>
    app.send({
      ...{ as: 'editor', method: 'POST', path: service(`/imports${query}`) },
      ...{ payload: Buffer.from(givenRecording(events)), headers: { 'content-type': 'application/json' } },
    })

  const tried = await send('?dry_run=true')
  const between = (await app.send({ path: `/events?${everything}` })).body.total
  const done = await send('')
  const again = await send('?dry_run=true')

  const { dry_run: isTried, ...counts } = tried.body
  const { dry_run: isDone, ...same } = done.body
  assert.deepEqual([isTried, isDone, between], [true, false, 0])
  assert.deepEqual(counts, same)
  assert.deepEqual([same.events.created, same.venues.created], [250, 1], done.text)
  assert.deepEqual([again.body.events.unchanged, again.body.venues.unchanged], [250, 1])
})

test('an import of a calendar is undone on the page of imports, in both languages', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const event = (uid: string, title = uid) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:20300501T190000Z\r\nEND:VEVENT\r\n`
  const calendar = (...events: readonly string[]) => ({
    bytes: Buffer.from(`BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`),
    name: 'club.ics',
  })
  const file = calendar(event('a'), event('b'))

  assert.doesNotMatch((await desk.get(path)).text, /Imports that can be undone/)
  const done = await shownAfter(desk, await desk.sendFile(path, file, { language: 'en', source: 'club', to: 'import' }))
  assert.match(
    done.text,
    /Imports that can be undone[\s\S]*<strong>club<\/strong>[\s\S]*2 new or changed records[\s\S]*Undo/,
  )
  assert.deepEqual(await titlesOf(app), ['a', 'b'])
  const idIn = (text: string) => /name="id" value="(\d+)"/.exec(text)?.[1] ?? ''
  app.pass(60)
  const changed = calendar(event('a', 'Other title'), event('b'))
  const later = await desk.sendFile(path, changed, { language: 'en', source: 'club', to: 'import' })
  const put = await desk.send('/admin/import/undo/', { id: idIn((await shownAfter(desk, later)).text) })
  assert.match(put.text, />1 record is as it was before\.</)
  assert.deepEqual(await titlesOf(app), ['a', 'b'])
  const id = idIn(done.text)
  assert.match((await desk.get(`/fr${path}`)).text, /Importations qu’on peut annuler/)
  const undone = await desk.send('/admin/import/undo/', { id })
  assert.match(undone.text, /2 records are in the trash now\./)
  assert.doesNotMatch(undone.text, /Imports that can be undone/)
  assert.deepEqual(await titlesOf(app), [])
  assert.equal((await desk.send('/admin/import/undo/', { id: '../imports/99' })).status, 200)
})

const pageWith = (events: readonly object[]) =>
  `<!DOCTYPE html><script type="application/ld+json">${JSON.stringify(events)}</script>`

test('the events at an address are tried row by row, imported and undone, in both languages', async (t) => {
  let text = ''
  const fetchDocument: FetchDocument = async () => ({ status: 200, body: Buffer.from(text), headers: {} })
  const app = await startTestApp(t, {}, { fetchDocument })
  const desk = await givenDesk(app, 'editor')
  const at = (name: string, startDate: string) => ({ '@type': 'Event', name, startDate })
  const typed = { url: 'https://club.example/agenda', language: 'en', source: 'club' }

  await desk.get(path)
  text = '<html>'
  const none = await desk.send(path, { ...typed, to: 'try' })
  const wrong = await desk.send(path, { ...typed, url: 'club.example', to: 'try' })
  const file = { bytes: Buffer.from(recordings), name: 'events.json' }
  const both = await desk.sendFile(path, file, { ...typed, to: 'import' })
  text = pageWith([at('<b>Tea</b>', '2030-05-01T19:00-04:00'), at('Fair', '2030-05-02'), at('Odd', '2030-13-45')])
  const tried = await desk.send(path, { ...typed, to: 'try' })
  const before = await titlesOf(app)
  const done = await shownAfter(desk, await desk.send(path, { to: 'import' }))
  const [, id = ''] = /name="id" value="(\d+)"/.exec(done.text) ?? []
  const after = await titlesOf(app)
  await desk.get(`/fr${path}`)
  const french = await desk.send(`/fr${path}`, { ...typed, to: 'try' })
  const undone = await desk.send('/admin/import/undo/', { id })

  assert.match(none.text, /Nothing was imported\. No events were found at this address/)
  assert.equal(both.status, 422)
  assert.match(both.text, /<a href="#f-file">File<\/a> There are a file and an address[\s\S]*value="https:\/\/club/)
  assert.match(wrong.text, /Nothing was imported\. [^<]*must be a full address[\s\S]*value="club\.example"/)
  assert.match(tried.text, /Nothing is saved yet[\s\S]*2 new records[\s\S]*1 record with problems/)
  assert.match(tried.text, /<th scope="row">Odd<\/th><td>2030-13-45<\/td><td>Refused – /)
  assert.match(
    tried.text,
    /<th scope="row">&lt;b&gt;Tea&lt;\/b&gt;<\/th><td>Wednesday, May 1, 2030[^<]*7[^<]*p\.m\. \(UTC-04:00\)<\/td><td>New<\/td>/,
  )
  assert.match(tried.text, /<th scope="row">Fair<\/th><td>Thursday, May 2, 2030<\/td>/)
  assert.match(tried.text, /name="url" value="https:\/\/club\.example\/agenda"/)
  assert.match(done.text, /The import is done[\s\S]*2 new records/)
  assert.deepEqual([before.length, after.length], [0, 2])
  assert.match(french.text, /<td>Jeudi 2 mai 2030<\/td><td>Inchangé<\/td>/)
  assert.match(undone.text, /2 records are in the trash now\./)
})

test('a trial shows a page of rows, those refused first, and counts the others; the script gets the same', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const event = (uid: number, start = ':20300501T190000Z') =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:No ${uid}\r\nDTSTART${start}\r\nEND:VEVENT\r\n`
  const events = Array.from({ length: 510 }, (_, number) => event(number))
  const text = `BEGIN:VCALENDAR\r\n${events.join('')}${event(510, ':soon')}END:VCALENDAR\r\n`
  const file = { bytes: Buffer.from(text), name: 'club.ics' }

  await desk.get(path)
  const tried = await desk.sendFile(path, file, { source: 'club', to: 'try' })
  await desk.get(path)
  const data = await desk.sendFile(path, file, { source: 'club', to: 'try', as: 'data', kind: 'calendar' })

  const titles = [...tried.text.matchAll(/<th scope="row">([^<]*)/g)].map(([, title]) => title)
  assert.deepEqual([titles.length, titles[0], titles[1]], [500, 'No 510', 'No 0'])
  assert.match(tried.text, /<p class="hint">11 more events<\/p>/)
  const { head, rows, more } = data.body.table
  assert.deepEqual([head.length, rows.length, rows[1][2], more], [3, 500, 'New', '11 more events'])
})
