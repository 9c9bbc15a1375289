import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseTranslation, fullLanguageChain, listPreference, type Translation } from './chain.ts'
import { CONTRACT_LANGUAGES } from './language.ts'

const versions: readonly Translation[] = [
  { id: 10, language: 'fr-CA', groupId: 12 },
  { id: 11, language: 'en-CA', groupId: 12 },
  { id: 12, language: 'en', groupId: 12 },
]
const english = { languages: CONTRACT_LANGUAGES, defaultLanguage: 'en' }
const shown = (only: readonly string[], preference = fullLanguageChain('en', english)) =>
  chooseTranslation(
    versions.filter(({ language }) => only.includes(language)),
    preference,
  )?.language

const site = { ...english, listsAllGroups: true }

test('within a language its regional versions stand in for each other', () => {
  assert.equal(shown(['en', 'en-CA', 'fr-CA'], fullLanguageChain('en-CA', english)), 'en-CA')
  assert.equal(shown(['en', 'fr-CA'], fullLanguageChain('en-CA', english)), 'en')
  assert.equal(shown(['en-CA', 'fr-CA'], fullLanguageChain('en', english)), 'en-CA')
})

test('a full chain ends with the default language, then the original, then the lowest id', () => {
  assert.equal(shown(['en-CA'], fullLanguageChain('fr-CA', english)), 'en-CA')
  assert.equal(shown(['en', 'en-CA'], fullLanguageChain('fr-CA', { ...english, defaultLanguage: 'fr-CA' })), 'en')
  assert.equal(shown(['fr-CA'], fullLanguageChain('en', english)), 'fr-CA')
  const withoutOriginal = versions.map((version) => ({ ...version, groupId: 99 }))
  assert.equal(chooseTranslation(withoutOriginal.slice(0, 2), { order: ['en'], isStrict: false })?.id, 10)
})

test('a list in a language shows versions of that language only, unless it may fall back', () => {
  assert.equal(shown(['en'], listPreference('fr-CA', site, 'language')), undefined)
  assert.equal(shown(['en'], listPreference('en-CA', site, 'language')), 'en')
  assert.equal(shown(['en'], listPreference('en-CA', site, 'none')), undefined)
  assert.equal(shown(['en'], listPreference('fr-CA', site, 'any')), 'en')
  assert.equal(shown(['fr-CA'], listPreference(undefined, site, 'none')), 'fr-CA')
})

test('a list without a language shows everything, unless it is to be that of the default language', () => {
  const strict = { ...site, listsAllGroups: false }

  assert.equal(shown(['fr-CA'], listPreference(undefined, strict, 'language')), undefined)
  assert.equal(shown(['en-CA'], listPreference(undefined, strict, 'language')), 'en-CA')
  assert.equal(shown(['en-CA'], listPreference(undefined, strict, 'none')), undefined)
  assert.equal(shown(['fr-CA'], listPreference(undefined, strict, 'any')), 'fr-CA')
})
