import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
import { service } from '../support/signing.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const phone = { width: 360, height: 640 }

test('on a phone, the sections open from a button, by keyboard and by touch', async (t) => {
  const { url, page, faults } = await startDesk(t)
  await page.setViewportSize(phone)
  for (const [path, events] of [
    ['/admin/', 'Events'],
    ['/fr/admin/', 'Événements'],
  ] as const) {
    await page.goto(`${url}${path}`)
    const menu = page.getByRole('button', { name: 'Menu' })
    const link = page.getByRole('navigation').getByRole('link', { name: events, exact: true })
    assert.equal(await link.isVisible(), false)
    await menu.focus()
    await page.keyboard.press('Enter')
    await link.waitFor()
    await screenshot(page, `desk-menu-${path === '/admin/' ? 'en' : 'fr'}-360`)
    assert.deepEqual(await violationsOf(page), [])
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    assert.equal(await menu.evaluate((one) => one.matches(':focus')), true)
    await menu.click()
    await page.mouse.click(350, 600)
    await link.waitFor({ state: 'hidden' })
    await menu.focus()
    await page.keyboard.press('Enter')
    // The list follows its button in the order of the focus.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: events, level: 1 }).waitFor()
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  assert.equal(await page.getByRole('button', { name: 'Menu' }).isVisible(), false)
  await page.getByRole('link', { name: 'Calendrier', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('on a phone, a page with tabs begins at its head', async (t) => {
  const { url, page } = await startDesk(t)
  await page.setViewportSize(phone)
  for (const path of ['/admin/categories/', '/admin/trash/?kind=venues', '/admin/calendar/?week=2030-01-15']) {
    await page.goto(`${url}${path}`)
    await page.evaluate('new Promise(requestAnimationFrame)')
    assert.equal(await page.evaluate('scrollY'), 0, path)
  }
})

test('on each width, the focus goes through the head of the page in the order of its lines', async (t) => {
  const { url, page } = await startDesk(t)
  for (const width of [1280, 820, 640, 390, 320]) {
    for (const path of ['/admin/', '/fr/admin/']) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${url}${path}`)
      const lines: string[] = []
      for (let stop = 0; stop < 12; stop += 1) {
        await page.keyboard.press('Tab')
        const [part, middle] = await page.evaluate<[string | undefined, number]>(`(() => {
          const { top, height } = document.activeElement.getBoundingClientRect()
          return [document.activeElement.closest('.bar')?.className, Math.round((top + height / 2) / 10)]
        })()`)
        if (!part && lines.length > 0) break
        if (part) lines.push(String(middle).padStart(3, '0'))
      }
      assert.ok(lines.length >= 5, `${path} ${width}: ${lines}`)
      assert.deepEqual(lines, lines.toSorted(), `${path} ${width}`)
    }
  }
})

/** Sets the distances that readers may choose (WCAG 2.2, 1.4.12). */
async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }')
    document.adoptedStyleSheets = [sheet]
  })()`)
}

/**
 * What has the focus after the next Tab key. Its fault, if another part covers it, or no outline shows it: of the element
 * or of what is around it.
 */
const focusFault = `(() => {
  const one = document.activeElement
  if (one === document.body) return 'end'
  const box = one.getBoundingClientRect()
  const points = [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]]
    .map(([x, y]) => [box.left + box.width * x, box.top + box.height * y])
    .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)
  const isShown = box.width <= 2 || points.some(([x, y]) => {
    const at = document.elementFromPoint(x, y)
    return at && (one.contains(at) || at.contains(one) || at.closest('label')?.control === one)
  })
  const isOutlined = [one, one.parentElement, one.parentElement?.parentElement]
    .some((around) => around && getComputedStyle(around).outlineStyle !== 'none')
  if (isShown && isOutlined) return ''
  return (isShown ? 'no outline: ' : 'covered: ') + one.outerHTML.slice(0, 120)
})()`

test('on a phone, nothing covers the focus, and spaced text needs no scrolling to the side', async (t) => {
  const { app, url, page } = await startDesk(t)
  const hall = await givenVenue(app, { venue: 'Maison de la culture' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const event = await givenEvent(app, { title: 'Concert in the park', venue: hall.id, categories: [music.id] })
  const { body: yoga } = await app.send({
    ...{ as: 'editor', method: 'POST', path: service('/series') },
    json: {
      ...{ title: 'Yoga', start_date: '2030-05-03 18:30', end_date: '2030-05-03 19:30', venue: hall.id },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=12' },
    },
  })
  const found: string[] = []
  for (const path of [
    ...['/admin/', '/admin/events/', `/admin/events/${event.id}/`, `/admin/events/${event.id}/quick/`],
    ...['/admin/calendar/?week=2030-01-20', `/admin/series/${yoga.id}/`, '/admin/events/rows/', '/admin/pictures/'],
    ...['/admin/venues/', '/admin/categories/', '/admin/import/', '/admin/trash/'],
  ]) {
    await page.setViewportSize(phone)
    await page.goto(`${url}/fr${path}`)
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      const fault = await page.evaluate<string>(focusFault)
      if (fault === 'end') break
      if (fault !== '') found.push(`${path} ${fault}`)
    }
    await page.setViewportSize({ width: 320, height: 900 })
    await spaceText(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (width > 320) found.push(`${path} is ${width} pixels wide`)
  }

  assert.deepEqual(found, [])
})

test('on a phone, the state whose events are listed is in sight', async (t) => {
  const { url, page } = await startDesk(t)
  await page.setViewportSize(phone)
  for (const path of ['/admin/events/?status=private', '/fr/admin/events/?status=draft', '/fr/admin/trash/']) {
    await page.goto(`${url}${path}`)
    const { x = 0, width = 0 } = (await page.locator('.tabs [aria-current]').boundingBox()) ?? {}
    assert.ok(width > 0 && x >= 0 && x + width <= phone.width, `${path}: ${x} to ${x + width}`)
  }
})
