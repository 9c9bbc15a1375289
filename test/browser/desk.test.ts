import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { UserId } from '../../src/access/auth/actor.ts'
import { createLink } from '../../src/access/auth/link.service.ts'
import { linkPath } from '../../src/access/auth/link.ts'
import { ownRoutes } from '../../src/desk/serving/desk.routes.ts'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { goodPassword, service } from '../support/signing.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'
import { looksAt } from './looks.ts'

const administrator = 5 as UserId

async function startDesk(t: TestContext) {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto' })
  const { secret } = await createLink(app.deps, administrator, 'start')
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, link: `${url}${linkPath(secret)}` }
}

/** Chooses a password with the link of the first start. */
async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(goodPassword)
  await page.getByLabel('New password, again').fill(goodPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
}

/** Moves the focus with the Tab key until it is on the element. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if ((await page.evaluate<string>('document.activeElement.id')) === id) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`The Tab key does not reach ${id}.`)
}

for (const { name, path, publish, heading, notice } of [
  { name: 'English', path: '/admin/', publish: 'Publish', heading: 'New event', notice: '“Concert” is public.' },
  {
    name: 'French',
    path: '/fr/admin/',
    publish: 'Publier',
    heading: 'Nouvel événement',
    notice: '«\u00a0Concert\u00a0» est public.',
  },
]) {
  test(`the first event is published by keyboard alone, in ${name}`, async (t) => {
    const { app, url, link } = await startDesk(t)
    const browser = await startChromium(t, { viewport: { width: 1280, height: 900 }, locale: 'en-CA' })
    const faults = watchFaults(browser, url)
    const page = await browser.newPage()
    await signIn(page, link)

    await page.goto(`${url}${path}`)
    await page.getByRole('link', { name: heading }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: heading }).waitFor()
    await tabTo(page, path === '/admin/' ? 'f-title.en' : 'f-title.fr-CA')
    await page.keyboard.type('Concert')
    await tabTo(page, 'f-start')
    await page.keyboard.type(path === '/admin/' ? 'Feb 1, 2030, 7pm' : '1er fév. 2030, 19 h')
    await tabTo(page, 'f-end')
    await page.keyboard.type(path === '/admin/' ? '9 p.m.' : '21 h')
    await page.getByRole('button', { name: publish, exact: true }).focus()
    await page.keyboard.press('Enter')
    // Only one language is written.
    await page.locator('[data-ask][open]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(notice).waitFor()

    const { body } = await app.send({ path: `${path === '/admin/' ? '' : '//fr/cal/events/v1'}/events` })
    assert.deepEqual([body.events[0].title, body.events[0].start_date], ['Concert', '2030-02-01 19:00:00'])
    assert.deepEqual(faults, [])
  })
}

/** Controls that people tap are at least 44 pixels high, except in the dense grid of a month and within sentences. */
async function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('button, select, summary, textarea, input:not([type=hidden], [type=checkbox], [type=radio]), .button, nav a')]
      .filter((one) => !one.closest('.unseen, .skip, .month') && one.closest('.desk') && one.checkVisibility({ visibilityProperty: true }))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, { width, height }]) => width > 1 && height < 43.5)
      .map(([one, { height }]) => 'only ' + Math.round(height) + ' pixels high: ' + one.outerHTML.slice(0, 120))
  `)
}

/** Returns what moves although the reader wants no motion. */
async function movingParts(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((one) => /[1-9]/.test(getComputedStyle(one).transitionDuration + getComputedStyle(one).animationDuration))
      .map((one) => one.outerHTML.slice(0, 80))
  `)
}

const routeAt = (path: string) => ownRoutes.find(({ pattern }) => pattern.test(path.split('?')[0] ?? ''))

const exampleOf = ({ route }: (typeof ownRoutes)[number], id: number) =>
  route.replace('{kind}', 'events').replace(/\{[^}]*\}/g, String(id))

/** Whether an address is a page of its own, and not only the address of a form. */
async function showsPage(page: Page, url: string): Promise<boolean> {
  const answer = await page.request.get(url, { maxRedirects: 0 })
  return answer.status() === 200
}

/**
 * Screens that show the same template as another one, with other data. Axe reads the template once in each language: the
 * other one in English, and this one in French. Their sizes are measured in both.
 */
const twins: Readonly<Record<string, string>> = {
  ...{ trashed: 'events', organizers: 'venues', organizer: 'venue', 'new-organizer': 'new-venue' },
  ...{ 'merge-organizer': 'merge', tag: 'category', 'new-tag': 'new-category', 'remove-tag': 'remove-category' },
  ...{ 'own-keys': 'keys', 'date-of-series': 'editor' },
}

// Takes a minute: each template is read by axe in both languages.
test('every screen of the desk is accessible in both languages, and fits a phone and a tablet, in light and dark', async (t) => {
  const { app, url, link } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  await givenTerm(app, 'categories', { name: 'Theatre' })
  const town = await givenVenue(app, { venue: 'Town Hall', city: 'Laval' })
  const choir = await givenOrganizer(app, { organizer: 'Choir' })
  const tag = await givenTerm(app, 'tags', { name: 'Outdoors' })
  const fair = await givenEvent(app, { title: 'Spring fair' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${fair.id}` })
  const { body: image } = await app.send({
    ...{ as: 'editor', method: 'POST', path: service('/media') },
    ...form(await picture(600, 400), 'Concert.jpg'),
  })
  const { id } = await givenEvent(app, {
    title: 'Concert in the park',
    image: image.id,
    venue: hall.id,
    categories: [music.id],
    cost: '15',
  })
  await givenEvent(app, { title: 'Concert au parc', ml_language: 'fr-CA', ml_translation_of: id })
  for (const [title, status] of [
    ['Story hour', 'pending'],
    ['Craft fair', 'draft'],
    ['Town council meeting with a very long title that does not fit on one line', 'publish'],
    ['Film night', 'publish'],
  ])
    await givenEvent(app, { title, status, venue: hall.id })
  const { body: yoga } = await app.send({
    ...{ as: 'editor', method: 'POST', path: service('/series') },
    json: {
      ...{ title: 'Yoga', start_date: '2030-05-03 18:30', end_date: '2030-05-03 19:30', venue: hall.id },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=12' },
    },
  })
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 } })
  const page = await browser.newPage()
  await page.goto(link)
  const open = [...(await violationsOf(page))]
  await screenshot(page, 'desk-link')
  await signIn(page, link)

  const screens: Readonly<Record<string, string>> = {
    today: '/admin/',
    events: '/admin/events/?sort=status',
    sorted: '/admin/events/?sort=title&without=fr-CA',
    quick: `/admin/events/${id}/quick/`,
    copy: `/admin/events/${id}/copy/`,
    month: '/admin/calendar/?month=2030-01',
    week: '/admin/calendar/?week=2030-01-24',
    move: `/admin/calendar/${id}/move/`,
    editor: `/admin/events/${id}/`,
    history: `/admin/events/${id}/history/`,
    preview: `/admin/events/${id}/preview/`,
    new: '/admin/events/new/',
    search: '/admin/search/?q=concert',
    users: '/admin/users/',
    keys: '/admin/users/3/keys/',
    venues: '/admin/venues/',
    venue: `/admin/venues/${hall.id}/`,
    'new-venue': '/admin/venues/new/',
    merge: `/admin/venues/${hall.id}/merge/?into=${town.id}`,
    pictures: '/admin/pictures/',
    'delete-picture': `/admin/pictures/${image.id}/delete/`,
    import: '/admin/import/',
    subscriptions: '/admin/subscriptions/',
    series: `/admin/series/${yoga.id}/`,
    'date-of-series': `/admin/events/${yoga.event_id}/`,
    views: '/admin/events/views/',
    rows: '/admin/events/rows/',
    'merge-choice': `/admin/venues/${hall.id}/merge/`,
    organizers: '/admin/organizers/',
    organizer: `/admin/organizers/${choir.id}/`,
    'new-organizer': '/admin/organizers/new/',
    'merge-organizer': `/admin/organizers/${choir.id}/merge/`,
    categories: '/admin/categories/',
    category: `/admin/categories/${music.id}/`,
    'new-category': '/admin/categories/new/',
    'remove-category': `/admin/categories/${music.id}/remove/`,
    tags: '/admin/tags/',
    tag: `/admin/tags/${tag.id}/`,
    'new-tag': '/admin/tags/new/',
    'remove-tag': `/admin/tags/${tag.id}/remove/`,
    trash: '/admin/trash/',
    activity: '/admin/activity/?kind=event',
    settings: '/admin/settings/',
    account: '/admin/account/',
    'own-keys': '/admin/account/keys/',
    missing: '/admin/nowhere/',
  }
  const found: string[] = [...open]
  const seen = new Set<(typeof ownRoutes)[number]>()
  const names = Object.keys(screens)
  for (const [name, path] of Object.entries(screens)) {
    seen.add(routeAt(path) as (typeof ownRoutes)[number])
    // Twins have the same looks, so that axe reads their template light and dark, wide and narrow.
    const looks = looksAt(names.indexOf(twins[name] ?? name))
    const unread = name in twins ? 'en' : Object.values(twins).includes(name) ? 'fr' : undefined
    for (const [language, { colorScheme, isNarrow }] of Object.entries(looks)) {
      const width = isNarrow ? 320 : 1280
      const look = `${name}-${language}-${colorScheme}-${width}`
      await page.emulateMedia({ colorScheme, reducedMotion: isNarrow ? 'reduce' : 'no-preference' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${url}${language === 'fr' ? '/fr' : ''}${path}`)
      const violations = language === unread ? [] : await violationsOf(page)
      found.push(...violations.map((violation) => `${look}: ${violation}`))
      await screenshot(page, `desk-${look}`, { isWhole: true })
      found.push(...(await smallTargets(page)).map((target) => `${look}: ${target}`))
      if (isNarrow) found.push(...(await movingParts(page)).map((part) => `${look}: ${part} moves`))
      for (const wide of [width, ...(isNarrow ? [] : [820])]) {
        await page.setViewportSize({ width: wide, height: 1100 })
        const needed = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (needed > wide) found.push(`${look}: ${needed} pixels wide on ${wide}`)
      }
      if (!isNarrow) await screenshot(page, `desk-${name}-forced-colours`, { isWhole: true, isForced: true })
    }
  }
  for (const route of ownRoutes) {
    if (!seen.has(route) && (await showsPage(page, `${url}${exampleOf(route, id)}`)))
      found.push(`unseen: ${route.route}`)
  }

  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${url}/admin/events/?from=2030-01-22&to=2030-01-22`)
  await page.getByRole('checkbox', { name: /^All\s\d\sevents of the list$/ }).focus()
  await page.keyboard.press('Space')
  await page.getByLabel('Select: Film night').check()
  found.push(...(await violationsOf(page)).map((violation) => `selection: ${violation}`))
  await screenshot(page, 'desk-selection')
  // In a box, the Enter key does nothing.
  await page.keyboard.press('Enter')
  assert.equal(await page.getByLabel('Select: Film night').isChecked(), true)
  await page.getByRole('button', { name: 'Cancel …' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Cancel\s\d\sevents$/ }).waitFor()
  found.push(...(await violationsOf(page)).map((violation) => `canceling: ${violation}`))
  await screenshot(page, 'desk-canceling')
  await page.getByLabel('Reason: English').focus()
  await page.keyboard.type('Storm')
  await page.getByLabel('Reason: Canadian French').focus()
  await page.keyboard.type('Tempête')
  await page.keyboard.press('Enter')
  await page.getByText(/3\sevents( at .+)?( on .+)? (are|have)/).waitFor()
  found.push(...(await violationsOf(page)).map((violation) => `canceled: ${violation}`))
  await screenshot(page, 'desk-canceled')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/3\sevents are as they were before\./).waitFor()

  assert.deepEqual(found, [])
})
