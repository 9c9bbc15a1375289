import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withSettingsTable } from '../../../tools/settings-table.list.ts'
import { ConfigError, readConfig, SETTINGS } from './config.ts'

test('without any setting the service has its defaults', () => {
  const config = readConfig({})

  assert.deepEqual(
    [config.host, config.port, config.siteZone.name, config.perPage, config.maxPerPage],
    ['127.0.0.1', 3000, 'UTC', 10, 100],
  )
  assert.ok(Object.isFrozen(config))
})

test('all faults of a configuration are named at once, without secrets', () => {
  const environment = {
    PORT: 'x',
    SITE_TIMEZONE: 'Mars',
    PER_PAGE: '200',
    ADMIN_PASSWORD: 'short',
    PUBLIC_URL: 'ftp://x',
  }

  assert.throws(
    () => readConfig(environment),
    (error) => {
      assert.ok(error instanceof ConfigError)
      for (const name of Object.keys(environment)) {
        assert.ok(
          error.faults.some((fault) => fault.startsWith(name)),
          name,
        )
      }
      assert.equal(error.faults.length, 5)
      assert.ok(!error.message.includes('short'))
      return true
    },
  )
})

test('the languages on offer are tags in their canonical form, each once, the default one among them', () => {
  const languagesOrFaults = (environment: Readonly<Record<string, string>>) => {
    try {
      return readConfig(environment).languages
    } catch (error) {
      return (error as ConfigError).faults.map((fault) => fault.split(' ')[0])
    }
  }

  const many = ['en', ...Array.from({ length: 12 }, (_, place) => `a${String.fromCharCode(97 + place)}`)].join(',')

  assert.deepEqual(languagesOrFaults({}), ['en', 'en-CA', 'fr-CA'])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: ' fr-CA,en, fr-CA' }), ['fr-CA', 'en'])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'fr-CA', DEFAULT_LANGUAGE: 'fr-CA' }), ['fr-CA'])
  for (const LANGUAGES of ['', 'en,', 'x', 'en_CA', 'en de', 'en,und', 'en,de-u-co-phonebk', 'en,de-x-city', many])
    assert.deepEqual(languagesOrFaults({ LANGUAGES }), ['LANGUAGES'], LANGUAGES)
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'fr', DEFAULT_LANGUAGE: 'en' }), ['DEFAULT_LANGUAGE'])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'FR, es,ZH-hant-tw,fr', DEFAULT_LANGUAGE: 'Fr' }), [
    ...['fr', 'es', 'zh-Hant-TW'],
  ])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'fr-CA' }), ['DEFAULT_LANGUAGE'])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'en', ADDRESS_LANGUAGES: 'fr-CA' }), ['ADDRESS_LANGUAGES'])
  for (const ADDRESS_LANGUAGES of ['en', 'es', 'fr,fr-CA', 'x'])
    assert.deepEqual(languagesOrFaults({ LANGUAGES: 'en,es,fr,fr-CA', ADDRESS_LANGUAGES }), ['ADDRESS_LANGUAGES'])
  assert.deepEqual(languagesOrFaults({ LANGUAGES: 'x', DEFAULT_LANGUAGE: 'fr-CA' }), ['LANGUAGES'])
  assert.deepEqual(languagesOrFaults({ NAMES_FALLBACK: 'all' }), ['NAMES_FALLBACK'])
})

test('tables of settings are made from the settings: all of them in the reference, ten in the README', () => {
  for (const [name, rows] of [
    ['docs/reference/configuration.md', Object.keys(SETTINGS).length],
    ['README.md', 10],
  ] as const) {
    const page = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
    assert.equal(page, withSettingsTable(page), 'npm run settings-table writes it anew')
    assert.equal(page.match(/^\| `[A-Z_]+` \|/gm)?.length, rows, name)
  }
  assert.throws(() => withSettingsTable('<!-- settings: NONE -->\n<!-- /settings -->'), /NONE/)
})

test('a map has streets from one place: a file, or the tiles of somebody', () => {
  const faultsOf = (environment: Readonly<Record<string, string>>) => {
    try {
      return [readConfig(environment).mapPmtiles]
    } catch (error) {
      return (error as ConfigError).faults
    }
  }
  const MAP_TILE_URL = 'https://tiles.example.org/{z}/{x}/{y}.png'

  assert.deepEqual(faultsOf({ MAP_PMTILES: '/srv/town.pmtiles' }), ['/srv/town.pmtiles'])
  assert.deepEqual(faultsOf({ MAP_PMTILES: '/srv/town.pmtiles', MAP_TILE_URL }), [
    'MAP_TILE_URL and MAP_PMTILES cannot both be set.',
  ])
  assert.deepEqual(faultsOf({ MAP_PMTILES: 'https://example.org/town.pmtiles' }), [
    'MAP_PMTILES is “https://example.org/town.pmtiles” but must be the path of a file, not an address.',
  ])
})

test('a colour of the site that cannot be read is refused with the nearest one that can', () => {
  const faultOf = (SITE_COLOR: string) => {
    try {
      return String(readConfig({ SITE_COLOR }).siteColour)
    } catch (error) {
      return (error as ConfigError).message
    }
  }
  const fault = faultOf('#ffd400')
  const [, nearest = ''] = /nearest is (#[0-9a-f]{6})/.exec(fault) ?? []

  assert.match(fault, /SITE_COLOR.*4\.5:1/)
  for (const colour of [nearest, '#1d5c63', '#000000']) assert.match(faultOf(colour), /^:root/)
  assert.match(faultOf('red; }'), /#1d5c63/)
})
