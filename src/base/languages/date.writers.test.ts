import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/long.ts'
import { utcDates } from './date.writers.ts'
import { createDateWriter, type DateStyle } from './dates.js'
import { catalogueOf, TEXT_LANGUAGES } from './language.ts'

const styles: readonly DateStyle[] = ['day', 'shortDay', 'dayRange', 'shortMoment', 'month', 'shortWeekday', 'time']
/** Few days and few hours, so that most texts have been written before. */
const moment = fc
  .record({ day: fc.integer({ min: -3, max: 3 }), minutes: fc.constantFrom(0, 1, 59, 600, 1170, 1439) })
  .map(({ day, minutes }) => Date.UTC(1970, 0, 1 + day, 0, minutes))

test('texts that are remembered are those that are written again, also before 1970 and over midnight', () => {
  const plain = TEXT_LANGUAGES.map((language) => createDateWriter(catalogueOf(language).dates, 'UTC'))
  const run = (from: number, to: number, isAllDay: boolean) => {
    const [begin, end] = [Math.min(from, to), Math.max(from, to)]
    TEXT_LANGUAGES.forEach((language, place) => {
      const [one, other] = [utcDates(language), plain[place]]
      const written = (dates: typeof other) => [
        ...styles.map((style) => dates?.text(style, begin)),
        ...[
          dates?.when(begin, end, isAllDay),
          dates?.span(begin, end),
          dates?.days(begin, end),
          dates?.hours(begin, end),
        ],
      ]
      assert.deepEqual(written(one), written(other))
    })
  }
  fc.assert(fc.property(moment, moment, fc.boolean(), run), { numRuns: runs(60, 1000) })
})
