import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../base/config/config.ts'
import { pageText } from '../../base/languages/texts.ts'
import { readCost } from '../../calendar/events/model/cost.ts'
import { priceText } from './price.ts'

/** Returns the price text in both languages, with no-break spaces made visible. */
function said(cost: unknown, environment: Readonly<Record<string, string>> = { CURRENCY_CODE: 'CAD' }) {
  const deps = { config: readConfig(environment) }
  return (['en', 'fr'] as const).map((textLanguage) =>
    priceText({ deps, textLanguage, say: () => pageText(textLanguage, 'free') } as never, readCost(cost)).replaceAll(
      '\u00a0',
      '~',
    ),
  )
}

const prices: readonly (readonly [cost: unknown, english: string, french: string])[] = [
  [10.5, '$10.50', '10,50~$'],
  ['$10.5', '$10.50', '10,50~$'],
  ['$1250', '$1,250', '1~250~$'],
  ['1 250,50 $', '$1,250.50', '1~250,50~$'],
  ['10$', '$10', '10~$'],
  ['$10 – $20', '$10 – $20', '10~$ – 20~$'],
  ['5, 10, 20', '$5 – $20', '5~$ – 20~$'],
  [['5', '7.5'], '$5 – $7.50', '5~$ – 7,50~$'],
  ['0', 'Free', 'Gratuit'],
  ['free', 'Free', 'Gratuit'],
  ['Free – $10', 'Free – $10', 'Gratuit – 10~$'],
  ['10 $ à 25 $', '$10 – $25', '10~$ – 25~$'],
  ['10 $ - 20,50 $', '$10 – $20.50', '10~$ – 20,50~$'],
  ['€5 – €7.50', '€5 – €7.50', '5~€ – 7,50~€'],
  ['7,50 €', '7.50€', '7,50~€'],
  ['CHF 20', 'CHF~20', '20~CHF'],
  ["1'200 CHF", '1,200~CHF', '1~200~CHF'],
  ['CHF 1’200 – 2’400', 'CHF~1,200 – CHF~2,400', '1~200~CHF – 2~400~CHF'],

  ['US$15', 'US$15', '15~$~US'],
  ['$0.005', '$0.005', '0,005~$'],
  ['', '', ''],
]

test('prices are written as in each language', () => {
  for (const [cost, ...expected] of prices) assert.deepEqual(said(cost), expected, String(cost))
})

test('what is no price stays as it was sent', () => {
  const longest = '9'.repeat(300)
  for (const cost of [
    'Pay what you can',
    'By donation',
    '5 and up',
    '$5 at the door',
    'Donation $5',
    'Gratuit',
    'Dès 1’200 CHF',
  ]) {
    assert.deepEqual(said(cost), [cost, cost])
  }
  assert.deepEqual(said(longest), [`$${longest}`, `$${longest}`])
})

test('a currency has the digits of its smaller unit, and its sign stands in English where the site has it', () => {
  const yen = { CURRENCY_CODE: 'JPY', CURRENCY_SYMBOL: '¥' }
  assert.deepEqual(said('1250', yen), ['¥1,250', '1~250~¥'])
  assert.deepEqual(said('9.5', { CURRENCY_CODE: 'KWD', CURRENCY_SYMBOL: 'KD' }), ['KD~9.500', '9,500~KD'])
  const euro = { CURRENCY_CODE: 'EUR', CURRENCY_SYMBOL: '€', CURRENCY_POSITION: 'postfix' }
  assert.deepEqual(said('€9.5', euro), ['9.50€', '9,50~€'])
})

test('prices in another currency than that of the site, or in several, never get its sign', () => {
  for (const cost of ['10 € à 25 €', '€10 to €25', 'de 10 € à 25 €', '10 euros – 12 euros', '10 $ / 8 €', '5 £ ou 6 €'])
    assert.deepEqual(said(cost), [cost, cost])
})
