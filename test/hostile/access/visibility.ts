// Who sees what, as the contract says it and without a line of the service: conventions.md §8 and §9, events.md §1, §6
// and §8 rows 7 and 8, venues-organizers.md §9 and §11, languages.md §3 and §4, rulings.md 6, 7, 10 and 24.
import { ROLES, type Role } from '../../../src/access/auth/actor.ts'
import type { Language } from '../../../src/base/languages/language.ts'
import type { Facts, RecordFacts, TermFacts } from './facts.ts'

export type Caller = 'visitor' | Role
export const CALLERS: readonly Caller[] = ['visitor', ...ROLES]

/** What a request says of itself that matters to what is seen. */
export interface Asking {
  readonly caller: Caller
  readonly language?: Language | undefined
  /** Whether it names the password of the protected events. */
  readonly hasPassword?: boolean | undefined
  /** `context=edit`. */
  readonly isEditing?: boolean | undefined
}

const isEditor = (caller: Caller) => caller === 'editor' || caller === 'administrator'
/** Users of tests are numbered in the order of their roles. */
export const userIdOf = (caller: Caller) => (caller === 'visitor' ? 0 : ROLES.indexOf(caller) + 1)
const isOwn = (caller: Caller, record: RecordFacts) => record.authorId === userIdOf(caller)

/** May create, and so name any status in lists. */
export const isCreator = (caller: Caller) => !['visitor', 'subscriber'].includes(caller)
/** May upload, and see the pictures that were. */
export const isUploader = (caller: Caller) => isCreator(caller) && caller !== 'contributor'

/** Published ones are for everyone, the others for their author and editors. */
export function isReadable(caller: Caller, record: RecordFacts): boolean {
  return record.status === 'publish' || isEditor(caller) || isOwn(caller, record)
}

export function isEditable(caller: Caller, record: RecordFacts): boolean {
  if (isEditor(caller)) return true
  if (!isOwn(caller, record) || !isCreator(caller)) return false
  return caller === 'author' || !['publish', 'future'].includes(record.status)
}

/** Whether a protected event shows what its password protects, when it is asked for itself. */
export function isOpen({ caller, hasPassword, isEditing }: Asking, event: RecordFacts): boolean {
  return !event.isProtected || hasPassword === true || (isEditing === true && isEditable(caller, event))
}

/** Whether the caller may know what is linked to a protected event: its password does not tell who asks a filter. */
const isLinkKnown = (caller: Caller, event: RecordFacts) => !event.isProtected || isEditable(caller, event)

const within = { en: ['en', 'en-CA'], 'en-CA': ['en-CA', 'en'], 'fr-CA': ['fr-CA'] }
const chainOf = (language: Language): readonly Language[] => within[language as keyof typeof within]
/** The language of tests is English. */
const fullLanguageChain = (language: Language): readonly Language[] => [
  ...new Set([...chainOf(language), ...within.en]),
]

interface TranslationVersion {
  readonly id: number
  readonly language: Language
  readonly groupId: number
}

/** Of several versions of one thing the one that is shown: by language, then the original, then the oldest. */
function versionIn<V extends TranslationVersion>(versions: readonly V[], chain: readonly Language[]): V | undefined {
  const inChain = chain.flatMap((language) => versions.filter((version) => version.language === language))
  const original = versions.filter(({ id, groupId }) => id === groupId)
  return [...inChain, ...original, ...versions.toSorted((a, b) => a.id - b.id)][0]
}

function versionsShown<V extends TranslationVersion>(
  candidates: readonly V[],
  chain: readonly Language[],
): readonly V[] {
  return [...Map.groupBy(candidates, ({ groupId }) => groupId).values()].flatMap(
    (versions) => versionIn(versions, chain) ?? [],
  )
}

/** What `status` of a list may say: `''` asks for published and private ones. */
export type StatusAsked = string | undefined

/** Whether the caller may ask for this at all. */
export function mayAsk(caller: Caller, status: StatusAsked): boolean {
  return isCreator(caller) || status === undefined || status === 'publish'
}

function hasStatus(caller: Caller, { status }: RecordFacts, asked: StatusAsked): boolean {
  if (asked === 'any' || (asked === undefined && isCreator(caller))) return status !== 'trash'
  return (asked === undefined ? 'publish' : asked === '' ? 'publish,private' : asked).split(',').includes(status)
}

/** The events of a list without other filters: of each group the version that the caller may see. */
export function listedEvents({ records }: Facts, { caller, language }: Asking, status: StatusAsked) {
  const listed = records.filter(
    (record) =>
      record.kind === 'event' &&
      !record.isHidden &&
      isReadable(caller, record) &&
      hasStatus(caller, record, status) &&
      // Nothing that is only in another language stands in for an event.
      (language === undefined || chainOf(language).includes(record.language)),
  )
  return versionsShown(listed, language === undefined ? fullLanguageChain('en') : chainOf(language))
}

/** The venues or organizers of a list without other filters. */
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

/** The versions of venues or organizers that an event shows to the caller. */
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

/** The versions of terms that an event shows, to whoever may read it. */
export function linkedTerms(
  { terms }: Facts,
  taxonomy: TermFacts['taxonomy'],
  event: RecordFacts,
  { language }: Asking,
): readonly TermFacts[] {
  const carried = terms.filter((term) => term.taxonomy === taxonomy && event.terms.includes(term.groupId))
  return versionsShown(carried, fullLanguageChain(language ?? event.language))
}

/** Terms of drafts of those who may not make them are for those who may, and for whoever named them. */
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

/** Whether a filter by what a password protects finds the event: who may not know it cannot ask for it. */
export function isFoundByLink({ caller }: Asking, event: RecordFacts): boolean {
  return isLinkKnown(caller, event)
}

/** The versions of this event that may be named to ask what is linked to it (rulings.md 10). */
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

/** Whether an event counts for the caller where venues and organizers are asked for whether they have any. */
export function countsForEntries(caller: Caller, event: RecordFacts): boolean {
  return event.status !== 'trash' && isReadable(caller, event) && isLinkKnown(caller, event)
}

/** The count of a term: of published events, what is translated once. */
export function countOf({ records }: Facts, term: TermFacts): number {
  const counted = records.filter(
    ({ kind, status, terms }) => kind === 'event' && status === 'publish' && terms.includes(term.groupId),
  )
  return new Set(counted.map(({ groupId }) => groupId)).size
}

/** The record that a slug means to the caller: of several one that he may read, by language, then the oldest. */
export function bySlug({ records }: Facts, kind: RecordFacts['kind'], slug: string, { caller, language }: Asking) {
  const all = records.filter((record) => record.kind === kind && record.slug === slug)
  const readable = all.filter((record) => record.status !== 'trash' && isReadable(caller, record))
  return [readable, all].flatMap((some) => {
    const inChain = fullLanguageChain(language ?? 'en').flatMap((one) =>
      some.filter((record) => record.language === one),
    )
    return [...inChain, ...some]
  })[0]
}
