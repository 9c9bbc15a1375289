import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../src/access/auth/actor.ts'
import { openRoutes, ownRoutes } from '../../src/desk/serving/desk.routes.ts'
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts'
import { type DeskBrowser, fieldsIn, givenDesk, openDesk } from '../support/desk.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { service } from '../support/signing.ts'

/**
 * What each role gets from each page about a draft or an entry of an administrator: `P` the page, `S` another page (303),
 * `F` not allowed (403), `N` not found (404). The roles are in their order: subscriber, contributor, author, editor,
 * administrator. Visitors are always led to the page for signing in.
 */
const access: Readonly<Record<string, string>> = {
  '/admin/': 'PPPPP',
  '/admin/account/': 'PPPPP',
  '/admin/account/keys/': 'PPPPP',
  '/admin/account/keys/{key}/revoke/': 'SSSSS',
  '/admin/account/password/': 'SSSSS',
  '/admin/account/sessions/{session}/end/': 'SSSSS',
  '/admin/activity/': 'FFFFP',
  '/admin/calendar/': 'FPPPP',
  '/admin/calendar/{id}/move/': 'FSSPP',
  '/admin/categories/': 'FFPPP',
  '/admin/categories/merge/undo/': 'FFSSS',
  '/admin/categories/new/': 'FFPPP',
  '/admin/categories/{id}/': 'FFPPP',
  '/admin/categories/{id}/move/': 'FFSSS',
  '/admin/categories/{id}/remove/': 'FFPPP',
  '/admin/events/': 'FPPPP',
  '/admin/events/many/': 'FSSSS',
  '/admin/events/many/undo/': 'FSSSS',
  '/admin/events/new/': 'FPPPP',
  '/admin/events/rows/': 'FPPPP',
  '/admin/events/rows/undo/': 'FSSSS',
  '/admin/events/views/': 'FPPPP',
  '/admin/events/views/{id}/': 'FSSSS',
  '/admin/events/{id}/': 'FNNPP',
  '/admin/events/{id}/copy/': 'FSSPP',
  '/admin/events/{id}/history/': 'FNNPP',
  '/admin/events/{id}/preview/': 'FNNPP',
  '/admin/events/{id}/quick/': 'FSSPP',
  '/admin/events/{id}/restore/': 'FSSSS',
  '/admin/events/{id}/trash/': 'FSSSS',
  '/admin/import/': 'FFFPP',
  '/admin/import/undo/': 'FFFSS',
  '/admin/organizers/': 'FPPPP',
  '/admin/organizers/merge/': 'FFFSS',
  '/admin/organizers/merge/undo/': 'FFFSS',
  '/admin/organizers/new/': 'FPPPP',
  '/admin/organizers/restore/': 'FSSSS',
  '/admin/organizers/{id}/': 'FNNPP',
  '/admin/organizers/{id}/merge/': 'FFFPP',
  '/admin/organizers/{id}/trash/': 'FSSSS',
  '/admin/pictures/': 'FFPPP',
  '/admin/pictures/{id}/': 'FFSSS',
  '/admin/pictures/{id}/delete/': 'FFSSS',
  '/admin/search/': 'FPPPP',
  '/admin/series/{id}/': 'FNNPP',
  '/admin/settings/': 'FFFFP',
  '/admin/sign-out/': 'SSSSS',
  '/admin/subscriptions/': 'FFFFP',
  '/admin/tags/': 'FFFPP',
  '/admin/tags/merge/undo/': 'FFFSS',
  '/admin/tags/new/': 'FFFPP',
  '/admin/tags/{id}/': 'FFFPP',
  '/admin/tags/{id}/remove/': 'FFFPP',
  '/admin/trash/': 'FPPPP',
  '/admin/trash/{kind}/delete/': 'FSSSS',
  '/admin/trash/{kind}/{id}/restore/': 'FSSSS',
  '/admin/users/': 'FFFFP',
  '/admin/users/{user}/keys/': 'FFFFP',
  '/admin/users/{user}/keys/{key}/revoke/': 'FFFFS',
  '/admin/users/{user}/link/': 'FFFFS',
  '/admin/venues/': 'FPPPP',
  '/admin/venues/merge/': 'FFFSS',
  '/admin/venues/merge/undo/': 'FFFSS',
  '/admin/venues/new/': 'FPPPP',
  '/admin/venues/restore/': 'FSSSS',
  '/admin/venues/{id}/': 'FNNPP',
  '/admin/venues/{id}/merge/': 'FFFPP',
  '/admin/venues/{id}/trash/': 'FSSSS',
}

/** Markup that runs, or ends an attribute, on a page that does not escape it. */
const hostile = `X "><script>alert(1)</script><img src=x onerror=alert(2)> ' onfocus=alert(3) y="`
const alive = /<script>|<img src=x|<[^>]*\s(?:onerror|onfocus)=/

const letters: Readonly<Record<number, string>> = { 200: 'P', 303: 'S', 403: 'F', 404: 'N' }

/** Fills the site with records of an administrator, and returns the addresses of pages about them. */
async function givenWorld(t: Parameters<typeof startTestApp>[0]) {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { venue: hostile, city: hostile, status: 'draft' })
  const organizer = await givenOrganizer(app, { organizer: hostile, phone: hostile, status: 'draft' })
  const category = await givenTerm(app, 'categories', { name: hostile })
  const tag = await givenTerm(app, 'tags', { name: hostile })
  const texts = { title: hostile, description: hostile, excerpt: hostile, cost: hostile }
  const event = await givenEvent(app, {
    ...{ ...texts, status: 'draft', venue: venue.id, organizer: organizer.id },
    ...{ categories: [category.id], tags: [tag.id] },
  })
  const series = await app.send({
    ...{ as: 'administrator', method: 'POST', path: service('/series') },
    json: {
      ...texts,
      ...{ status: 'draft', start_date: '2030-05-03 18:30', end_date: '2030-05-03 19:30' },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
    },
  })
  const trashed = await givenEvent(app, { ...texts, status: 'draft' })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${trashed.id}` })
  const ids: readonly (readonly [RegExp, number])[] = [
    [/^\/admin\/(?:events|calendar)\//, event.id],
    [/^\/admin\/venues\//, venue.id],
    [/^\/admin\/organizers\//, organizer.id],
    [/^\/admin\/series\//, series.body.id],
    [/^\/admin\/categories\//, category.id],
    [/^\/admin\/tags\//, tag.id],
    [/^\/admin\/trash\//, trashed.id],
    [/^/, ROLES.indexOf('administrator') + 1],
  ]
  const pathOf = (route: string) =>
    route
      .replace('{kind}', 'events')
      .replace('{secret}', 'unknown')
      .replace(/\{[^}]*\}/g, String(ids.find(([of]) => of.test(route))?.[1]))
  return { app, pathOf }
}

/** Returns the number of the last entry of the audit log: it grows with each write. */
async function lastWrite(app: TestApp): Promise<number> {
  const { body } = await app.send({ as: 'administrator', path: service('/audit?per_page=1') })
  return body.entries[0].id
}

/** No other site may show, store or index a page of the desk, or learn its address. */
function assertGuarded({ headers }: TestAnswer, page: string): void {
  assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/, page)
  assert.equal(headers['x-frame-options'] ?? 'DENY', 'DENY', page)
  assert.equal(headers['cache-control'], 'no-store', page)
  assert.match(headers['x-robots-tag'] ?? '', /noindex/, page)
  assert.equal(headers['referrer-policy'], 'same-origin', page)
}

const isSigningIn = ({ headers }: TestAnswer) => /^\/(?:fr\/)?admin\/sign-in\//.test(headers.location ?? '')

async function desks(app: TestApp): Promise<readonly (readonly [Role, DeskBrowser])[]> {
  const opened: [Role, DeskBrowser][] = []
  for (const role of ROLES) opened.push([role, await givenDesk(app, role)])
  return opened
}

test('each role gets from each page of the desk what the table says, and stored markup is only text', async (t) => {
  const { app, pathOf } = await givenWorld(t)
  const visitor = openDesk(app)
  const roles = await desks(app)

  const found: Record<string, string> = {}
  for (const { route } of ownRoutes) {
    const path = pathOf(route)
    const asVisitor = await visitor.get(path)
    assert.equal(asVisitor.status, 303, route)
    assert.ok(isSigningIn(asVisitor), route)
    assertGuarded(asVisitor, route)
    let row = ''
    for (const [role, desk] of roles) {
      const answer = await desk.get(path)
      row += letters[answer.status] ?? `[${answer.status}]`
      assertGuarded(answer, `${route} as ${role}`)
      // What is left without the values of attributes is markup of the page itself.
      assert.doesNotMatch(answer.text.replace(/="[^"]*"/g, '=""'), alive, `${route} as ${role}`)
      if (answer.status === 403 || answer.status === 404) assert.ok(!answer.text.includes('onerror'), route)
    }
    found[route] = row
  }
  assert.deepEqual(found, access)
  for (const { route } of openRoutes) assertGuarded(await visitor.get(pathOf(route)), route)
})

test('no form changes anything with a foreign token, from another site, without a session, or without the right', async (t) => {
  const { app, pathOf } = await givenWorld(t)
  const roles = await desks(app)
  const visitor = openDesk(app)
  const before = await lastWrite(app)
  const forms = ownRoutes.filter(({ submit }) => submit)

  for (const { route } of forms) {
    const path = pathOf(route)
    const asVisitor = await visitor.send(path, { csrf: 'x', title: 'Foreign' })
    assert.equal(asVisitor.status, 403, route)
    for (const [role, desk] of roles) {
      const name = `${route} as ${role}`
      const page = await desk.get(path)
      const shown = fieldsIn(page.text)
      const foreign = await desk.send(path, { ...shown, csrf: 'x'.repeat(43) })
      const elsewhere = await desk.send(path, shown, { 'sec-fetch-site': 'cross-site', origin: 'https://x.example' })
      assert.ok([200, 303, 403, 404, 409, 422].includes(foreign.status), `${name}: ${foreign.status}`)
      assert.equal(elsewhere.status, 403, name)
      assertGuarded(foreign, name)
    }
  }
  assert.equal(await lastWrite(app), before)

  // With the right token, those below an editor change nothing of an administrator, and those without the right get 403.
  for (const [role, desk] of roles.slice(0, ROLES.indexOf('editor'))) {
    const { csrf = '' } = fieldsIn((await desk.get('/admin/account/')).text)
    for (const { route } of forms) {
      // Their own accounts and drafts are theirs, and authors manage categories.
      if (/account|sign-out|new\//.test(route) || (role === 'author' && /categories/.test(route))) continue
      const { status } = await desk.send(pathOf(route), { csrf, sure: '1', version: '0', day: '2030-03-01' })
      const isForbidden = access[route]?.[ROLES.indexOf(role)] === 'F'
      if (isForbidden) assert.equal(status, 403, `${route} as ${role}`)
      else assert.ok(status < 500, `${route} as ${role}`)
    }
  }
  assert.equal(await lastWrite(app), before)
})

/** A form as an administrator fills it: what is changed on a page, which is the address of the form by default. */
interface Filled {
  readonly route: string
  readonly page?: string
  readonly fields: Readonly<Record<string, string>>
  /** Whether the desk asks before it does that. The answer is the form that writes. */
  readonly isAsked?: true
}

const times = { start: '2030-04-01 10:00', end: '11:00' }
const table = '/admin/events/?from=&status=any'

/** Forms that write, in an order in which each can. `{event}` and `{trashed}` in their fields are ids. */
const filled: readonly Filled[] = [
  { route: '/admin/calendar/{id}/move/', fields: { day: '2030-03-01', time: '10:00' } },
  { route: '/admin/events/{id}/quick/', fields: { ...times, status: 'draft' } },
  { route: '/admin/events/{id}/copy/', fields: { start: '2030-03-08 10:00', end: '11:00' } },
  { route: '/admin/events/{id}/', fields: { 'title.en': 'Foreign', to: 'save' } },
  { route: '/admin/events/many/', page: table, fields: { ids: '{event}', to: 'publish', all: '', series: '' } },
  { route: '/admin/events/{id}/trash/', page: table, fields: {} },
  { route: '/admin/events/{id}/restore/', page: table, fields: {} },
  { route: '/admin/series/{id}/', fields: { to: 'add', start: '2030-05-20 18:30' } },
  { route: '/admin/series/{id}/', fields: { to: 'end', day: '2030-05-15' }, isAsked: true },
  { route: '/admin/series/{id}/', fields: { to: 'trash' }, isAsked: true },
  { route: '/admin/series/{id}/', fields: { to: 'restore' } },
  { route: '/admin/venues/{id}/', fields: { venue: 'Foreign' } },
  { route: '/admin/venues/{id}/trash/', page: '/admin/venues/', fields: { anyway: '1' } },
  { route: '/admin/venues/restore/', page: '/admin/venues/', fields: { ids: '{venue}' } },
  { route: '/admin/organizers/{id}/', fields: { organizer: 'Foreign' } },
  { route: '/admin/organizers/{id}/trash/', page: '/admin/organizers/', fields: { anyway: '1' } },
  { route: '/admin/organizers/restore/', page: '/admin/organizers/', fields: { ids: '{organizer}' } },
  { route: '/admin/trash/{kind}/{id}/restore/', page: '/admin/trash/', fields: {} },
  { route: '/admin/events/many/', page: table, fields: { ids: '{trashed}', to: 'trash', all: '', series: '' } },
  { route: '/admin/trash/{kind}/delete/', page: '/admin/trash/', fields: { only: '{trashed}', sure: '1' } },
  { route: '/admin/series/{id}/', fields: { to: 'trash' }, isAsked: true },
  { route: '/admin/series/{id}/', fields: { to: 'purge' }, isAsked: true },
]

test('the form that writes as an administrator changes nothing as anybody below an editor', async (t) => {
  const { app, pathOf } = await givenWorld(t)
  const roles = await desks(app)
  const [, admin] = roles.at(-1) ?? []
  assert.ok(admin)
  const idOf = (route: string) => pathOf(route).split('/')[3] ?? ''
  const ids: Readonly<Record<string, string>> = {
    ...{ event: idOf('/admin/events/{id}/'), trashed: pathOf('/admin/trash/{kind}/{id}/restore/').split('/')[4] ?? '' },
    ...{ venue: idOf('/admin/venues/{id}/'), organizer: idOf('/admin/organizers/{id}/') },
  }

  for (const { route, page, fields, isAsked } of filled) {
    const name = `${route} ${JSON.stringify(fields)}`
    const path = pathOf(route)
    const before = await lastWrite(app)
    const own = Object.entries(fields).map(([field, value]) => [
      field,
      value.replace(/\{(\w+)\}/, (_, of) => ids[of] ?? ''),
    ])
    const shown = fieldsIn((await admin.get(page ?? path)).text)
    const first = { ...shown, ...Object.fromEntries(own) }
    const sent: Readonly<Record<string, string>> = isAsked ? fieldsIn((await admin.send(path, first)).text) : first
    const sendAs = async (desk: DeskBrowser) => {
      const { csrf = '' } = fieldsIn((await desk.get('/admin/account/')).text)
      return desk.send(path, { ...sent, csrf })
    }
    for (const [role, desk] of roles.slice(0, ROLES.indexOf('editor'))) {
      const { status } = await sendAs(desk)
      assert.ok(status < 500, `${name} as ${role}: ${status}`)
      assert.equal(await lastWrite(app), before, `${name} as ${role}`)
    }
    const { status, text } = await sendAs(admin)
    assert.ok(status < 400, `${name}: ${status} ${text}`)
    assert.ok((await lastWrite(app)) > before, `${name} wrote nothing: ${text}`)
  }
})
