import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchDocument } from '../../src/base/outbound/outbound.ts'
import { startTestApp } from '../support/app.ts'
import { givenDesk } from '../support/desk.ts'

const path = '/admin/subscriptions/'

test('a calendar is tried, subscribed, fetched, paused and ended, with its events, in both languages and without a script', async (t) => {
  let text = ''
  const calendarOf = (uids: readonly string[]) =>
    `BEGIN:VCALENDAR\r\n${uids.map((uid) => `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${uid}\r\nDTSTART:20300501T190000Z\r\nEND:VEVENT\r\n`).join('')}END:VCALENDAR\r\n`
  const fetchDocument: FetchDocument = async () => ({ status: 200, body: Buffer.from(text), headers: {} })
  const app = await startTestApp(t, {}, { fetchDocument })
  const desk = await givenDesk(app, 'administrator')
  const titles = async (status = 'publish') => {
    const { body } = await app.send({ as: 'editor', path: `/events?start_date=2030-01-01&status=${status}` })
    return (body.events ?? []).map(({ title }: { readonly title: string }) => title)
  }
  const add = { url: 'https://club.example/basic.ics', source: 'club', language: 'en', category: 'Sports' }
  const more = { every_minutes: '60', status: 'publish', missing: 'trash' }

  await desk.get(path)
  text = '<!DOCTYPE html>'
  const page = await desk.send(path, { ...add, ...more, to: 'try' })
  assert.equal(page.status, 422)
  assert.match(page.text, /no whole calendar, but a web page/)
  assert.match(page.text, /value="https:\/\/club\.example\/basic\.ics"/)
  assert.equal((await app.send({ as: 'administrator', path: '//cal/service/v1/subscriptions' })).body.length, 0)
  assert.match((await desk.send(path, { ...add, url: 'nowhere', to: 'try' })).text, /href="#f-url"/)

  text = calendarOf(['a', 'b', 'c', 'd'])
  const tried = await desk.send(path, { ...add, ...more, to: 'try' })
  assert.match(tried.text, /Nothing is saved yet[\s\S]*4 new records[\s\S]*Subscribe<\/button>[\s\S]*Paused/)
  assert.deepEqual(await titles(), [])
  assert.match((await desk.send(path, { to: 'resume', source: 'club' })).text, /“club” is saved[\s\S]*Not fetched yet/)
  assert.match((await desk.send(path, { to: 'fetch', source: 'club' })).text, /4 new records[\s\S]*Works/)
  assert.deepEqual(await titles(), ['a', 'b', 'c', 'd'])
  assert.match((await desk.send(path, { ...add, ...more, to: 'try' })).text, /There is a subscription of this name/)

  text = calendarOf([])
  const fewer = await desk.send(path, { to: 'fetch', source: 'club' })
  assert.match(fewer.text, /less than half of the earlier events[\s\S]*Fails[\s\S]*Accept the shorter calendar/)
  assert.match((await desk.get('/admin/')).text, /<a href="\/admin\/subscriptions\/">Subscribed calendars that fail/)
  assert.match(
    (await desk.get(`/fr${path}`)).text,
    /Échoue[\s\S]*moins de la moitié[\s\S]*Prochain essai|Prochain essai[\s\S]*Échoue/,
  )
  assert.match((await desk.send(path, { to: 'pause', source: 'club' })).text, /Paused/)
  app.pass(60)
  const ended = await desk.send(path, { to: 'end', source: 'club', events: 'trash' })
  assert.match(ended.text, /“club” has ended\. 4 coming events were removed\./)
  assert.deepEqual(await titles(), [])
  assert.equal((await desk.send(path, { to: 'end', source: 'club' })).status, 200)
})
