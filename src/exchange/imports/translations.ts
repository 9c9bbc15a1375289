import type { NamedKind } from '../../calendar/sources/source.repository.ts'
import { isObject } from '../pull/pull.lists.ts'

/** The translations of a site: the id of each record → the id of its original, by kind. */
export type TranslationLinks = Readonly<Record<NamedKind, ReadonlyMap<string, string>>>

const names = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const satisfies Record<NamedKind, string>

/** No translations. */
export const noTranslations: TranslationLinks = translationsFrom({})

/** A fault of a mapping of translations. */
export class TranslationsError extends Error {}

/**
 * Reads a mapping of translations: `{"events": {"12": 10}, "venues": {…}, "organizers": {…}, "categories": {…}, "tags":
 * {…}}`, ids of this export → ids of the originals on the same site. Each kind is optional.
 *
 * @throws TranslationsError
 */
export function parseTranslations(text: string): TranslationLinks {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TranslationsError('is not JSON')
  }
  return translationsFrom(value)
}

function translationsFrom(value: unknown): TranslationLinks {
  if (!isObject(value)) throw new TranslationsError('is not a JSON object')
  const known: readonly string[] = Object.values(names)
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TranslationsError(`has “${unknown}”, but may only have ${known.join(', ')}`)
  const kinds = Object.entries(names).map(([kind, name]) => [kind, idsFrom(name, value[name] ?? {})])
  return Object.fromEntries(kinds) as TranslationLinks
}

function idsFrom(name: string, value: unknown): ReadonlyMap<string, string> {
  if (!isObject(value)) throw new TranslationsError(`has no object of ids under “${name}”`)
  return new Map(
    Object.entries(value).map(([id, original]) => {
      if (!/^\d+$/.test(id) || !/^\d+$/.test(String(original)))
        throw new TranslationsError(`has no ids under “${name}”`)
      return [id, String(original)]
    }),
  )
}

/** Returns the source of the original that this one translates: of the same site, with the id in the mapping. */
export function originalOf(translations: TranslationLinks, kind: NamedKind, source: string): string | undefined {
  const [, start = '', id = ''] = /^(.*\?(?:id|term)=)(\d+)$/.exec(source) ?? []
  const original = translations[kind].get(id)
  return original === undefined ? undefined : `${start}${original}`
}
