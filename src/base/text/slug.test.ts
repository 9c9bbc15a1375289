import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { runs } from '../../../test/support/long.ts'
import { maxSlugOctets, numberedSlug, slugFrom } from './slug.ts'

type Pair = readonly [text: string, slug: string]

const pairs: readonly Pair[] = [
  ['Hello World/É_x.y', 'hello-world-e_x-y'],
  ['Some Slug / With Ünusual (chars)', 'some-slug-with-unusual-chars'],
  ['Döble Títle: made, kept!', 'doble-title-made-kept'],
  ['Fête à Málaga 東京 Привет', 'fete-a-malaga-%e6%9d%b1%e4%ba%ac-%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82'],
  ['Party 🎉 time', 'party-%f0%9f%8e%89-time'],
  ['Œuvre Straße Łódź Ærø', 'oeuvre-strasse-lodz-aero'],
  ['Й が 한', '%d0%b9-%e3%81%8c-%ed%95%9c'],
  ['Title – with — dashes', 'title-with-dashes'],
  ['Title with <b>bold</b> markup', 'title-with-bold-markup'],
  ['Title with 5 < 6', 'title-with-5-6'],
  ['Tom &amp; Jerry &#8211; live&nbsp;now', 'tom-jerry-live-now'],
  ['Tom & Jerry', 'tom-jerry'],
  ['It\'s "quoted" “curly” «x» l’été', 'its-quoted-curly-x-lete'],
  ['10×20 €5', '10x20-e5'],
  ['e\u0301te\u0301', 'ete'],
  ['soft\u00adhyphen zero\u200bwidth\ufeff', 'softhyphen-zerowidth'],
  ['ST PUBLISH', 'st-publish'],
  ['old-slug__trashed', 'old-slug__trashed'],
  ['  --a -- b--  ', 'a-b'],
  ['!!!', ''],
  ['100%', '100'],
  ['%E9t%C3%A9', 'te'],
  ['\ud800x', 'x'],
]

for (const [text, slug] of pairs) {
  test(`${JSON.stringify(text)} has the slug ${JSON.stringify(slug)}`, () => {
    assert.equal(slugFrom(text), slug)
  })
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: fc.constantFrom(...'aÉ東й -_%2/&;#<>b\u0301\u0130Σ\u212aſ'), maxLength: 120 }),
)

test('a slug gives itself: encoded, decoded, and in capitals', () => {
  fc.assert(
    fc.property(text, (given) => {
      const slug = slugFrom(given)

      assert.match(slug, /^(?:[\w-]|%[0-9a-f]{2})*$/)
      assert.ok(slug.length <= maxSlugOctets)
      assert.equal(slugFrom(slug), slug)
      assert.equal(slugFrom(slug.replaceAll(/%[0-9a-f]{2}/g, (octet) => octet.toUpperCase())), slug)
      assert.equal(slugFrom(decodeURIComponent(slug)), slug)
    }),
    { numRuns: runs(500, 5_000) },
  )
})

test('a slug has at most 200 octets and no part of a character', () => {
  assert.equal(slugFrom('a'.repeat(300)), 'a'.repeat(200))
  assert.equal(slugFrom(`a${'東'.repeat(100)}`), `a${'%e6%9d%b1'.repeat(22)}`)
  assert.equal(slugFrom(`${'a'.repeat(199)} b`), 'a'.repeat(199))
})

test('numbers follow the slug, which gives way to them', () => {
  assert.equal(numberedSlug('concert', 1), 'concert')
  assert.equal(numberedSlug('concert', 2), 'concert-2')
  assert.equal(numberedSlug('a'.repeat(200), 12), `${'a'.repeat(197)}-12`)
  assert.equal(numberedSlug('%e6%9d%b1'.repeat(22), 2), `${'%e6%9d%b1'.repeat(22)}-2`)
  assert.equal(numberedSlug(`aa${'%e6%9d%b1'.repeat(22)}`, 2), `aa${'%e6%9d%b1'.repeat(21)}-2`)
})

for (const scrap of ['<', '&', '%e6', '%', '-', ' ', '東', '"', 'é']) {
  test(`the slug of a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, slugFrom)
  })
}

test('a plain text has the slug that it has beside a sign without meaning', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'B', '7', '_', ' '), maxLength: 250 })
  // The sign is dropped, and takes the long way.
  fc.assert(
    fc.property(plain, (text) => assert.equal(slugFrom(text), slugFrom(`${text}®`))),
    { numRuns: runs(500, 10_000) },
  )
})
