import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenDesk } from '../../../../test/support/desk.ts'
import { givenEvent } from '../../../../test/support/given.ts'
import { page } from '../../../../test/support/pages.ts'

test('a calendar that is empty in one language says how many events there are in the other one', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA' })
  const times = { start_date: '2030-02-01 19:00:00', end_date: '2030-02-01 21:00:00' }
  const empty = await page(app, '/fr/events/')
  for (const title of ['Concert', 'Reading']) await givenEvent(app, { title, ...times })
  await givenEvent(app, { title: 'Over', start_date: '2029-02-01 19:00:00', end_date: '2029-02-01 21:00:00' })
  const link = '<a href="/events/">Il y a 2 événements en anglais.</a>'

  assert.doesNotMatch(empty.text, /en anglais\./)
  for (const path of ['/fr/events/', '/fr/events/month/2030-02/', '/fr/events/2030-02-01/'])
    assert.ok((await page(app, path)).text.includes(link), path)
  assert.doesNotMatch((await page(app, '/events/')).text, /events in /)
  await givenEvent(app, { title: 'Soirée', ml_language: 'fr-CA', ...times })
  for (const path of ['/fr/events/', '/fr/events/month/2031-01/', '/fr/events/2031-01-01/'])
    assert.doesNotMatch((await page(app, path)).text, /en anglais\./, path)
})

test('text that is written from right to left has its direction', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA,he', EVENTS_FALLBACK: 'any' })
  const event = await givenEvent(app, { title: 'קונצרט', description: '<p>שלום</p>', ml_language: 'he' })
  const desk = await givenDesk(app, 'editor')
  const [shown, listed, editor] = [
    await page(app, new URL(event.url).pathname),
    await page(app, '/events/'),
    await desk.get(`/admin/events/${event.id}/`),
  ]

  assert.match(shown.text, /<h1 lang="he" dir="rtl">/)
  assert.match(shown.text, /<div class="prose" lang="he" dir="rtl">/)
  assert.match(listed.text, /<a href="[^"]*" lang="he" dir="rtl">קונצרט/)
  assert.match(editor.text, /name="title\.he"[^>]* lang="he" dir="auto"/)
  assert.match(editor.text, /<textarea [^>]*name="description\.he"[^>]* lang="he" dir="auto"/)
})
