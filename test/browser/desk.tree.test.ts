import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenTerm } from '../support/given.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { drag, startDesk } from './desk.window.ts'

test('a category is moved in the tree with a pointer and by keyboard, and back', async (t) => {
  const { app, url, page, faults } = await startDesk(t)
  const arts = await givenTerm(app, 'categories', { name: 'Arts' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const jazz = await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  const parentOf = async ({ id }: { readonly id: number }) =>
    (await app.send({ path: `/categories/${id}` })).body.parent
  const live = () => page.locator('[data-tree].live').waitFor()
  const said = () => page.locator('[data-said]').textContent()
  const named = (name: string) => page.getByRole('rowheader').getByRole('link', { name })

  await page.goto(`${url}/admin/categories/`)
  await live()
  await drag(page, [named('Music')], [page.locator(`[data-term="${arts.id}"] th`)])
  await page.getByText('“Music” was moved.').first().waitFor()
  await live()
  assert.equal(await parentOf(music), arts.id)
  assert.equal(await page.evaluate<string>('document.activeElement.textContent'), 'Music')
  const moved = page.url()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(({ href }) => href !== moved)
  await live()
  assert.equal(await parentOf(music), 0)

  await page.goto(`${url}/fr/admin/categories/`)
  await live()
  await named('Jazz').focus()
  await page.keyboard.press('Space')
  assert.match((await said()) ?? '', /«\sJazz\s» est prise/)
  await page.keyboard.press('ArrowUp')
  assert.match((await said()) ?? '', /«\sJazz\s»\s: sous «\sArts\s»/)
  await screenshot(page, 'desk-tree-carried')
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Escape')
  assert.match((await said()) ?? '', /n’a pas été déplacée/)
  for (const key of ['Space', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  assert.match((await said()) ?? '', /au premier niveau/)
  await page.keyboard.press('Enter')
  await page.getByText('«\u00a0Jazz\u00a0» a été déplacée.').first().waitFor()
  assert.equal(await parentOf(jazz), 0)

  // Somebody else moves it in the meantime.
  await page.goto(`${url}/admin/categories/`)
  await live()
  await app.send({ as: 'editor', method: 'PATCH', path: `/categories/${jazz.id}`, json: { parent: music.id } })
  await named('Jazz').focus()
  for (const key of ['Space', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.getByText('The category was not moved.').first().waitFor()
  assert.equal(await parentOf(jazz), music.id)
  assert.deepEqual(faults, [])
})
