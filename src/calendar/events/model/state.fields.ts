import { accepted, acceptedAs, refused, urlOf } from '../../../access/http/arguments/argument.rules.ts'
import { websiteSchema, wordSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ReadResult } from '../../../access/http/arguments/argument.ts'
import type { SchemaKit } from '../../../access/http/schema.ts'
import { linesRule, optionalField, textField } from '../../records/field.ts'
import {
  ATTENDANCES,
  type Attendance,
  EVENT_STATUSES,
  type EventStatus,
  eventStatusFrom,
  maxReasonCharacters,
  VIRTUAL_ACCESSES,
  type VirtualAccess,
} from './state.ts'

// The fields that tell what happens to an event and how people attend it. They are entries of the table of all fields.

/** A status in any of its spellings. An empty text or null stands for `scheduled`. */
export const eventStatusRule = (raw: unknown): ReadResult<EventStatus> => {
  const sent = raw === null ? '' : raw
  const status = typeof sent === 'string' ? eventStatusFrom(sent) : undefined
  if (status === undefined) return refused('fault.enum', { allowed: EVENT_STATUSES.join(', ') })
  return sent === status || sent === '' ? accepted(status) : acceptedAs(status, status)
}

/** Returns the rule for one of these words. An empty text or null stands for the first. */
const wordRule =
  <const W extends readonly [string, ...string[]]>(words: W) =>
  (raw: unknown): ReadResult<W[number]> => {
    const word = raw === null || raw === '' ? words[0] : words.find((one) => one === raw)
    return word === undefined ? refused('fault.enum', { allowed: words.join(', ') }) : accepted(word)
  }

export const reasonRule = linesRule(maxReasonCharacters)

/** The address of an online event, or `''` for none. It is shown as it is, so it has no sign that ends an attribute in HTML. */
export const virtualUrlRule = (raw: unknown): ReadResult<string> => {
  if (raw === null || raw === '') return accepted('')
  const url = typeof raw === 'string' ? urlOf(raw, ['http:', 'https:']) : undefined
  return url === undefined ? refused('fault.url', { schemes: 'http, https' }) : accepted(url.replaceAll("'", '%27'))
}

/** A short name of the program that transmits an online event, such as `zoom`. */
export const virtualSourceRule = (raw: unknown): ReadResult<string> => {
  if (raw === null) return accepted('')
  return typeof raw === 'string' && /^[a-z0-9_-]{0,40}$/i.test(raw)
    ? accepted(raw.toLowerCase())
    : refused('fault.virtual-source')
}

export const attendanceRule = wordRule(ATTENDANCES)
export const virtualAccessRule = wordRule(VIRTUAL_ACCESSES)

const asStored = (value: string): string => value

/** In the order of the arguments, the JSON and the table `events`. */
export const stateFields = {
  eventStatus: optionalField('event_status', {
    argument: {
      read: eventStatusRule,
      description: 'event_status',
      schema: wordSchema(EVENT_STATUSES),
      type: 'string',
      isExtension: true,
    },
    column: 'event_status',
    fromStored: (stored: EventStatus): EventStatus => stored,
    toStored: (status): EventStatus => status,
    blank: 'scheduled' as EventStatus,
    isLong: false,
    schema: ({ oneOf }: SchemaKit) => oneOf(EVENT_STATUSES, 'event_status'),
    present: (status) => status,
    isMasked: false,
    isShared: true,
    auditedAs: 'plain',
    cell: (status) => status,
  }),
  statusReason: textField('event_status_reason', { column: 'status_reason', most: maxReasonCharacters }),
  attendance: optionalField('attendance', {
    argument: {
      read: attendanceRule,
      description: 'attendance',
      schema: wordSchema(ATTENDANCES),
      type: 'string',
      isExtension: true,
    },
    column: 'attendance',
    fromStored: (stored: Attendance): Attendance => stored,
    toStored: (attendance): Attendance => attendance,
    blank: 'offline' as Attendance,
    isLong: false,
    schema: ({ oneOf }: SchemaKit) => oneOf(ATTENDANCES, 'attendance'),
    present: (attendance) => attendance,
    isMasked: false,
    isShared: true,
    auditedAs: 'plain',
    cell: (attendance) => attendance,
  }),
  virtualUrl: optionalField('virtual_url', {
    argument: {
      read: virtualUrlRule,
      description: 'virtual_url',
      schema: { ...websiteSchema, type: ['string', 'null'] },
      isExtension: true,
    },
    column: 'virtual_url',
    fromStored: (stored: string): string => stored,
    toStored: asStored,
    blank: '',
    isLong: true,
    schema: ({ text, orNull }: SchemaKit) => orNull(text('virtual_url')),
    present: asStored,
    isMasked: true,
    isShared: true,
    auditedAs: 'plain',
    cell: undefined,
  }),
  virtualSource: optionalField('virtual_video_source', {
    argument: {
      read: virtualSourceRule,
      description: 'virtual_video_source',
      schema: { type: 'string', maxLength: 40, examples: ['zoom', 'youtube'] },
      type: 'string',
      isExtension: true,
    },
    column: 'virtual_source',
    fromStored: (stored: string): string => stored,
    toStored: asStored,
    blank: '',
    isLong: false,
    schema: ({ text }: SchemaKit) => text('virtual_video_source'),
    present: asStored,
    isMasked: true,
    isShared: true,
    auditedAs: 'plain',
    cell: undefined,
  }),
  virtualAccess: optionalField('virtual_access', {
    argument: {
      read: virtualAccessRule,
      description: 'virtual_access',
      schema: wordSchema(VIRTUAL_ACCESSES),
      type: 'string',
      isExtension: true,
    },
    column: 'virtual_access',
    fromStored: (stored: VirtualAccess): VirtualAccess => stored,
    toStored: (access): VirtualAccess => access,
    blank: 'all' as VirtualAccess,
    isLong: false,
    schema: ({ oneOf }: SchemaKit) => oneOf(VIRTUAL_ACCESSES, 'virtual_access'),
    present: (access) => access,
    isMasked: true,
    isShared: true,
    auditedAs: 'plain',
    cell: undefined,
  }),
}
