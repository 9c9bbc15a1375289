import { LRUCache } from 'lru-cache'
import { type Addresses, pageUrl } from '../../../access/http/addresses.ts'
import { TEXT_LANGUAGE_CODES, TEXT_LANGUAGES } from '../../../base/languages/language.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import type { SeriesMembership, SeriesSegment } from '../../occurrences/occurrence.ts'
import { publicRule } from '../../occurrences/public.segments.ts'
import { segmentOf } from '../../occurrences/segment.dates.ts'
import { ruleText } from '../../recurrence/rule.text.ts'
import { ruleInWords } from '../../recurrence/rule.words.ts'
import type { LinkedEvent } from '../model/event.ts'
import type { EventJson } from './event.schema.ts'

/** Returns the address of a series in our own namespace. */
export function seriesRestUrl({ base, vendorWord }: Addresses, id: number): string {
  return `${base}/${vendorWord}/service/v1/series/${id}`
}

/** Returns the members that only dates of series have. */
export function presentSeriesOf(
  event: LinkedEvent,
  { seriesId: id, recurrenceId, base, ownFields, rules, madeUntil, isWhole }: SeriesMembership,
  { addresses, isMasked = false }: { readonly addresses: Addresses; readonly isMasked?: boolean },
): Required<Pick<EventJson, 'recurring' | 'series'>> {
  const known = { id, recurrence_id: recurrenceId }
  if (isMasked) return { recurring: true, series: known }
  const segment = knownSegmentOf({ rules, recurrenceId, isWhole })
  const url = pageUrl(addresses, `/event/${base}/`, event.language)
  return {
    recurring: true,
    series: {
      ...known,
      rest_url: seriesRestUrl(addresses, id),
      url,
      all_url: `${url}all/`,
      is_modified: ownFields.length > 0,
      own_fields: [...ownFields],
      rrule: segment?.recurrence.rule ? ruleText(segment.recurrence.rule) : '',
      text: segment ? inWords(segment, addresses.textLanguage) : '',
      dates_until: madeUntil === undefined ? null : dayOf(madeUntil),
    },
  }
}

type RulesOfDate = Pick<SeriesMembership, 'rules' | 'recurrenceId' | 'isWhole'>

/** Returns the rule that gave a date, as the reader knows it. */
function knownSegmentOf({ rules, recurrenceId, isWhole }: RulesOfDate): SeriesSegment | undefined {
  const segment = segmentOf(rules, recurrenceId)
  return segment && !isWhole ? publicRule(segment) : segment
}

/** Returns the rule of a date in words, by the codes of the languages of texts. */
export function textsOfDate(date: RulesOfDate): Readonly<Record<string, string>> {
  const segment = knownSegmentOf(date)
  if (!segment) return {}
  return Object.fromEntries(
    TEXT_LANGUAGES.map((language) => [TEXT_LANGUAGE_CODES[language], inWords(segment, language)]),
  )
}

/** The words of rules. Writing them takes 20 microseconds, and a page of a list has many rules. */
const words = new LRUCache<string, string>({ max: 500 })
/** Rules with many further dates or exceptions make long keys. */
const maxKept = 10

/** Returns the rule of a segment in words. */
export function inWords({ recurrence, start }: SeriesSegment, language: Addresses['textLanguage']): string {
  const { rule, dates, except } = recurrence
  const write = () => ruleInWords(recurrence, { start, language })
  if (dates.length + except.length > maxKept) return write()
  const key = [language, start, rule ? ruleText(rule) : '', dates.join(), except.join()].join(' ')
  const text = words.get(key) ?? write()
  words.set(key, text)
  return text
}
