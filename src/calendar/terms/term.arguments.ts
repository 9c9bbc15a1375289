import { flagArgument, textArgument } from '../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  acceptedAs,
  itemsOf,
  refused,
  searchText,
  text,
  wholeNumberOf,
  wrongType,
} from '../../access/http/arguments/argument.rules.ts'
import {
  anyTextSchema,
  filledTextSchema,
  idsSchema,
  integerSchema,
  type JsonSchema,
  wordSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentContext, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { fullLanguageChain } from '../../base/languages/chain.ts'
import { listSuccessors } from '../records/former.repository.ts'
import { pageArguments, readableEventsRule } from '../records/record.arguments.ts'
import { listNamedTerms } from './term.former.ts'
import type { TermSortKey } from './term.list.repository.ts'
import { termReferenceFromText } from './term.match.ts'
import type { TermView } from './term.present.ts'
import { findTerm } from './term.repository.ts'
import { type Taxonomy, type Term, topLevel } from './term.ts'
import { isTermVisibleTo } from './term.visibility.ts'

const views: readonly TermView[] = ['view', 'embed', 'edit']

/** Returns the term with this id if it exists and the caller may see it. */
async function findVisibleTerm(
  { db, actor }: Pick<ArgumentContext, 'db' | 'actor'>,
  taxonomy: Taxonomy,
  id: number | undefined,
): Promise<Term | undefined> {
  const term = id === undefined ? undefined : await findTerm(db, taxonomy, id)
  return term && isTermVisibleTo(actor, term) ? term : undefined
}

/**
 * The id in a path. Contract: one that does not exist, or is of the other taxonomy, is a bad parameter.
 *
 * @param isReading Whether the id of a merged term means the one that stays.
 */
export function termId(taxonomy: Taxonomy, isReading = false) {
  return {
    type: 'integer',
    description: `id.${taxonomy}`,
    schema: integerSchema,
    isRequired: true,
    read: async (raw, reading) => {
      const id = wholeNumberOf(raw)
      const stays = isReading && id !== undefined ? (await listSuccessors(reading.db, [taxonomy], [id])).get(id) : id
      const term = await findVisibleTerm(reading, taxonomy, stays ?? id)
      return term ? accepted(term.id as number) : refused(`fault.unknown-${taxonomy}`)
    },
  } as const satisfies Argument<number>
}

/** The term that the written term translates, of the same taxonomy; 0 for none (languages.md §5). */
export const translatedTermRule =
  (taxonomy: Taxonomy): ArgumentRule<number> =>
  async (raw, reading) => {
    if (raw === 0 || raw === '0') return accepted(0)
    const term = await findVisibleTerm(reading, taxonomy, wholeNumberOf(raw))
    return term ? accepted(term.id as number) : refused('fault.translation-of')
  }

/** The parent category, or 0 for the top level (rulings.md 12). */
const parentRule: ArgumentRule<number> = async (raw, reading) => {
  if (raw === null) return wrongType('parent', 'integer')
  if (raw === 0 || raw === '0') return accepted(topLevel)
  const parent = await findVisibleTerm(reading, 'category', wholeNumberOf(raw))
  return parent ? accepted(parent.id as number) : refused('fault.unknown-category')
}

/** A list of terms that exist. Contract: slugs are accepted, yet select nothing (terms.md §3.1). */
const knownTermsRule =
  (taxonomy: Taxonomy): ArgumentRule<readonly number[]> =>
  async (raw, { db, actor, config, language }) => {
    const refusal = refused(`fault.unknown-${taxonomy}`)
    const list = itemsOf(raw)
    if ('fault' in list) return list
    const items = list.value
    if (items.length === 0) return refusal
    const references = items
      .flatMap((item) => termReferenceFromText(item) ?? [])
      .map((one) => ({ ...one, name: undefined }))
    const preference = fullLanguageChain(language ?? config.defaultLanguage, config)
    const { terms: sought, wanted } = await listNamedTerms(db, { taxonomy, wanted: references }, preference)
    const known = sought.filter((term) => isTermVisibleTo(actor, term))
    const ids = new Set<number>(known.map((term) => term.id))
    const slugs = new Set(known.map((term) => term.slug))
    const isKnown = wanted.every(({ id = 0, slug = '' }) => ids.has(id) || slugs.has(slug))
    if (wanted.length < items.length || !isKnown) return refusal
    const chosen = wanted.flatMap(({ id = 0 }) => (ids.has(id) ? [id] : []))
    return { value: chosen, ...(chosen.length < wanted.length ? { adjusted: 'partly' } : {}) }
  }

/** Contract: every text except `asc` means descending (rulings.md 11). Returns true for descending. */
const isDescending: ArgumentRule<boolean> = async (raw, reading) => {
  const outcome = await text('order')(raw, reading)
  if ('fault' in outcome) return outcome
  const order = outcome.value.toLowerCase()
  return order === 'asc' || order === 'desc' ? accepted(order === 'desc') : acceptedAs(true, 'desc')
}

const sortKeys: ReadonlyMap<string, TermSortKey> = new Map([
  ['name', 'name_folded'],
  ['id', 'id'],
  ['term_id', 'id'],
  ['term_group', 'id'],
  ['none', 'id'],
  ['slug', 'slug'],
  ['description', 'description'],
  ['count', 'event_count'],
  ['parent', 'parent_id'],
  ['include', 'include'],
])

const orderBySchema = wordSchema([
  ...['name', 'id', 'term_id', 'slug', 'description'],
  ...['count', 'parent', 'term_group', 'none', 'include'],
])
const parentSchema = { type: 'integer', minimum: 0 } as const satisfies JsonSchema

/** Contract: every unknown text means by name (rulings.md 11). */
const sortKey: ArgumentRule<TermSortKey> = async (raw, reading) => {
  const outcome = await text('orderby')(raw, reading)
  if ('fault' in outcome) return outcome
  const known = sortKeys.get(outcome.value.toLowerCase())
  return known ? accepted(known) : acceptedAs('name_folded', 'name')
}

/** A text that may be empty (rulings.md 12). Contract: `"0"` is still refused. */
const descriptionRule: ArgumentRule<string> = (raw, reading) =>
  raw === '' ? accepted('') : text('description')(raw, reading)

const viewRule: ArgumentRule<TermView> = (raw) => {
  const view = views.find((known) => known === raw)
  if (view !== undefined) return accepted(view)
  return {
    fault: {
      text: 'fault.enum',
      values: { allowed: views.join(', ') },
      inner: { code: 'rest_not_in_enum', data: null },
    },
  }
}

/** Parameters of reads that the index does not name. */
const context = {
  read: viewRule,
  schema: wordSchema(views),
  about: 'argument.context',
  isExtension: true,
} as const satisfies Argument<TermView>

// Contract: never declared, so a value that is not a number is ignored.
const offset = {
  read: (raw: unknown) => accepted(wholeNumberOf(raw)),
  schema: integerSchema,
  about: 'argument.offset',
  isExtension: true,
} as const satisfies Argument<number | undefined>

/** Arguments of the list, in the order of the index, which is also that of links. */
export function termListArguments(taxonomy: Taxonomy) {
  const all = {
    ...pageArguments,
    search: { read: searchText, description: 'search.terms', schema: filledTextSchema, type: 'string' },
    exclude: { read: knownTermsRule(taxonomy), description: 'exclude', schema: idsSchema, items: { type: 'integer' } },
    include: {
      read: knownTermsRule(taxonomy),
      description: 'include.terms',
      schema: idsSchema,
      items: { type: 'integer' },
    },
    order: { read: isDescending, description: 'order', schema: wordSchema(['asc', 'desc']), type: 'string' },
    orderby: { read: sortKey, description: 'orderby', schema: orderBySchema, type: 'string' },
    // Contract: a text, like the setting from which it comes (index-and-doc.md note 1).
    hide_empty: { ...flagArgument('hide_empty', 'hide_empty'), default: '1' },
    parent: { read: parentRule, description: 'parent.filter', schema: parentSchema, type: 'integer' },
    post: { read: readableEventsRule, description: 'event.filter', schema: integerSchema, type: 'integer' },
    event: { read: readableEventsRule, description: 'event.filter', schema: integerSchema, type: 'integer' },
    slug: textArgument('slug', 'slug.filter'),
    context,
    offset,
  } as const satisfies Arguments
  return taxonomy === 'category' ? without(all, 'offset') : without(all, 'parent')
}

/** Arguments of reading one term, besides its id. */
export const viewArguments = { context } as const satisfies Arguments

/** Arguments of create and update, in the order of the index. */
export function termWriteArguments(taxonomy: Taxonomy, { isNameRequired }: { readonly isNameRequired: boolean }) {
  const all = {
    name: { ...textArgument('name', 'term.name'), isRequired: isNameRequired },
    description: { read: descriptionRule, description: 'description.term', schema: anyTextSchema, type: 'string' },
    slug: textArgument('slug', 'slug.term'),
    parent: { read: parentRule, description: 'parent.term', schema: parentSchema, type: 'integer' },
  } as const satisfies Arguments
  return taxonomy === 'category' ? all : without(all, 'parent')
}

/**
 * Returns the arguments without one of them. Its type stays and its value is never set, so that one handler serves both
 * taxonomies.
 */
function without<A extends Arguments>(all: A, name: keyof A & string): A {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name)) as A
}
