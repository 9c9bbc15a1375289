import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit, mayRead } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { CalendarEvent } from '../events/model/event.ts'
import { findSeries, listDates } from './series.repository.ts'
import type { Series, SeriesDate } from './series.ts'

/** A series that a caller may read, with the template that he named. */
export interface ReadSeries {
  readonly series: Series & { readonly isWhole: boolean }
  readonly template: CalendarEvent
}

/**
 * Returns a series that the caller may read. A series with a password is shown only to those who may change it.
 *
 * @throws series-not-found, series-is-in-trash
 */
export async function readSeries(
  { db, actor }: { readonly db: Db; readonly actor: Actor },
  templateId: number,
): Promise<ReadSeries> {
  const series = await findSeries(db, templateId)
  const template = series?.templates.find(({ id }) => id === templateId)
  if (!series || !template) return fail('series-not-found')
  const isOpen = template.passwordDigest === undefined && mayRead(actor, template)
  if (template.status === 'trash' && !mayEdit(actor, template)) fail('series-is-in-trash')
  if (!isOpen && !mayEdit(actor, template)) fail('series-not-found')
  const shown = series.templates.filter((one) => one.id === templateId || mayRead(actor, one))
  const isWhole = mayEdit(actor, template)
  return { series: { ...series, templates: shown as unknown as Series['templates'], isWhole }, template }
}

export interface DatesQuery {
  readonly from: LocalDateTime | undefined
  readonly to: LocalDateTime | undefined
  /** The recurrence id and the event of the last date of the page before. */
  readonly cursor: string | undefined
  readonly perPage: number
}

export interface DatesPage {
  readonly dates: readonly SeriesDate[]
  readonly nextCursor: string | undefined
}

/** Returns the dates of a series that the caller may read, in order. Those who may change the series see all. */
export async function readDates(
  { db, actor }: { readonly db: Db; readonly actor: Actor },
  { series, template }: ReadSeries,
  { from, to, cursor = '', perPage }: DatesQuery,
): Promise<DatesPage> {
  const seesAll = mayEdit(actor, template)
  const matching = (await listDates(db, series.id)).filter((date) => {
    const isShown = seesAll || (!date.isDropped && date.status !== 'trash' && mayRead(actor, date))
    const isInRange = (from === undefined || date.end >= from) && (to === undefined || date.start <= to)
    return isShown && isInRange && date.language === template.language && keyOf(date) > cursor
  })
  const dates = matching.slice(0, perPage)
  const last = dates.at(-1)
  return { dates, nextCursor: last && matching.length > perPage ? keyOf(last) : undefined }
}

/** The place of a date in the list. Texts of this form are in the order of the list. */
function keyOf({ recurrenceId, eventId }: SeriesDate): string {
  return `${recurrenceId.replace(' ', 'T')}.${String(eventId).padStart(15, '0')}`
}
