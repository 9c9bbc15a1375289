import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullLanguageChain, type LanguagePreference, languageChain } from './chain.ts'
import { CONTRACT_LANGUAGES } from './language.ts'
import {
  type EventListSettings,
  maxLanguages,
  neededPreferences,
  PINNED_PREFERENCES,
  placePreferences,
  preferenceBits,
  preferenceFromKey,
  preferenceKey,
} from './preference.bits.ts'

const contract: EventListSettings = {
  languages: CONTRACT_LANGUAGES,
  defaultLanguage: 'en',
  listsAllGroups: true,
  eventsFallback: 'language',
}
const withSpanish: EventListSettings = { ...contract, languages: [...CONTRACT_LANGUAGES, 'es'] }

test('lists in the languages of the contract need no other places than the pinned ones, whatever the settings', () => {
  for (const defaultLanguage of CONTRACT_LANGUAGES) {
    for (const eventsFallback of ['none', 'language', 'any'] as const) {
      for (const listsAllGroups of [true, false]) {
        const needed = neededPreferences({ ...contract, defaultLanguage, eventsFallback, listsAllGroups })
        assert.deepEqual(placePreferences(PINNED_PREFERENCES, needed), PINNED_PREFERENCES)
      }
    }
  }
})

test('the bits that are stored of an event are those of the first release', () => {
  const versions = [
    { id: 1, language: 'en', groupId: 1 },
    { id: 2, language: 'fr-CA', groupId: 1 },
  ]
  const bits = versions.map((version) => preferenceBits(version, versions, PINNED_PREFERENCES).toString(2))

  assert.deepEqual(bits, ['10110001111', '100001110000'])
})

test('a language that is added moves no bit, and gets bits of its own', () => {
  const placed = placePreferences(PINNED_PREFERENCES, neededPreferences(withSpanish))

  assert.deepEqual(placed.slice(0, PINNED_PREFERENCES.length), PINNED_PREFERENCES)
  assert.deepEqual(
    placed.slice(PINNED_PREFERENCES.length).map((preference) => [preference.place, preferenceKey(preference)]),
    [[12, 'es only']],
  )
  const german = { ...withSpanish, languages: ['de', ...withSpanish.languages], eventsFallback: 'any' } as const
  assert.deepEqual(placePreferences(placed, neededPreferences(german)).slice(0, placed.length), placed)
  assert.deepEqual(placePreferences(placed, neededPreferences(contract)), placed)
})

test('as many languages as the settings allow fit the column, also after many others', () => {
  const tags = Array.from(
    { length: 40 },
    (_, place) => `q${String.fromCharCode(97 + (place % 20))}${place < 20 ? 'a' : 'b'}`,
  )
  let placed = PINNED_PREFERENCES
  for (let first = 0; first + maxLanguages <= tags.length; first += 1) {
    const languages = tags.slice(first, first + maxLanguages)
    const needed = neededPreferences({ ...contract, languages, defaultLanguage: languages[0] ?? 'en' })
    placed = placePreferences(placed, needed)

    const keys = placed.map(preferenceKey)
    assert.ok(needed.every((preference) => keys.includes(preferenceKey(preference))))
    assert.equal(new Set(placed.map(({ place }) => place)).size, placed.length)
    assert.ok(placed.every(({ place }) => place >= 0 && place < 31))
    assert.deepEqual(placed.slice(0, PINNED_PREFERENCES.length), PINNED_PREFERENCES)
  }
})

test('the name of a preference says all of it', () => {
  const preferences: readonly LanguagePreference[] = [
    { order: ['es', 'en'], isStrict: false },
    { order: ['es'], isStrict: true },
  ]

  assert.deepEqual(preferences.map(preferenceKey).map(preferenceFromKey), preferences)
})

test('a language is served by the more general one, then by others of its script', () => {
  const languages = ['es-AR', 'es', 'es-MX', 'zh-TW', 'zh-CN', 'zh-Hant', 'fr']

  assert.deepEqual(languageChain('es-MX', languages), ['es-MX', 'es', 'es-AR'])
  assert.deepEqual(languageChain('es', languages), ['es', 'es-AR', 'es-MX'])
  assert.deepEqual(languageChain('zh-TW', languages), ['zh-TW', 'zh-Hant'])
  assert.deepEqual(languageChain('fr', languages), ['fr', 'fr-CA'])
  assert.deepEqual(fullLanguageChain('de', { languages, defaultLanguage: 'es' }).order, ['de', 'es', 'es-AR', 'es-MX'])
})
