import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { violationsOf } from './accessibility.ts'
import { startChromium, watchFaults } from './chromium.ts'

test('a guide fits a phone, can be read by everybody, and its commands are copied as they are written', async (t) => {
  const app = await startTestApp(t)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const viewport = { width: 320, height: 800 }
  const context = await startChromium(t, {
    viewport,
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const faults = watchFaults(context, url)

  for (const path of [
    '/docs/guides/',
    '/docs/guides/?search=key',
    '/docs/reference/errors/',
    '/docs/how-to/keep-a-copy/',
  ]) {
    await page.goto(url + path)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, path)
    assert.deepEqual(await violationsOf(page), [], path)
  }
  const block = page.locator('.code', { has: page.locator('pre[data-language="sh"]') }).first()
  await block.getByRole('button', { name: 'Copy' }).click()

  await block.getByRole('button', { name: 'Copied' }).waitFor()
  assert.match(await page.evaluate('navigator.clipboard.readText()'), /^export API=http:\S+\nexport CHANGES=/)
  assert.deepEqual(faults, [])
})
