import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'

const table = '/admin/events/'
const views = '/admin/events/views/'
const linksIn = ({ text }: { readonly text: string }) =>
  [
    ...(/<nav aria-label="(?:Saved views|Vues enregistrées)">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(
      /<a href="([^"]*)"( aria-current="page")?>([^<]*)/g,
    ),
  ].map(([, address, current, name]) => [name, address?.replaceAll('&amp;', '&'), current !== undefined])

test('a list of the table is kept under a name, shown beside the tabs, renamed and deleted', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')

  const bare = await desk.get(table)
  const filtered = await desk.get(`${table}?status=pending&q=jazz&page=1&result=x`)
  const kept = await desk.send(views, { query: 'status=pending&q=jazz&page=1', name: 'Jazz <b>' })
  const shown = await desk.get(`/fr${kept.headers.location}`)
  const ofAuthor = await author.get(table)
  await desk.get(`${table}?status=draft`)
  const taken = await desk.send(views, { query: 'status=draft', name: 'Jazz <b>' })
  const other = await desk.send(views, { name: 'Drafts' })
  const list = await desk.get(views)
  const [id] = [...list.text.matchAll(/views\/(\d+)\//g)].map(([, number]) => number)
  const renamed = await desk.send(`${views}${id}/`, { [`name.${id}`]: 'Blues', version: '0', to: 'rename' })
  const late = await desk.send(`${views}${id}/`, { [`name.${id}`]: 'Rock', version: '0', to: 'rename' })
  const faulty = await desk.send(`${views}${id}/`, { [`name.${id}`]: 'Drafts', version: '1', to: 'rename' })
  const removed = await desk.send(`${views}${id}/`, { version: '1', to: 'delete' })
  const left = await desk.get(table)

  assert.ok(!bare.text.includes('Save this view') && filtered.text.includes('Save this view'))
  assert.equal(kept.headers.location, '/admin/events/?q=jazz&status=pending')
  assert.deepEqual(linksIn(shown), [['Jazz &lt;b&gt;', '/fr/admin/events/?q=jazz&status=pending', true]])
  assert.ok(!shown.text.includes('Enregistrer cette vue'))
  assert.deepEqual(linksIn(ofAuthor), [])
  assert.equal(taken.status, 422)
  assert.match(taken.text, /<a href="#f-name">Name of the view<\/a> You already have a view/)
  assert.equal(other.headers.location, '/admin/events/?status=draft')
  assert.equal(toldAfter(renamed)[1], 'The view has its new name.')
  assert.equal(late.status, 409)
  assert.match(late.text, /changed in another window[\s\S]*value="Rock"/)
  assert.match(faulty.text, new RegExp(`<a href="#f-name.${id}">`))
  assert.match(toldAfter(removed)[1], /^The view is deleted/)
  assert.deepEqual(linksIn(left), [['Drafts', '/admin/events/?status=draft', false]])
})
