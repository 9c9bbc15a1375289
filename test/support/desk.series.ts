import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import type { DeskBrowser } from './desk.ts'

/** An event of the list. */
export interface Listed {
  readonly id: number
  readonly title: string
  readonly start_date: string
}

/** What people type to repeat an event four times, except once. */
export const yoga = {
  ...{ 'title.en': 'Yoga', 'title.fr-CA': 'Le yoga', start: 'Feb 1, 2030, 7pm', end: '8 p.m.' },
  ...{ repeat: 'weekly', repeat_ends: 'count', repeat_count: '4', repeat_except: 'Feb 15, 2030' },
}

export async function listDates(app: TestApp, language = 'en'): Promise<readonly Listed[]> {
  const path = `/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50&ml_language=${language}`
  return (await app.send({ path })).body.events
}

/** Creates a series in the editor of the desk. Returns its dates, its id and its page. */
export async function givenSeries(app: TestApp, desk: DeskBrowser, fields: Readonly<Record<string, string>> = {}) {
  await desk.get('/admin/events/new/')
  const made = await desk.send('/admin/events/new/', { ...yoga, ...fields, to: 'publish' })
  assert.equal(made.status, 303, made.text)
  const first = /\d+/.exec(made.headers.location ?? '')?.[0]
  const { body } = await app.send({ path: `/events/${first}` })
  const id: number = body.series.id
  return { dates: await listDates(app), id, page: `/admin/series/${id}/` }
}
