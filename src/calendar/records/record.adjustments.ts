import type { Told } from '../../access/http/told.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import { publicationInstant } from './record.date.ts'
import type { RecordStatus, RenderedRecord } from './record.ts'

/** What was sent of what all records have. */
interface SentRecordValues {
  readonly status?: RecordStatus | undefined
  readonly date?: string | undefined
  readonly date_utc?: string | undefined
  readonly slug?: string | undefined
}

/**
 * Tells what a record has otherwise than it was sent: a status that its caller may not give or its date decides
 * (conventions.md §8.2), a date that does not count or another one overrules (rulings.md 25), a slug that is taken.
 *
 * @param record As it is after the write.
 */
export function reportRecordAdjustments(
  told: Told | undefined,
  sent: SentRecordValues,
  record: RenderedRecord,
  siteZone: Zone,
): void {
  if (!told) return
  const { status, datedAt, modifiedAt, slug } = record
  if (sent.status !== undefined && sent.status !== status) told.adjust('status', { to: status })
  const shown = { to: localDateTimeAt(datedAt, siteZone) }
  const isKept = (date: string | undefined, date_utc: string | undefined) =>
    (publicationInstant({ date, date_utc }, siteZone, modifiedAt) ?? datedAt) === datedAt
  if (!isKept(undefined, sent.date_utc)) told.adjust('date_utc', shown)
  if (!isKept(sent.date, undefined)) told.adjust('date', shown)
  // What the trash adds to a slug is taken off again on the way out.
  if (status !== 'trash') reportSlugAdjustment(told, sent.slug, slug)
}

/** Tells of a slug that another one had, or of which nothing was left. */
export function reportSlugAdjustment(told: Told | undefined, sent: string | undefined, slug: string): void {
  if (sent !== undefined && slugFrom(sent) !== slug) told?.adjust('slug', { to: slug })
}
