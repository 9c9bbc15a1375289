import { mayRead } from '../../access/auth/policy.ts'
import { type Language, otherTextLanguages, spokenLanguageOf, textLanguageOf } from '../../base/languages/language.ts'
import { findIdByFormerSlug } from '../../calendar/records/former.repository.ts'
import { recordUrl } from '../../calendar/records/record.present.ts'
import { trashedSuffix } from '../../calendar/records/record.slug.ts'
import { findIdBySlug, listTranslationAddresses } from '../../calendar/records/record.translations.repository.ts'
import type { CalendarRecord, RecordKind } from '../../calendar/records/record.ts'
import type { TranslationIds } from '../../calendar/translations/viewer.ts'
import type { Page, PageCall, PageRedirect } from './frame/page.ts'
import { inLanguage, pathOf } from './page.addresses.ts'

/** The result of looking up a slug. */
export type RecordLookup<R> =
  | { readonly kind: 'record'; readonly record: R }
  | { readonly kind: 'missing' }
  /** The record is in the trash and was public before. */
  | { readonly kind: 'gone'; readonly record: R }
  | PageRedirect

/**
 * Finds the record that visitors see at a slug of the language of the page. A record in another language is found at
 * its own address.
 *
 * @param read Reads a record by its id, in any status.
 */
export async function findVisibleRecord<R extends CalendarRecord>(
  call: PageCall,
  { kind, slug }: { readonly kind: RecordKind; readonly slug: string },
  read: (id: number) => Promise<R | undefined>,
): Promise<RecordLookup<R>> {
  const { deps, viewer } = call
  const id = await findIdBySlug(deps.storage.db, { kind, slug }, viewer)
  const record = id === undefined ? undefined : await read(id)
  const seen = record && record.status !== 'trash' ? asVisible(call, record) : undefined
  if (seen && seen.kind !== 'missing') return seen
  const renamed = await findRenamed(call, { kind, slug }, read)
  if (renamed) return renamed
  const trashedId = await findIdBySlug(deps.storage.db, { kind, slug: `${slug}${trashedSuffix}` }, viewer)
  const trashed = trashedId === undefined ? undefined : await read(trashedId)
  return trashed?.status === 'trash' ? asVisible(call, trashed) : { kind: 'missing' }
}

/**
 * Redirects to the record that had this slug before, or into which the one with this slug was merged; undefined if
 * visitors see none.
 *
 * @param part The part of the address after the slug.
 */
export async function findRenamed<R extends CalendarRecord>(
  call: Pick<PageCall, 'deps' | 'viewer' | 'addresses' | 'search'>,
  { kind, slug, part = '' }: { readonly kind: RecordKind; readonly slug: string; readonly part?: string },
  read: (id: number) => Promise<R | undefined>,
): Promise<PageRedirect | undefined> {
  const { deps, viewer, addresses, search } = call
  const id = await findIdByFormerSlug(deps.storage.db, { kind, slug }, viewer)
  const record = id === undefined ? undefined : await read(id)
  if (!record || record.status === 'trash' || !mayRead(viewer.actor, record)) return undefined
  const url = `${recordUrl(addresses, record)}${part}${search === '' ? '' : `?${search}`}`
  return { kind: 'elsewhere', status: 301, url: pathOf(call, url) }
}

/** Returns a record that was found as visitors see it. One in another language has an address of its own. */
export function asVisible<R extends CalendarRecord>(call: PageCall, record: R): RecordLookup<R> {
  if (record.status === 'trash')
    return record.statusBeforeTrash === 'publish' ? { kind: 'gone', record } : { kind: 'missing' }
  if (!mayRead(call.viewer.actor, record)) return { kind: 'missing' }
  if (textLanguageOf(record.language) === call.textLanguage) return { kind: 'record', record }
  return { kind: 'elsewhere', status: 302, url: pathOf(call, recordUrl(call.addresses, record)) }
}

/** Returns the addresses of the versions of a record, by language. Takes one query. */
export async function translationPaths(
  call: PageCall,
  kind: RecordKind,
  translations: TranslationIds | undefined,
): Promise<Readonly<Record<Language, string>>> {
  const ids = Object.values(translations ?? {})
  if (ids.length < 2) return {}
  const versions = await listTranslationAddresses(call.deps.storage.db, ids)
  return Object.fromEntries(
    versions.map(({ language, end }) => [language, inLanguage(call, `/${kind}/${end}/`, textLanguageOf(language))]),
  )
}

/**
 * Returns links from a version of a page to the others: one for each other language of texts, and those in languages
 * that the service has no texts in.
 *
 * @param own The language of the content of the page.
 */
export function linksToTranslations(
  { textLanguage }: PageCall,
  versions: Readonly<Record<Language, string>>,
  own: Language,
): Pick<Page, 'switchTo' | 'alsoIn'> {
  const all = Object.entries(versions).map(([language, path]) => ({ language, path }))
  const spoken = otherTextLanguages(textLanguage).flatMap((other) => {
    const found = all.find(({ language }) => spokenLanguageOf(language) === other)
    return found ? [[other, found.path]] : []
  })
  return {
    switchTo: Object.fromEntries(spoken),
    alsoIn: all.filter(({ language }) => language !== own && spokenLanguageOf(language) === undefined),
  }
}
