import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseZone } from '../../../base/time/zone.ts'
import { type DateParameters, defaultWindow, lastSecondOfDay, windowOf } from './window.ts'

const now = Date.UTC(2030, 0, 15, 12) / 1000
const zoneOf = (name: string) => parseZone(name) ?? assert.fail(name)
const none: DateParameters = {
  ...{ start_date: undefined, end_date: undefined, starts_before: undefined },
  ...{ starts_after: undefined, ends_before: undefined, ends_after: undefined },
}

/** The bounds of a window as texts, and the dates that its address shows. */
function windowFor(
  asked: Partial<DateParameters>,
  {
    zone = 'UTC',
    isStrict = false,
    hasInclude = false,
  }: { zone?: string; isStrict?: boolean; hasInclude?: boolean } = {},
) {
  const window = windowOf({ ...none, ...asked }, { isStrict, hasInclude, siteZone: zoneOf(zone), now })
  const bounds = window.bounds.map(({ edge, operator, localDateTime }) => `${edge} ${operator} ${localDateTime}`)
  return { bounds, shown: window.shown, isInUtc: window.isInUtc }
}

test('without dates a list begins yesterday and lasts two years, in whole days of the site (events.md §1 "Dates")', () => {
  const ends = '2032-01-15 23:59:59'
  for (const [zone, start] of [
    ['UTC', '2030-01-14 00:00:00'],
    ['America/Toronto', '2030-01-14 00:00:00'],
    // East of Greenwich the last minute of yesterday in UTC is today.
    ['Europe/Paris', '2030-01-15 00:00:00'],
    ['Pacific/Kiritimati', '2030-01-15 00:00:00'],
  ] as const) {
    const { bounds, shown, isInUtc } = windowFor({}, { zone })

    assert.deepEqual(bounds, [`start >= ${start}`, `end <= ${ends}`], zone)
    assert.deepEqual(shown, { start_date: start, end_date: ends })
    assert.equal(isInUtc, zone === 'UTC')
  }
  assert.deepEqual(defaultWindow(now), { start: '2030-01-14 23:59:00', end: '2032-01-15 12:00:00' })
})

test('with strict dates the same window has times of the site, and its address their offset', () => {
  assert.deepEqual(windowFor({}, { isStrict: true }), {
    bounds: ['start >= 2030-01-14 23:59:00', 'end <= 2032-01-15 12:00:00'],
    shown: { start_date: '2030-01-14 23:59:00', end_date: '2032-01-15 12:00:00' },
    isInUtc: true,
  })
  assert.deepEqual(windowFor({}, { isStrict: true, zone: 'America/Toronto' }), {
    bounds: ['start >= 2030-01-14 18:59:00', 'end <= 2032-01-15 07:00:00'],
    shown: { start_date: '2030-01-14 18:59:00-05:00', end_date: '2032-01-15 07:00:00-05:00' },
    isInUtc: false,
  })
})

test('each date has its own edge and comparison, and whole days but for the start end with their last second', () => {
  const text = '2030-06-10T22:00:00-05:00' // 11 June in UTC, 23:00 in Toronto
  const cases = {
    start_date: ['start >=', '2030-06-11 00:00:00'],
    end_date: ['end <=', '2030-06-11 23:59:59'],
    starts_before: ['start <', '2030-06-11 23:59:59'],
    starts_after: ['start >', '2030-06-11 23:59:59'],
    ends_before: ['end <', '2030-06-11 23:59:59'],
    ends_after: ['end >', '2030-06-11 23:59:59'],
  } as const
  for (const [name, [comparison, day]] of Object.entries(cases)) {
    const whole = windowFor({ [name]: text })
    const strict = windowFor({ [name]: text }, { isStrict: true, zone: 'America/Toronto' })

    assert.ok(whole.bounds.includes(`${comparison} ${day}`), name)
    assert.equal(whole.shown[name as keyof DateParameters], day)
    assert.ok(strict.bounds.includes(`${comparison} 2030-06-10 23:00:00`), name)
    assert.equal(strict.shown[name as keyof DateParameters], '2030-06-10 23:00:00-04:00')
    // A relative date replaces the default window, a plain one only its own half of it.
    assert.equal(whole.bounds.length, name === 'start_date' || name === 'end_date' ? 2 : 1)
  }
  // Without an offset a text is in UTC.
  assert.deepEqual(windowFor({ starts_after: '2030-06-10 22:00' }, { isStrict: true, zone: 'Europe/Paris' }).bounds, [
    'start > 2030-06-11 00:00:00',
  ])
})

test('a plain date stays beside a relative one, in the order of addresses', () => {
  const { bounds } = windowFor({ ends_after: '2030-06-01', end_date: '2030-06-30', starts_before: '2030-06-20' })

  assert.deepEqual(bounds, ['end <= 2030-06-30 23:59:59', 'start < 2030-06-20 23:59:59', 'end > 2030-06-01 23:59:59'])
})

test('include has no window but that of relative dates (events.md §8)', () => {
  assert.deepEqual(windowFor({}, { hasInclude: true }).bounds, [])
  assert.deepEqual(windowFor({ start_date: '2030-06-01', end_date: '2030-06-02' }, { hasInclude: true }), {
    ...{ bounds: [], shown: {}, isInUtc: true },
  })
  assert.deepEqual(windowFor({ start_date: '2030-06-01', ends_after: '2030-06-02' }, { hasInclude: true }).bounds, [
    'end > 2030-06-02 23:59:59',
  ])
})

test('what depends on the day is fresh until two hours before its end at the latest, and never shorter than now', () => {
  const at = (hour: number) => Date.UTC(2030, 0, 15, hour) / 1000
  const utc = zoneOf('UTC')

  assert.equal(lastSecondOfDay(at(12), utc), Date.UTC(2030, 0, 15, 21, 59, 59) / 1000)
  assert.equal(lastSecondOfDay(at(22), utc), at(22))
  assert.equal(lastSecondOfDay(at(23), utc), at(23))
  assert.equal(lastSecondOfDay(at(12), zoneOf('America/Toronto')), Date.UTC(2030, 0, 16, 2, 59, 59) / 1000)
})
