import { numberArgument, pathArgument, textArgument } from '../../access/http/arguments/argument.kinds.ts'
import { accepted, itemsOf, localTimeOf, refused, wholeNumbersOf } from '../../access/http/arguments/argument.rules.ts'
import {
  dateSchema,
  idsSchema,
  integerSchema,
  type JsonSchema,
  wordSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import type { DescriptionKey } from '../../base/languages/catalogue.ts'
import { type LocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { eventChangeArguments, eventCreateArguments } from '../events/model/event.arguments.ts'
import { pastArgument, recurrenceArguments, seriesTrashArguments } from '../events/model/series.arguments.ts'
import { followedFields } from './series.fields.ts'
import { maxJoined } from './series.joining.service.ts'

/** The id of a series in a path: that of its template in any language. */
export const seriesPath = {
  id: pathArgument('series-not-found', 'id.series'),
} as const satisfies Arguments

export const datePath = {
  id: pathArgument('series-date-not-found', 'id.event'),
} as const satisfies Arguments

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
  from: numberArgument('series.from'),
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

const localTimeRule: ArgumentRule<LocalDateTime> = (raw) => {
  const time = localTimeOf(raw, startOfDay)
  return time === undefined ? refused('fault.where-date') : accepted(time)
}

const localTimeArgument = (description: DescriptionKey) =>
  ({ read: localTimeRule, schema: dateSchema, description, type: 'string' }) as const

export const dateArguments = {
  start_date: { ...localTimeArgument('series.date'), isRequired: true },
} as const satisfies Arguments

const maxDates = 500

export const datesArguments = {
  from: localTimeArgument('series.dates.from'),
  to: localTimeArgument('series.dates.to'),
  cursor: textArgument('cursor', 'series.dates.cursor'),
  per_page: {
    ...numberArgument('series.dates.per_page'),
    schema: { ...integerSchema, maximum: maxDates },
    default: 100,
  },
} as const satisfies Arguments

export const joinArguments = {
  event_ids: {
    read: (raw: unknown) => wholeNumbersOf(raw, maxJoined),
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
