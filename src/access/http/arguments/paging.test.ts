import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../base/config/config.ts'
import { addressesOf } from '../addresses.ts'
import { formatSent, pageLinks, pageRequest, totalHeaders } from './paging.ts'
import { createParameterReport } from './parameter.report.ts'

const addresses = addressesOf(readConfig({}), 'https://calendar.test', 'en')
const list = 'https://calendar.test/wp-json/cal/events/v1/tags/'

function linksOf(page: number, total: number, language?: string) {
  const pairs = [
    ['per_page', 10],
    ['search', 'a b'],
  ] as const
  const links = pageLinks({ addresses, language }, { path: '/tags', pairs }, { request: { page, perPage: 10 }, total })
  const from = `${addresses.base}/${addresses.namespace}/tags/`
  return Object.fromEntries(Object.entries(links).map(([name, url]) => [name, url.replace(from, '').replace(list, '')]))
}

test('a page links to the next and the previous one, as far as they exist (rulings.md 3, 4)', () => {
  const own = 'per_page=10&search=a+b'

  assert.deepEqual(linksOf(1, 0), { rest_url: `?page=1&${own}` })
  assert.deepEqual(linksOf(1, 10), { rest_url: `?page=1&${own}` })
  assert.deepEqual(linksOf(1, 11), { rest_url: `?page=1&${own}`, next_rest_url: `?${own}&page=2` })
  assert.deepEqual(linksOf(2, 21), {
    rest_url: `?page=2&${own}`,
    next_rest_url: `?${own}&page=3`,
    previous_rest_url: `?${own}`,
  })
  assert.deepEqual(linksOf(3, 21), { rest_url: `?page=3&${own}`, previous_rest_url: `?${own}&page=2` })
  // The page after the last one still links back. Pages beyond it do not: their previous page is as empty.
  assert.deepEqual(linksOf(4, 21), { rest_url: `?page=4&${own}`, previous_rest_url: `?${own}&page=3` })
  assert.deepEqual(linksOf(5, 21), { rest_url: `?page=5&${own}` })
  assert.deepEqual(linksOf(1, 11, 'fr-CA'), {
    rest_url: `?page=1&${own}&ml_language=fr-CA`,
    next_rest_url: `?${own}&page=2&ml_language=fr-CA`,
  })
})

test('a page is as long as asked, up to the most of the site, and the cut is told', () => {
  const limits = { perPage: 10, maxPerPage: 50 }
  const asked = (page: number | undefined, per_page: number | undefined) => {
    const parameterReport = createParameterReport(false)
    const request = pageRequest({ values: { page, per_page }, parameterReport }, limits)
    return [request.page, request.perPage, parameterReport.headers()['X-Adjusted-Parameters']]
  }

  assert.deepEqual(asked(undefined, undefined), [1, 10, undefined])
  assert.deepEqual(asked(3, 50), [3, 50, undefined])
  assert.deepEqual(asked(1, 51), [1, 50, 'per_page'])
})

test('totals count items and pages', () => {
  for (const [total, pages] of [
    [0, '0'],
    [1, '1'],
    [10, '1'],
    [11, '2'],
  ] as const) {
    assert.deepEqual(totalHeaders(total, 10), { 'X-TEC-Total': String(total), 'X-TEC-TotalPages': pages })
  }
})

test('a value is shown in an address as it was sent, lists with commas (rulings.md 29)', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    ['a', 'a'],
    ['', ''],
    [0, '0'],
    [true, '1'],
    [false, '0'],
    [null, 'null'],
    [[1, 'b', true, false], '1,b,1,0'],
    [{ x: 1, y: 2 }, '1,2'],
    [[1, [2, 3], null], '1,,null'],
    [[], ''],
  ]
  for (const [raw, shown] of cases) assert.equal(formatSent(raw), shown)
})
