import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { givenEvent, listedIds } from '../../../../test/support/given.ts'
import { runs } from '../../../../test/support/long.ts'

// Events longer than a week are found by their end, shorter ones by their start (docs/decisions/0008). Neither the seam
// between the two nor the edges of events may show.

const weekSeconds = 7 * 86_400
/** Added to a week for the lookup of starts: the offset of the bound, and that of the event. */
const slackSeconds = 2 * 16 * 3600
const durations = [
  ...[0, 1, 3600, 86_400, weekSeconds - 1, weekSeconds, weekSeconds + 1],
  ...[0, 1, 2, 43_200, 86_400].map((more) => weekSeconds + slackSeconds + more),
  40 * 86_400,
]
/** The time zones furthest from UTC, one with daylight saving time, and one that skipped a day in 2011. */
const startsByZone = {
  UTC: ['2031-03-06 23:59:59', '2031-10-31 00:00:00'],
  'UTC-12': ['2031-03-06 23:59:59'],
  'Pacific/Kiritimati': ['2031-03-06 23:59:59'],
  'America/Toronto': ['2031-03-06 23:59:59', '2031-10-31 00:00:00'],
  'Pacific/Apia': ['2011-12-27 12:00:00'],
} as const

const asText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
const asSeconds = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`) / 1000

interface Known {
  readonly id: number
  readonly start: string
  readonly end: string
  readonly utcStart: string
  readonly utcEnd: string
}

/** Events of every duration in every zone, with their times as the service reports them. */
async function givenEvents(app: TestApp): Promise<readonly Known[]> {
  const known: Known[] = []
  for (const [timezone, starts] of Object.entries(startsByZone)) {
    for (const start_date of starts) {
      for (const duration of durations) {
        const made = await givenEvent(app, {
          title: 'Seam',
          timezone,
          start_date,
          end_date: asText(asSeconds(start_date) + duration),
        })
        known.push({
          id: made.id,
          start: made.start_date,
          end: made.end_date,
          utcStart: made.utc_start_date,
          utcEnd: made.utc_end_date,
        })
      }
    }
  }
  return known
}

const operators = {
  start_date: (start: number, _end: number, bound: number) => start >= bound,
  end_date: (_start: number, end: number, bound: number) => end <= bound,
  starts_after: (start: number, _end: number, bound: number) => start > bound,
  starts_before: (start: number, _end: number, bound: number) => start < bound,
  ends_after: (_start: number, end: number, bound: number) => end > bound,
  ends_before: (_start: number, end: number, bound: number) => end < bound,
} as const
type DateName = keyof typeof operators

for (const zone of ['UTC', 'America/Toronto']) {
  test(`on a site in ${zone}, a window that ends or begins a second beside an event has it or not`, async (t) => {
    const app = await startTestApp(t, { SITE_TIMEZONE: zone, MAX_PER_PAGE: '200' })
    const known = await givenEvents(app)
    // For a site in UTC instants count; for every other zone the local time of the event does (events.md §1 "Dates").
    const timesOf = ({ start, end, utcStart, utcEnd }: Known) =>
      (zone === 'UTC' ? [utcStart, utcEnd] : [start, end]).map(asSeconds) as [number, number]
    const edges = [...new Set(known.flatMap(timesOf))].flatMap((edge) => [edge - 1, edge, edge + 1])
    const edge = fc.constantFrom(...edges)
    const window: fc.Arbitrary<Partial<Record<DateName, number>>> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ ends_after: edge }) },
      fc.record({ ends_before: edge }),
      fc.record({ starts_after: edge }),
      fc.record({ starts_before: edge }),
      fc.record({ start_date: edge, end_date: edge }),
      { weight: 4, arbitrary: fc.record({ ends_after: edge, starts_before: edge }) },
      fc.record({ ends_after: edge, ends_before: edge }),
      fc.record({ starts_after: edge, ends_before: edge }),
    )
    const search = fc.constantFrom('', '&search=seam')

    let listed = 0
    const assertLists = async (asked: Partial<Record<DateName, number>>, words = '') => {
      const expected = known
        .filter((event) => {
          const [start, end] = timesOf(event)
          return Object.entries(asked).every(([name, bound]) => operators[name as DateName](start, end, bound))
        })
        .map(({ id }) => id)
      const query = Object.entries(asked).map(([name, bound]) => `${name}=${encodeURIComponent(onSite(bound, zone))}`)

      const found = await listedIds(app, `per_page=200&strict_dates=1&${query.join('&')}${words}`)

      listed += found.length
      assert.deepEqual(
        [...found].sort((a, b) => a - b),
        expected.sort((a, b) => a - b),
        query.join('&'),
      )
    }
    // A mistake at the seam would lose the last second of an event, or list it twice.
    for (const end of new Set(known.map((event) => timesOf(event)[1]))) await assertLists({ ends_after: end - 1 })
    await fc.assert(
      fc.asyncProperty(window, search, async (asked, words) => assertLists(asked, words)),
      { numRuns: runs(50, 400), seed: 20_310_306 },
    )
    assert.ok(listed > 300, `Only ${listed} were listed.`)
  })
}

/** A date text that a strict query reads as this local time of the site. */
function onSite(local: number, zone: string): string {
  if (zone === 'UTC') return `${asText(local)}Z`
  const instant = Temporal.PlainDateTime.from(asText(local).replace(' ', 'T')).toZonedDateTime(zone)
  return instant.toInstant().toString()
}

test('an event of exactly a week is on until its last second, however far its clock is from that of the site', async (t) => {
  const app = await startTestApp(t)
  const times = { start_date: '2031-05-01 12:00:00', end_date: '2031-05-08 12:00:00' }
  const west = await givenEvent(app, { ...times, timezone: 'UTC-12' })
  const east = await givenEvent(app, { ...times, timezone: 'UTC+14' })

  const found = []
  for (const [event, end] of [
    [west, '2031-05-09T00:00:00Z'],
    [east, '2031-05-07T22:00:00Z'],
  ] as const) {
    const instant = Date.parse(end)
    for (const offset of [-1000, 0]) {
      const bound = encodeURIComponent(new Date(instant + offset).toISOString().replace('.000', ''))
      for (const words of ['', '&search=concert']) {
        found.push((await listedIds(app, `strict_dates=1&ends_after=${bound}${words}`)).includes(event.id))
      }
    }
  }

  assert.deepEqual(found, [true, true, false, false, true, true, false, false])
})
