// Who sees what, written from the contract and without code of the service: conventions.md §8 and §9, events.md §1, §6
// and §8 rows 7 and 8, venues-organizers.md §9 and §11, languages.md §3 and §4, rulings.md 6, 7, 10 and 24.
import { ROLES, type Role } from '../../../src/access/auth/actor.ts'
import type { Language } from '../../../src/base/languages/language.ts'
import type { Facts, RecordFacts, RecordKind, TermFacts } from './facts.ts'

export type Caller = 'visitor' | Role
export const CALLERS: readonly Caller[] = ['visitor', ...ROLES]

/** The properties of a request that affect what it may see. */
export interface Asking {
  readonly caller: Caller
  readonly language?: Language | undefined
  /** True if the request contains the password of the protected events. */
  readonly hasPassword?: boolean | undefined
  /** `context=edit`. */
  readonly isEditing?: boolean | undefined
}

const isEditor = (caller: Caller) => caller === 'editor' || caller === 'administrator'
/** Users of tests are numbered in the order of their roles. */
export const userIdOf = (caller: Caller) => (caller === 'visitor' ? 0 : ROLES.indexOf(caller) + 1)
const isOwn = (caller: Caller, record: RecordFacts<RecordKind>) => record.authorId === userIdOf(caller)

/** May create records, and so name any status in lists. */
export const isCreator = (caller: Caller) => !['visitor', 'subscriber'].includes(caller)
/** May upload pictures, and see uploaded ones. */
export const isUploader = (caller: Caller) => isCreator(caller) && caller !== 'contributor'

/** Published records are visible to everyone, the others to their author and to editors. */
export function isReadable(caller: Caller, record: RecordFacts<RecordKind>): boolean {
  return record.status === 'publish' || isEditor(caller) || isOwn(caller, record)
}

export function isEditable(caller: Caller, record: RecordFacts<RecordKind>): boolean {
  if (isEditor(caller)) return true
  if (!isOwn(caller, record) || !isCreator(caller)) return false
  return caller === 'author' || !['publish', 'future'].includes(record.status)
}

/** Returns true if a request for a protected event itself shows the contents that its password protects. */
export function isOpen({ caller, hasPassword, isEditing }: Asking, event: RecordFacts<RecordKind>): boolean {
  return !event.isProtected || hasPassword === true || (isEditing === true && isEditable(caller, event))
}

/** Returns true if the caller sees the texts of a series. Its password is never asked for. */
export function isSeriesOpen(caller: Caller, template: RecordFacts<'series'>): boolean {
  return isEditable(caller, template) || (isReadable(caller, template) && !template.isProtected)
}

/** Returns true if the caller may know the links of a protected event. A filter does not accept its password. */
const isLinkKnown = (caller: Caller, event: RecordFacts) => !event.isProtected || isEditable(caller, event)

const within = { en: ['en', 'en-CA'], 'en-CA': ['en-CA', 'en'], 'fr-CA': ['fr-CA'] }
const chainOf = (language: Language): readonly Language[] => within[language as keyof typeof within]
/** The language of tests is English. */
const fullLanguageChain = (language: Language): readonly Language[] => [
  ...new Set([...chainOf(language), ...within.en]),
]

interface Translation {
  readonly id: number
  readonly language: Language
  readonly groupId: number
}

/** Returns the shown version of several: by language, then the original, then the oldest. */
function versionIn<V extends Translation>(versions: readonly V[], chain: readonly Language[]): V | undefined {
  const inChain = chain.flatMap((language) => versions.filter((version) => version.language === language))
  const original = versions.filter(({ id, groupId }) => id === groupId)
  return [...inChain, ...original, ...versions.toSorted((a, b) => a.id - b.id)][0]
}

function versionsShown<V extends Translation>(candidates: readonly V[], chain: readonly Language[]): readonly V[] {
  return [...Map.groupBy(candidates, ({ groupId }) => groupId).values()].flatMap(
    (versions) => versionIn(versions, chain) ?? [],
  )
}

/** A `status` of a list; `''` requests published and private records. */
export type StatusAsked = string | undefined

/** Returns true if the caller may request this status at all. */
export function mayAsk(caller: Caller, status: StatusAsked): boolean {
  return isCreator(caller) || status === undefined || status === 'publish'
}

function hasStatus(caller: Caller, { status }: RecordFacts, asked: StatusAsked): boolean {
  if (asked === 'any' || (asked === undefined && isCreator(caller))) return status !== 'trash'
  return (asked === undefined ? 'publish' : asked === '' ? 'publish,private' : asked).split(',').includes(status)
}

/** Returns the events of a list without other filters: of each group the version that the caller may see. */
export function listedEvents({ records }: Facts, { caller, language }: Asking, status: StatusAsked) {
  const listed = records.filter(
    (record) =>
      record.kind === 'event' &&
      !record.isHidden &&
      isReadable(caller, record) &&
      hasStatus(caller, record, status) &&
      // A version in another language does not replace an event.
      (language === undefined || chainOf(language).includes(record.language)),
  )
  return versionsShown(listed, language === undefined ? fullLanguageChain('en') : chainOf(language))
}

/** Returns the venues or organizers of a list without other filters. */
export function listedEntries(
  { records }: Facts,
  kind: 'venue' | 'organizer',
  { caller, language }: Asking,
  status: StatusAsked,
): readonly RecordFacts[] {
  const listed = records.filter(
    (record) => record.kind === kind && isReadable(caller, record) && hasStatus(caller, record, status),
  )
  return versionsShown(listed, fullLanguageChain(language ?? 'en'))
}

/** Returns the versions of venues or organizers that an event shows to the caller. */
export function linkedEntries(
  { records }: Facts,
  kind: 'venue' | 'organizer',
  event: RecordFacts,
  { caller, language }: Asking,
): readonly RecordFacts[] {
  const groups = kind === 'venue' ? event.venues : event.organizers
  const shown = records.filter(
    (record) =>
      record.kind === kind &&
      groups.includes(record.groupId) &&
      record.status !== 'trash' &&
      isReadable(caller, record),
  )
  return versionsShown(shown, fullLanguageChain(language ?? event.language))
}

/** Returns the versions of terms that an event shows to callers who may read it. */
export function linkedTerms(
  { terms }: Facts,
  taxonomy: TermFacts['taxonomy'],
  event: RecordFacts,
  { language }: Asking,
): readonly TermFacts[] {
  const carried = terms.filter((term) => term.taxonomy === taxonomy && event.terms.includes(term.groupId))
  return versionsShown(carried, fullLanguageChain(language ?? event.language))
}

/**
 * A caller who may not create terms can name them in a draft. Those terms are visible to callers who may create terms,
 * and to the caller who named them.
 */
export function isTermShown(caller: Caller, { taxonomy, introducedBy }: TermFacts): boolean {
  if (introducedBy === undefined || isEditor(caller) || introducedBy === userIdOf(caller)) return true
  return caller === 'author' && taxonomy === 'category'
}

export function listedTerms({ terms }: Facts, taxonomy: TermFacts['taxonomy'], { caller, language }: Asking) {
  return versionsShown(
    terms.filter((term) => term.taxonomy === taxonomy && isTermShown(caller, term)),
    fullLanguageChain(language ?? 'en'),
  )
}

/**
 * Returns true if a filter by protected contents finds the event. It does not for a caller who may not see those
 * contents.
 */
export function isFoundByLink({ caller }: Asking, event: RecordFacts): boolean {
  return isLinkKnown(caller, event)
}

/** Returns the versions of this event by which a caller may request its linked records (rulings.md 10). */
export function nameableVersions({ records }: Facts, caller: Caller, event: RecordFacts): readonly RecordFacts[] {
  return records.filter(
    (record) =>
      record.kind === 'event' &&
      record.groupId === event.groupId &&
      record.status !== 'trash' &&
      isReadable(caller, record) &&
      isLinkKnown(caller, record),
  )
}

/**
 * Returns true if an event counts for the caller when venues and organizers are filtered by whether they have events.
 */
export function countsForEntries(caller: Caller, event: RecordFacts): boolean {
  return event.status !== 'trash' && isReadable(caller, event) && isLinkKnown(caller, event)
}

/** Returns the count of a term: of published events, with the translations of an event counted once. */
export function countOf({ records }: Facts, term: TermFacts): number {
  const counted = records.filter(
    ({ kind, status, terms }) => kind === 'event' && status === 'publish' && terms.includes(term.groupId),
  )
  return new Set(counted.map(({ groupId }) => groupId)).size
}

/** Returns the record that a slug identifies for the caller: of several readable ones, by language, then the oldest. */
export function bySlug({ records }: Facts, kind: RecordFacts['kind'], slug: string, asking: Asking) {
  // That of a record in the trash that never had one: nothing is known by it.
  if (slug === '__trashed') return undefined
  return preferred(
    records.filter((record) => record.kind === kind && record.slug === slug),
    asking,
  )
}

/** Returns the one of several records at an address that answers: a readable one first, in the order of languages. */
export function preferred(all: readonly RecordFacts[], { caller, language }: Asking): RecordFacts | undefined {
  const readable = all.filter((record) => record.status !== 'trash' && isReadable(caller, record))
  return [readable, all].flatMap((some) => {
    const inChain = fullLanguageChain(language ?? 'en').flatMap((one) =>
      some.filter((record) => record.language === one),
    )
    return [...inChain, ...some]
  })[0]
}
