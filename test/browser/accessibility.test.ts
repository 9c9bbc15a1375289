import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { violationsOf } from './accessibility.ts'
import { startChromium } from './chromium.ts'

test('what is wrong on a page is found and named with its element', async (t) => {
  const app = await startTestApp(t)
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const browser = await startChromium(t)
  const page = await browser.newPage()
  await page.goto(`${origin}/events/`)
  assert.deepEqual(await violationsOf(page), [])

  await page.evaluate(`
    document.documentElement.removeAttribute('lang')
    document.querySelector('h1').style.color = '#ccc'
    document.querySelector('main').append(document.createElement('img'))
  `)
  const found = (await violationsOf(page)).map((violation) => violation.split(':')[0])
  const within = (await violationsOf(page, { within: 'main', without: ['image-alt'] })).map((one) => one.split(':')[0])

  assert.deepEqual(found, ['color-contrast', 'html-has-lang', 'image-alt'])
  assert.deepEqual(within, ['color-contrast'])
})
