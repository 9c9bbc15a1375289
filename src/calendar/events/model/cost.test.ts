import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/linear.ts'
import { runs } from '../../../../test/support/long.ts'
import { offerPrice, presentCost, priceRangeOf, readCost } from './cost.ts'

type Row = readonly [sent: unknown, cost: string, symbol: string, position: string, values: readonly string[]]

const rows: readonly Row[] = [
  ['10', '$10', '', '', ['10']],
  [10, '$10', '', '', ['10']],
  [9.99, '$9.99', '', '', ['9.99']],
  ['$10', '$10', '$', 'prefix', ['10']],
  ['$ 10', '$10', '$', 'prefix', ['10']],
  ['10$', '10$', '$', 'postfix', ['10']],
  ['10 $', '10$', '$', 'postfix', ['10']],
  ['10 €', '10€', '€', 'postfix', ['10']],
  ['CA$10', 'CA$10', 'CA$', 'prefix', ['10']],
  ['10 USD', '10USD', 'USD', 'postfix', ['10']],
  ['EUR 10', 'EUR10', 'EUR', 'prefix', ['10']],
  ['10,50', '$10,50', '', '', ['10.50']],
  ['10.50', '$10.50', '', '', ['10.50']],
  ['1,000', '$1,000', '', '', ['1000']],
  ['1.000', '$1.000', '', '', ['1.000']],
  ['1.000.000', '$1.000.000', '', '', ['1000000']],
  ['0,500', '$0,500', '', '', ['0.500']],
  ['10 - 20', '$10 – $20', '', '', ['10', '20']],
  ['10-20', '$10 – $20', '', '', ['10', '20']],
  ['20 - 10', '$10 – $20', '', '', ['10', '20']],
  ['10/20', '$10 – $20', '', '', ['10', '20']],
  [['10', '20'], '$10 – $20', '', '', ['10', '20']],
  [['$10', '$20'], '$10 – $20', '$', 'prefix', ['10', '20']],
  ['10 - 10.00', '$10', '', '', ['10', '10.00']],
  // The reference gets these wrong.
  ['10,50 €', '10,50€', '€', 'postfix', ['10.50']],
  ['$10 - $20', '$10 – $20', '$', 'prefix', ['10', '20']],
  ['10 € - 20 €', '10€ – 20€', '€', 'postfix', ['10', '20']],
  ['5€ 10€', '5€ – 10€', '€', 'postfix', ['5', '10']],
  ['$5, $10', '$5 – $10', '$', 'prefix', ['5', '10']],
  ['1,000.50', '$1,000.50', '', '', ['1000.50']],
  ['1,234.50', '$1,234.50', '', '', ['1234.50']],
  ['1.234,50', '$1.234,50', '', '', ['1234.50']],
  ['1 234,50 €', '1 234,50€', '€', 'postfix', ['1234.50']],
  ['€5 - €7.50', '€5 – €7.50', '€', 'prefix', ['5', '7.50']],
  ['$5 - 10€', '$5 – $10', '', '', ['5', '10']],
  ['5, 10, 20', '$5 – $20', '', '', ['5', '10', '20']],
  // Contract: an apostrophe separates two numbers. Pages read it otherwise (`priceRangeOf`).
  ["1'200 CHF", '1CHF – 200CHF', 'CHF', 'postfix', ['1', '200']],
  // Free of charge.
  ['0', 'Free', '', '', ['0']],
  [0, 'Free', '', '', ['0']],
  ['00', 'Free', '', '', ['00']],
  ['0.00', 'Free', '', '', ['0.00']],
  ['0 - 20', 'Free – $20', '', '', ['0', '20']],
  ['Free - 10', 'Free – $10', '', '', ['0', '10']],
  [['Free', '$10'], 'Free – $10', '$', 'prefix', ['0', '10']],
  // Words.
  ['Free', 'Free', '', '', ['free']],
  ['Donation', 'Donation', '', '', ['donation']],
  ['Donation $5', 'Donation $5', 'Donation $', 'prefix', ['5']],
  ['5 & up', '5 & up', '', '', ['5']],
  ['From 10 €', 'From 10 €', '€', 'postfix', ['10']],
  ['Adults 10, children 5', '$5 – $10', '', '', ['5', '10']],
  ['<b>5</b>', '$5', '', '', ['5']],
  ['<script>9</script>5', '$5', '', '', ['5']],
  ['-5', '$5', '', '', ['5']],
  // No cost.
  ['', '', '', '', []],
  ['   ', '', '', '', []],
  [null, '', '', '', []],
  [undefined, '', '', '', []],
  [false, '', '', '', []],
  [[], '', '', '', []],
  [{ amount: 10 }, '', '', '', []],
  [[Number.POSITIVE_INFINITY, Number.NaN, true], '', '', '', []],
  [[null, ['10'], '20'], '$20', '', '', ['20']],
]

for (const [sent, cost, symbol, position, values] of rows) {
  test(`the cost ${JSON.stringify(sent)} reads ${JSON.stringify(cost)}`, () => {
    const presented = presentCost(readCost(sent))

    assert.deepEqual(presented, {
      cost,
      details: { currency_symbol: symbol, currency_code: '', currency_position: position, values },
    })
  })
}

test('a number without a currency has that of the site', () => {
  const presented = presentCost(readCost('10,50'), { symbol: '€', position: 'postfix' })

  assert.equal(presented.cost, '10,50€')
  assert.equal(presented.details.currency_symbol, '')
})

const offers: readonly (readonly [sent: unknown, price: string | undefined])[] = [
  ['12.50', '12.50'],
  ['10 €', '10'],
  ['$10 - $20', '10 – 20'],
  ['0 - 20', '0 – 20'],
  ['0.00', '0'],
  ['Free', '0'],
  ['Donation', 'Donation'],
  ['', undefined],
]

for (const [sent, price] of offers) {
  test(`an offer at ${JSON.stringify(sent)} has the price ${JSON.stringify(price)}`, () => {
    assert.equal(offerPrice(readCost(sent)), price)
  })
}

test('whatever is sent is stored as texts, and what is shown has a value for each number', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.string({ unit: fc.constantFrom(...'0159.,-– $€EURfree<b>&%') })),
      (sent) => {
        const stored = readCost(sent)
        const { cost, details } = presentCost(stored)

        assert.deepEqual(JSON.parse(JSON.stringify(stored)), stored)
        assert.equal(cost === '', stored.length === 0)
        assert.equal(offerPrice(stored) === undefined, stored.length === 0)
        assert.ok(!/\d/.test(stored.join('')) || details.values.every((value) => Number(value) >= 0))
      },
    ),
    { numRuns: runs(200, 1_000) },
  )
})

test('a long cost takes time in proportion', () => {
  for (const sign of ['<', '1 ', '1.', '$', '-']) assertLinear(sign, (text) => presentCost(readCost([text, text])))
})

test('the range of prices is that of all numbers, free only if every text says so, and none with other words', () => {
  const rangeOf = (sent: unknown) => priceRangeOf(readCost(sent))
  const dollars = { symbol: '$', position: 'prefix' }

  assert.deepEqual([rangeOf('Free'), rangeOf(['Free', 'FREE'])], ['free', 'free'])
  assert.deepEqual([[], 'Donation', ['Free', 'Donation'], '5 and up'].map(rangeOf), [
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(rangeOf('10'), { lowest: '10', highest: '10', currency: undefined })
  assert.deepEqual(rangeOf(['$20', '$1,234.50', '$5']), { lowest: '5', highest: '1234.50', currency: dollars })
  assert.deepEqual(rangeOf('Free - $10'), { lowest: '0', highest: '10', currency: dollars })
  assert.deepEqual(
    [[], 'Free', ['Free', 'Donation'], 'Donation', '0 - 5,50'].map((sent) => offerPrice(readCost(sent))),
    [undefined, '0', 'Free, Donation', 'Donation', '0 – 5,50'],
  )
})
