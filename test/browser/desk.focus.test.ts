import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { setOwnPassword } from '../support/signing.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { openBrowser, signInAtDesk, startDesk } from './desk.window.ts'

// Where the focus is after each action of the desk. Screen readers read what has it, and the next Tab key continues there.

/** Returns what has the focus: the message, the faults, a row with the message, or a field. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const one = document.activeElement
    if (one === document.body) return 'nothing'
    if (one.matches('.notice[role=status]')) return 'message: ' + one.querySelector('p').textContent
    if (one.matches('.faults[role=alert]')) return 'faults'
    const row = one.closest('tr, li')?.id
    const said = document.getElementById(one.getAttribute('aria-describedby')?.split(' ').at(-1))?.textContent
    return [row ? 'row' : one.tagName.toLowerCase(), row || one.name || one.className, said && ': ' + said].filter(Boolean).join(' ').replace(' :', ':')
  })()`)

test('after each action the focus is on the message, on the row that was changed, or on the faults', async (t) => {
  const { app, url, page, faults } = await openBrowser(t)
  await setOwnPassword(app, 'administrator')
  const days = { start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' }
  const fair = await givenEvent(app, { title: 'Fair', ...days })
  const film = await givenEvent(app, { title: 'Film', ...days })
  await givenVenue(app, { venue: 'Old hall' })
  await givenTerm(app, 'categories', { name: 'Music' })
  const media = form(await picture(60, 40), 'tent.jpg', {})
  const tent = await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...media })
  const yoga = await givenEvent(app, { title: 'Yoga', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  const series = (await app.send({ path: `/events/${yoga.id}` })).body.series.id
  const table = '/admin/events/?from=2030-05-01&to=2030-05-01'
  const rowOf = (title: string) => page.getByRole('row').filter({ hasText: title })
  const button = (name: string | RegExp, within: Page | ReturnType<typeof rowOf> = page) =>
    within.getByRole('button', { name }).first().click()
  const go = (path: string) => page.goto(`${url}${path}`)
  const openMenu = (title: string) => button(`Actions: ${title}`)
  const found: Record<string, string> = {}
  /** Does something, and keeps what has the focus on the page to which it leads. */
  const after = async (name: string, act: () => Promise<unknown>) => {
    // A link may just have led here.
    await page.waitForLoadState('load')
    await Promise.all([page.waitForEvent('load'), act()])
    await page.locator('#content').waitFor()
    found[name] = await page
      .evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')
      .then(() => focused(page))
  }

  await page.goto(`${url}/admin/sign-in/`)
  await page.getByLabel('Name or email').fill('administrator')
  await page.getByLabel('Password').fill('wrong')
  await after('sign-in: wrong', () => page.keyboard.press('Enter'))
  await signInAtDesk(page, url, 'administrator')

  await go(table)
  await openMenu('Fair')
  await after('table: trash', () => button('Trash: Fair'))
  await screenshot(page, 'desk-focus-message')
  await after('table: undo', () => button('Undo'))
  await go(table)
  await openMenu('Film')
  await page.getByRole('link', { name: 'Quick edit: Film' }).click()
  await after('table: quick edit', () => button('Save'))
  await screenshot(page, 'desk-focus-row')
  const violations = await violationsOf(page)
  await go(table)
  // Without a selection, the bar is not shown. A script of somebody else may send it.
  await after('table: many, none selected', () => page.evaluate("document.querySelector('.many').submit()"))
  await go(table)
  await page.getByRole('checkbox', { name: /Fair/ }).check()
  await after('table: many', () => button('Back to draft'))
  await after('table: many, undo', () => button('Undo'))
  await go(table)
  await openMenu('Film')
  await page.getByRole('link', { name: 'Duplicate: Film' }).click()
  await after('copy', () => button('Save the copy as a draft'))

  await go(`/admin/events/${film.id}/`)
  await page.getByLabel('Title').first().fill('Film night')
  await after('editor: save', () => button('Save'))
  await page.getByLabel('Start', { exact: true }).fill('never')
  await after('editor: fault', () => button('Save'))

  await go(`/admin/calendar/${fair.id}/move/`)
  await after('move: form', () => button('Move'))

  await go('/admin/venues/')
  await page.getByRole('link', { name: 'Old hall', exact: true }).click()
  await page.getByLabel('Name').first().fill('New hall')
  await after('venue: save', () => button('Save'))
  await go('/admin/venues/new/')
  await page.getByLabel('Name').first().fill(' ')
  await after('venue: fault', () => button('Save'))
  await go('/admin/venues/')
  await openMenu('New hall')
  await after('venue: trash', () => button('Move to the trash: New hall'))
  await after('venue: undo', () => button('Undo'))
  await go('/admin/categories/')
  await page.getByRole('link', { name: 'Music', exact: true }).click()
  await after('category: save', () => button('Save'))

  await go('/admin/pictures/')
  await page.locator('.pictures').getByLabel('What the picture shows').first().fill('A tent')
  await after('picture: describe', () => button(/^Save –/))

  await go(`/admin/series/${series}/?join=film`)
  await after('series: nothing selected to join', () => button('Take in the selected events'))
  await go(`/admin/series/${series}/`)
  await after('series: remove a date', () => button(/^Move to the trash – /))
  await after('series: undo', () => button('Undo'))
  await go(`/admin/series/${series}/`)
  await page.getByLabel('Start of the new date').fill('never')
  await after('series: fault', () => button('Add a date'))

  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${fair.id}` })
  await go('/admin/trash/')
  await after('trash: nothing selected', () => button('Delete the selected ones for good'))
  await after('trash: restore', () => button('Restore: Fair'))
  await go('/admin/account/')
  await after('sign out', async () => {
    await page.getByLabel(/^Signed in as/).click()
    await button('Sign out')
  })

  const message = (text: string) => `message: ${text}`
  assert.deepEqual(found, {
    'sign-in: wrong': 'faults',
    'table: trash': message('“Fair” is in the trash.'),
    'table: undo': message('“Fair” is back.'),
    'table: quick edit': `row e-${film.id}: “Film” is saved.`,
    'table: many, none selected': message('Select at least one event, and choose what to do with it.'),
    'table: many': message('“Fair” is a draft.'),
    'table: many, undo': message('One event is as it was before.'),
    copy: message('“Film” is saved.'),
    'editor: save': message('“Film night” is saved.'),
    'editor: fault': 'faults',
    // The calendar tells the message itself.
    'move: form': 'a: Space picks it up to move it.',
    'venue: save': message('The venue “New hall” is saved.'),
    'venue: fault': 'faults',
    'venue: trash': message('The venue “New hall” is in the trash.'),
    'venue: undo': message('The venue is back.'),
    'category: save': message('“Music” is saved.'),
    'picture: describe': `row p-${tent.body.id}: The description of “tent” is saved.`,
    'series: nothing selected to join': 'faults',
    'series: remove a date': `row e-${yoga.id}: The date is in the trash.`,
    'series: undo': `row e-${yoga.id}: The date is back.`,
    'series: fault': 'faults',
    'trash: nothing selected': message('Select what to delete first.'),
    'trash: restore': message('It is back, in its earlier state.'),
    'sign out': message('You are signed out.'),
  })
  assert.deepEqual([violations, faults.filter((one) => !/status of 4(?:09|22)/.test(one))], [[], []])
})

test('the message is read with its row once, and the focus stays where a person has put it', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' })
  await page.goto(`${url}/admin/events/${id}/quick/?back=from%3D2030-05-01`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/result=/)
  const fair = page.getByRole('link', { name: 'Fair', exact: true })
  await page.locator(`#e-${id} a:focus`).waitFor()
  assert.equal(await fair.getAttribute('aria-describedby'), 'done')
  await page.keyboard.press('Tab')
  assert.equal(await fair.getAttribute('aria-describedby'), null)

  await page.route('**/arrival-*.js', async (route) => {
    await page.locator('#find').focus()
    await route.continue()
  })
  await page.goto(page.url().split('#')[0] ?? '')
  assert.equal(await page.locator('#find').evaluate((one) => one.matches(':focus')), true)
  assert.deepEqual(faults, [])
})

test('after an earlier text is put back or discarded, the focus is in the form', async (t) => {
  const { app, url, page } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair' })
  for (const name of ['Put it back', 'Discard it']) {
    await page.route('**/admin/events/**', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
    )
    await page.goto(`${url}/admin/events/${id}/`)
    await page.getByLabel('Title').first().fill(`Fair, ${name}`)
    await page.locator('[data-autosave][data-state]').waitFor()
    await page.reload()
    await page.getByRole('button', { name }).click()
    assert.equal(await focused(page), 'input title.en', name)
  }
})
