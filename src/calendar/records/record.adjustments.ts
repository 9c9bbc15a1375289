import { slugFrom } from '../../base/text/slug.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { publicationInstant, type SentDates } from './record.date.ts'
import type { RecordStatus, RenderedRecord } from './record.ts'
import type { WriteContext } from './write.context.ts'

/** The sent values of the shared part of a record. */
interface SentRecordValues extends SentDates {
  readonly status: RecordStatus | undefined
  readonly slug?: string | undefined
}

/**
 * Reports values of a record that differ from the sent ones: a status that the caller may not set or that the date
 * decides (conventions.md §8.2), a date that has no effect or that another date overrides (rulings.md 25), a slug that
 * is taken.
 *
 * @param record The record after the write.
 */
export function reportRecordAdjustments(
  { report, config: { siteZone } }: Pick<WriteContext, 'report' | 'config'>,
  sent: SentRecordValues,
  record: RenderedRecord,
): void {
  if (!report) return
  const { status, datedAt, modifiedAt, slug } = record
  if (sent.status !== undefined && sent.status !== status) report.adjust('status', { to: status })
  const shown = { to: localDateTimeAt(datedAt, siteZone) }
  const isKept = (dates: SentDates) => (publicationInstant(dates, siteZone, modifiedAt) ?? datedAt) === datedAt
  if (!isKept({ date: undefined, dateUtc: sent.dateUtc })) report.adjust('date_utc', shown)
  if (!isKept({ date: sent.date, dateUtc: undefined })) report.adjust('date', shown)
  // The trash changes the slug, and a restore reverts the change.
  if (status !== 'trash') reportSlugAdjustment(report, sent.slug, slug)
}

/** Reports a slug that another record has, or that is empty after sanitizing. */
export function reportSlugAdjustment(report: WriteContext['report'], sent: string | undefined, slug: string): void {
  if (sent !== undefined && slugFrom(sent) !== slug) report?.adjust('slug', { to: slug })
}
