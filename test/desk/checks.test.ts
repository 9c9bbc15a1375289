import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinkChecker } from '../../src/base/outbound/link.checker.ts'
import { fail } from '../../src/base/problems.ts'
import { startTestApp } from '../support/app.ts'
import { givenDesk } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'

const checksIn = (text: string) => (JSON.parse(text) as { readonly checks: readonly { field: string }[] }).checks

test('what is typed is checked without being saved: times, weekdays, rooms, languages, pictures', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  await givenEvent(app, {
    title: 'Dance',
    venue: hall.id,
    start_date: '2030-03-05 19:00:00',
    end_date: '2030-03-05 22:00:00',
  })
  const { id } = await givenEvent(app, {
    title: 'Fair',
    start_date: '2030-02-05 19:00:00',
    end_date: '2030-02-05 22:00:00',
  })
  const desk = await givenDesk(app, 'editor')
  await desk.get(`/admin/events/${id}/`)
  const check = async (fields: Readonly<Record<string, string>>) => {
    const { status, text } = await desk.send(`/admin/events/${id}/`, { ...fields, to: 'checks' })
    assert.equal(status, 200)
    return checksIn(text).map(({ field }) => field)
  }
  const times = { start: '2030-03-05 20:00', end: '2030-03-05 21:00' }
  const complete = { 'title.fr-CA': 'La foire', image: 'chosen', decorative: '1', ...times }

  assert.deepEqual(await check({}), ['title.fr-CA', 'venue', 'picture'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'hall' }), ['venue'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'Other hall' }), [])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'X', decorative: '' }), ['alt.en', 'alt.fr-CA'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'X', end: '2030-03-05 19:00', date: '3/4/2030' }), ['end', 'date'])
  await desk.get(`/admin/events/${id}/`)
  // March 5, 2030 is a Tuesday.
  assert.deepEqual(await check({ ...complete, venue: 'X', 'description.fr-CA': '<p>Venez <b>jeudi</b></p>' }), [
    'description.fr-CA',
  ])
  const { body } = await app.send({ path: `/events/${id}` })
  assert.deepEqual([body.title, body.start_date], ['Fair', '2030-02-05 19:00:00'])
})

test('checks need the token of the session, and show nothing to those who may not change the event', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair' })
  const editor = await givenDesk(app, 'editor')
  await editor.get(`/admin/events/${id}/`)
  const forged = await editor.send(`/admin/events/${id}/`, { to: 'checks', csrf: 'x' })
  const author = await givenDesk(app, 'author')
  await author.get('/admin/events/new/')
  const foreign = await author.send(`/admin/events/${id}/`, { to: 'checks' })

  assert.equal(forged.status, 403)
  assert.deepEqual(Object.keys(forged.body ?? JSON.parse(forged.text)), ['csrf'])
  assert.equal(foreign.status, 404)
})

test('links are checked on request, with and without the script, and nothing typed is lost', async (t) => {
  const asked: string[] = []
  const probe = async (url: string) => {
    asked.push(url)
    return url.includes('gone') ? 404 : url.includes('down') ? 503 : 200
  }
  const app = await startTestApp(t, {}, { links: createLinkChecker(probe) })
  const { id } = await givenEvent(app, { title: 'Fair', website: 'https://fine.example/' })
  const desk = await givenDesk(app, 'editor')
  await desk.get(`/fr/admin/events/${id}/`)
  const fields = {
    'description.en': '<p><a href="https://gone.example/?a=1&amp;b=2">x</a> <a href="/events/">own</a></p>',
    'excerpt.en': '<a href="http://calendar.test/events/">own</a> <a href="mailto:a@b.example">m</a>',
    ...{
      virtual_url: 'https://down.example/',
      'offers.0.url': '',
      'offer.0.url': 'https://fine.example/',
      'title.en': 'New',
    },
  }
  const page = await desk.send(`/fr/admin/events/${id}/`, { ...fields, to: 'links' })
  const data = await desk.send(`/fr/admin/events/${id}/`, { ...fields, to: 'checks', links: '1' })
  await desk.get(`/admin/events/${id}/`)
  const none = await desk.send(`/admin/events/${id}/`, { website: '', to: 'links' })

  assert.equal(page.status, 200)
  assert.match(page.text, /2 adresses ne fonctionnent pas\./)
  assert.match(
    page.text,
    /<a href="#f-description\.en">La page de cette adresse n’existe plus.{0,6}: https:\/\/gone\.example\/\?a=1&amp;b=2\.<\/a>/,
  )
  assert.match(page.text, /<a href="#f-virtual_url">Cette adresse ne répond pas/)
  assert.match(page.text, /name="title\.en"[^>]* value="New"/)
  assert.deepEqual(
    checksIn(data.text)
      .map(({ field }) => field)
      .slice(-2),
    ['description.en', 'virtual_url'],
  )
  assert.match(none.text, /There are no addresses of other sites/)
  // Each address was asked once.
  assert.deepEqual(asked.toSorted(), [
    'https://down.example/',
    'https://fine.example/',
    'https://gone.example/?a=1&b=2',
  ])
})

test('of many addresses, the first twenty are checked; and if the service refuses, nothing typed is lost', async (t) => {
  const links = createLinkChecker(async () => 200)
  const app = await startTestApp(t, {}, { links })
  const full = { isKnown: () => true, check: async () => fail('service_unavailable') }
  const busy = await startTestApp(t, {}, { links: full })
  const typed = Array.from({ length: 30 }, (_, place) => `<a href="https://a.example/${place}">x</a>`).join('')
  const answers = await Promise.all(
    [app, busy].map(async (one) => {
      const desk = await givenDesk(one, 'editor')
      await desk.get('/admin/events/new/')
      return desk.send('/admin/events/new/', { 'title.en': 'Fair', 'description.en': typed, to: 'links' })
    }),
  )

  assert.match(
    answers[0]?.text ?? '',
    /20 addresses were checked\. All of them work\. Only the first 20 were checked\./,
  )
  assert.match(answers[1]?.text ?? '', /<div class="notice" role="status"><p>[^<]*(?:unavailable|again)/i)
  for (const { status, text } of answers) {
    assert.equal(status, 200)
    assert.match(text, /name="title\.en"[^>]* value="Fair"/)
  }
})

test('the start page checks the links of the next seven days in all languages, and leads to the events', async (t) => {
  const asked: string[] = []
  const probe = async (url: string) => {
    asked.push(url)
    return url.includes('gone') ? 404 : 200
  }
  const app = await startTestApp(t, {}, { links: createLinkChecker(probe) })
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/')
  const none = await desk.send('/admin/', {})
  await givenEvent(app, { title: 'Fine', website: 'https://fine.example/' })
  const fair = await givenEvent(app, { title: 'Fair', website: 'https://fine.example/' })
  await givenEvent(app, {
    ...{ title: 'Foire', ml_language: 'fr-CA', ml_translation_of: fair.id },
    description: '<a href="https://gone.example/?a=1&amp;b=2">x</a> <a href="http://calendar.test/events/">own</a>',
  })
  await givenEvent(app, {
    title: 'Later',
    website: 'https://later.example/',
    start_date: '2030-01-23',
    end_date: '2030-01-23',
  })
  await givenEvent(app, { title: 'Draft', website: 'https://draft.example/', status: 'draft' })

  const checked = await desk.send('/admin/', {})
  const inFrench = await desk.send('/fr/admin/', {})
  const shown = await desk.get('/admin/')
  const contributor = await givenDesk(app, 'contributor')
  await contributor.get('/admin/')
  const theirs = await contributor.send('/admin/', {})

  assert.match(none.text, /have no links to other sites/)
  assert.deepEqual(
    [checked.status, asked.toSorted()],
    [200, ['https://fine.example/', 'https://gone.example/?a=1&b=2']],
  )
  assert.match(checked.text, /<div class="notice" role="status"><p>1 address does not work\.<\/p>/)
  const [, links = ''] = /<h2 id="links">([\s\S]*?)<\/section>/.exec(checked.text) ?? []
  assert.ok(links.startsWith('Links that do not work <span class="number">1</span></h2>'))
  assert.match(links, new RegExp(`<a href="/admin/events/${fair.id}/"[^>]*>Fair</a>`))
  assert.ok(links.includes('The page of this address no longer exists: https://gone.example/?a=1&amp;b=2.'))
  assert.match(
    inFrench.text,
    /Liens qui ne fonctionnent pas[\s\S]*>Foire<[\s\S]*La page de cette adresse n’existe plus/,
  )
  assert.ok(!shown.text.includes('id="links"'))
  assert.match(shown.text, /<button class="quiet">Check the links of the next seven days<\/button>/)
  // They may not change it, so they are led to its page.
  assert.match(theirs.text, /id="links"[\s\S]*?<a href="http:\/\/calendar\.test\/event\/[^"]*">Fair/)
})

test('a check that takes long is told how far it came, and goes on; a refusal is told', async (t) => {
  const real = performance.now.bind(performance)
  let aheadMs = 0
  t.mock.method(performance, 'now', () => real() + aheadMs)
  const links = createLinkChecker(async () => {
    aheadMs += 2000
    return 404
  })
  const app = await startTestApp(t, {}, { links })
  const full = { isKnown: () => true, check: async () => fail('service_unavailable') }
  const busy = await startTestApp(t, {}, { links: full })
  const description = Array.from({ length: 12 }, (_, place) => `<a href="https://a.example/${place}">x</a>`).join('')
  const answers = []
  for (const one of [app, busy]) {
    await givenEvent(one, { title: 'Fair', description })
    const desk = await givenDesk(one, 'editor')
    await desk.get('/admin/')
    answers.push(await desk.send('/admin/', {}), await desk.send('/admin/', {}))
  }
  const [first, second, refused] = answers.map(
    ({ text }) => /<div class="notice" role="status"><p>([^<]*)/.exec(text)?.[1],
  )

  assert.equal(first, '8 addresses do not work. 8 of 12 were checked. Check again to continue.')
  assert.equal(second, '12 addresses do not work.')
  assert.match(refused ?? '', /unavailable|again/i)
  assert.ok(answers.every(({ status }) => status === 200))
})
