import { type Addresses, pageUrl, routeUrl } from '../../access/http/addresses.ts'
import type { Language } from '../../base/languages/language.ts'
import { dayOf } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, utcZone } from '../../base/time/zone.ts'
import { timesOfDate } from '../events/model/date.times.ts'
import type { RenderedEvent } from '../events/model/event.ts'
import { inWords, seriesRestUrl } from '../events/present/series.present.ts'
import type { SeriesSegment } from '../occurrences/occurrence.ts'
import { publicSegments } from '../occurrences/public.segments.ts'
import { ruleText } from '../recurrence/rule.text.ts'
import type { SeriesResult } from './series.create.service.ts'
import type { ExpandedSeries } from './series.recurrence.ts'
import { timesOfSegment } from './series.segments.ts'
import type { Series, SeriesDate } from './series.ts'

/** The maximum number of dates of each kind that a response to a write lists. */
const maxListed = 200

/** What clients see of a series, besides the texts of its templates. */
export interface ShownSeries extends Omit<Series, 'templates'> {
  readonly templates: readonly { readonly id: number; readonly language: Language }[]
  /** Whether the reader may change it. Others read its rules, without further dates and exceptions. */
  readonly isWhole?: boolean
}

/** What clients see of a template. */
export type ShownTemplate = Pick<RenderedEvent, 'language' | 'status' | 'titleHtml' | 'contentHtml' | 'excerptHtml'> &
  Pick<RenderedEvent, 'slug' | 'start' | 'end' | 'zone' | 'isAllDay'>

/** Returns a series as clients read it, in the language of a template. */
export function presentSeries(series: ShownSeries, template: ShownTemplate, addresses: Addresses) {
  const { id, templates, isEndless, madeUntil, sequence, isWhole = false } = series
  const segments = isWhole ? series.segments : publicSegments(series.segments)
  const url = pageUrl(addresses, `/event/${template.slug}/`, template.language)
  const last = segments.at(-1)
  return {
    id,
    translations: Object.fromEntries(templates.map(({ language, id: own }) => [language, Number(own)])),
    language: template.language as string,
    status: template.status as string,
    title: template.titleHtml,
    description: template.contentHtml,
    excerpt: template.excerptHtml,
    slug: template.slug,
    ...{ url, all_url: `${url}all/`, rest_url: seriesRestUrl(addresses, id) },
    // The times of the template are those of the last segment.
    ...(isWhole ? presentTimes(template) : presentPublicTimes(template, last)),
    ...(last ? presentRule(last, addresses) : { rrule: '', dates: [], except: [], text: '' }),
    segments: segments.map((segment) => ({
      from: segment.from as string,
      ...presentTimes(segment),
      ...presentRule(segment, addresses),
    })),
    dates_until: isEndless ? dayOf(madeUntil) : null,
    sequence,
  }
}

/** Returns what a write did to the dates of a series. */
export function presentChanges({
  counts,
  added = [],
  dropped = [],
}: Pick<SeriesResult, 'counts' | 'added' | 'dropped'>) {
  return {
    ...counts,
    added_dates: [...new Set<string>(added)].slice(0, maxListed),
    dropped_dates: dropped
      .slice(0, maxListed)
      .map(({ eventId, recurrenceId }) => ({ event_id: eventId, recurrence_id: recurrenceId as string })),
  }
}

function presentTimes({ start, end, zone, isAllDay }: Pick<SeriesSegment, 'start' | 'end' | 'zone' | 'isAllDay'>) {
  return { start_date: start as string, end_date: end as string, timezone: zone.name, all_day: isAllDay }
}

/** Returns the times of the last rule. A series of dates only has none that everybody may know. */
function presentPublicTimes(template: ShownTemplate, last: SeriesSegment | undefined) {
  const { start_date, end_date, ...shown } = presentTimes(last ? timesOfSegment(last) : template)
  return { start_date: last ? start_date : null, end_date: last ? end_date : null, ...shown }
}

function presentRule(segment: SeriesSegment, addresses: Addresses) {
  const { rule, dates, except } = segment.recurrence
  return {
    rrule: rule ? ruleText(rule) : '',
    dates: [...dates] as string[],
    except: [...except] as string[],
    text: inWords(segment, addresses.textLanguage),
  }
}

export function presentDate(date: SeriesDate, addresses: Addresses) {
  return {
    event_id: date.eventId,
    recurrence_id: date.recurrenceId as string,
    language: date.language as string,
    ...presentTimes(date),
    status: date.status as string,
    event_status: date.eventStatus as string,
    is_dropped: date.isDropped,
    own_fields: [...date.ownFields],
    rest_url: routeUrl(addresses, `/events/${date.eventId}`),
  }
}

/** Returns the dates of a rule that is not stored. */
export function presentPreview({ given, isEndless }: ExpandedSeries, segment: SeriesSegment, addresses: Addresses) {
  const times = given.map(({ recurrenceId }) => ({ recurrenceId, ...timesOfDate(segment, recurrenceId) }))
  const { rrule, text } = presentRule(segment, addresses)
  return {
    ...{ rrule, text, count: given.length, is_endless: isEndless },
    dates: times.slice(0, maxListed).map(({ start, end, startUtc, endUtc }) => ({
      start_date: start as string,
      end_date: end as string,
      utc_start_date: localDateTimeAt(startUtc, utcZone) as string,
      utc_end_date: localDateTimeAt(endUtc, utcZone) as string,
    })),
    // The clocks go forward then, so the hour does not exist.
    warnings: times
      .filter(({ start, recurrenceId }) => start !== recurrenceId)
      .map(({ recurrenceId }) => ({ start_date: recurrenceId as string, code: 'moved-by-clock-change' })),
  }
}
