import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { CATALOGUES } from './catalogues.ts'
import { english } from './en/catalogue.ts'
import { french } from './fr/catalogue.ts'
import type { Text } from './plural.ts'
import { message, pageText } from './texts.ts'

type Sections = Readonly<Record<string, Readonly<Record<string, Text>>>>

const root = new URL('../../../', import.meta.url).pathname
const englishTexts: Sections = english.texts
const frenchTexts: Sections = french.texts

const pairs = Object.entries(englishTexts).flatMap(([section, texts]) =>
  Object.entries(texts).flatMap(([key, text]) => {
    const [own, others] = [formsOf(text), formsOf(frenchTexts[section]?.[key] ?? '')]
    return Object.keys({ ...own, ...others }).map(
      (form) => [`${key} ${form}`.trim(), formIn(own, form), formIn(others, form)] as const,
    )
  }),
)

/** Returns the text that a language uses if it has no such form. */
function formIn(forms: Readonly<Record<string, string>>, form: string): string {
  return forms[form] ?? forms.other ?? forms[''] ?? ''
}

function formsOf(text: Text): Readonly<Record<string, string>> {
  return typeof text === 'string' ? { '': text } : { ...text }
}

/** Words and signs that are the same in both languages. */
const alike = [
  'api',
  'page-title',
  'pages',
  'kilometres',
  'metres',
  'nav.menu',
  'records.latitude',
  'records.longitude',
]

test('no text is the same in both languages, but for a few words', () => {
  assert.deepEqual(
    pairs.filter(([, one, other]) => one === other).map(([key]) => key),
    alike,
  )
})

test('every language has the same texts, each once, in forms of its plural', () => {
  for (const { code, tag, texts } of CATALOGUES) {
    const forms = ['', 'zero', ...new Intl.PluralRules(tag).resolvedOptions().pluralCategories]
    for (const [section, own] of Object.entries<Sections[string]>(texts)) {
      const file = readFileSync(`${root}src/base/languages/${code}/${section.toLowerCase()}.json`, 'utf8')
      assert.deepEqual(
        [...file.matchAll(/^ {2}"(.+?)": /gm)].map(([, key]) => key),
        Object.keys(own),
        section,
      )
      assert.deepEqual(Object.keys(own), Object.keys(englishTexts[section] ?? {}), `${code} ${section}`)
      const used = Object.values(own).flatMap((text) => Object.keys(formsOf(text)))
      assert.deepEqual(
        used.filter((form) => !forms.includes(form)),
        [],
      )
    }
  }
})

test('both languages name the same values', () => {
  // A form for one or for none need not name the number.
  const named = (key: string, text: string) => namesIn(text).filter((n) => n !== 'count' || !/ (?:one|zero)$/.test(key))

  for (const [key, one, other] of pairs) assert.deepEqual(named(key, one), named(key, other), key)
})

/** Returns the names of the values in a text. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

test('code that writes a text gives all values that the text has, and no others', () => {
  const known = Object.values(englishTexts).flatMap((texts) => Object.entries(texts))
  /** Whether these are the values of the text. Of a fault, other places may add some. */
  const fits = (text: Text, key: string, given: readonly string[]) => {
    const names = new Set(namesIn(Object.values(formsOf(text)).join()))
    if (typeof text !== 'string') names.add('count')
    if (key.startsWith('fault.')) return given.every((name) => name === 'name' || names.has(name))
    return names.size === given.length && given.every((name) => names.has(name))
  }
  const written =
    /(?:\b(?:say|text|message|\w+Text)\((?:[\w.]+,\s*)?'|(?='fault\.)')([\w.-]+)',\s*(?:values: )?\{([^{}]*)\}/g
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const calls = files.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(written)].flatMap(([, key = '', values = '']) => {
      const texts = known.flatMap(([other, text]) => (other === key ? [text] : []))
      const outer = values.replaceAll(/\([^()]*\)|\[[^[\]]*\]|'[^']*'/g, '')
      const given = [...outer.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, name = '']) => name)
      const isKnown = texts.length === 0 || outer.includes('...') || texts.some((text) => fits(text, key, given))
      return [{ isKnown, said: `${file}: ${key} (${given.join()})` }]
    }),
  )

  assert.ok(calls.length > 200)
  assert.deepEqual(
    calls.flatMap(({ isKnown, said }) => (isKnown ? [] : [said])),
    [],
  )
})

test('French is set as in Canada: no-break spaces, curved apostrophes, no space before ; ! ?', () => {
  const wrong = pairs.filter(([, , text]) => /['"]|[^\u00a0]:(?=\s)|\s[;!?]|«[^\u00a0]|[^\u00a0]»|\u202f/.test(text))

  assert.deepEqual(
    wrong.map(([key]) => key),
    [],
  )
})

test('a value that a message does not get stays visible', () => {
  assert.equal(message('en', 'fault.text', { name: 'title' }), '“title” must be text and must not be empty.')
  assert.match(message('en', 'fault.text'), /\{name\}/)
})

test('a number chooses the form of a text by the rules of its language: in French, zero is singular', () => {
  const said = (language: 'en' | 'fr', key: 'events-found' | 'map.label') =>
    [0, 1, 1.5, 2].map((count) => pageText(language, key, { count }))

  assert.deepEqual(said('en', 'events-found'), ['No events', '1 event', '1.5 events', '2 events'])
  assert.deepEqual(said('fr', 'events-found'), ['Aucun événement', '1 événement', '1.5 événement', '2 événements'])
  assert.match(said('en', 'map.label')[0] ?? '', /^Map with 0 places/)
  assert.match(said('fr', 'map.label')[0] ?? '', /^Carte de 0 lieu /)
})

test('the French index has no description in English', async (t) => {
  const app = await startTestApp(t)
  const describedAt = async (path: string) =>
    [...(await app.send({ path })).text.matchAll(/"description":"([^"]+)"/g)].map(([, text]) => text)

  const [one, other, asked] = [
    await describedAt(''),
    await describedAt('//fr/cal/events/v1'),
    await describedAt('?ml_language=fr-CA'),
  ]

  assert.equal(one.length, other.length)
  assert.ok(one.length > 200)
  assert.deepEqual(
    other.filter((text, index) => text === one[index]),
    [],
  )
  assert.deepEqual(asked, other)
})

/** Returns all texts of more than one word in a response, at any depth. */
function sentencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(sentencesOf) : []
}

test('errors at the French address have no sentence in English', async (t) => {
  const app = await startTestApp(t)
  const json = { 'content-type': 'application/json' }
  const requests = [
    { path: '/nowhere' },
    { path: '/events/999' },
    { path: '/events?page=0&start_date=x&venue=999&geoloc_lat=100' },
    { path: '/tags?ml_language=de' },
    { method: 'POST', path: '/events' },
    { method: 'POST', path: '/venues?venue=Hall' },
    { method: 'POST', path: '/events', form: '{', headers: json },
  ] as const

  for (const { path, ...request } of requests) {
    const english = sentencesOf((await app.send({ ...request, path })).body)
    const french = sentencesOf((await app.send({ ...request, path: `//fr/cal/events/v1${path}` })).body)
    assert.ok(english.length > 0 && english.length === french.length, path)
    assert.deepEqual(
      french.filter((text) => english.includes(text)),
      [],
      path,
    )
  }
})

/** Phrases that an editor of both languages has replaced. */
const corrected: Readonly<Record<'en' | 'fr', readonly string[]>> = {
  en: [
    'This is not a date there is',
    'The end lies before the beginning',
    'No event fits',
    'This is not its password',
    'There is nothing here',
    'The list is not that long',
    'To all events',
    'Show events',
    'A part of the name',
    'Arrow keys go from day to day',
    '"Missing: ',
    'let others in',
    'remove it all the same',
    'in pages of others',
    'Type what stands in the boxes',
    'your prompt stands right behind it',
    'A category not known yet',
    'A category that is not known yet',
    'is made on the way',
    'Change the base address of a client',
    'a map that asks nobody',
    'What stands before the namespace',
    'How long PostgreSQL is waited for',
    'some hundred',
    'the secret before valid',
    'at most so many',
    'Days for which it is kept',
    'what does not answer is to be ended',
  ],
  fr: [
    'Peu importe',
    '{count} de plus',
    '"Précédents"',
    '"Suivants"',
    'Page {page} de {pages}',
    'Il n’y a rien ici',
    'n’est plus offert',
    'Vers tous les événements',
    'La liste n’est pas si longue',
    'Ouvrir dans une carte',
    '"Agrandir"',
    '"Réduire"',
    'Il manque',
    'de ce numéro',
    'possède des fiches',
    'plus personne ne pourrait',
    'sous forme de nouvelles',
    'les emporter',
    'Heures de ',
    'prix d’entrée',
    '"Coût"',
    'Carte de 1 lieux',
  ],
}

test('what was corrected is said nowhere again', () => {
  const patterns = [
    'src/**/*.{ts,js,css}',
    'src/base/languages/*/*.json',
    'docs/**/*.md',
    'README.md',
    'demo/**/*.{ts,md}',
    'packages/client/{README.md,src/*.ts}',
  ]
  const files = globSync(patterns, { cwd: root, exclude: ['**/texts.test.ts'] })
  assert.ok(files.length > 500)
  const found = files.flatMap((file) => {
    // Prose may wrap at any word.
    const text = readFileSync(`${root}${file}`, 'utf8').replace(/(?:\\u00a0|\s)+/g, ' ')
    return [...corrected.en, ...corrected.fr]
      .filter((phrase) => text.includes(phrase))
      .map((phrase) => `${file}: ${phrase}`)
  })

  assert.deepEqual(found, [])
})

test('English is plain: no “e-mail”, no “There is no such”', () => {
  const archaic =
    /\be-mail|There is no such|\bshall\b|\bwhoever\b|\bwherein\b|stands? (?:before|behind)|is waited for|\bfor ever\b/i

  assert.deepEqual(
    pairs.filter(([, text]) => archaic.test(text)).map(([key, text]) => `${key}: ${text}`),
    [],
  )
})

test('one missing parameter and several are said in the forms of each language', () => {
  const missing = (language: 'en' | 'fr', count: number) =>
    message(language, 'rest_missing_callback_param', { count, names: count === 1 ? 'title' : 'title, start_date' })

  assert.deepEqual(
    [missing('en', 1), missing('en', 2)],
    [...['Missing parameter: title.', 'Missing parameters: title, start_date.']],
  )
  assert.deepEqual(
    [missing('fr', 1), missing('fr', 2)],
    [...['Paramètre manquant\u00a0: title.', 'Paramètres manquants\u00a0: title, start_date.']],
  )
})
