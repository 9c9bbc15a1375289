import { type Language, textLanguageOf } from '../../../base/languages/language.ts'
import { findSeriesOfPaths } from '../../../calendar/occurrences/occurrence.paths.repository.ts'
import { slugPreference } from '../../../calendar/translations/viewer.ts'
import type { PageCall, PageRedirect } from '../frame/page.ts'
import { inLanguage, pathOf } from '../page.addresses.ts'
import {
  countShownDates,
  type DatesIn,
  listTemplates,
  listTemplatesBySlug,
  type SeriesTemplate,
  type ShownDates,
} from './series.repository.ts'

export type SeriesCall = Pick<PageCall, 'deps' | 'addresses' | 'viewer' | 'textLanguage' | 'language'>

/** A series in one of its languages, as visitors see it. */
export interface PageSeries extends DatesIn {
  /** The slug below which its pages are. */
  readonly base: string
  /** The title of the series; undefined if visitors only know the titles of dates. */
  readonly titleHtml: string | undefined
  /** Undefined if visitors see none of its dates in lists. */
  readonly shown: ShownDates | undefined
  /** The slugs of its pages, in each language in which visitors see dates. */
  readonly bases: Readonly<Record<Language, string>>
}

export type SeriesLookup =
  | { readonly kind: 'series'; readonly series: PageSeries }
  | { readonly kind: 'missing' }
  /** The series is in the trash and was public before. */
  | { readonly kind: 'gone' }
  | PageRedirect

/** Returns the path of the page of a series, with a further part such as `all/`. */
export function seriesPath(
  { base, language }: Pick<PageSeries, 'base' | 'language'>,
  part: '' | 'all/' | 'embed/' = '',
): string {
  return inLanguage({ textLanguage: textLanguageOf(language) }, `/event/${base}/${part}`)
}

/**
 * Finds the series that visitors see at a slug of the language of the page. Another slug, and a series that has no dates
 * in the language, redirect.
 *
 * @param part The part of the address after the slug.
 */
export async function findSeries(
  call: SeriesCall,
  slug: string,
  part: '' | 'all/' | 'embed/' = '',
): Promise<SeriesLookup> {
  const { deps, viewer, language } = call
  const { db } = deps.storage
  const preferred = slugPreference(viewer).order
  const place = (one: Language) => (preferred.includes(one) ? preferred.indexOf(one) : preferred.length)
  const nearest = <T extends { readonly language: Language }>(some: readonly T[]) =>
    some.toSorted((one, other) => place(one.language) - place(other.language))
  const [named] = nearest(await listTemplatesBySlug(db, { slug }))
  const seriesId = named?.seriesId ?? (slug === '' ? undefined : await findSeriesOfPaths(db, slug))
  if (seriesId === undefined) return { kind: 'missing' }
  const templates = await listTemplates(db, { id: seriesId })
  const shown = await countShownDates(db, seriesId)
  const own = shown.filter((dates) => textLanguageOf(dates.language) === call.textLanguage)
  const chosen = own.find((dates) => dates.language === named?.language) ?? nearest(own)[0] ?? nearest(shown)[0]
  const series = seriesIn(templates, shown, chosen?.language ?? named?.language ?? language)
  if (!series) return { kind: 'missing' }
  if (!chosen && templates.every(wasPublic)) return { kind: 'gone' }
  if (chosen && (!own.includes(chosen) || series.base !== slug)) {
    const isRenamed = own.includes(chosen) && !named
    return { kind: 'elsewhere', status: isRenamed ? 301 : 302, url: pathOf(call, seriesPath(series, part)) }
  }
  return { kind: 'series', series }
}

/** Finds the series of a date, in the language of the date. */
export async function findSeriesOfDate(
  { deps }: Pick<PageCall, 'deps'>,
  { seriesId, language }: { readonly seriesId: number | undefined; readonly language: Language },
): Promise<PageSeries | undefined> {
  if (seriesId === undefined) return undefined
  const { db } = deps.storage
  return seriesIn(await listTemplates(db, { id: seriesId }), await countShownDates(db, seriesId), language)
}

function seriesIn(
  templates: readonly SeriesTemplate[],
  shown: readonly ShownDates[],
  language: Language,
): PageSeries | undefined {
  const [original] = templates
  if (!original) return undefined
  const templateIn = (one: Language) => templates.find((template) => template.language === one)
  const baseIn = (one: Language) => withoutTrash((templateIn(one) ?? original).slug)
  const own = templateIn(language)
  const isPublic = own !== undefined && own.status === 'publish' && own.isProtected === 0
  return {
    seriesId: original.seriesId,
    language,
    base: baseIn(language),
    titleHtml: isPublic ? own.titleHtml : undefined,
    shown: shown.find((dates) => dates.language === language),
    bases: Object.fromEntries(shown.map((dates): [Language, string] => [dates.language, baseIn(dates.language)])),
  }
}

function wasPublic({ status, statusBeforeTrash }: SeriesTemplate): boolean {
  return status === 'trash' && statusBeforeTrash === 'publish'
}

/** Records in the trash have a suffix, so that their slugs are free. */
function withoutTrash(slug: string): string {
  return slug.replace(/__trashed$/, '')
}
