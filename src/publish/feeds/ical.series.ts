import { hash } from 'node:crypto'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { seriesUuid } from './feed.identity.ts'
import type { DateKey, ReadEvents, SeriesPart } from './feed.series.ts'
import { changedAt, type Feed, type FeedWriter } from './feed.ts'
import { line } from './ical.lines.ts'
import {
  canRepeat,
  followsRule,
  isAmbiguous,
  isPlain,
  type Repetition,
  recurrenceIdLine,
  repetitionLines,
  repetitionOf,
} from './ical.rule.ts'
import { timeLines } from './ical.times.ts'
import { calendar, type EntryHead, entryLines, headOf } from './ical.ts'

/** Events as a calendar in which series are rules. */
export const repeatingCalendar: FeedWriter = {
  ...calendar,
  series: { canWrite: canRepeat, write: (feed, part, read) => seriesEntries(feed, part, read) },
}

/** What is known of the dates of a segment after they have been read once. */
interface Dates {
  /** Dates that exist, in order. */
  readonly keys: readonly DateKey[]
  /** The hash of all that an entry says, except when it takes place: of dates at the times of the rule. */
  readonly texts: ReadonlyMap<number, string>
  readonly lastChange: number
}

/**
 * Yields the dates of a segment: one entry with the rule, and one for each date that differs from it in its times or its
 * texts. Reads the dates twice, so that their texts need not be in memory together.
 *
 * @see RFC 5545, 3.8.4.4 and 3.8.5
 */
async function* seriesEntries(feed: Feed, part: SeriesPart, read: ReadEvents): AsyncGenerator<string> {
  const { keys, texts, lastChange } = await readDates(feed, part, read)
  const repetition = repetitionOf(
    part.segment,
    keys.map(({ recurrenceId }) => recurrenceId),
  )
  const repeated = keys.filter(
    ({ recurrenceId }) =>
      repetition !== undefined && recurrenceId >= repetition.start && !isAmbiguous(part.segment, recurrenceId),
  )
  const usual = maxCommon(repeated.flatMap(({ id }) => texts.get(id) ?? []))
  const asUsual = new Set(repeated.filter(({ id }) => usual !== undefined && texts.get(id) === usual))
  // If no date is as the rule says, each of them replaces its own.
  const [model = repeated[0]] = asUsual
  // A single date repeats nothing, so no other entry could replace it.
  const isRule = repeated.length > 1
  if (repetition && model && isRule) {
    for await (const [event] of read([model])) if (event) yield ruleEntry(event, feed, { part, repetition, lastChange })
  }
  const dateOf = new Map<number, LocalDateTime>(repeated.map(({ id, recurrenceId }) => [id, recurrenceId]))
  for await (const events of read(keys.filter((key) => !isRule || !asUsual.has(key)))) {
    for (const event of events) {
      const date = dateOf.get(event.id)
      const alone = headOf(event, feed)
      const head =
        date === undefined ? alone : ownHead(alone, event, { part, feed, replaced: isRule ? date : undefined })
      yield entryLines(event, feed, head).join('')
    }
  }
}

async function readDates(feed: Feed, { segment, dates, state }: SeriesPart, read: ReadEvents): Promise<Dates> {
  const found = new Set<number>()
  const texts = new Map<number, string>()
  const dateOf = new Map<number, LocalDateTime>(dates.map(({ id, recurrenceId }) => [id, recurrenceId]))
  let lastChange = state.modifiedAt
  for await (const events of read(dates)) {
    for (const event of events) {
      const date = dateOf.get(event.id)
      if (date === undefined) continue
      found.add(event.id)
      lastChange = Math.max(lastChange, changedAt(event))
      if (isPlain(segment, date) && followsRule(segment, date, event)) texts.set(event.id, hashOf(event, feed))
    }
  }
  return { keys: dates.filter(({ id }) => found.has(id)), texts, lastChange }
}

/** Returns a hash of what an entry says. Dates without differences have the same. */
function hashOf(event: LinkedEvent, feed: Feed): string {
  const lines = entryLines(event, feed, { uid: '', changedAt: 0, sequence: 0, times: [], url: '' })
  return hash('sha1', lines.join(''), 'base64')
}

/** Returns the most frequent text; among equally frequent ones the first. */
function maxCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

interface RuleHead {
  readonly part: SeriesPart
  readonly repetition: Repetition
  readonly lastChange: number
}

/** Returns the entry of all dates that are as the rule says, with the texts of one of them. */
function ruleEntry(event: LinkedEvent, feed: Feed, { part, repetition, lastChange }: RuleHead): string {
  const { segment, base, seriesId, siblings, state } = part
  const uidOf = (segmentId: number) => seriesUuid(feed.identity, seriesId, segmentId)
  const related = siblings.map((id) => line('RELATED-TO', uidOf(id), { RELTYPE: 'SIBLING' }))
  return entryLines(event, feed, {
    uid: uidOf(segment.id),
    changedAt: lastChange,
    sequence: state.sequence,
    times: [...repetitionLines(segment, repetition), ...related],
    url: recordUrl(feed.addresses, { ...event, path: base }),
  }).join('')
}

interface OwnHead {
  readonly part: SeriesPart
  readonly feed: Feed
  /** The date of the rule that the event replaces. Undefined if there is no rule. */
  readonly replaced: LocalDateTime | undefined
}

/** Returns the head of a date of a series that has an entry of its own. */
function ownHead(alone: EntryHead, event: LinkedEvent, { part, feed, replaced }: OwnHead): EntryHead {
  const { segment, seriesId, state } = part
  return {
    ...alone,
    uid: seriesUuid(feed.identity, seriesId, segment.id),
    sequence: state.sequence + event.changeCount,
    times: [...(replaced === undefined ? [] : [recurrenceIdLine(segment, replaced)]), ...timeLines(event)],
  }
}
