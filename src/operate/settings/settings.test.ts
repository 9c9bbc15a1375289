import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenDesk } from '../../../test/support/desk.ts'
import { ROLES } from '../../access/auth/actor.ts'
import { SETTINGS } from '../../base/config/config.ts'
import { noteSources } from '../../base/config/setting.ts'
import { CATALOGUES } from '../../base/languages/catalogues.ts'
import { settingMeaning } from '../../base/languages/texts.ts'
import type { SettingInForce } from './settings.routes.ts'

const secrets = { METRICS_TOKEN: 'a-very-secret-token', BACKUP_KEY: 'a passphrase that nobody may see' }

test('administrators read the settings in force, without secrets and without folders', async (t) => {
  const app = await startTestApp(t, { ...secrets, SITE_NAME: 'Town <b>Calendar</b>' })
  noteSources(app.deps.config, { METRICS_TOKEN: 'file', SITE_NAME: '.env' })

  const statuses: number[] = []
  for (const as of ROLES) statuses.push((await app.send({ as, path: '//cal/service/v1/settings' })).status)
  const { status, headers, text, body } = await app.send({
    as: 'administrator',
    path: '//fr/cal/service/v1/settings',
  })
  const named = (name: string): SettingInForce | undefined =>
    body.settings.find((one: SettingInForce) => one.name === name)

  assert.equal((await app.send({ path: '//cal/service/v1/settings' })).status, 401)
  assert.deepEqual(statuses, [403, 403, 403, 403, 200])
  assert.equal(status, 200)
  assert.match(headers['cache-control'] ?? '', /private|no-store/)
  assert.deepEqual(
    body.settings.map(({ name }: SettingInForce) => name),
    Object.values(SETTINGS).map(({ name }) => name),
  )
  for (const secret of Object.values(secrets)) assert.ok(!text.includes(secret))
  const folder = app.deps.config.dataDir
  assert.ok(!text.includes(dirname(folder)), 'the place of the data')
  assert.match(named('DATA_DIR')?.value ?? '', /^[^/]+$/)
  assert.deepEqual(named('METRICS_TOKEN'), {
    ...{ name: 'METRICS_TOKEN', value: null, default: '', is_set: true, is_secret: true, source: 'file' },
    meaning: settingMeaning('fr', 'METRICS_TOKEN'),
  })
  assert.deepEqual([named('SITE_NAME')?.value, named('SITE_NAME')?.source], ['Town <b>Calendar</b>', '.env'])
  assert.deepEqual([named('LOG_LEVEL')?.source, named('PORT')?.source], ['environment', 'default'])
})

test('every language explains the settings, with the same names between backticks', () => {
  const names = Object.values(SETTINGS).map(({ name }) => name)
  const namesIn = (text: string) => new Set([...text.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))

  for (const { code, texts } of CATALOGUES) {
    assert.deepEqual(Object.keys(texts.settings), names)
    for (const name of names)
      assert.deepEqual(namesIn(settingMeaning(code, name)), namesIn(settingMeaning('en', name)), name)
  }
})

test('the desk shows them to administrators, in both languages', async (t) => {
  const app = await startTestApp(t, { ...secrets, SITE_NAME: 'Town <b>Calendar</b>' })
  noteSources(app.deps.config, { METRICS_TOKEN: 'file', SITE_NAME: '.env', SITE_TIMEZONE: 'environment' })
  const desk = await givenDesk(app, 'administrator')

  const english = await desk.get('/admin/settings/')
  const french = await desk.get('/fr/admin/settings/')

  assert.match(
    english.text,
    /SITE_NAME<\/code><\/dt>\s*<dd><code>Town &lt;b&gt;Calendar&lt;\/b&gt;<\/code><\/dd>\s*<dd class="hint about">.*file .env/,
  )
  assert.match(english.text, /METRICS_TOKEN<\/code><\/dt>\s*<dd><span class="badge">set, not shown<\/span>/)
  assert.match(french.text, /PORT<\/code><\/dt>[\s\S]*Port sur lequel le service écoute/)
  for (const secret of Object.values(secrets)) assert.ok(!english.text.includes(secret))
})
