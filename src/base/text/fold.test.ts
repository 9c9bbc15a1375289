import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { stopWords } from '../languages/en/stop.words.ts'
import {
  fold,
  foldExceptAccents,
  maxSearchLength,
  type SearchText,
  searchedText,
  searchTerms,
  searchTextOf,
  wordsOfFolded,
} from './fold.ts'

const same: readonly (readonly string[])[] = [
  ['Québec', 'quebec', 'QUÉBEC', 'Que\u0301bec'],
  ['œuvre', 'OEUVRE', 'Œuvre'],
  ['Ærø', 'aero'],
  ['Straße', 'STRASSE', 'STRAẞE'],
  ['ﬁn', 'fin'],
  ['Łódź', 'lodz'],
  ['İstanbul', 'istanbul', 'ıstanbul'],
  ['ΆΛΦΑ', 'αλφα'],
  ['１２', '12'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  // Apostrophes, as keyboards, phones and word processors write them.
  ...[...'’‘‛`´ʼʻ′＇ʹ‵'].map((sign) => ["d'ouverture", `d${sign}ouverture`, `D${sign}Ouverture`]),
  [
    '"jazz"',
    '“jazz”',
    '„jazz“',
    '«jazz»',
    '«\u00a0jazz\u00a0»',
    '« jazz »',
    "''jazz''",
    '″jazz″',
    '＂jazz＂',
    '``jazz´´',
  ],
  ...[...'‐‑‒–—―−－﹣⁃'].map((sign) => ['saint-denis', `saint${sign}denis`, `saint${sign}${sign}denis`]),
  ['a - b', 'a -- b', 'a — b', 'a\u00a0–\u202fb'],
  ...[...'\u00a0\u2002\u2009\u202f\u3000\t\n\u2028\u0085'].map((sign) => ['a b', `a${sign}b`, ` a ${sign} b${sign}`]),
  ...[...'\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u202a\ufe0f\u180e'].map((sign) => [
    'theatre',
    `thea${sign}tre${sign}`,
  ]),
  ['etc...', 'etc…'],
  ['no 5', 'n° 5', 'nº 5', '№ 5'],
  ['2x2', '2×2'],
  ['etudiant·e·s', 'étudiant•e•s', 'étudiant‧e‧s'],
  ['1/2', '½', '1⁄2'],
  ['ｊａｚｚ', 'jazz', '𝗃𝖺𝗓𝗓', 'ⓙⓐⓩⓩ'],
]

for (const [first = '', ...others] of same) {
  test(`${first} folds as ${others.join(', ')}`, () => {
    assert.deepEqual(new Set(others.map(fold)), new Set([fold(first)]))
  })
}

test('different words stay different', () => {
  assert.notEqual(fold('côte'), fold('coté s'))
  assert.notEqual(fold('東京'), fold('京都'))
  assert.equal(fold('100% a_b'), '100% a_b')
})

test('accents can be kept', () => {
  assert.equal(foldExceptAccents('L’ÉTÉ  ﬁn'), foldExceptAccents("l'été fin"))
  assert.notEqual(foldExceptAccents('été'), foldExceptAccents('ete'))
  assert.equal(foldExceptAccents('Œuvre'), 'oeuvre')
  assert.equal(foldExceptAccents('İstanbul'), 'istanbul')
})

test('folding twice changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(fold(fold(text)), fold(text))))
})

test('words are runs of letters and digits of any script', () => {
  assert.deepEqual(wordsOfFolded(fold("Saint-Denis, l'Été_12 東京!")), ['saint', 'denis', 'l', 'ete', '12', '東京'])
  assert.deepEqual(wordsOfFolded(' -- '), [])
})

type Query = readonly [query: string, include: readonly string[], exclude?: readonly string[]]

const queries: readonly Query[] = [
  ['CAFÉ', ['cafe']],
  ['musica live', ['musica', 'live']],
  ['one,two+three\tfour\nfive', ['one', 'two', 'three', 'four', 'five']],
  ['"live mus" x1', ['live mus', 'x1']],
  ['"open phrase', ['open phrase']],
  ['concert -cafe', ['concert'], ['cafe']],
  ['concert -"open air"', ['concert'], ['open air']],
  ['-cafe', [], ['cafe']],
  ['the concert of a year', ['concert', 'year']],
  ['the', ['the']],
  ['a -', ['a -']],
  ['100% a_b', ['100%', 'a_b']],
  ['back\\slash', ['backslash']],
  ['w1 w2 w3 w4 w5 w6 w7 w8 w9', ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9']],
  ['w1 w2 w3 w4 w5  w6 w7 w8 w9 w10', ['w1 w2 w3 w4 w5 w6 w7 w8 w9 w10']],
  ['well-known', ['well-known']],
  ["'quoted'", ['quoted']],
  ['‘quoted’', ['quoted']],
  ['“live mus” x1', ['live mus', 'x1']],
  ['«\u00a0live mus\u00a0» x1', ['live mus', 'x1']],
  ['„live mus“ –cafe', ['live mus'], ['cafe']],
  ['jazz — blues', ['jazz', 'blues']],
  ['a \\ b', ['a b']],
  // The exclusion of an ignored word has no effect.
  ['concert -the', ['concert']],
  ['concert -the -cafe -"of"', ['concert'], ['cafe']],
  ['the -of', ['the']],
  ['-of the  -a', ['the']],
  ['-the', []],
  ['-', ['-']],
  ['--', ['-']],
  ['w1 w2 w3 w4 w5 w6 w7 w8 w9 -with', ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9']],
  ['w1 w2 w3 w4 w5 -the w6 w7 w8 w9 w10', ['w1 w2 w3 w4 w5 w6 w7 w8 w9 w10']],
  // Every text contains the empty text.
  ['  ', [], ['']],
  ['\u00a0\t', [], ['']],
  ['\\', [], ['']],
]

for (const [query, include, exclude = []] of queries) {
  test(`a search for ${JSON.stringify(query)} asks for ${JSON.stringify({ include, exclude })}`, () => {
    assert.deepEqual(searchTerms(searchTextOf(query) ?? assert.fail(), stopWords), { include, exclude })
  })
}

test('excluding a stop word changes nothing about what is searched for', () => {
  const part = fc.constantFrom(
    'jazz',
    'R&B',
    'the',
    'a',
    '-',
    '-jazz',
    '-the',
    '"r&b night"',
    '-"big band"',
    ',',
    '+',
    'x1',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.constantFrom('the', 'of', 'WWW'), (parts, word) => {
      const query = parts.join(' ')
      const read = (text: string) => searchTerms(searchTextOf(text) ?? assert.fail(), stopWords)
      fc.pre(/[^-\s,+]/.test(query))

      assert.deepEqual(read(`${query} -${word}`), read(query))
      assert.deepEqual(read(`-${word} ${query}`), read(query))
    }),
  )
})

test('an event is searched in what readers see of its texts', () => {
  const text = searchedText([
    'R&amp;B &#8211; caf&eacute;',
    '<p class="x">AT&amp;T<br>5 &lt; 6</p><p>w<b>or</b>d&amp;amp;</p>',
    '5k\\10k',
  ])

  assert.equal(text, 'r&b - cafe\nat&t 5 < 6 word&amp;\n5k10k')
})

for (const scrap of ['"', '-', '-a ', '-"of" ', "'", ' ', 'a ', '-"', 'é', ',']) {
  test(`reading a long run of ${JSON.stringify(scrap)} takes time in proportion`, () => {
    assertLinear(scrap, (text) => [searchTerms(text as SearchText, stopWords), wordsOfFolded(text)])
  })
}

for (const scrap of ['« ', '« a', ' »', '—', '\u00ad', '’', '\u00a0', 'é\u0301', '´']) {
  test(`folding a long run of ${JSON.stringify(scrap)} takes time in proportion`, () => {
    assertLinear(scrap, fold)
  })
}

test('a search has at most two hundred characters, counted as they are compared', () => {
  assert.ok(searchTextOf('é'.repeat(maxSearchLength)))
  assert.ok(searchTextOf('e\u0301'.repeat(maxSearchLength)))
  assert.ok(searchTextOf('🎷'.repeat(maxSearchLength)))
  assert.equal(searchTextOf('e'.repeat(maxSearchLength + 1)), undefined)
  // Each expands to eighteen letters.
  assert.equal(searchTextOf('\ufdfa'.repeat(maxSearchLength / 10)), undefined)
  assert.equal(searchTextOf(`a${'\u0301'.repeat(100_000)}`), undefined)
})
