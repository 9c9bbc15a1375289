import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestApp } from '../support/app.ts'
import { givenEvent } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

// States of pages that no address shows: they appear after a button.

/** Axe reads both themes and both widths once. */
const looks = [
  { colorScheme: 'light', width: 1280, isRead: true },
  { colorScheme: 'dark', width: 1280, isRead: false },
  { colorScheme: 'light', width: 320, isRead: false },
  { colorScheme: 'dark', width: 320, isRead: true },
] as const

/** Looks at a part of the page in light and dark, wide and on a phone. */
async function lookAt(page: Page, name: string, part: string): Promise<void> {
  for (const { colorScheme, width, isRead } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await page.locator(part).first().scrollIntoViewIfNeeded()
    await page.locator(part).first().evaluate('(one) => one.scrollIntoView({ block: "start" })')
    if (isRead) assert.deepEqual(await violationsOf(page), [], `${name} ${colorScheme} ${width}`)
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width, `${name} ${width}`)
    await screenshot(page, `desk-${name}-${colorScheme}-${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

async function givenPicture(app: TestApp, name: string, size: readonly [number, number]): Promise<void> {
  const sent = form(await picture(...size), name, {})
  const { status } = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/media', ...sent },
  })
  assert.equal(status, 201)
}

test('the chooser of pictures is accessible in both themes and widths, and works by keyboard alone', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', status: 'draft' })
  await givenPicture(app, 'tent.jpg', [300, 200])
  await givenPicture(app, 'a-very-long-name-of-a-picture-that-somebody-took-with-a-telephone.jpg', [200, 300])
  await givenPicture(app, 'scène.jpg', [60, 40])

  await page.goto(`${url}/fr/admin/events/${id}/`)
  await page.getByText('Choisir dans la bibliothèque').focus()
  await page.keyboard.press('Enter')
  await lookAt(page, 'picture-search', '#f-chosen_image')
  await page.locator('#f-chosen_image button').focus()
  await page.keyboard.press('Enter')
  await page.locator('.chosen-pictures').waitFor()
  await lookAt(page, 'picture-chooser', '#f-chosen_image')
  const least = await page
    .locator('.chosen-pictures label')
    .evaluateAll((all) =>
      Math.min(...all.flatMap((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])),
    )
  await page.locator('.chosen-pictures input').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: 'Enregistrer comme brouillon' }).last().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/result=/)
  const { body } = await app.send({ as: 'editor', path: `/events/${id}` })

  assert.ok(least >= 44, `${least}`)
  assert.match(body.image.url, /\.jpg|\.webp/)
  assert.deepEqual(faults, [])
})

test('an event that went to the trash comes back with what was typed, by keyboard, and the page is accessible', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const { id } = await givenEvent(app, { title: 'Fair', description: 'First text' })

  await page.goto(`${url}/admin/events/${id}/`)
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${id}` })
  await page.locator('[name="title.en"]').fill('My fair')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'This event was moved to the trash while you were editing it' }).waitFor()
  const focused = await page.evaluate<string>('document.activeElement.getAttribute("role")')
  const isOffered = await page.locator('[data-kept]').isVisible()
  await lookAt(page, 'lost', '.faults')
  await lookAt(page, 'lost-buttons', '.save-bar')
  await page.getByRole('button', { name: 'Restore the event and save' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/result=/)
  const { body } = await app.send({ path: `/events/${id}` })

  assert.equal(focused, 'alert')
  assert.equal(isOffered, false, 'the browser offers no text that the form has already')
  assert.deepEqual([body.title, body.status], ['My fair', 'publish'])
  assert.equal(await page.locator('[data-kept]').isVisible(), false)
  assert.deepEqual(
    faults.filter((fault) => !/409/.test(fault)),
    [],
  )
})

test('rows that look like doubles are marked, and the page is accessible', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  await givenEvent(app, { title: 'Book fair', start_date: '2030-02-01 19:00:00' })

  await page.goto(`${url}/admin/events/rows/`)
  const rows = [
    'Title\tDate\tStart',
    'Book fair\t2030-02-01\t19:00',
    'Concert\t2030-02-02\t20:00',
    'concert\t2030-02-02\t20:00',
  ]
  await page.getByLabel('Rows of the spreadsheet').fill(rows.join('\n'))
  await page.getByRole('button', { name: 'Read the rows' }).click()
  await page.getByText('Same title and start as row 2.').waitFor()
  await lookAt(page, 'rows-doubles', '.rows-table')
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Book fair (opens in a new tab)' }).click(),
  ])
  await opened.getByRole('heading', { name: 'Edit event' }).waitFor()

  assert.equal(await page.getByText('Same title and start as row 2.').isVisible(), true)
  assert.deepEqual(faults, [])
})

test('events join a series, and dates that have begun are changed, by keyboard on accessible pages', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const yoga = { title: 'Yoga', start_date: '2030-01-08 19:00:00', end_date: '2030-01-08 20:00:00' }
  const { id } = await givenEvent(app, { ...yoga, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
  const { body } = await app.send({ as: 'editor', path: `/events/${id}?context=edit` })
  const extra = await givenEvent(app, { title: 'Yoga in the park', start_date: '2030-01-26 10:00:00' })

  await page.goto(`${url}/admin/series/${body.series.id}/`)
  await page.getByLabel('Words of the title').focus()
  await page.keyboard.press('Enter')
  await page.getByLabel(/Yoga in the park/).focus()
  await lookAt(page, 'series-join', '#join')
  await page.getByLabel(/Yoga in the park/).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The events are dates of the series now.').waitFor()
  const joined = (await app.send({ path: `/events/${extra.id}?context=edit` })).body

  const next = (await app.send({ path: '/events?start_date=2030-01-20' })).body.events[0]
  await page.goto(`${url}/admin/events/${next.id}/`)
  await page.getByLabel('Start', { exact: true }).fill('Jan 22, 2030, 6 pm')
  await page.getByLabel('End', { exact: true }).fill('7 pm')
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Which dates do you mean?' }).waitFor()
  await lookAt(page, 'series-past', '.scopes')
  await page.getByLabel('All dates of the series').check()
  await page.getByLabel('If all dates: also change those that have begun').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.waitForURL(/result=/)
  const first = (await app.send({ path: `/events/${id}` })).body

  assert.equal(joined.series.id, body.series.id)
  assert.equal(first.start_date, '2030-01-08 18:00:00')
  assert.deepEqual(faults, [])
})
