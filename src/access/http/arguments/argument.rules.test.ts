import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boolean,
  dateFilter,
  dateText,
  flag,
  itemsOf,
  line,
  searchText,
  text,
  timezone,
  urlOf,
  wholeNumber,
  wholeNumberOf,
} from './argument.rules.ts'
import type { ArgumentContext, ArgumentRule } from './argument.ts'

const context = {} as ArgumentContext
/** What a rule makes of a value: the value, or the text of its fault. */
async function read<T>(rule: ArgumentRule<T>, raw: unknown): Promise<unknown> {
  const result = await rule(raw, context)
  return 'fault' in result ? `! ${result.fault.text}${result.fault.inner ? ` ${result.fault.inner.code}` : ''}` : result
}
async function assertReads<T>(rule: ArgumentRule<T>, cases: readonly (readonly [raw: unknown, expected: unknown])[]) {
  for (const [raw, expected] of cases) assert.deepEqual(await read(rule, raw), expected, JSON.stringify(raw))
}

test('a whole number is positive, as a number or in digits', async () => {
  for (const raw of [1, 12, '12', ' 12 ', '+12', '1.0', '12.', '1e1', '1E+2', '00012', Number.MAX_SAFE_INTEGER]) {
    assert.equal(wholeNumberOf(raw), Number(raw), String(raw))
  }
  for (const raw of [
    ...[
      0,
      -1,
      1.5,
      '0',
      '-1',
      '1.5',
      '',
      ' ',
      'a',
      '1a',
      '0x10',
      '1e-1',
      '1e400',
      '12345678901234567',
      '9007199254740993',
    ],
    ...[null, undefined, true, [1], { a: 1 }, Number.NaN, Number.POSITIVE_INFINITY, '1 2', '١'],
  ]) {
    assert.equal(wholeNumberOf(raw), undefined, String(raw))
  }
  await assertReads(wholeNumber, [
    ['7', { value: 7 }],
    ['x', '! fault.whole-number'],
  ])
})

test('a text is not empty, and "0" counts as empty (rulings.md 22)', async () => {
  await assertReads(text('a'), [
    ['x', { value: 'x' }],
    [' ', { value: ' ' }],
    ['00', { value: '00' }],
    ['', '! fault.text'],
    ['0', '! fault.text'],
    [1, '! fault.text'],
    [['x'], '! fault.text'],
    [null, '! fault.type.string rest_invalid_type'],
  ])
  await assertReads(line('a'), [
    ['x', { value: 'x' }],
    ['x'.repeat(100_000), '! fault.length'],
    [1, '! fault.text'],
  ])
  await assertReads(searchText, [
    ['', '! fault.text'],
    ['x'.repeat(100_000), '! fault.length'],
  ])
})

test('a boolean is true, false, 1 or 0, and a flag also one of the words for them', async () => {
  const wrong = '! fault.type.boolean rest_invalid_type'
  await assertReads(boolean('a'), [
    ...[true, 1, '1', 'true', 'TRUE'].map((raw) => [raw, { value: true }] as const),
    ...[false, 0, '0', 'false', 'False'].map((raw) => [raw, { value: false }] as const),
    ...['', 'yes', 'no', 2, '01', 'truex', 'xtrue', 'x0', null, [], [true], {}].map((raw) => [raw, wrong] as const),
  ])
  await assertReads(flag('a'), [
    ...['1', 'true', 'YES', 'y', 'on', ' Enable ', 'enabled', true].map((raw) => [raw, { value: true }] as const),
    ...['', '0', 'false', 'No', 'n', 'off', 'disable', ' disabled ', false].map(
      (raw) => [raw, { value: false }] as const,
    ),
    ...['maybe', '2', 'truth'].map((raw) => [raw, { value: false, adjusted: { to: 'false' } }] as const),
    ...[1, 0, null, ['1'], {}].map((raw) => [raw, '! fault.type.string rest_invalid_type'] as const),
  ])
})

test('a date is a text that reads as one; a filter also takes seconds', async () => {
  await assertReads(dateText('a'), [
    ['2030-01-01', { value: '2030-01-01' }],
    ['tomorrow', { value: 'tomorrow' }],
    ['nonsense', '! fault.date'],
    [null, '! fault.type.string rest_invalid_type'],
    [1_900_000_000, '! fault.type.string rest_invalid_type'],
    [Number.NaN, '! fault.date'],
    [['2030-01-01'], '! fault.date'],
    [true, '! fault.date'],
  ])
  await assertReads(dateFilter, [
    ['2030-01-01', { value: '2030-01-01' }],
    [1_900_000_000, { value: '1900000000' }],
    ['nonsense', '! fault.date'],
    [null, '! fault.date'],
    [['2030-01-01'], '! fault.date'],
  ])
})

test('a time zone is a name, and nothing means that of the site', async () => {
  await assertReads(timezone, [
    ['America/Toronto', { value: { name: 'America/Toronto', id: 'America/Toronto', isManual: false } }],
    ['', { value: 'site' }],
    ['0', { value: 'site' }],
    ['Mars', '! fault.timezone'],
    [3, '! fault.timezone'],
    [null, '! fault.type.string rest_invalid_type'],
  ])
})

test('an address is absolute, of an accepted scheme and of some place', () => {
  const schemes = ['http:', 'https:', 'mailto:']
  for (const url of ['http://x', 'https://x.example/a?b#c', 'mailto:a@b', 'HTTP://X', `http://x/${'a'.repeat(2039)}`]) {
    assert.equal(urlOf(url, schemes), url)
    assert.equal(urlOf(` ${url}\n`, schemes), url)
  }
  for (const url of [
    ...['', 'x', '/x', '//x', 'http:', 'ftp://x', 'javascript:x', 'mailto:a', 'mailto:', 'data:x,'],
    ...['http://x/ y', 'http://x/<', 'http://x/>', 'http://x/"', `http://x/${'a'.repeat(2040)}`],
  ]) {
    assert.equal(urlOf(url, schemes), undefined, url)
  }
  assert.equal(urlOf('http://x', ['https:']), undefined)
})

test('a list is a list, an object, one number, or a text with commas, whose items are decoded once more', () => {
  const read = (raw: unknown, most?: number) => {
    const result = itemsOf(raw, most)
    return 'fault' in result ? result.fault : result.value
  }
  const cases: readonly (readonly [unknown, unknown])[] = [
    ['a,b', ['a', 'b']],
    [' a , ,b,a', ['a', 'b']],
    ['a%2Cb,%20c%20', ['a,b', 'c']],
    ['100%,%zz', ['100%', '%zz']],
    ['', []],
    [5, [5]],
    [
      ['a', '', 'a', 1, '1'],
      ['a', '', 1, '1'],
    ],
    [{ x: 'a', y: 'b' }, ['a', 'b']],
    [[], []],
  ]
  for (const [raw, items] of cases) assert.deepEqual(read(raw), items, JSON.stringify(raw))
  for (const raw of [null, undefined, true]) assert.deepEqual(read(raw), { text: 'fault.list' })

  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const tooMany = (most: number) => ({ text: 'fault.too-many', values: { most: String(most) } })
  assert.deepEqual(read(numbers(1000)), numbers(1000))
  assert.deepEqual(read(numbers(1001)), tooMany(1000))
  assert.deepEqual(read(numbers(1001).join()), tooMany(1000))
  assert.deepEqual(read(numbers(3), 3), [0, 1, 2])
  assert.deepEqual(read(numbers(4), 3), tooMany(3))
  assert.deepEqual(read('a,a,a,a', 3), ['a'])
  // Before items are compared, their number is limited.
  assert.deepEqual(read(Array(1001).fill('a'), 3), tooMany(3))
})
