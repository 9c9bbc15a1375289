import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenVenue } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { startDesk } from './desk.window.ts'

const fiveMinutes = 300_000

/** Thirty rows as an editor copies them. One date does not exist. */
const rows = [
  ['Titre', 'Title', 'Date', 'Heure', 'Fin', 'Lieu', 'Prix'],
  ...Array.from({ length: 30 }, (_, row) => [
    ...[`Atelier ${row + 1}`, row % 2 === 0 ? `Workshop ${row + 1}` : ''],
    ...[row === 12 ? '31/02/2030' : `${String((row % 28) + 1).padStart(2, '0')}/03/2030`],
    ...['19 h 30', '21 h', row % 3 === 0 ? 'Bibliothèque' : 'Centre communautaire', row % 5 === 0 ? '' : '5'],
  ]),
]
const table = rows.map((row) => row.join('\t')).join('\n')

for (const { language, path, texts } of [
  {
    ...{ language: 'English', path: '/admin' },
    texts: {
      ...{ link: 'Events from a spreadsheet', paste: 'Rows of the spreadsheet', read: 'Read the rows' },
      done: /^30\sevents were added/,
    },
  },
  {
    ...{ language: 'French', path: '/fr/admin' },
    texts: {
      ...{ link: 'Importer des événements d’un tableur', paste: 'Lignes du tableur', read: 'Lire les lignes' },
      done: /^30\sévénements ont été ajoutés/,
    },
  },
]) {
  test(`thirty rows of a spreadsheet are corrected and published in less than five minutes, in ${language}`, async (t) => {
    const { app, url, page, faults } = await startDesk(t)
    await givenVenue(app, { venue: 'Bibliothèque', city: 'Laval' })
    await page.goto(`${url}${path}/events/`)
    const beganAt = performance.now()

    await page.locator('.bar-end summary').first().click()
    await page.getByRole('link', { name: texts.link }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(texts.paste).focus()
    await page.keyboard.insertText(table)
    const found = [...(await violationsOf(page))]
    await page.getByRole('button', { name: texts.read }).focus()
    await page.keyboard.press('Enter')
    const fault = page.locator('.faults a')
    await fault.waitFor()
    if (language === 'English') found.push(...(await violationsOf(page)))
    await screenshot(page, `desk-rows-${language}`)
    await page.setViewportSize({ width: 320, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    await screenshot(page, `desk-rows-${language}-phone-dark`)
    await page.locator('.rows-table').scrollIntoViewIfNeeded()
    await screenshot(page, `desk-rows-${language}-phone-dark-rows`)
    if (language === 'French') found.push(...(await violationsOf(page)))
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })

    // The summary leads to the cell, which is corrected in place.
    await fault.focus()
    await page.keyboard.press('Enter')
    const cell = await page.evaluate<string>('document.querySelector(":target").id')
    await page.locator(`[id="${cell}"]`).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('2030-03-13')
    await page.locator('button[name=to][value=publish]').focus()
    await page.keyboard.press('Enter')
    await page.getByText(texts.done).first().waitFor()
    const took = performance.now() - beganAt
    found.push(...(await violationsOf(page)))
    await screenshot(page, `desk-rows-${language}-done`)

    const total = async (tag: string) => (await app.send({ path: `/events?ml_language=${tag}` })).body.total
    assert.deepEqual([await total('fr-CA'), await total('en')], [30, 15])
    const venues = (await app.send({ path: '/venues' })).body.total
    assert.equal(venues, 2)
    assert.equal(wide, 320)
    assert.ok(took < fiveMinutes, `${took} ms`)
    assert.deepEqual(found, [])
    assert.deepEqual(faults, [])
  })
}
