import { CATALOGUES, type TextLanguage } from './catalogues.ts'

/** A range of languages, with what follows it: `fr-CA;q=0.8`. */
const range = /^\s*([a-z]{1,8})(-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * The language of texts that a client wants most by its `Accept-Language` (RFC 9110, 12.5.4): of several wanted alike
 * the one named first. Undefined where it names none that the service speaks.
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

/** The language of texts with this tag, else the first that begins alike. */
function spokenIn(primary: string, rest: string): TextLanguage | undefined {
  const tags = CATALOGUES.map(({ code, tag }) => ({ code, tag: tag.toLowerCase() }))
  const found =
    tags.find(({ tag }) => tag === `${primary}${rest}`) ?? tags.find(({ tag }) => tag.split('-')[0] === primary)
  return found?.code
}
