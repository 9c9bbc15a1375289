import { slugFrom } from '../../base/text/slug.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { publicationInstant, type SentDates } from './record.date.ts'
import type { RecordStatus, RenderedRecord } from './record.ts'
import type { WriteContext } from './write.context.ts'

/** What was sent of what all records have. */
interface SentRecordValues extends SentDates {
  readonly status: RecordStatus | undefined
  readonly slug?: string | undefined
}

/**
 * Tells what a record has otherwise than it was sent: a status that its caller may not give or its date decides
 * (conventions.md §8.2), a date that does not count or another one overrules (rulings.md 25), a slug that is taken.
 *
 * @param record As it is after the write.
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
  // What the trash adds to a slug is taken off again on the way out.
  if (status !== 'trash') reportSlugAdjustment(report, sent.slug, slug)
}

/** Tells of a slug that another one had, or of which nothing was left. */
export function reportSlugAdjustment(report: WriteContext['report'], sent: string | undefined, slug: string): void {
  if (sent !== undefined && slugFrom(sent) !== slug) report?.adjust('slug', { to: slug })
}
