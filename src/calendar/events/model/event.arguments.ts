import { mayEdit } from '../../../access/auth/policy.ts'
import { languageParameterNames } from '../../../access/http/addresses.ts'
import { flagArgument, textArgument } from '../../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  dateText,
  itemsOf,
  line,
  maxChosen,
  refused,
  text,
  timezone,
  wholeNumberOf,
  wrongType,
} from '../../../access/http/arguments/argument.rules.ts'
import {
  anyTextSchema,
  dateSchema,
  filledTextSchema,
  integerSchema,
  type JsonSchema,
  textOrNullSchema,
  wordSchema,
} from '../../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, ArgumentValues, RawParameters } from '../../../access/http/arguments/argument.ts'
import type { Config } from '../../../base/config/config.ts'
import type { DescriptionKey } from '../../../base/languages/catalogue.ts'
import { imageRule, imageSchema } from '../../media/media.arguments.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import { authorAndDateArguments, statusRule, statusSchema } from '../../records/record.arguments.ts'
import { venues } from '../../venues/venue.directory.ts'
import { findEvent } from '../event.repository.ts'
import { readCost, type StoredCost } from './cost.ts'
import type { EventDraft, EventPatch } from './event.changes.ts'
import { valueFields } from './event.fields.ts'
import { codedPatchFrom, type EventArgument } from './fields.derived.ts'
import { linkRule, linkSchema } from './links.arguments.ts'
import type { NewPassword } from './password.ts'
import { attendanceFrom, VIRTUAL_TYPES, type VirtualType } from './state.ts'

/** On update an empty text or null clears; on create both are refused (events.md §8 row 3). */
function articleArgument(
  name: string,
  { description, canClear }: { readonly description: DescriptionKey; readonly canClear: boolean },
) {
  const read: ArgumentRule<string> = (raw, reading) =>
    canClear && (raw === null || raw === '') ? accepted('') : text(name)(raw, reading)
  return { read, description, schema: anyTextSchema, type: 'string', isNullable: canClear } as const
}

const costSchema = {
  anyOf: [
    { type: 'number' },
    { type: 'array', items: { anyOf: [{ type: 'number' }, anyTextSchema] } },
    textOrNullSchema,
  ],
} as const satisfies JsonSchema

/** A list of ids, slugs or names, or these separated by commas. */
const termsSchema = {
  anyOf: [{ type: 'array', items: { anyOf: [integerSchema, filledTextSchema] } }, integerSchema, textOrNullSchema],
} as const satisfies JsonSchema

const costRule: ArgumentRule<StoredCost> = (raw) => accepted(readCost(raw))

/**
 * Categories or tags as they were sent, item by item. The write of the event looks up the terms. At most 100. Contract:
 * null counts as left out; items of a JSON list are not cut at commas (events.md §3).
 */
const termsRule: ArgumentRule<readonly unknown[] | undefined> = (raw) => {
  if (raw === null) return accepted(undefined)
  if (typeof raw === 'object' && !Array.isArray(raw) && ('id' in raw || 'slug' in raw || 'name' in raw)) {
    return { value: [raw], ignored: ignoredMembers(raw) }
  }
  const items = itemsOf(raw, maxChosen)
  return 'fault' in items ? items : { ...items, ignored: items.value.flatMap(ignoredMembers) }
}

const termMembers = ['id', 'slug', 'name']

/** Returns the ignored members of a term: all except the id if there is one, else all except slug and name. */
function ignoredMembers(item: unknown): readonly (readonly [name: string, allowed: readonly string[] | undefined])[] {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return []
  const read = Object.hasOwn(item, 'id') ? ['id'] : termMembers
  return Object.keys(item).flatMap((name) => (read.includes(name) ? [] : [[name, termMembers] as const]))
}

const virtualTypeRule: ArgumentRule<VirtualType | undefined> = (raw) => {
  if (raw === null || raw === '') return accepted(undefined)
  const type = VIRTUAL_TYPES.find((one) => one === raw)
  return type ? accepted(type) : refused('fault.enum', { allowed: VIRTUAL_TYPES.join(', ') })
}

const maxPasswordLength = 255

/** A password, or `{"of": 12}` for that of another event, for a copy that stays protected. */
const passwordRule: ArgumentRule<NewPassword> = async (raw, { db, actor }) => {
  if (typeof raw === 'object' && raw !== null && 'of' in raw) {
    const event = await findEvent(db, wholeNumberOf(raw.of) ?? 0)
    if (!event || !mayEdit(actor, event)) return refused('fault.unknown-event')
    return accepted(event.passwordDigest === undefined ? '' : { digest: event.passwordDigest })
  }
  if (typeof raw !== 'string') return wrongType('event_password', 'string')
  return raw.length <= maxPasswordLength
    ? accepted(raw)
    : refused('fault.length', { least: '0', most: String(maxPasswordLength) })
}

const idItems = { items: { type: 'integer' }, default: null } as const

/** A slug. A draft that has none gives an empty one, which may come back (rulings.md 44). */
const givenSlug: ArgumentRule<string> = (raw, reading) => (raw === '' ? accepted('') : text('slug')(raw, reading))

/** Arguments of create and update, in the order of the index. */
function eventWriteArguments({ canClear }: { readonly canClear: boolean }) {
  return {
    ...authorAndDateArguments,
    title: { read: line('title'), description: 'title', schema: filledTextSchema, type: 'string' },
    description: articleArgument('description', { description: 'description.record', canClear }),
    slug: { ...textArgument('slug', 'slug.event'), ...(canClear ? { read: givenSlug } : {}) },
    excerpt: articleArgument('excerpt', { description: 'excerpt', canClear }),
    status: { read: statusRule, description: 'status', schema: statusSchema, type: 'string' },
    timezone: {
      read: timezone,
      description: 'timezone',
      schema: { type: 'string', examples: ['America/Toronto', 'UTC-5'] },
      type: 'string',
    },
    all_day: { ...flagArgument('all_day', 'all_day'), default: false },
    start_date: { read: dateText('start_date'), description: 'start_date.event', schema: dateSchema, type: 'string' },
    end_date: { read: dateText('end_date'), description: 'end_date.event', schema: dateSchema, type: 'string' },
    image: {
      read: imageRule({ canClear, isNullClear: canClear }),
      description: 'image',
      schema: imageSchema,
      type: 'string',
      isNullable: canClear,
    },
    cost: { read: costRule, description: 'cost', schema: costSchema },
    ...valueFields.arguments,
    categories: { read: termsRule, description: 'categories', schema: termsSchema, ...idItems },
    tags: { read: termsRule, description: 'tags', schema: termsSchema, ...idItems },
    venue: {
      ...{ read: linkRule(venues), description: 'venue.event', schema: linkSchema('CreateVenueInput') },
      ...idItems,
    },
    organizer: {
      ...{ read: linkRule(organizers), description: 'organizer.event', schema: linkSchema('CreateOrganizerInput') },
      ...idItems,
    },
    is_virtual: { ...flagArgument('is_virtual', 'is_virtual'), isExtension: true },
    virtual_event_type: {
      read: virtualTypeRule,
      description: 'virtual_event_type',
      schema: wordSchema(VIRTUAL_TYPES),
      type: 'string',
      isExtension: true,
    },
    event_password: {
      read: passwordRule,
      description: 'event_password',
      schema: {
        anyOf: [
          { type: 'string', maxLength: maxPasswordLength, format: 'password' },
          { type: 'object', properties: { of: integerSchema }, required: ['of'], additionalProperties: false },
        ],
      },
      type: 'string',
      isExtension: true,
    },
  } as const satisfies Readonly<Record<EventArgument, Argument<unknown>>>
}

const required = <A extends object>(argument: A) => ({ ...argument, isRequired: true }) as const
const isTranslation = (sent: RawParameters, config: Config) =>
  wholeNumberOf(sent[languageParameterNames(config).translationOf]) !== undefined
const create = eventWriteArguments({ canClear: false })

export const eventCreateArguments = {
  ...create,
  title: required(create.title),
  // A translation takes them from the event that it translates (languages.md §5).
  start_date: { ...required(create.start_date), isWaived: isTranslation },
  end_date: { ...required(create.end_date), isWaived: isTranslation },
}
export const eventChangeArguments = eventWriteArguments({ canClear: true })

/** Returns the domain values of the request that creates an event. */
export function eventDraftFrom(values: ArgumentValues<typeof eventCreateArguments>): EventDraft {
  return { ...eventPatchFrom(values), title: values.title }
}

/** Returns the domain values of the request that changes an event. */
export function eventPatchFrom(values: ArgumentValues<typeof eventChangeArguments>): EventPatch {
  const { isVirtual, virtualType, ...coded } = codedPatchFrom(values)
  const { attendance = attendanceFrom(isVirtual, virtualType), ...fields } = valueFields.patchFrom(values)
  return { ...coded, ...fields, attendance }
}

/** The password that opens an event. It is only ever a credential (rulings.md 23). */
export const passwordArgument = {
  password: {
    ...textArgument('password', 'password'),
    schema: { type: 'string', minLength: 1, format: 'password' },
  },
} as const satisfies Record<string, Argument<string>>
