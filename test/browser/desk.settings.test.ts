import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOwnPassword } from '../support/signing.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './chromium.ts'
import { giveSession, openBrowser } from './desk.window.ts'

// A snapshot of the accessibility tree has plain spaces.
test('a screen reader hears what each part of a setting is, in both languages and on each width', async (t) => {
  const { app, url, page, faults } = await openBrowser(t)
  await setOwnPassword(app, 'administrator')
  await giveSession(page, url, 'administrator')
  for (const { path, title, source, byDefault, meaning } of [
    {
      ...{ path: '/admin', title: /^Set for this site/, source: 'Source: environment', byDefault: 'Default:' },
      meaning: 'Name of the site.',
    },
    {
      ...{ path: '/fr/admin', title: /^Définis pour ce site/, source: 'Provenance : environnement' },
      ...{ byDefault: 'Par défaut :', meaning: 'Nom du site.' },
    },
  ]) {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${url}${path}/settings/`)
      const settings = page.getByRole('region', { name: title })
      const name = settings.locator('dl > div', { has: page.getByText('SITE_NAME', { exact: true }) })
      assert.equal(
        await name.ariaSnapshot(),
        [
          ...['- term:', '  - code: SITE_NAME', '- definition:', '  - code: Town Calendar'],
          ...[`- definition: "${source}"`, '- definition:', `  - text: "${byDefault}"`, '  - code: Calendar'],
          `- definition: ${meaning}`,
        ].join('\n'),
      )
      const isRead = (path === '/admin') === (width === 1280)
      if (isRead) assert.deepEqual(await violationsOf(page), [], `${path} ${width}`)
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width)
      await screenshot(page, `desk-settings-${width}${path.replaceAll('/', '-')}`)
    }
  }
  assert.deepEqual(faults, [])
})
