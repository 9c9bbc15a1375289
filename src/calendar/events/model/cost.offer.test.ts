import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/linear.ts'
import { offeredPrices } from './cost.offer.ts'
import { readCost } from './cost.ts'

const canadian = { currencySymbol: '$', currencyCode: 'CAD' }
const of = (sent: unknown, site = canadian) => {
  const prices = offeredPrices(readCost(sent), site)
  if (!prices) return undefined
  const { lowest, highest, currency } = prices
  return lowest === highest ? `${lowest} ${currency}` : `${lowest}-${highest} ${currency}`
}

const costs: readonly (readonly [sent: unknown, prices: string | undefined])[] = [
  ...([
    ['9,000', '9000 CAD'],
    ['$1,234.50', '1234.50 CAD'],
    ['1 250,50 $', '1250.50 CAD'],
    ['1\u202f250 $', '1250 CAD'],
    ['10,50', '10.50 CAD'],
    [25, '25 CAD'],
  ] as const),
  ...([
    ['€12', '12 EUR'],
    ['12 €', '12 EUR'],
    ['12 euros', '12 EUR'],
    ['12,50 EUR', '12.50 EUR'],
    ['£8', '8 GBP'],
    ['CHF 20', '20 CHF'],
    ["1'200 CHF", '1200 CHF'],
    ['CHF 1’234’567.50', '1234567.50 CHF'],
    ['1\u2009200 – 1\u00a0400 CHF', '1200-1400 CHF'],
    ['US$15', '15 USD'],
    ['15 $ US', '15 USD'],
    ['USD 15', '15 USD'],
    ['$15 USD', '15 USD'],
    ['CA$5', '5 CAD'],
    ['5 $ CAN', '5 CAD'],
    ['A$7', '7 AUD'],
    ['R$ 30', '30 BRL'],
    ['¥500', '500 JPY'],
    ['20 zł', '20 PLN'],
    ['5 dollars', '5 CAD'],
  ] as const),
  // Several countries have this sign, or two currencies have no range.
  ...([
    ['100 kr', undefined],
    ['€10 / $12', undefined],
    ['¤5', undefined],
  ] as const),
  ...([
    ['$10 – $20', '10-20 CAD'],
    ['10 – 20 €', '10-20 EUR'],
    ['€10 - 20', '10-20 EUR'],
    ['de 10 à 20 $', '10-20 CAD'],
    [['5', '7.5'], '5-7.5 CAD'],
    ['0 - 20', '0-20 CAD'],
    ['Free – $10', '0-10 CAD'],
    ['Gratuit – 10 $', '0-10 CAD'],
    ['10 $; gratuit', '0-10 CAD'],
  ] as const),
  ...([
    ['Ages 12 to 18: $10', '10 CAD'],
    ['12 ans et plus, 8 €', '8 EUR'],
    ['$5 at the door', '5 CAD'],
    ['Donation $5', '5 CAD'],
    ['5 and up', '5 CAD'],
  ] as const),
  ...[
    ...['Free', 'FREE!', 'Free admission', 'Free for all', 'Admission is free', 'Free entry / Entrée gratuite'],
    ...[
      'Gratuit',
      'gratuite',
      'Entrée libre',
      'ENTREE LIBRE',
      'acces libre',
      'Accès libre et gratuit',
      'Gratuit pour tous',
      'No charge',
      'Sans frais',
    ],
    ...['0', '0,00 $', '$0.00'],
  ].map((sent) => [sent, 'free'] as const),
  ...['', 'Donation', 'Pay what you can', 'Contribution libre', 'Gratuit pour les membres', 'Freestyle', 'All'].map(
    (sent) => [sent, undefined] as const,
  ),
]

test('the prices of a cost are decimal numbers in the currency that it names', () => {
  for (const [sent, expected] of costs) {
    const prices = of(sent)
    if (expected === 'free') assert.ok(Number(prices?.replace(' CAD', '')) === 0, `${sent}: ${prices}`)
    else assert.equal(prices, expected, String(sent))
  }
})

test('a sign of several currencies is that of the site, if it is one of them', () => {
  const euro = { currencySymbol: '€', currencyCode: 'EUR' }
  assert.deepEqual([of('12', euro), of('$12', euro), of('€12', euro)], ['12 EUR', '12 USD', '12 EUR'])
  const krona = { currencySymbol: 'kr', currencyCode: 'SEK' }
  assert.deepEqual([of('100 kr', krona), of('$5', krona)], ['100 SEK', '5 USD'])
  assert.equal(of('¥20', { currencySymbol: 'CN¥', currencyCode: 'CNY' }), '20 CNY')
})

test('whatever is sent, prices are numbers in a currency', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0159.,-– $€EURfreekà<b>&%') }), (sent) => {
      const prices = offeredPrices(readCost(sent), canadian)
      if (!prices) return
      assert.match(prices.currency, /^[A-Z]{3}$/)
      for (const price of [prices.lowest, prices.highest]) assert.match(price, /^\d+(?:\.\d+)?$/)
      assert.ok(Number(prices.lowest) <= Number(prices.highest))
    }),
  )
})

test('a long cost takes time in proportion', () => {
  for (const sign of ['1 ', '$', '1$', ' ', 'A', 'free '])
    assertLinear(sign, (text) => offeredPrices([text, text], canadian))
})
