import {
  accepted,
  itemsOf,
  pathNumberOr,
  refused,
  text,
  wholeNumber,
  wholeNumberOf,
} from '../../access/http/arguments/argument.rules.ts'
import {
  dateSchema,
  filledTextSchema,
  idsSchema,
  integerSchema,
  type JsonSchema,
  wordSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { isLocalDateTime, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { eventChangeArguments, eventCreateArguments } from '../events/model/event.arguments.ts'
import { pastArgument, recurrenceArguments, seriesTrashArguments } from '../events/model/series.arguments.ts'
import { followedFields } from './series.fields.ts'
import { maxJoined } from './series.joining.service.ts'

/** The id of a series in a path: that of its template in any language. */
export const seriesPath = {
  id: {
    read: pathNumberOr('series-not-found'),
    schema: integerSchema,
    description: 'id.series',
    type: 'integer',
    isRequired: true,
  } satisfies Argument<number>,
} as const

export const datePath = {
  id: {
    read: pathNumberOr('series-date-not-found'),
    schema: integerSchema,
    description: 'id.event',
    type: 'integer',
    isRequired: true,
  } satisfies Argument<number>,
} as const

const required = <A extends object>(argument: A) => ({ ...argument, isRequired: true }) as const

/** Ids, or objects of new venues and organizers, as the contract's namespace describes them. */
const linksSchema = {
  anyOf: [integerSchema, { type: 'object' }, { type: 'array', items: { anyOf: [integerSchema, { type: 'object' }] } }],
} as const satisfies JsonSchema
const links = {
  venue: { ...eventChangeArguments.venue, schema: linksSchema },
  organizer: { ...eventChangeArguments.organizer, schema: linksSchema },
} as const

export const seriesCreateArguments = {
  ...eventCreateArguments,
  ...links,
  recurrence: required(recurrenceArguments.recurrence),
} as const

/** The date from which a write changes a series. Without it, all dates are meant. */
const fromArgument = {
  from: { read: wholeNumber, schema: integerSchema, description: 'series.from', type: 'integer' },
} as const satisfies Arguments

export const seriesChangeArguments = {
  ...eventChangeArguments,
  ...links,
  ...recurrenceArguments,
  ...pastArgument,
  drop: seriesTrashArguments.drop,
  ...fromArgument,
} as const

export const seriesRemoveArguments = { drop: seriesTrashArguments.drop, ...fromArgument } as const

/** A local time, or a day. */
function localTimeIn(raw: unknown): string | undefined {
  const [, day, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(typeof raw === 'string' ? raw : '') ?? []
  const found = `${day} ${time}${seconds}`
  return isLocalDateTime(found) ? found : undefined
}

const localTimeRule: ArgumentRule<LocalDateTime> = (raw) => {
  const time = localTimeIn(raw)
  return time === undefined ? refused('fault.where-date') : accepted(time as LocalDateTime)
}

export const dateArguments = {
  start_date: {
    read: localTimeRule,
    schema: dateSchema,
    description: 'series.date',
    type: 'string',
    isRequired: true,
  },
} as const satisfies Arguments

const maxDates = 500

export const datesArguments = {
  from: { read: localTimeRule, schema: dateSchema, description: 'series.dates.from', type: 'string' },
  to: { read: localTimeRule, schema: dateSchema, description: 'series.dates.to', type: 'string' },
  cursor: {
    read: text('cursor'),
    schema: filledTextSchema,
    description: 'series.dates.cursor',
    type: 'string',
  },
  per_page: {
    read: wholeNumber,
    schema: { ...integerSchema, maximum: maxDates },
    description: 'series.dates.per_page',
    type: 'integer',
    default: 100,
  },
} as const satisfies Arguments

const eventIdsRule: ArgumentRule<readonly number[]> = (raw) => {
  const items = itemsOf(raw, maxJoined)
  if ('fault' in items) return items
  const ids = items.value.map(wholeNumberOf)
  return ids.length > 0 && ids.every((id) => id !== undefined) ? accepted(ids) : refused('fault.ids')
}

export const joinArguments = {
  event_ids: {
    read: eventIdsRule,
    schema: { ...idsSchema, maxItems: maxJoined },
    description: 'series.event_ids',
    isRequired: true,
  },
} as const satisfies Arguments

const fieldsRule: ArgumentRule<readonly string[]> = (raw) => {
  const items = itemsOf(raw, followedFields.length)
  if ('fault' in items) return items
  const names = items.value.filter((one) => typeof one === 'string' && followedFields.includes(one)) as string[]
  return names.length === items.value.length && names.length > 0
    ? accepted(names)
    : refused('fault.series.fields', { allowed: followedFields.join(', ') })
}

export const followArguments = {
  fields: {
    read: fieldsRule,
    schema: { type: 'array', items: wordSchema(followedFields), minItems: 1 },
    description: 'series.fields',
    isRequired: true,
  },
} as const satisfies Arguments

const { title, description, excerpt, slug, status } = eventCreateArguments

export const translateArguments = { title, description, excerpt, slug, status } as const

const { timezone, all_day, start_date, end_date } = eventChangeArguments

/** The rule of a preview. Nothing is stored. */
export const previewArguments = {
  recurrence: required(recurrenceArguments.recurrence),
  start_date: required(start_date),
  end_date,
  timezone,
  all_day,
} as const
