import { CATALOGUES, type TextLanguage } from './catalogues.ts'

/** A language range and its quality: `fr-CA;q=0.8`. */
const range = /^\s*([a-z]{1,8})(-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * Returns the text language that a client prefers according to its `Accept-Language` (RFC 9110, 12.5.4). Of several
 * with the same quality, the first one wins. Returns undefined if the header names no supported language.
 */
export function acceptedLanguage(header: string): TextLanguage | undefined {
  const ranges = header.split(',').flatMap((text) => {
    const [, primary, rest = '', quality = '1'] = range.exec(text) ?? []
    const language = primary === undefined ? undefined : spokenIn(primary.toLowerCase(), rest.toLowerCase())
    if (language === undefined || Number(quality) === 0) return []
    return [{ language, quality: Number(quality) }]
  })
  return ranges.toSorted((one, other) => other.quality - one.quality)[0]?.language
}

/** Returns the text language with this tag, or else the first with the same primary language. */
function spokenIn(primary: string, rest: string): TextLanguage | undefined {
  const tags = CATALOGUES.map(({ code, tag }) => ({ code, tag: tag.toLowerCase() }))
  const found =
    tags.find(({ tag }) => tag === `${primary}${rest}`) ?? tags.find(({ tag }) => tag.split('-')[0] === primary)
  return found?.code
}
