import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressLanguageOf,
  contentLanguageOf,
  isLanguageOf,
  knownLanguages,
  otherTextLanguages,
  splitLanguagePath,
  spokenLanguageOf,
  stopWordsOf,
  textLanguageOf,
} from './language.ts'

test('a path is split after its language, whatever the case of its letters', () => {
  const cases: readonly [path: string, textLanguage: string, prefix: string, rest: string][] = [
    ['/', 'en', '', '/'],
    ['', 'en', '', ''],
    ['/events/jazz', 'en', '', '/events/jazz'],
    ['/fr', 'fr', '/fr', ''],
    ['/fr/', 'fr', '/fr', '/'],
    ['/FR/Events/Jazz', 'fr', '/FR', '/Events/Jazz'],
    ['/Fr', 'fr', '/Fr', ''],
    ['/french', 'en', '', '/french'],
    ['/fr-CA/events', 'en', '', '/fr-CA/events'],
    ['/en/events', 'en', '', '/en/events'],
    ['/events/fr/', 'en', '', '/events/fr/'],
    ['/fr/fr/x', 'fr', '/fr', '/fr/x'],
  ]

  for (const [path, textLanguage, prefix, rest] of cases) {
    assert.deepEqual(splitLanguagePath(path), { textLanguage, prefix, path: rest }, path)
  }
})

test('a language is spoken in the texts of the same language and script, and any other in none', () => {
  const cases: readonly [language: string, spoken: string | undefined][] = [
    ['en', 'en'],
    ['en-CA', 'en'],
    ['en-Latn-GB', 'en'],
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['fr-FR', 'fr'],
    ['es', undefined],
    ['fro', undefined],
    ['fr-Brai', undefined],
  ]

  // Twice: the second time, the result is known.
  for (const [language, spoken] of [...cases, ...cases]) {
    assert.equal(spokenLanguageOf(language), spoken, language)
    assert.equal(textLanguageOf(language), spoken ?? 'en', language)
  }
})

test('the other languages are all but the given one', () => {
  assert.deepEqual(otherTextLanguages('en'), ['fr'])
  assert.deepEqual(otherTextLanguages('fr'), ['en'])
})

test('readers of a language get the content of the site in it: that of the default first, then in its order', () => {
  const site = { languages: ['es', 'en-GB', 'fr', 'en', 'fr-CA'], defaultLanguage: 'fr-CA' }

  assert.equal(contentLanguageOf(site, 'fr'), 'fr-CA')
  assert.equal(contentLanguageOf(site, 'en'), 'en-GB')
  assert.equal(contentLanguageOf({ languages: ['es'], defaultLanguage: 'es' }, 'fr'), 'fr-CA')
  assert.equal(contentLanguageOf({ languages: ['es'], defaultLanguage: 'es' }, 'en'), 'en')
  // An address without a language names none.
  assert.equal(addressLanguageOf(site, 'en'), undefined)
  assert.equal(addressLanguageOf(site, 'fr'), 'fr-CA')
})

test('a search ignores small words, in each language (events.md §1 "Search")', () => {
  for (const language of ['en', 'en-CA', 'fr-CA']) {
    assert.deepEqual([stopWordsOf(language).has('the'), stopWordsOf(language).has('jazz')], [true, false], language)
  }
  // Content in a language without texts is searched like that of the default.
  assert.equal(stopWordsOf('es').has('the'), true)
})

test('a site has the languages of its settings, letter by letter, and knows those of the contract', () => {
  const site = { languages: ['en', 'es'] }

  assert.deepEqual(
    ['en', 'es', 'fr-CA', 'EN', '', undefined].map((value) => isLanguageOf(site, value)),
    [true, true, false, false, false, false],
  )
  assert.deepEqual(knownLanguages(site), ['en', 'en-CA', 'fr-CA', 'es'])
})
