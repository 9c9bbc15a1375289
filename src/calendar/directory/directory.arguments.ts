import { mayEdit } from '../../access/auth/policy.ts'
import {
  accepted,
  booleanFromWord,
  dateText,
  line,
  refused,
  searchText,
  wholeNumberOf,
} from '../../access/http/arguments/argument.rules.ts'
import {
  anyTextSchema,
  booleanSchema,
  filledTextSchema,
  integerSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import type { DescriptionKey } from '../../base/languages/catalogue.ts'
import { wordsOfFolded } from '../../base/text/fold.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { zeroDateTime } from '../../base/time/wire.ts'
import { imageRule, imageSchema } from '../media/media.arguments.ts'
import { findIdByFormerSlug, listSuccessors } from '../records/former.repository.ts'
import {
  articleTextRule,
  authorAndDateArguments,
  pageArguments,
  readableEventsRule,
  statusFilterRule,
  statusFilterSchema,
  statusRule,
  statusSchema,
} from '../records/record.arguments.ts'
import { modifiedArguments } from '../records/record.modified.repository.ts'
import { findOwnedRecord } from '../records/record.repository.ts'
import { findIdBySlug } from '../records/record.translations.repository.ts'
import { viewerOfReading } from '../translations/viewer.ts'
import type { Directory, DirectoryKind, Fields } from './directory.ts'

/** The id in a path. Contract: an id that does not exist, or belongs to another kind, is a bad parameter. */
export function entryIdArgument(kind: DirectoryKind) {
  return {
    type: 'integer',
    description: `id.${kind}`,
    schema: integerSchema,
    isRequired: true,
    read: async (raw, { db }) => {
      const id = wholeNumberOf(raw)
      const found = id === undefined ? undefined : await findOwnedRecord(db, kind, id)
      return found ? accepted(found.id) : refused(`fault.unknown-${kind}`)
    },
  } as const satisfies Argument<number>
}

/** The id in a path, for reading. That of a record that was merged means the one that stays. */
export function readEntryIdArgument(kind: DirectoryKind) {
  const argument = entryIdArgument(kind)
  return {
    ...argument,
    read: async (raw, reading) => {
      const id = wholeNumberOf(raw) ?? 0
      const found = await findOwnedRecord(reading.db, kind, id)
      if (found && (found.status !== 'trash' || mayEdit(reading.actor, found))) return accepted(found.id)
      return argument.read((await listSuccessors(reading.db, [kind], [id])).get(id) ?? raw, reading)
    },
  } as const satisfies Argument<number>
}

/** The slug in a path, in any letter case. The value is the id of the record. */
export function entrySlugArgument(kind: DirectoryKind) {
  return {
    type: 'string',
    description: `slug.${kind}`,
    schema: filledTextSchema,
    isRequired: true,
    read: async (raw, reading) => {
      const id = await findIdBySlug(reading.db, { kind, slug: slugFrom(String(raw)) }, viewerOfReading(reading))
      return id === undefined ? refused(`fault.unknown-${kind}`) : accepted(id)
    },
  } as const satisfies Argument<number>
}

/** The slug in a path, for reading. It may be a former one. */
export function readEntrySlugArgument(kind: DirectoryKind) {
  const argument = entrySlugArgument(kind)
  return {
    ...argument,
    read: async (raw, reading) => {
      const outcome = await argument.read(raw, reading)
      if ('value' in outcome) return outcome
      const slug = slugFrom(String(raw))
      const id = await findIdByFormerSlug(reading.db, { kind, slug }, viewerOfReading(reading))
      return id === undefined ? outcome : accepted(id)
    },
  } as const satisfies Argument<number>
}

/** The distinct words of a search, folded. */
const searchedWordsRule: ArgumentRule<readonly string[]> = async (raw, reading) => {
  const outcome = await searchText(raw, reading)
  return 'fault' in outcome ? outcome : accepted([...new Set(wordsOfFolded(outcome.value))])
}

export function directoryListArguments({ plural }: Pick<Directory<Fields>, 'plural'>) {
  return {
    ...pageArguments,
    search: { read: searchedWordsRule, description: `search.${plural}`, schema: filledTextSchema, type: 'string' },
    event: { read: readableEventsRule, description: 'event.filter', schema: integerSchema, type: 'integer' },
    has_events: { read: booleanFromWord, description: 'has_events', schema: booleanSchema },
    only_with_upcoming: {
      read: booleanFromWord,
      description: 'only_with_upcoming',
      schema: booleanSchema,
      default: false,
    },
    status: { read: statusFilterRule, description: 'status.filter', schema: statusFilterSchema, format: 'string' },
    ...modifiedArguments,
  } as const satisfies Arguments
}

/** Contract: zeros are a valid date. The code that writes the record decides what they mean. */
const dateOrNeverRule =
  (name: string): ArgumentRule<string> =>
  (raw, reading) =>
    raw === zeroDateTime ? accepted(zeroDateTime) : dateText(name)(raw, reading)

/** The arguments of create and update, in the order of the index. */
export function directoryWriteArguments<F extends Fields>(
  directory: Directory<F>,
  { isNameRequired }: { isNameRequired: boolean },
) {
  const { kind, declaredDefault } = directory
  const nameDescription: DescriptionKey = `${kind}.name`
  return {
    author: { ...authorAndDateArguments.author, ...declaredDefault },
    date: { ...authorAndDateArguments.date, read: dateOrNeverRule('date'), ...declaredDefault },
    date_utc: { ...authorAndDateArguments.date_utc, read: dateOrNeverRule('date_utc'), ...declaredDefault },
    [kind]: {
      read: line(kind),
      description: nameDescription,
      schema: filledTextSchema,
      type: 'string',
      isRequired: isNameRequired,
      ...declaredDefault,
    },
    description: {
      read: articleTextRule('description'),
      description: 'description.record',
      schema: anyTextSchema,
      type: 'string',
      default: null,
    },
    status: { read: statusRule, description: 'status', schema: statusSchema, type: 'string', ...declaredDefault },
    ...directory.arguments,
    image: {
      read: imageRule({ canClear: true, isNullClear: false }),
      description: 'image',
      schema: imageSchema,
      type: 'string',
      default: null,
    },
  } as const satisfies Arguments
}
