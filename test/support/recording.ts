import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** An event of a recorded list, with all properties that the reader requires. */
export const plainTecEvent = {
  id: 12,
  global_id: 'source.test?id=12',
  rest_url: 'https://source.test/wp-json/tribe/events/v1/events/12',
  url: 'https://source.test/event/fair/',
  slug: 'fair',
  status: 'publish',
  date_utc: '2022-01-01 12:00:00',
  modified_utc: '2022-01-02 12:00:00',
  title: 'Fair',
  description: '<p>All day long.</p>',
  excerpt: '',
  image: false,
  all_day: false,
  start_date: '2022-08-10 08:30:00',
  end_date: '2022-08-10 10:00:00',
  timezone: 'America/New_York',
  cost: '',
  website: '',
  show_map: true,
  show_map_link: true,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  categories: [] as readonly object[],
  tags: [] as readonly object[],
  venue: [] as unknown,
  organizer: [] as unknown,
}

/** Returns the same event under another id. */
export function tecEvent(id: number, sent: object = {}) {
  return { ...plainTecEvent, id, global_id: `source.test?id=${id}`, slug: `fair-${id}`, ...sent }
}

/** Returns a recorded list of events as the text of a file. */
export function givenRecording(events: readonly object[]): string {
  return JSON.stringify({ events, total: events.length, total_pages: 1 })
}

/** Paths of the recorded lists of three public calendars: 24, 10 and 5 events. */
export const recordedFiles = [
  'atlanta-beltline.events.json',
  'atlanta-regional-commission.events.json',
  'fulton-dekalb-hospital-authority.events.json',
].map((name) => fileURLToPath(new URL(`../fixtures/recorded-responses/${name}`, import.meta.url)))

export function readRecorded(file: string): string {
  return readFileSync(file, 'utf8')
}
