import assert from 'node:assert/strict'
import type { Role } from '../../src/access/auth/actor.ts'
import { addSeconds, type LocalDateTime } from '../../src/base/time/local.date.time.ts'
import { site, type TestApp } from './app.ts'
import { violationsIn } from './content.checks.ts'

export const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }

export type Json = Record<string, unknown> & {
  readonly id: number
  readonly series: Record<string, unknown> & { readonly id: number; readonly rest_url: string }
  readonly data?: Record<string, unknown>
}

/** A write, by an administrator unless another role is named. */
export async function write(
  app: TestApp,
  [method, path]: readonly ['POST' | 'PATCH' | 'DELETE', string],
  { json, as = 'administrator' }: { readonly json?: object; readonly as?: Role } = {},
) {
  const { status, body, headers } = await app.send({ as, method, path, ...(json ? { json } : {}) })
  return { status, body: body as Json, counts: headers['x-series-changed'] }
}

/** Creates a series, and returns its first date. */
export async function createSeriesOf(app: TestApp, recurrence: unknown, fields: object = {}): Promise<Json> {
  const { status, body } = await write(app, ['POST', '/events'], { json: { ...friday, ...fields, recurrence } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

/** Creates an event of no series that lasts one hour, and returns its id. */
export async function createEventOf(app: TestApp, start: string, fields: object = {}): Promise<number> {
  const end = addSeconds(start as LocalDateTime, 3600)
  const json = { ...friday, start_date: start, end_date: end, ...fields }
  const { status, body } = await write(app, ['POST', '/events'], { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

/** Returns the path of the series of a date. */
export function seriesPathOf({ series }: Json): string {
  return `//${series.rest_url.replace(`${site}/`, '')}`
}

/** Returns what an administrator reads. */
export async function read(app: TestApp, path: string): Promise<Json> {
  const { status, body } = await app.send({ as: 'administrator', path })
  assert.equal(status, 200, JSON.stringify(body))
  return body as Json
}

/** Returns the published dates of a series, at most 50 of them in one language. */
export async function listDates(app: TestApp, { series }: Json, query = ''): Promise<readonly Json[]> {
  const range = 'start_date=2020-01-01&end_date=2100-01-01&per_page=50'
  return (await read(app, `/events?series=${series.id}&${range}${query}`)).events as Json[]
}

export const startsOf = (events: readonly Json[]) => events.map(({ start_date }) => start_date)

/** Asserts that no check of the database finds anything. */
export async function assertSound(app: TestApp): Promise<void> {
  assert.deepEqual((await violationsIn(app)).slice(0, 10), [])
}
