import { mayCreate, mayEdit, mayRead } from '../../access/auth/policy.ts'
import { numberArgument } from '../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  dateText,
  itemsOf,
  longLine,
  refused,
  urlOf,
  user,
  wholeNumberOf,
  wrongType,
} from '../../access/http/arguments/argument.rules.ts'
import { dateSchema, integerSchema, type JsonSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentContext, ArgumentRule } from '../../access/http/arguments/argument.ts'
import type { Config } from '../../base/config/config.ts'
import { isLongLine } from '../../base/text/bounds.ts'
import { plainText } from '../../base/text/sanitize.ts'
import { zeroDateTime } from '../../base/time/wire.ts'
import { listTranslationIds } from '../translations/group.repository.ts'
import { findOwnedRecord, listOwnedRecords } from './record.repository.ts'
import { isStatus, type RecordKind, type RecordStatus, STATUSES } from './record.ts'

export const statusSchema = wordSchema(STATUSES)
export const statusFilterSchema = {
  type: 'array',
  items: wordSchema([...STATUSES, 'any']),
  minItems: 1,
} as const satisfies JsonSchema

const statusFault = (allowed: readonly string[]) => refused('fault.status', { allowed: allowed.join(', ') })

export const statusRule: ArgumentRule<RecordStatus> = (raw) => {
  if (raw === null) return wrongType('status', 'string')
  return isStatus(raw) ? accepted(raw) : statusFault(STATUSES)
}

/** The statuses that a list filters by. `any` stands for all except the trash, `readable` for an empty text. */
export type StatusFilter = 'any' | 'readable' | readonly RecordStatus[]

/**
 * The statuses that a caller may filter by. Visitors and subscribers may use only `publish`. Callers who may create
 * records may use any of the six, or `any` (rulings.md 24).
 */
export const statusFilterRule: ArgumentRule<StatusFilter> = (raw, { actor }) => {
  if (!mayCreate(actor)) return raw === 'publish' ? accepted(['publish']) : statusFault(['publish'])
  if (raw === '') return accepted('readable')
  if (raw === 'any') return accepted('any')
  const items = itemsOf(raw)
  const isKnown = 'value' in items && items.value.length > 0 && items.value.every(isStatus)
  return isKnown ? accepted(items.value as RecordStatus[]) : statusFault([...STATUSES, 'any'])
}

/**
 * The id of an event that the caller may read and that is not in the trash (rulings.md 10). It also stands for its
 * translations that meet these conditions (languages.md §4). A password of an event also hides its venue, organizers
 * and terms, so a protected event requires the right to edit it.
 */
export const readableEventsRule: ArgumentRule<readonly number[]> = async (raw, { db, actor }) => {
  const id = wholeNumberOf(raw)
  const versions =
    id === undefined ? [] : await listOwnedRecords(db, 'event', await listTranslationIds(db, 'records', [id]))
  const ids = versions.flatMap((event) => {
    const isShown = event.status !== 'trash' && mayRead(actor, event)
    return isShown && (!event.isProtected || mayEdit(actor, event)) ? [event.id] : []
  })
  return id !== undefined && ids.includes(id) ? accepted(ids) : refused('fault.unknown-event')
}

// Contract: a text, as the setting it comes from (index-and-doc.md note 1).
const defaultPerPage = ({ config }: Pick<ArgumentContext, 'config'>) => String(config.perPage)

/** The record of the same kind that a write translates. 0 for none (languages.md §5). */
export const translationRule =
  (kind: RecordKind): ArgumentRule<number> =>
  async (raw, { db }) => {
    if (raw === 0 || raw === '0') return accepted(0)
    const id = wholeNumberOf(raw)
    const record = id === undefined ? undefined : await findOwnedRecord(db, kind, id)
    return record ? accepted(record.id) : refused('fault.translation-of')
  }

export const pageArguments = {
  page: { ...numberArgument('page'), default: 1 },
  per_page: {
    ...numberArgument('per_page'),
    about: 'argument.per_page',
    aboutValues: ({ maxPerPage }: Config) => ({ most: maxPerPage }),
    default: defaultPerPage,
  },
} as const satisfies Record<string, Argument<unknown>>

/** A date. A draft has none yet, and the text that it gives in its place may come back (rulings.md 44). */
const givenDate: ArgumentRule<string | undefined> = (raw, reading) =>
  raw === zeroDateTime ? accepted(undefined) : dateText('date_utc')(raw, reading)

/** The author and publication date of a record, on create and update. */
export const authorAndDateArguments = {
  author: { read: user, description: 'author', schema: integerSchema, type: 'integer' },
  date: { read: dateText('date'), description: 'date', schema: dateSchema, type: 'string' },
  date_utc: { read: givenDate, description: 'date_utc', schema: dateSchema, type: 'string' },
} as const satisfies Record<string, Argument<unknown>>

/** A text with markup. It may be empty, but it must be a text. It is sanitized when it is stored. */
export const articleTextRule =
  (name: string): ArgumentRule<string> =>
  (raw) => {
    if (raw === null) return wrongType(name, 'string')
    return typeof raw === 'string' ? accepted(raw) : refused('fault.string')
  }

/** A text of one line with a length limit. The sent text is sanitized when it is read (venues-organizers.md §3). */
export const lineTextRule =
  (name: string): ArgumentRule<string> =>
  (raw) => {
    if (raw === null) return wrongType(name, 'string')
    if (typeof raw !== 'string') return refused('fault.string')
    return isLongLine(raw) ? longLine : accepted(plainText(raw))
  }

/** The address of a website, http or https (venues-organizers.md §11 row 19), or `''` for none. */
export const websiteRule: ArgumentRule<string> = (raw) => {
  if (raw === null) return wrongType('website', 'string')
  if (raw === '') return accepted('')
  const url = typeof raw === 'string' ? urlOf(raw, ['http:', 'https:']) : undefined
  return url === undefined ? refused('fault.url', { schemes: 'http, https' }) : accepted(url)
}
