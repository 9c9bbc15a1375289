import { wordArgument } from '../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  localTimeOf,
  maxChosen,
  refused,
  wholeNumbersOf,
} from '../../access/http/arguments/argument.rules.ts'
import {
  idsOrNamesSchema,
  idsSchema,
  type JsonSchema,
  lengthSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentContext, ArgumentRule, Arguments, ReadResult } from '../../access/http/arguments/argument.ts'
import { isLanguageOf } from '../../base/languages/language.ts'
import {
  dayOf,
  endOfDay,
  type LocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { recordIdsRule } from '../events/list/list.arguments.ts'
import { reasonRule } from '../events/model/state.fields.ts'
import { eventStatusFrom, maxReasonCharacters } from '../events/model/state.ts'
import { termFilter } from '../terms/term.service.ts'
import { outcomeArguments } from '../undo/undo.routes.ts'
import {
  type Affected,
  CANCELLATION_STATUSES,
  type CancellationStatus,
  maxDays,
  maxNamed,
  type Reasons,
} from './cancellation.ts'

const daySeconds = 86_400

const linkRules = {
  venue: recordIdsRule('venue', 'fault.unknown-venue'),
  organizer: recordIdsRule('organizer', 'fault.unknown-organizer'),
  category: termFilter('category'),
  tag: termFilter('tag'),
} as const

const members: readonly string[] = ['from', 'to', ...Object.keys(linkRules), 'event']

const timeSchema = {
  type: 'string',
  minLength: 1,
  examples: ['2030-01-31', '2030-01-31 19:00:00'],
} as const satisfies JsonSchema

const whereSchema = {
  type: 'object',
  anyOf: [{ required: ['to'] }, { required: ['event'] }],
  properties: {
    from: timeSchema,
    to: timeSchema,
    event: { ...idsSchema, maxItems: maxNamed },
    venue: { ...idsSchema, maxItems: maxChosen },
    organizer: { ...idsSchema, maxItems: maxChosen },
    category: { ...idsOrNamesSchema, maxItems: maxChosen },
    tag: { ...idsOrNamesSchema, maxItems: maxChosen },
  },
  additionalProperties: false,
} as const satisfies JsonSchema

/**
 * The events of a request. A member that is not known is refused: without it, the request would mean more events than
 * its sender wants.
 */
const whereRule: ArgumentRule<Affected> = async (raw, reading) => {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw)
  const sent = (isObject ? raw : {}) as Readonly<Record<string, unknown>>
  if (
    (sent.to === undefined && sent.event === undefined) ||
    !Object.keys(sent).every((name) => members.includes(name))
  ) {
    return refused('fault.where', { allowed: members.join(', ') })
  }
  const named = sent.event === undefined ? accepted(undefined) : wholeNumbersOf(sent.event, maxNamed)
  if ('fault' in named) return ofMember('event', named)
  const times = timesOf(sent, reading)
  if ('fault' in times) return times
  const ids: Partial<Record<keyof typeof linkRules, readonly number[]>> = {}
  for (const [name, rule] of Object.entries(linkRules) as [keyof typeof linkRules, (typeof linkRules)['venue']][]) {
    if (sent[name] === undefined) continue
    const found = await rule(sent[name], reading)
    if ('fault' in found) return ofMember(name, found)
    ids[name] = found.value
  }
  const { venue: venueIds, organizer: organizerIds, category: categoryIds, tag: tagIds } = ids
  return accepted({ ...times.value, eventIds: named.value, venueIds, organizerIds, categoryIds, tagIds })
}

/** Events that are named by their ids may begin at any time. */
const anyTime = {
  from: '0001-01-01 00:00:00' as LocalDateTime,
  to: '9999-12-31 23:59:59' as LocalDateTime,
  hasPast: true,
}

/**
 * Reads the days. Without `from`, they begin today. Events that are over count only if `from` is a day before today, or
 * a time that has passed.
 */
function timesOf(
  { from: sentFrom, to: sentTo, event: sentEvents }: Readonly<Record<string, unknown>>,
  { config, now }: ArgumentContext,
): ReadResult<Pick<Affected, 'from' | 'to' | 'hasPast'>> {
  if (sentEvents !== undefined && sentFrom === undefined && sentTo === undefined) return accepted(anyTime)
  const current = localDateTimeAt(now, config.siteZone)
  const from = sentFrom === undefined ? startOfDay(current) : localTimeOf(sentFrom, startOfDay)
  const to = localTimeOf(sentTo, endOfDay)
  if (from === undefined) return ofMember('from', refused('fault.where-date'))
  if (to === undefined) return ofMember('to', refused('fault.where-date'))
  const seconds = secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from)
  if (seconds < 0 || seconds >= maxDays * daySeconds) {
    return ofMember('to', refused('fault.where-days', { most: String(maxDays) }))
  }
  const isTime = String(sentFrom).length > dayOf(from).length
  return accepted({ from, to, hasPast: sentFrom !== undefined && from < (isTime ? current : startOfDay(current)) })
}

function ofMember(member: string, { fault }: Extract<ReadResult<never>, { readonly fault: unknown }>) {
  return { fault: { ...fault, values: { ...fault.values, name: `where.${member}` } } }
}

/** A reason for all events, or for those of each language. */
const reasonsRule: ArgumentRule<Reasons> = (raw, reading) => {
  if (raw === null || typeof raw === 'string') return reasonRule(raw)
  const { config } = reading
  const refusal = refused('fault.reasons', { allowed: config.languages.join(', ') })
  if (typeof raw !== 'object' || Array.isArray(raw)) return refusal
  const reasons: Record<string, string> = {}
  for (const [language, text] of Object.entries(raw)) {
    if (!isLanguageOf(config, language)) return refusal
    const reason = reasonRule(text)
    if ('fault' in reason) return reason
    reasons[language] = reason.value
  }
  return accepted(reasons)
}

const statusRule: ArgumentRule<CancellationStatus> = (raw) => {
  const status = typeof raw === 'string' ? eventStatusFrom(raw) : undefined
  const known = CANCELLATION_STATUSES.find((one) => one === status)
  return known ? accepted(known) : refused('fault.enum', { allowed: CANCELLATION_STATUSES.join(', ') })
}

export const cancellationArguments = {
  where: { read: whereRule, schema: whereSchema, description: 'cancellation.where', isRequired: true },
  reason: {
    read: reasonsRule,
    schema: {
      anyOf: [
        { ...lengthSchema(0, maxReasonCharacters), type: ['string', 'null'] },
        { type: 'object', additionalProperties: lengthSchema(0, maxReasonCharacters) },
      ],
    },
    description: 'cancellation.reason',
  },
  event_status: {
    ...wordArgument(CANCELLATION_STATUSES, 'cancellation.event_status'),
    ...{ read: statusRule, default: CANCELLATION_STATUSES[0] },
  },
  ...outcomeArguments,
} as const satisfies Arguments
