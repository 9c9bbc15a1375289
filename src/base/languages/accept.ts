import type { TextLanguage } from './language.ts'

/** A range of languages that the service speaks, with what follows it: `fr-CA;q=0.8`. */
const range = /^\s*(en|fr)(?:-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i

/**
 * The language of texts that a client wants most by its `Accept-Language` (RFC 9110, 12.5.4): of several wanted alike
 * the one named first. Undefined where it names none that the service speaks.
 */
export function acceptedLanguage(header: string): TextLanguage | undefined {
  const ranges = header.split(',').flatMap((text) => {
    const [, language, quality = '1'] = range.exec(text) ?? []
    if (language === undefined || Number(quality) === 0) return []
    return [{ language: language.toLowerCase() as TextLanguage, quality: Number(quality) }]
  })
  return ranges.toSorted((one, other) => other.quality - one.quality)[0]?.language
}
