import { flagArgument, pageSizeArgument, wordArgument } from '../../access/http/arguments/argument.kinds.ts'
import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { anyTextSchema, type JsonSchema, wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { CHANGE_KINDS, type ChangeCursor, type ChangeKind, parseChangeCursor } from '../changelog/change.log.ts'
import { eventListArguments } from '../events/list/list.arguments.ts'

export const defaultPerPage = 100
const maxPerPage = 500
const maxWaitSeconds = 30

const cursorRule: ArgumentRule<ChangeCursor> = (raw) => {
  const cursor = typeof raw === 'string' ? parseChangeCursor(raw) : undefined
  return cursor ? accepted(cursor) : refused('fault.invalid')
}

const kindsRule: ArgumentRule<readonly ChangeKind[]> = (raw) => {
  const words = typeof raw === 'string' ? [...new Set(raw.split(',', 100).map((word) => word.trim()))] : []
  const kinds = words.flatMap((word) => CHANGE_KINDS.find((kind) => kind === word) ?? [])
  return kinds.length > 0 && kinds.length === words.length
    ? accepted(kinds)
    : refused('fault.words', { allowed: CHANGE_KINDS.join(', '), example: CHANGE_KINDS.slice(0, 2).join(',') })
}

const languageRule: ArgumentRule<string> = (raw, { config: { languages } }) => {
  const known = languages.find((language) => language === raw)
  return known ? accepted(known) : refused('fault.enum', { allowed: languages.join(', ') })
}

const contents = ['full', 'ids'] as const

const wholeNumberBetween = (least: number, most: number) =>
  ({
    read: (raw: unknown) => {
      const number = typeof raw === 'string' && /^\d{1,6}$/.test(raw) ? Number(raw) : Number.NaN
      return number >= least && number <= most
        ? accepted(number)
        : refused('fault.between', { least: String(least), most: String(most) })
    },
    schema: { type: 'integer', minimum: least, maximum: most },
    type: 'integer',
  }) as const

const { categories, tags, venue, organizer, featured } = eventListArguments

const cursorSchema: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{12}\\.\\d{1,15}(-\\d{1,15})?(\\.\\d{1,15})?$' }

/** What the feed of changes takes. */
export const changeArguments = {
  after: { read: cursorRule, schema: cursorSchema, description: 'changes.after', type: 'string' },
  kinds: {
    read: kindsRule,
    schema: { type: 'array', items: wordSchema(CHANGE_KINDS), minItems: 1 },
    description: 'changes.kinds',
    type: 'string',
  },
  language: { read: languageRule, schema: anyTextSchema, description: 'changes.language', type: 'string' },
  ...{ categories, tags, venue, organizer, featured },
  data: { ...wordArgument(contents, 'changes.data'), default: 'full' },
  linked: flagArgument('linked', 'changes.linked'),
  per_page: { ...pageSizeArgument(maxPerPage), ...wholeNumberBetween(1, maxPerPage), default: defaultPerPage },
  wait: { ...wholeNumberBetween(0, maxWaitSeconds), description: 'changes.wait', default: 0 },
} as const satisfies Arguments

const changeNumber: ArgumentRule<number> = (raw) => {
  const number = typeof raw === 'string' && /^\d{1,16}$/.test(raw) ? Number(raw) : Number.NaN
  return Number.isSafeInteger(number) ? accepted(number) : refused('fault.invalid')
}

/** What the feed takes in the form of OpenActive (RPDE 1.0, “Incrementing Unique Change Number”). */
export const rpdeArguments = {
  afterChangeNumber: {
    read: changeNumber,
    schema: { type: 'integer', minimum: 0 },
    description: 'changes.afterChangeNumber',
    type: 'integer',
  },
  /** The epoch of the number, in addresses that this service makes. */
  log: { read: cursorRule, schema: cursorSchema, description: 'changes.log', type: 'string' },
} as const satisfies Arguments
