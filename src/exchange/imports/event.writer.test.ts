import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { utcZone } from '../../base/time/zone.ts'
import { contentOf } from './event.writer.ts'
import { contentDigest } from './record.writer.ts'

test('an event that was imported by earlier versions is known by the same digest', () => {
  const at = (hour: number) => `2030-05-01 ${hour}:00:00` as LocalDateTime
  const draft = {
    ...{ title: 'Concert', content: '<p>Text</p>', excerpt: '', slug: undefined, status: 'publish' as const },
    ...{ date: undefined, dateUtc: at(10), start: at(19), end: at(21), zone: utcZone, isAllDay: false },
    ...{ cost: ['5'], website: '', showMap: true, showMapLink: false, isHidden: false, isSticky: false },
    ...{ isFeatured: true, venues: [{ id: 3 }], organizers: [], categories: [7], tags: [] },
  }

  const content = contentOf({ eventPassword: 'x' }, draft)

  assert.equal(
    JSON.stringify(content),
    `{"title":"Concert","description":"<p>Text</p>","excerpt":"","status":"publish","date_utc":"2030-05-01 10:00:00",${'"start_date":"2030-05-01 19:00:00","end_date":"2030-05-01 21:00:00",'}"timezone":${JSON.stringify(utcZone)},"all_day":false,"cost":["5"],"website":"","show_map":true,${'"show_map_link":false,"hide_from_listings":false,"sticky":false,"featured":true,"isProtected":true,'}"venue":[{"id":3}],"organizer":[],"categories":[7],"tags":[]}`,
  )
  assert.match(contentDigest(content), /^[0-9a-f]{64}$/)
})
