import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskBrowser, givenDesk, toldAfter } from '../support/desk.ts'
import { changed } from '../support/given.ts'

// Dates of a series go to the trash after a question. What happens is what the question has said.

interface Listed {
  readonly id: number
  readonly title: string
  readonly series: { readonly id: number }
}

const listDates = async (app: TestApp, language = 'en'): Promise<readonly Listed[]> =>
  (await app.send({ as: 'editor', path: `/events?ml_language=${language}&start_date=2029-01-01&context=edit` })).body
    .events

/** Makes a series of four dates in both languages, at the desk. */
async function givenYoga(app: TestApp, desk: DeskBrowser, to = 'publish'): Promise<readonly Listed[]> {
  await desk.get('/admin/events/new/')
  const { status, text } = await desk.send('/admin/events/new/', {
    ...{ 'title.en': 'Yoga', 'title.fr-CA': 'Le yoga', start: 'Feb 1, 2030, 7pm', end: '8 p.m.', to },
    ...{ repeat: 'weekly', repeat_ends: 'count', repeat_count: '4' },
  })
  assert.equal(status, 303, text)
  return listDates(app)
}

test('the question about dates comes back if the series has changed since, and its answer counts only then', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const [first, second] = await givenYoga(app, desk)
  const path = `/admin/events/${second?.id}/trash/`
  const addDate = async (day: string) => {
    const start = { start_date: `${day} 19:00:00` }
    const dates = `//cal/service/v1/series/${first?.series.id}/dates`
    const { status, text } = await app.send({ as: 'administrator', method: 'POST', path: dates, json: start })
    assert.equal(status, 200, text)
  }
  const count = async () => (await listDates(app)).length

  await desk.get('/admin/events/')
  const asked = await desk.send(path)
  await addDate('2030-03-20')
  const again = await desk.send(path, { scope: 'following' })
  const afterOne = await count()
  await addDate('2030-03-27')
  const french = await desk.send(`/fr${path}`, { scope: 'all' })
  const afterTwo = await count()
  const gone = await desk.send(path, { scope: 'following' })
  const afterAll = await count()
  const twice = await desk.send(path, { scope: 'following' })

  assert.match(asked.text, /all later ones[\s\S]*3 dates to the trash[\s\S]*All dates[\s\S]*4 dates/)
  assert.doesNotMatch(asked.text, /Somebody else has changed/)
  assert.equal(again.status, 409)
  assert.match(
    again.text,
    /Somebody else has changed this series[\s\S]*4 dates to the trash[\s\S]*All dates[\s\S]*5 dates/,
  )
  assert.match(again.text, /value="following" required checked/)
  assert.equal(french.status, 409)
  assert.match(french.text, /value="all" required checked[\s\S]*6\sdates/)
  assert.deepEqual([afterOne, afterTwo, afterAll], [5, 6, 1])
  assert.match(toldAfter(gone)[1], /^The dates are in the trash\..* 5 dates/)
  assert.equal(twice.headers.location, '/admin/events/')
})

test('a date that may not go in one language stays, and the page of the series names the language', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'contributor')
  await givenYoga(app, desk, 'draft')
  const drafts = async (language: string) => {
    const query = `status=any&ml_language=${language}&start_date=2029-01-01&context=edit`
    return (await app.send({ as: 'editor', path: `/events?${query}` })).body.events as readonly Listed[]
  }
  const [english] = await drafts('en')
  const [french] = await drafts('fr-CA')
  await changed(app, `/events/${english?.id}`, { status: 'publish' })
  const path = `/admin/series/${french?.series.id}/`

  await desk.get(path)
  const refused = await desk.send(path, { to: `remove.${french?.id}` })

  assert.equal(refused.status, 422, refused.headers.location ?? '')
  assert.match(refused.text, /not moved to the trash, because you may not move it there in English\. Ask an editor/)
  assert.equal((await drafts('fr-CA')).length, 4)
})
