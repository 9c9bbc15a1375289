import { Problem } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { CalendarEvent } from '../events/model/event.ts'

// Each date of a series is an event that stores the texts of the series: their length counts as often as there are dates.

const megabyte = 1024 * 1024
/** The most that the dates of a series have in one language: 10 KB for each of 800. */
const maxOfSeries = 8 * megabyte
/** The most that one write stores for all series, such as those of a batch. */
const maxOfWrite = 2 * maxOfSeries

const writtenBytes = new WeakMap<Tx, number>()

/**
 * Refuses a series with so many dates and these templates.
 *
 * @param dates The number of dates that are new or still to come.
 * @throws rest_invalid_param
 */
export function assertDatesFit(templates: readonly CalendarEvent[], dates: number): void {
  if (!templates.some((template) => bytesOf(template) * dates > maxOfSeries)) return
  const each = Math.floor(maxOfSeries / dates / 1024)
  refuse('fault.series.size', { count: dates, most: maxOfSeries / megabyte, each })
}

/**
 * Counts what a write stores: the values of this template for so many dates.
 *
 * @throws rest_invalid_param, if it is too much in all
 */
export function countWritten(tx: Tx, template: CalendarEvent, dates: number): void {
  const bytes = (writtenBytes.get(tx) ?? 0) + bytesOf(template) * dates
  if (bytes > maxOfWrite) refuse('fault.series.sizes', { most: maxOfWrite / megabyte })
  writtenBytes.set(tx, bytes)
}

function bytesOf({ title, content, excerpt, offers, statusReason }: CalendarEvent): number {
  return Buffer.byteLength([title, content, excerpt, JSON.stringify(offers), statusReason].join(''))
}

function refuse(text: 'fault.series.size' | 'fault.series.sizes', facts: Readonly<Record<string, number>>): never {
  const values = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]))
  throw new Problem('rest_invalid_param', { faults: { description: { text, values } } })
}
