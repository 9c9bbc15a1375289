import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cities, secondsAround } from '../../../test/support/arbitraries/zone.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import { isLocalDateTime, localDateTimeFromSeconds, secondsOfLocalDateTime } from './local.date.time.ts'
import {
  abbreviation,
  epochSecondsOf,
  formatOffset,
  isFixedZone,
  isUtc,
  localDateTimeAt,
  offsetAt,
  offsetPeriodAt,
  parseZone,
  utcZone,
  type Zone,
} from './zone.ts'
import { zoneLetterRows } from './zone-letters.ts'

const zone = (name: string): Zone => parseZone(name) ?? assert.fail(`${name} is no zone`)
const localDateTime = (text: string) => (isLocalDateTime(text) ? text : assert.fail(text))
const utc = (iso: string) => Date.parse(iso) / 1000

test('names of the tz database are zones in any letter case and are kept as sent', () => {
  assert.deepEqual(parseZone('europe/paris'), { name: 'europe/paris', id: 'Europe/Paris', isManual: false })
  for (const name of ['America/Toronto', 'US/Eastern', 'EST', 'GMT', 'UTC', 'Etc/UTC', 'utc', 'Etc/GMT+5']) {
    assert.equal(zone(name).name, name)
    assert.equal(zone(name).isManual, false, name)
  }
})

test('fixed offsets are zones', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['+03:00', '+03:00', false],
    ['-0330', '-03:30', false],
    ['UTC+0', '+00:00', true],
    ['UTC-0', '+00:00', true],
    ['UTC+3', '+03:00', true],
    ['UTC-5', '-05:00', true],
    ['UTC+5.5', '+05:30', true],
    ['UTC-3.5', '-03:30', true],
    ['UTC+5.75', '+05:45', true],
    ['UTC+5:30', '+05:30', true],
    ['UTC-12', '-12:00', true],
    ['UTC+14', '+14:00', true],
    ['GMT+2', '+02:00', false],
    ['PST', '-08:00', false],
  ]
  for (const [name, id, isManual] of cases) assert.deepEqual(parseZone(name), { name, id, isManual })
})

test('other names are no zones', () => {
  for (const name of [
    ...['', '0', ' ', ' UTC ', 'utc+3', 'gmt+2', 'UTC+', 'UTC+abc', 'UTC+99', 'UTC+14.25', 'UTC+14:15', 'UTC-12.25'],
    ...['UTC+5.3', 'UTC+5:07', 'UTC+5:75', 'UTC+5:5', '+15:00', 'Mars', 'Mars/Olympus', 'Z', '2027-01-01T00:00[UTC]'],
    ...['Europe/Paris\n', 'Europe/Paris/', 'é', 'x'.repeat(1000)],
  ]) {
    assert.equal(parseZone(name), undefined, name)
  }
})

test('asking for a zone never throws, whatever the name', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^(UTC|GMT)?[+-]\d{1,3}.?\d*$/)),
      (name) => {
        const found = parseZone(name)

        assert.ok(found === undefined || found.name === name)
      },
    ),
  )
})

test('local time follows the zone and its summer', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['2027-10-10 10:00:00', 'America/Toronto', '2027-10-10T14:00:00Z'],
    ['2027-12-10 10:00:00', 'America/Toronto', '2027-12-10T15:00:00Z'],
    ['2027-10-10 23:30:00', 'America/Vancouver', '2027-10-11T06:30:00Z'],
    ['2027-07-10 10:00:00', 'America/St_Johns', '2027-07-10T12:30:00Z'],
    ['2027-07-10 10:00:00', 'Australia/Lord_Howe', '2027-07-09T23:30:00Z'],
    ['2027-12-01 10:00:00', 'Asia/Kathmandu', '2027-12-01T04:15:00Z'],
    ['2027-12-01 10:00:00', 'UTC', '2027-12-01T10:00:00Z'],
    ['2027-07-01 10:00:00', 'UTC-5', '2027-07-01T15:00:00Z'],
    ['2027-07-01 10:00:00', 'UTC+5.5', '2027-07-01T04:30:00Z'],
  ]
  for (const [clock, name, moment] of cases) {
    assert.equal(epochSecondsOf(localDateTime(clock), zone(name)), utc(moment), name)
    assert.equal(localDateTimeAt(utc(moment), zone(name)), clock, name)
  }
})

test('a clock time that summer time skips moves forward by as much', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['America/Toronto', '2027-03-14 02:30:00', '2027-03-14 03:30:00'],
    ['America/St_Johns', '2027-03-14 02:30:00', '2027-03-14 03:30:00'],
    ['America/Vancouver', '2025-03-09 02:30:00', '2025-03-09 03:30:00'],
    ['Australia/Lord_Howe', '2027-10-03 02:15:00', '2027-10-03 02:45:00'],
  ]
  for (const [name, skipped, shown] of cases) {
    assert.equal(localDateTimeAt(epochSecondsOf(localDateTime(skipped), zone(name)), zone(name)), shown, name)
  }
})

test('of a clock time that comes twice the first is meant', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['America/Toronto', '2027-11-07 01:30:00', '2027-11-07T05:30:00Z'],
    ['America/St_Johns', '2027-11-07 01:30:00', '2027-11-07T04:00:00Z'],
    ['America/Vancouver', '2025-11-02 01:30:00', '2025-11-02T08:30:00Z'],
    ['Australia/Lord_Howe', '2027-04-04 01:45:00', '2027-04-03T14:45:00Z'],
  ]
  for (const [name, clock, moment] of cases)
    assert.equal(epochSecondsOf(localDateTime(clock), zone(name)), utc(moment), name)
})

for (const name of cities) {
  test(`in ${name} every moment results from its local time, or is the second of two with that local time`, () => {
    fc.assert(
      fc.property(secondsAround(name), (moment) => {
        const shown = localDateTimeAt(moment, zone(name))
        const back = epochSecondsOf(shown, zone(name))

        assert.equal(secondsOfLocalDateTime(shown) - moment, offsetAt(moment, zone(name)))
        assert.equal(localDateTimeAt(back, zone(name)), shown)
        assert.ok(back <= moment && moment - back <= 7200)
      }),
    )
  })

  test(`in ${name} a local time is shown again, or was skipped and moves later by the skipped time`, () => {
    fc.assert(
      fc.property(secondsAround(name), (asUtc) => {
        const moment = epochSecondsOf(localDateTimeFromSeconds(asUtc), zone(name))

        const moved = secondsOfLocalDateTime(localDateTimeAt(moment, zone(name))) - asUtc
        const skipped = offsetAt(moment, zone(name)) - offsetAt(moment - moved, zone(name))
        assert.ok(moved >= 0)
        assert.equal(moved, skipped)
      }),
    )
  })
}

test('letters are those of the tz database at that moment', () => {
  const winter = utc('2031-01-10T12:00:00Z')
  const summer = utc('2031-07-10T12:00:00Z')
  const cases: readonly (readonly [string, string, string])[] = [
    ['America/New_York', 'EST', 'EDT'],
    ['EST', 'EST', 'EST'],
    ['europe/paris', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['America/St_Johns', 'NST', 'NDT'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Australia/Lord_Howe', '+11', '+1030'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['UTC', 'UTC', 'UTC'],
    ['Etc/UTC', 'UTC', 'UTC'],
    ['GMT', 'GMT', 'GMT'],
    ['UTC+5.5', 'UTC+5.5', 'UTC+5.5'],
    ['UTC-5', 'UTC-5', 'UTC-5'],
    ['+03:00', 'GMT+0300', 'GMT+0300'],
    ['GMT+2', 'GMT+0200', 'GMT+0200'],
    ['PST', 'PST', 'PST'],
  ]
  for (const [name, inJanuary, inJuly] of cases) {
    assert.deepEqual([abbreviation(winter, zone(name)), abbreviation(summer, zone(name))], [inJanuary, inJuly], name)
  }
})

test('the table of letters names each zone once, as the database spells it, with letters for its offsets', () => {
  const names = zoneLetterRows.flatMap(([, zones]) => zones.split(' '))
  assert.equal(new Set(names).size, names.length)
  // Every time zone that the table names has the letters that the table gives.
  for (const [letters, zones] of zoneLetterRows) {
    assert.match(letters, /^-?[\d.]+ [A-Z]{3,4}(?: -?[\d.]+ [A-Z]{3,4})*$/)
    for (const name of zones.split(' ')) {
      // The name W-SU has a letter that no name of a zone has.
      if (name !== 'W-SU') assert.equal(Temporal.Now.zonedDateTimeISO(name).timeZoneId, name)
    }
  }
})

/** The letters of the zones of a country by another source, the Unicode CLDR. */
const letters = {
  'en-US':
    'America/New_York America/Chicago America/Denver America/Phoenix America/Los_Angeles America/Anchorage Pacific/Honolulu',
  'en-CA': 'America/Toronto America/Winnipeg America/Regina America/Edmonton America/Halifax America/St_Johns',
  'en-GB': 'Europe/London Europe/Paris Europe/Lisbon Europe/Athens Europe/Warsaw',
  'en-AU': 'Australia/Sydney Australia/Perth Australia/Adelaide Australia/Darwin',
  'en-ZA': 'Africa/Johannesburg Africa/Lagos Africa/Nairobi Africa/Maputo',
  'en-IN': 'Asia/Kolkata',
  'en-NZ': 'Pacific/Auckland',
} as const

test('letters are those that people of the country use', () => {
  for (const [locale, names] of Object.entries(letters)) {
    for (const timeZone of names.split(' ')) {
      const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
      for (const iso of ['2030-01-15T12:00:00Z', '2030-07-15T12:00:00Z']) {
        const expected = format.formatToParts(new Date(iso)).find(({ type }) => type === 'timeZoneName')?.value
        if (expected?.startsWith('GMT+')) continue

        assert.equal(abbreviation(utc(iso), zone(timeZone)), expected, `${timeZone} ${iso}`)
      }
    }
  }
})

test('an offset period lasts from one change of clocks to the next, or forever', () => {
  assert.deepEqual(offsetPeriodAt(utc('2030-01-15T12:00:00Z'), zone('America/Toronto')), {
    from: utc('2029-11-04T06:00:00Z'),
    to: utc('2030-03-10T07:00:00Z'),
    offset: -18_000,
  })
  // At the very second of a change, the new period has begun.
  assert.equal(offsetPeriodAt(utc('2030-03-10T07:00:00Z'), zone('America/Toronto')).from, utc('2030-03-10T07:00:00Z'))
  assert.equal(offsetPeriodAt(utc('2030-03-10T06:59:59Z'), zone('America/Toronto')).to, utc('2030-03-10T07:00:00Z'))
  assert.deepEqual(offsetPeriodAt(0, zone('Etc/GMT+5')), {
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    offset: -18_000,
  })
  assert.equal(offsetPeriodAt(utc('1600-01-01T00:00:00Z'), zone('Europe/Paris')).from, Number.NEGATIVE_INFINITY)
})

test('only offsets, abbreviations and UTC by name never change their clocks', () => {
  for (const name of ['UTC', 'utc', 'UTC+3', 'UTC-3.5', '+03:00', '-0330', 'PST', 'UTC+0']) {
    assert.equal(isFixedZone(zone(name)), true, name)
  }
  for (const name of ['Europe/Paris', 'Etc/UTC', 'GMT', 'Asia/Kolkata'])
    assert.equal(isFixedZone(zone(name)), false, name)
  assert.deepEqual(utcZone, zone('UTC'))
})

test('an offset is written with its sign and two digits each, without its seconds', () => {
  const cases: readonly (readonly [number, string, string])[] = [
    [0, '+00:00', '+0000'],
    [-1, '-00:00', '-0000'],
    [-60, '-00:01', '-0001'],
    [5.75 * 3600, '+05:45', '+0545'],
    [-3.5 * 3600, '-03:30', '-0330'],
    [14 * 3600, '+14:00', '+1400'],
    [9 * 60 + 21, '+00:09', '+0009'],
  ]
  for (const [seconds, long, short] of cases) {
    assert.deepEqual([formatOffset(seconds, ':'), formatOffset(seconds, '')], [long, short])
  }
})

test('only UTC by name and manual zero have the clock of UTC', () => {
  for (const name of ['UTC', 'UTC+0', 'UTC-0']) assert.equal(isUtc(zone(name)), true, name)
  for (const name of ['Etc/UTC', 'GMT', '+00:00', 'Europe/London', 'UTC+1']) {
    assert.equal(isUtc(zone(name)), false, name)
  }
})

test('what is remembered of a zone’s clocks is what the database says, to the second around each change', () => {
  const direct = (seconds: number, id: string) =>
    Math.round(Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(id).offsetNanoseconds / 1e9)

  fc.assert(
    fc.property(
      fc.constantFrom(...cities),
      fc.integer({ min: utc('1850-01-01T00:00:00Z'), max: utc('2100-01-01T00:00:00Z') }),
      (name, near) => {
        const at = Temporal.Instant.fromEpochMilliseconds(near * 1000).toZonedDateTimeISO(name)
        const change = at.getTimeZoneTransition('next') ?? at
        const second = Math.floor(change.epochMilliseconds / 1000)
        for (const seconds of [second, second - 1, second + 1, near, second]) {
          assert.equal(offsetAt(seconds, zone(name)), direct(seconds, name), `${name} ${seconds}`)
        }
      },
    ),
    { numRuns: runs(400, 2_000) },
  )
})
