import { flagArgument } from '../../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  acceptedAs,
  coordinateFault,
  dateFilter,
  maxChosen,
  oneOf,
  refused,
  searchText,
  text,
  wholeNumberOf,
  wholeNumbersOf,
} from '../../../access/http/arguments/argument.rules.ts'
import {
  booleanSchema,
  dateSchema,
  degreesSchema,
  filledTextSchema,
  idsOrNamesSchema,
  idsSchema,
  integerSchema,
  wordSchema,
} from '../../../access/http/arguments/argument.schema.ts'
import type {
  Argument,
  ArgumentContext,
  ArgumentRule,
  Arguments,
  ReadResult,
} from '../../../access/http/arguments/argument.ts'
import type { MessageKey } from '../../../base/languages/catalogue.ts'
import { secondsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../../base/time/zone.ts'
import { listKnownSeries } from '../../occurrences/occurrence.repository.ts'
import { listSuccessors } from '../../records/former.repository.ts'
import { pageArguments, statusFilterRule, statusFilterSchema } from '../../records/record.arguments.ts'
import { modifiedArguments } from '../../records/record.modified.repository.ts'
import { listGroupsOfKind } from '../../records/record.repository.ts'
import { listShownGroups } from '../../records/record.translations.repository.ts'
import { termFilter } from '../../terms/term.service.ts'
import { listTranslationIds } from '../../translations/group.repository.ts'
import { passwordArgument } from '../model/event.arguments.ts'
import { orderArguments } from './order.ts'
import { stateFilterArguments } from './state.filters.ts'
import { defaultWindow } from './window.ts'

/** Half the circumference of the Earth. */
const maxRadiusKm = 20_040

/**
 * Ids of records of one kind, in any status, all of which exist. Those that no event shows to the caller find no event:
 * the list would tell what is linked to them. One that was merged means the one that stays.
 */
export const recordIdsRule =
  (kind: 'venue' | 'organizer', fault: MessageKey): ArgumentRule<readonly number[]> =>
  async (raw, { db, actor }) => {
    const ids = wholeNumbersOf(raw, maxChosen)
    if ('fault' in ids) return ids
    const shownOf = async (some: readonly number[]) => {
      const known = await listGroupsOfKind(db, kind, some)
      // A record stands for all its translations (languages.md F8).
      return some.every((id) => known.has(id)) ? listShownGroups(db, actor, some) : undefined
    }
    const shown = await shownOf(ids.value)
    if (shown && ids.value.every((id) => shown.includes(id))) return accepted(shown)
    const successors = await listSuccessors(db, [kind], ids.value)
    const found = successors.size === 0 ? shown : await shownOf(ids.value.map((id) => successors.get(id) ?? id))
    return found ? accepted(found) : refused(fault)
  }

/** Ids that need not exist. */
const includeRule: ArgumentRule<readonly number[]> = async (raw, { db }) => {
  const ids = wholeNumbersOf(raw)
  return 'fault' in ids ? ids : accepted(await listTranslationIds(db, 'records', ids.value))
}

/** What a list has the children of: an event, as all its versions, or a series. */
type Parent = { readonly eventIds: readonly number[] } | { readonly seriesId: number }

/** The dates of a series are its children. */
const parentRule: ArgumentRule<Parent> = async (raw, { db, actor }) => {
  const id = wholeNumberOf(raw)
  if (id === undefined) return refused('fault.unknown-event')
  if ((await listGroupsOfKind(db, 'event', [id])).has(id)) {
    return accepted({ eventIds: await listTranslationIds(db, 'records', [id]) })
  }
  const seriesId = (await listKnownSeries(db, actor, [id])).get(id)
  return seriesId === undefined ? refused('fault.unknown-event') : accepted({ seriesId })
}

/** Ids of series that the caller knows. A series stands for all its translations. */
const seriesRule: ArgumentRule<readonly number[]> = async (raw, { db, actor }) => {
  const ids = wholeNumbersOf(raw, maxChosen)
  if ('fault' in ids) return ids
  const groups = await listKnownSeries(db, actor, ids.value)
  return ids.value.every((id) => groups.has(id))
    ? accepted([...new Set(groups.values())])
    : refused('fault.unknown-series')
}

/** How lists show the dates of a series: each of them, or only the first one that they would show. */
const OCCURRENCES = ['each', 'next'] as const
/** Calendars can also have the rule by which they repeat. */
const OCCURRENCES_OF_CALENDARS = [...OCCURRENCES, 'rule'] as const
export type Occurrences = (typeof OCCURRENCES_OF_CALENDARS)[number]

/** Returns the argument of a list that shows dates in one of these ways if the request does not say. */
export function occurrencesArgument(byDefault: Occurrences): Argument<Occurrences> {
  const isOfCalendars = byDefault === 'rule'
  const words: readonly Occurrences[] = isOfCalendars ? OCCURRENCES_OF_CALENDARS : OCCURRENCES
  return {
    read: oneOf(words),
    description: isOfCalendars ? 'occurrences.calendar' : 'occurrences',
    schema: wordSchema(words),
    default: byDefault,
    isExtension: true,
  }
}

/** Contract: on for these words only; any other text is off, an empty one or `0` is refused (events.md §1). */
const strictRule: ArgumentRule<boolean> = (raw) =>
  typeof raw === 'boolean' || raw === 1
    ? accepted(Boolean(raw))
    : typeof raw === 'string' && raw !== '' && raw !== '0'
      ? parseStrictWord(raw)
      : refused('fault.text')

function parseStrictWord(word: string): ReadResult<boolean> {
  if (/^(1|true|yes|on)$/i.test(word)) return accepted(true)
  return /^(false|no|off)$/i.test(word) ? accepted(false) : acceptedAs(false, 'false')
}

/** Degrees; that both are sent together is seen to where the list is made. */
const coordinate =
  (most: number): ArgumentRule<number> =>
  (raw) => {
    const degrees = numberOf(raw)
    return degrees !== undefined && Math.abs(degrees) <= most ? accepted(degrees) : coordinateFault(most)
  }

const radiusRule: ArgumentRule<number> = (raw) => {
  const kilometres = numberOf(raw)
  return kilometres !== undefined && kilometres > 0 && kilometres <= maxRadiusKm
    ? accepted(kilometres)
    : refused('fault.number-between', { least: '0', most: String(maxRadiusKm) })
}

function numberOf(raw: unknown): number | undefined {
  const number = typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const defaultDateText =
  (edge: 'start' | 'end') =>
  ({ config, now }: Pick<ArgumentContext, 'config' | 'now'>) =>
    localDateTimeAt(secondsOfLocalDateTime(defaultWindow(now)[edge]), config.siteZone)

/** An empty password is none (rulings.md 39). */
const listPassword: ArgumentRule<string | undefined> = (raw, reading) =>
  raw === '' ? accepted(undefined) : text('password')(raw, reading)

const ids = { schema: idsSchema, items: { type: 'integer' } } as const
const idsOrNames = { ...ids, schema: idsOrNamesSchema } as const

/** What the list of events takes, in the order of the index. */
export const eventListArguments = {
  ...pageArguments,
  start_date: { read: dateFilter, description: 'start_date', schema: dateSchema, default: defaultDateText('start') },
  end_date: { read: dateFilter, description: 'end_date', schema: dateSchema, default: defaultDateText('end') },
  starts_before: { read: dateFilter, description: 'starts_before', schema: dateSchema },
  starts_after: { read: dateFilter, description: 'starts_after', schema: dateSchema },
  ends_before: { read: dateFilter, description: 'ends_before', schema: dateSchema },
  ends_after: { read: dateFilter, description: 'ends_after', schema: dateSchema },
  strict_dates: { read: strictRule, description: 'strict_dates', schema: booleanSchema, default: 'false' },
  search: { read: searchText, description: 'search.events', schema: filledTextSchema, type: 'string' },
  categories: { read: termFilter('category'), description: 'categories.filter', ...idsOrNames },
  tags: { read: termFilter('tag'), description: 'tags.filter', ...idsOrNames },
  venue: { read: recordIdsRule('venue', 'fault.unknown-venue'), description: 'venue.filter', ...ids },
  organizer: { read: recordIdsRule('organizer', 'fault.unknown-organizer'), description: 'organizer.filter', ...ids },
  featured: flagArgument('featured', 'featured.filter'),
  status: { read: statusFilterRule, description: 'status.filter', schema: statusFilterSchema, format: 'string' },
  geoloc: flagArgument('geoloc', 'geoloc'),
  geoloc_lat: { read: coordinate(90), description: 'geoloc_lat', schema: degreesSchema(90), format: 'double' },
  geoloc_lng: { read: coordinate(180), description: 'geoloc_lng', schema: degreesSchema(180), format: 'double' },
  include: { read: includeRule, description: 'include', ...ids },
  post_parent: { read: parentRule, description: 'post_parent', schema: integerSchema, type: 'integer' },
  ticketed: flagArgument('ticketed', 'ticketed'),
  geoloc_radius: {
    read: radiusRule,
    description: 'geoloc_radius',
    schema: { type: 'number', format: 'double', exclusiveMinimum: 0 },
    format: 'double',
    isExtension: true,
  },
  series: { read: seriesRule, description: 'series.filter', ...ids, isExtension: true },
  occurrences: occurrencesArgument('each'),
  ...stateFilterArguments,
  ...modifiedArguments,
  ...orderArguments,
  password: { ...passwordArgument.password, read: listPassword, isExtension: true },
} as const satisfies Arguments

export type EventListArguments = typeof eventListArguments
