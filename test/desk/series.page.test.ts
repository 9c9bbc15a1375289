import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenSeries, listDates } from '../support/desk.series.ts'
import { fieldsIn, givenDesk, shownAfter, toldAfter } from '../support/desk.ts'
import { givenEvent } from '../support/given.ts'
import { service } from '../support/signing.ts'

test('actions on the page of a series lead back to their place in the list, and Undo brings a date back', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { dates, page } = await givenSeries(app, desk, { repeat_except: '', repeat_count: '60' })
  const [first, second] = dates
  const from = `${page}?from=2030-02-08`
  const next = /href="([^"]*after=[^"]*)"/.exec((await desk.get(from)).text)?.[1]?.replaceAll('&amp;', '&') ?? ''

  await desk.get(from)
  const removed = await desk.send(page, { to: `remove.${second?.id}` })
  const shown = await desk.get(removed.headers.location?.split('#')[0] ?? '')
  const undo = await desk.send(page, { to: `return.${second?.id}` })
  const restored = await desk.get(undo.headers.location?.split('#')[0] ?? '')
  const added = await desk.send(page, { to: 'add', start: 'Feb 20, 2030' })
  await desk.get(from)
  const faulty = await desk.send(page, { to: 'add', start: 'never' })
  const asked = await desk.send(page, { to: 'trash' })
  await desk.get(next)
  const last = await desk.send(page, { to: 'add', start: 'Feb 21, 2030' })
  const foreign = await desk.send(page, { to: 'add', start: 'Feb 23, 2030', back: 'from=//x&after=%00&done=x' })

  // The date is in two languages. Both went.
  assert.equal(toldAfter(removed)[0], `${from}#e-${second?.id}`)
  assert.match(
    shown.text,
    new RegExp(`date is in the trash[\\s\\S]*name="to" value="return.${second?.id}\\.\\d+">[\\s\\S]*>Undo<`),
  )
  assert.ok(!shown.text.includes(`id="e-${first?.id}"`), 'dates before the place are not shown')
  assert.equal(toldAfter(undo)[0], `${from}#e-${second?.id}`)
  assert.match(restored.text, /The date is back/)
  assert.doesNotMatch(restored.text, />Undo</)
  assert.deepEqual(toldAfter(added), [from, 'The date is added. In the series, this adds 1 date.'])
  assert.equal(faulty.status, 422)
  assert.ok(faulty.text.includes('name="back" value="from=2030-02-08"'))
  assert.ok(!faulty.text.includes(`id="e-${first?.id}"`), 'a page with faults keeps its place')
  assert.match(asked.text, new RegExp(`href="${page}\\?from=2030-02-08"`))
  assert.match(next, /from=2030-02-08&after=/)
  assert.equal(toldAfter(last)[0], next)
  assert.equal(toldAfter(foreign)[0], page)
})

test('French writes days in lower case within a sentence: of a series, its dates and a move', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { dates, page } = await givenSeries(app, desk, { repeat_except: '', repeat_ends: 'never', repeat_count: '' })
  const [, second] = dates
  const read = async (path: string) => (await desk.get(`/fr${path}`)).text

  assert.match(await read(page), / existent jusqu’au [a-z]+ \d/)
  assert.match(await read(`/admin/events/${second?.id}/`), />Date précédente\s: [a-z]+ \d/)
  assert.match(await read(`/admin/calendar/${second?.id}/move/`), />Actuellement\s: [a-z]+ \d/)
})

test('the trash and the end of a series ask again if somebody changes the series before the answer', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { dates, id, page } = await givenSeries(app, desk, { repeat_except: '' })
  const [, , third] = dates
  const path = service(`/series/${id}`)
  const change = (json: object) => app.send({ as: 'administrator', method: 'PATCH', path, json })
  const count = async () => (await listDates(app)).length

  for (const fields of [{ to: 'trash' }, { to: 'end', day: 'Jan 1, 2030' }]) {
    await change({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
    await desk.get(page)
    const asked = await desk.send(page, fields)
    await change({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } })
    const again = await desk.send(page)
    assert.equal(await count(), 6)
    const french = await desk.send(`/fr${page}`, { version: '1' })
    await desk.send(page, { to: 'back' })
    await desk.get(page)
    await desk.send(page, fields)
    const done = await desk.send(page)

    assert.match(asked.text, /This moves 4 dates to the trash/)
    assert.equal(again.status, 409)
    assert.match(again.text, /Somebody else has changed this series[\s\S]*This moves 6 dates to the trash/)
    assert.equal(french.status, 409)
    assert.match(french.text, /Quelqu’un d’autre a modifié cette série[\s\S]*met 6 dates à la corbeille/)
    assert.equal(done.status, 303, done.text)
    assert.equal(await count(), 0)
    await desk.get(page)
    await desk.send(page, { to: 'restore' })
    assert.equal(await count(), 6)
  }

  // A date with something of its own is only lost on purpose, and the number says what the box would do.
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${third?.id}`, json: { title: 'Pilates' } })
  await desk.get(page)
  const inUse = await desk.send(page, { to: 'end', day: 'Feb 10, 2030' })
  const refused = await desk.send(page)
  const left = await count()
  await desk.send(page, { drop: '1' })

  assert.equal(inUse.status, 409)
  assert.match(inUse.text, /This moves 4 dates to the trash[\s\S]*This date has changes or tickets of its own/)
  assert.doesNotMatch(inUse.text, /or nothing is changed/)
  assert.match(refused.text, /Select this box, or nothing is changed/)
  assert.deepEqual([left, await count()], [6, 2])
})

test('a series in the trash is deleted for good after a question, with all its dates, by those who may', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const { dates, id, page } = await givenSeries(app, desk)
  const [first] = dates
  const statusOf = async () => (await app.send({ as: 'editor', path: `/events/${first?.id}` })).status

  const live = await desk.get(page)
  const early = await desk.send(page, { to: 'purge' })
  await desk.get(page)
  await desk.send(page, { to: 'trash' })
  await desk.send(page)
  const trash = await desk.get('/admin/trash/?kind=events')
  const shown = await desk.get(page)
  const asked = await desk.send(page, { to: 'purge' })
  const fields = fieldsIn(asked.text)
  await author.get('/admin/account/')
  const foreign = await author.send(page, {
    ...fields,
    csrf: fieldsIn((await author.get('/admin/account/')).text).csrf ?? '',
  })
  // Somebody restores the series before the answer, and moves it to the trash again.
  const path = service(`/series/${id}`)
  await app.send({ as: 'editor', method: 'POST', path: `${path}/restore` })
  const restored = await desk.send(page)
  await app.send({ as: 'editor', method: 'DELETE', path })
  await desk.get(page)
  await desk.send(page, { to: 'purge' })
  await app.send({ as: 'editor', method: 'POST', path: `${path}/restore` })
  await app.send({ as: 'editor', method: 'DELETE', path })
  const again = await desk.send(page)
  const before = await statusOf()
  await desk.get(`/fr${page}`)
  await desk.send(`/fr${page}`, { to: 'purge' })
  const done = await desk.send(`/fr${page}`)
  const list = await shownAfter(desk, done)
  const gone = await desk.get(page)

  assert.doesNotMatch(live.text, /value="purge"/)
  assert.equal(early.status, 422)
  assert.match(trash.text, new RegExp(`href="${page}">All dates of the series`))
  assert.match(
    shown.text,
    /Restore the series[\s\S]*Neither the series nor its dates can be restored[\s\S]*value="purge"/,
  )
  assert.match(
    asked.text,
    /will be deleted with its 3 dates\. This cannot be undone[\s\S]*Yoga[\s\S]*English[\s\S]*Le yoga/,
  )
  assert.notEqual(foreign.status, 303)
  assert.equal(restored.status, 422)
  assert.equal(again.status, 409)
  assert.match(again.text, /Somebody else has changed this series/)
  assert.equal(before, 403)
  assert.match(list.text, /supprimée définitivement, avec ses 3 dates/)
  assert.equal(await statusOf(), 404)
  assert.equal(gone.status, 404)
})

test('events that exist are found on the page of a series, and become its dates', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  const { id, page: path } = await givenSeries(app, desk)
  const extra = await givenEvent(app, { title: 'Yoga, extra', start_date: '2030-02-03 10:00:00' })
  const same = await givenEvent(app, { title: 'Yoga twice', start_date: '2030-02-08 19:00:00' })
  await givenEvent(app, { title: 'Le yoga en plus', ml_language: 'fr-CA' })
  const offered = (text: string) => [...text.matchAll(/name="event_ids" value="(\d+)"/g)].map(([, id]) => Number(id))

  const closed = await desk.get(path)
  const found = await desk.get(`${path}?join=yoga`)
  const unchosen = await desk.send(`${path}?join=yoga`, { to: 'join' })
  const taken = await desk.send(`${path}?join=yoga`, { to: 'join', event_ids: [String(same.id)] })
  const joined = await desk.send(`${path}?join=yoga`, { to: 'join', event_ids: [String(extra.id)] })
  const shown = await desk.get(joined.headers.location ?? '')
  const none = await desk.get(`/fr${path}?join=nothing-like-this`)
  const others = await author.get(`${path}?join=yoga`)
  const date = (await app.send({ as: 'editor', path: `/events/${extra.id}?context=edit` })).body

  assert.deepEqual(offered(closed.text), [])
  assert.match(closed.text, /name="join" type="search" value="Yoga"/)
  assert.deepEqual(
    offered(found.text).toSorted((one, other) => one - other),
    [extra.id, same.id],
  )
  assert.match(found.text, /Yoga, extra – Sunday, February 3, 2030/)
  assert.equal(unchosen.status, 422)
  assert.match(unchosen.text, /Select at least one event/)
  assert.deepEqual(
    offered(unchosen.text).toSorted((one, other) => one - other),
    [extra.id, same.id],
  )
  assert.equal(taken.status, 422, 'the series has a date at that time')
  assert.equal(joined.status, 303, joined.text)
  assert.deepEqual([date.series.id, date.title], [id, 'Yoga, extra'])
  assert.match(shown.text, /The events are dates of the series now/)
  assert.match(none.text, /Aucun événement à intégrer/)
  assert.deepEqual(offered(others.text), [])
})

test('any event can be found to join a series, however many have the same words', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { page: path } = await givenSeries(app, desk, { 'title.fr-CA': '' })
  const days = Array.from({ length: 51 }, (_, day) => new Date(Date.UTC(2030, 2, 1 + day)).toISOString().slice(0, 10))
  for (const day of days) {
    await givenEvent(app, { title: 'Yoga', start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` })
  }
  const offered = (text: string) => [...text.matchAll(/name="event_ids" value="(\d+)"/g)].map(([, id]) => Number(id))

  const one = await desk.get(`${path}?from=2030-02-08&join=yoga`)
  const next = /href="([^"]*page=2[^"]*)#join"/.exec(one.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const two = await desk.get(next)
  const last = offered(two.text).at(-1)
  const unchosen = await desk.send(next, { to: 'join' })
  const joined = await desk.send(next, { to: 'join', event_ids: [String(last)] })
  const all = await desk.get(`/fr${path}?join=`)

  assert.match(two.text, /name="join" type="search" value="yoga"/)
  assert.equal(new Set([...offered(one.text), ...offered(two.text)]).size, 51)
  assert.equal(unchosen.status, 422)
  assert.deepEqual(offered(unchosen.text), offered(two.text))
  assert.equal(toldAfter(joined)[0], `${path}?from=2030-02-08`)
  assert.ok(offered(all.text).length > 40)
})

test('a fault of a translated text is linked to its field, in both languages, and nothing typed is lost', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { page } = await givenSeries(app, desk, { 'title.fr-CA': '' })
  const typed = { 'title.fr-CA': 'Le yoga', 'excerpt.fr-CA': 'Un extrait', 'description.fr-CA': 'Un texte' }
  const tooLong = 'x'.repeat(80_000)

  for (const [name, english, french] of [
    ['title.fr-CA', 'Title (Canadian French)', 'Titre – français canadien'],
    ['excerpt.fr-CA', 'Summary (Canadian French)', 'Résumé – français canadien'],
    ['description.fr-CA', 'Description (Canadian French)', 'Texte de présentation – français canadien'],
  ] as const) {
    for (const [at, label] of [
      [page, english],
      [`/fr${page}`, french],
    ] as const) {
      await desk.get(at)
      const refused = await desk.send(at, { ...typed, [name]: tooLong, to: 'translate.fr-CA' })
      const shown = fieldsIn(refused.text)

      assert.equal(refused.status, 422, name)
      assert.ok(refused.text.includes(`<li><a href="#f-${name}">${label}</a> `), `${name}: ${label}`)
      assert.match(refused.text, new RegExp(`id="f-${name}"[^>]*aria-describedby="x-${name}" aria-invalid="true"`))
      assert.match(refused.text, new RegExp(`<p class="fault" id="x-${name}">[^<]+</p>`))
      for (const [field, value] of Object.entries({ ...typed, [name]: tooLong })) assert.equal(shown[field], value)
      assert.deepEqual(await listDates(app, 'fr-CA'), [], 'nothing is translated')
    }
  }
})
