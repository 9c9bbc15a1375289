import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { UserId } from '../../src/access/auth/actor.ts'
import { createLink } from '../../src/access/auth/link.service.ts'
import { linkPath } from '../../src/access/auth/link.ts'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
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
  { name: 'English', path: '/admin/', publish: 'Publish', heading: 'New event', notice: 'The event is public.' },
  {
    name: 'French',
    path: '/fr/admin/',
    publish: 'Publier',
    heading: 'Nouvel événement',
    notice: 'L’événement est public.',
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
    await page.getByText(notice).waitFor()

    const { body } = await app.send({ path: `${path === '/admin/' ? '' : '//fr/cal/events/v1'}/events` })
    assert.deepEqual([body.events[0].title, body.events[0].start_date], ['Concert', '2030-02-01 19:00:00'])
    assert.deepEqual(faults, [])
  })
}

test('every screen of the desk is accessible, and fits a phone, in light and dark', async (t) => {
  const { app, url, link } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  await givenTerm(app, 'categories', { name: 'Theatre' })
  const town = await givenVenue(app, { venue: 'Town Hall', city: 'Laval' })
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
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 } })
  const page = await browser.newPage()
  await page.goto(link)
  const open = [...(await violationsOf(page))]
  await screenshot(page, 'desk-link')
  await signIn(page, link)

  const screens = {
    today: '/admin/',
    events: '/admin/events/',
    trashed: `/fr/admin/events/?done=trashed&id=${id}&sort=title&without=fr-CA`,
    quick: `/admin/events/${id}/quick/`,
    copy: `/fr/admin/events/${id}/copy/`,
    month: '/admin/calendar/?month=2030-01',
    week: '/fr/admin/calendar/?week=2030-01-24',
    move: `/admin/calendar/${id}/move/`,
    editor: `/admin/events/${id}/`,
    new: '/fr/admin/events/new/',
    search: '/admin/search/?q=concert',
    users: '/admin/users/',
    venues: `/admin/venues/?done=trashed&id=${hall.id}`,
    merge: `/admin/venues/${hall.id}/merge/?into=${town.id}`,
    categories: '/fr/admin/categories/',
    pictures: '/fr/admin/pictures/',
    'delete-picture': `/admin/pictures/${image.id}/delete/`,
    import: '/fr/admin/import/',
    rows: '/fr/admin/events/rows/',
    trash: '/admin/trash/',
    activity: '/admin/activity/?kind=event',
    account: '/fr/admin/account/',
    missing: '/admin/nowhere/',
  }
  const found: string[] = [...open]
  for (const [index, [name, path]] of Object.entries(screens).entries()) {
    await page.goto(`${url}${path}`)
    for (const { colorScheme, isNarrow } of Object.values(looksAt(index))) {
      const width = isNarrow ? 320 : 1280
      const look = `${name}-${colorScheme}-${width}`
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      found.push(...(await violationsOf(page)).map((violation) => `${look}: ${violation}`))
      await screenshot(page, `desk-${look}`, { isWhole: true })
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (wide > width) found.push(`${look}: ${wide} pixels wide`)
    }
  }

  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${url}/admin/events/?from=2030-01-22&to=2030-01-22`)
  await page.getByRole('checkbox', { name: /^All\s\d\sevents of the list$/ }).focus()
  await page.keyboard.press('Space')
  await page.getByLabel('Select: Film night').check()
  found.push(...(await violationsOf(page)).map((violation) => `selection: ${violation}`))
  await screenshot(page, 'desk-selection')
  await page.getByLabel('With the selected events').focus()
  await page.keyboard.type('Cancel')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Cancel\s\d\sevents$/ }).waitFor()
  found.push(...(await violationsOf(page)).map((violation) => `canceling: ${violation}`))
  await screenshot(page, 'desk-canceling')
  await page.getByLabel('Reason: English').focus()
  await page.keyboard.type('Storm')
  await page.getByLabel('Reason: Canadian French').focus()
  await page.keyboard.type('Tempête')
  await page.keyboard.press('Enter')
  await page.getByText(/3\sevents were changed\./).waitFor()
  found.push(...(await violationsOf(page)).map((violation) => `canceled: ${violation}`))
  await screenshot(page, 'desk-canceled')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/3\sevents are as they were before\./).waitFor()

  assert.deepEqual(found, [])
})
