import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import type { Role } from '../../src/access/auth/actor.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenDesk, shownAfter, toldAfter } from '../support/desk.ts'
import { changed, givenEvent } from '../support/given.ts'

// An event at the desk is one thing in all its languages: it goes to the trash, and comes back, as one.

/** Creates an event in English and in French, and returns the ids of both. */
async function givenBoth(
  app: TestApp,
  title: string,
  { as = 'administrator', ...more }: { as?: Role; status?: string } = {},
) {
  const english = await givenEvent(app, { title, ...more }, as)
  const french = await givenEvent(
    app,
    { title: `${title} fr`, ml_language: 'fr-CA', ml_translation_of: english.id, ...more },
    as,
  )
  return [english.id as number, french.id as number] as const
}

const read = (app: TestApp, id: number) =>
  app.send({ as: 'administrator', path: `//cal/service/v1/events/${id}/source` })
async function statesOf(app: TestApp, ids: readonly number[]): Promise<readonly string[]> {
  const states: string[] = []
  for (const id of ids) states.push((await read(app, id)).body.status)
  return states
}

test('an event in a row goes to the trash in both languages, and Undo brings both back', async (t) => {
  const app = await startTestApp(t)
  const ids = await givenBoth(app, 'Fair')
  const [, french] = ids
  const desk = await givenDesk(app, 'editor')

  await desk.get('/fr/admin/events/?q=fair')
  const done = await desk.send(`/fr/admin/events/${french}/trash/`)
  const again = await desk.send(`/fr/admin/events/${french}/trash/`)
  const gone = await statesOf(app, ids)
  const table = await shownAfter(desk, done)
  const undone = await desk.send(`/fr/admin/events/${french}/restore/`)
  const back = await statesOf(app, ids)
  const twice = await desk.send(`/fr/admin/events/${french}/restore/`)

  assert.equal(toldAfter(done)[0], '/fr/admin/events/?q=fair')
  assert.equal(again.headers.location, '/fr/admin/events/?q=fair')
  assert.deepEqual(gone, ['trash', 'trash'])
  assert.match(table.text, /«\sFair fr\s» est dans la corbeille, en anglais et en français canadien\./)
  assert.equal(toldAfter(undone)[1], '«\u00a0Fair fr\u00a0» est de retour.')
  assert.deepEqual(back, ['publish', 'publish'])
  assert.equal(twice.headers.location, '/fr/admin/events/?q=fair')
})

test('what somebody has changed meanwhile stays, in all languages', async (t) => {
  const app = await startTestApp(t)
  const ids = await givenBoth(app, 'Fair')
  const [english, french] = ids
  const desk = await givenDesk(app, 'editor')

  await desk.get('/admin/events/?q=fair')
  await changed(app, `/events/${french}`, { title: 'La foire' })
  const done = await desk.send(`/admin/events/${english}/trash/`)
  const table = await shownAfter(desk, done)

  assert.deepEqual(await statesOf(app, ids), ['publish', 'publish'])
  assert.match(table.text, /Nothing was moved to the trash: someone else has just changed this event/)
})

test('a language that was added meanwhile is not moved unseen, from a row or with many', async (t) => {
  const app = await startTestApp(t)
  const feast = await givenBoth(app, 'Feast')
  const { id: fair } = await givenEvent(app, { title: 'Fair' })
  const desk = await givenDesk(app, 'editor')

  const form = await desk.get('/admin/events/')
  // The desk sends texts alone, so the English version stays as it was.
  const texts = { title: 'La foire', ml_language: 'fr-CA', ml_translation_of: fair }
  const { body } = await app.send({ as: 'administrator', method: 'POST', path: '/events', json: texts })
  await changed(app, `/events/${body.id}`, { status: 'publish' })
  const french = body.id
  const many = { ...rememberedIn(form.text), ids: [feast[0], fair].map(String), to: 'trash' }
  const one = await desk.send(`/admin/events/${fair}/trash/`)
  const all = await desk.send('/fr/admin/events/many/', many)
  const gone = await statesOf(app, [...feast, fair, french])
  const table = await shownAfter(desk, one)
  const result = await shownAfter(desk, all)
  await desk.get('/admin/events/')
  const again = await desk.send(`/admin/events/${fair}/trash/`)

  assert.match(table.text, /Nothing was moved to the trash: someone else has just changed this event/)
  assert.deepEqual(gone, ['trash', 'trash', 'publish', 'publish'])
  assert.match(result.text, /«\sFeast\s» est dans la corbeille\.[\s\S]*Fair[\s\S]*entre-temps/)
  assert.match(toldAfter(again)[1], /^“Fair” is in the trash, in English/)
  assert.deepEqual(await statesOf(app, [fair, french]), ['trash', 'trash'])
})

test('nothing is done by halves by those who may not move the other language', async (t) => {
  const app = await startTestApp(t)
  const [english, french] = await givenBoth(app, 'Fair', { as: 'contributor', status: 'draft' })
  await changed(app, `/events/${english}`, { status: 'publish' })
  const desk = await givenDesk(app, 'contributor')

  await desk.get('/admin/events/')
  const done = await desk.send(`/admin/events/${french}/trash/`)
  const table = await shownAfter(desk, done)

  assert.deepEqual(await statesOf(app, [english, french]), ['publish', 'draft'])
  assert.match(table.text, /not moved to the trash, because you may not move it there in English\. Ask an editor/)
  assert.doesNotMatch(table.text, />Undo</)
})

test('one date of a series goes in both languages, from the table and from the page of the series', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', {
    ...{ 'title.en': 'Yoga', 'title.fr-CA': 'Le yoga', start: 'Feb 1, 2030, 7pm', end: '8 p.m.', to: 'publish' },
    ...{ repeat: 'weekly', repeat_ends: 'count', repeat_count: '4' },
  })
  const dates = async (language: string): Promise<readonly { id: number; series: { id: number } }[]> =>
    (await app.send({ as: 'editor', path: `/events?ml_language=${language}&start_date=2029-01-01&context=edit` })).body
      .events
  const counts = async () => [(await dates('en')).length, (await dates('fr-CA')).length]
  const [, second, third] = await dates('en')
  const page = `/admin/series/${second?.series.id}/`

  await desk.get('/admin/events/')
  const asked = await desk.send(`/admin/events/${second?.id}/trash/`)
  const gone = await desk.send(`/admin/events/${second?.id}/trash/`, { scope: 'this' })
  const afterOne = await counts()
  const notice = await shownAfter(desk, gone)
  await desk.send(`/admin/events/${second?.id}/restore/`)
  const afterUndo = await counts()
  await desk.get(page)
  const removed = await desk.send(page, { to: `remove.${third?.id}` })
  const afterPage = await counts()
  const shown = await shownAfter(desk, removed)
  const to = /name="to" value="(return[^"]*)"/.exec(shown.text)?.[1] ?? ''
  await desk.send(page, { to })
  const afterReturn = await counts()
  await desk.send(`/admin/events/${third?.id}/trash/`)
  await desk.send(`/admin/events/${third?.id}/trash/`, { scope: 'following' })

  assert.match(
    asked.text,
    /Each date goes to the trash in English and Canadian French\.[\s\S]*This date only[\s\S]*1 date/,
  )
  assert.deepEqual(
    [afterOne, afterUndo, afterPage, afterReturn, await counts()],
    [
      [3, 3],
      [4, 4],
      [3, 3],
      [4, 4],
      [2, 2],
    ],
  )
  assert.match(notice.text, /in the trash, in English and Canadian French/)
})

test('many events go to the trash in both languages, each whole, and Undo brings those back', async (t) => {
  const app = await startTestApp(t)
  const fair = await givenBoth(app, 'Fair')
  const feast = await givenBoth(app, 'Feast')
  const dance = await givenBoth(app, 'Dance')
  const desk = await givenDesk(app, 'editor')
  const all = [...fair, ...feast, ...dance]

  const form = await desk.get('/admin/events/')
  // Somebody changes one of them again after the table was shown.
  await changed(app, `/events/${feast[1]}`, { title: 'La fête' })
  const fields = { ...rememberedIn(form.text), ids: [fair[0], feast[0], dance[0]].map(String), to: 'trash' }
  const asked = await desk.send('/fr/admin/events/many/', { ...fields, all: '1' })
  const sent = await desk.send('/admin/events/many/', { ...fields, all: '', asked: '1' })
  const gone = await statesOf(app, all)
  const twice = await desk.send('/admin/events/many/', { ...fields, all: '', asked: '1' })
  const shown = await shownAfter(desk, sent)
  const undone = await shownAfter(desk, await desk.send('/admin/events/many/undo/'))

  assert.match(asked.text, /Mettre 3 événements à la corbeille[\s\S]*en anglais et en français canadien/)
  assert.deepEqual(gone, ['trash', 'trash', 'publish', 'publish', 'trash', 'trash'])
  assert.match(shown.text, /2 events on \w+, \w+ \d+ are in the trash\.[\s\S]*Feast[\s\S]*Somebody else has changed/)
  assert.equal(twice.headers.location, sent.headers.location)
  assert.match(undone.text, /2 events/)
  assert.deepEqual(await statesOf(app, all), Array(6).fill('publish'))
})

/**
 * Selects 24 events in two languages after somebody has changed some of them, and returns what was done. Each request of
 * the address counts, and each operation of a batch, and none is forgotten before the test ends.
 */
async function sentWithin(t: TestContext, limit: number, changedOnes: readonly number[]) {
  const app = await startTestApp(t, { RATE_LIMIT: `${limit}/36000`, RATE_LIMIT_EXEMPT: '' })
  const pairs: (readonly [number, number])[] = []
  for (let place = 10; place < 34; place += 1) pairs.push(await givenBoth(app, `Fair ${place}`))
  const desk = await givenDesk(app, 'editor')
  const form = await desk.get('/admin/events/?q=fair')
  for (const place of changedOnes) await changed(app, `/events/${pairs[place]?.[1]}`, { cost: `${place}` })
  const ids = pairs.map(([id]) => String(id))
  const sent = await desk.send('/admin/events/many/', { ...rememberedIn(form.text), ids, to: 'trash', all: '' })
  assert.equal(sent.status, 303, sent.text)
  const [packed = ''] = (sent.headers.location?.split('result=')[1] ?? '').split('.')
  const done = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString())
  const reasons: readonly string[] = done.refused.map(({ reason }: { readonly reason: string }) => reason)
  const undo: string = done.undo?.fields.undo ?? '{"done":[]}'
  return { changed: JSON.parse(undo).done.length as number, undo, reasons }
}

test('many events that somebody has changed since cost few operations', async (t) => {
  const { changed: count, reasons } = await sentWithin(t, 240, [...Array(24).keys()])

  assert.deepEqual([count, reasons.length], [0, 24])
  assert.deepEqual([...new Set(reasons)], ['Somebody else has changed it in the meantime.'])
})

test('what was done with many events is shown with Undo, if the interface takes no more requests', async (t) => {
  const { changed: count, undo, reasons } = await sentWithin(t, 90, [20])

  assert.ok(count > 0, 'some are done')
  assert.equal(count + reasons.length, 24)
  assert.match(undo, /"done":\[\{"id":\d+/)
  assert.match(reasons.join(), /Too many requests/)
})

test('the trash has one row for an event, names its languages, and restores those that went together', async (t) => {
  const app = await startTestApp(t)
  const both = await givenBoth(app, 'Fair')
  const apart = await givenBoth(app, 'Feast')
  const desk = await givenDesk(app, 'editor')

  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${apart[1]}` })
  app.pass(60)
  await desk.get('/admin/events/')
  for (const [id] of [both, apart]) await desk.send(`/admin/events/${id}/trash/`)
  const page = await desk.get('/admin/trash/')
  const table = await desk.get('/fr/admin/events/?status=trash')
  const row = page.text.indexOf('Fair')
  for (const [id] of [both, apart]) {
    const fields = formOf(page.text, `/admin/trash/events/${id}/restore/`)
    await desk.send(`/admin/trash/events/${id}/restore/`, fields)
  }

  assert.match(page.text.slice(row, row + 300), /in English and Canadian French/)
  assert.equal(page.text.match(/<strong>F/g)?.length, 2)
  assert.match(table.text, new RegExp(`name="with.${both[1]}" value="${both[0]}"`))
  assert.deepEqual(await statesOf(app, [...both, ...apart]), ['publish', 'publish', 'publish', 'trash'])
})

/** Returns what the table remembers of its events. */
function rememberedIn(text: string): Readonly<Record<string, string>> {
  const fields = text.matchAll(/name="(was\.\d+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]))
}

/** Returns the hidden fields of the form with this action. */
function formOf(text: string, action: string): Readonly<Record<string, string>> {
  const form = text.split('<form ').find((part) => part.includes(`action="${action}"`)) ?? ''
  const fields = form.slice(0, form.indexOf('</form>')).matchAll(/name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]))
}
