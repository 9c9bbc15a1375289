import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenOrganizer, givenVenue } from '../../../test/support/given.ts'

/** The change of a field in the newest entry of an item. */
async function toldChange(app: TestApp, kind: string, id: number, field: string) {
  const path = `//cal/service/v1/audit?kind=${kind}&id=${id}&per_page=1`
  const { body } = await app.send({ as: 'administrator', path })
  return body.entries[0]?.changes[field]
}

// Each value as the interface shows it: a flag is true or false, and a document is not a JSON text.
const fields = {
  event: {
    all_day: [false, true],
    show_map: [false, true],
    show_map_link: [false, true],
    hide_from_listings: [false, true],
    sticky: [false, true],
    featured: [false, true],
    event_status: ['scheduled', 'canceled'],
    attendance: ['offline', 'online'],
    virtual_url: ['', 'https://meet.example/x'],
    virtual_video_source: ['', 'zoom'],
    virtual_access: ['all', 'registered'],
    offers: [[], [{ url: 'https://tickets.example/1' }]],
    availability: ['', 'sold_out'],
    capacity: [null, 80],
    title: ['Concert', 'Recital'],
    website: [null, 'https://example.org/'],
    timezone: ['UTC', 'America/Toronto'],
    excerpt: ['', 'Few'],
    slug: ['concert', 'recital'],
    start_date: ['2030-01-22 19:00:00', '2030-01-22 18:00:00'],
    end_date: ['2030-01-22 21:00:00', '2030-01-22 22:00:00'],
    date_utc: ['2030-01-15T12:00:00Z', '2030-01-14T12:00:00Z'],
  },
  venue: {
    show_map: [true, false],
    show_map_link: [true, false],
    geo_lat: [null, 45.5],
    city: ['', 'Laval'],
    phone: ['', '555'],
  },
  organizer: { email: ['', 'club@example.org'], website: ['', 'https://example.org/'] },
} as const

test('each field is told as the interface has it, before and after', async (t) => {
  const app = await startTestApp(t)
  for (const [kind, known] of Object.entries(fields)) {
    for (const [field, [before, after]] of Object.entries(known)) {
      const given = { event: givenEvent, venue: givenVenue, organizer: givenOrganizer }[kind as keyof typeof fields]
      const { id } = await given(app, kind === 'event' ? { slug: 'concert' } : {})
      const sent = field === 'geo_lat' ? { geo_lat: after, geo_lng: -73.7 } : { [field]: after }
      await changed(app, `/${kind}s/${id}`, sent)
      const change = await toldChange(app, kind, id, field)
      assert.deepEqual(change, { before, after }, `${kind} ${field}`)
      await app.send({ as: 'administrator', method: 'DELETE', path: `/${kind}s/${id}` })
    }
  }
})
