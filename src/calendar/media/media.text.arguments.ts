import {
  flagArgument,
  numberArgument,
  pageSizeArgument,
  pathArgument,
} from '../../access/http/arguments/argument.kinds.ts'
import {
  accepted,
  line,
  pathNumber,
  queryNumber,
  refused,
  wrongType,
} from '../../access/http/arguments/argument.rules.ts'
import {
  anyTextSchema,
  booleanSchema,
  filledTextSchema,
  integerSchema,
} from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments, ArgumentValues } from '../../access/http/arguments/argument.ts'
import type { Call } from '../../access/http/call.ts'
import { addressLanguageOf, isLanguageOf, type Language } from '../../base/languages/language.ts'
import { type AltTexts, maxAltTextCharacters, sanitizeAltText, type TextAlternatives } from './alt.text.ts'
import type { MediaPatch } from './media.service.ts'

// The texts of a picture as clients send them: its title, and a description of what it shows.

const tooLong = refused('fault.length', { least: '0', most: String(maxAltTextCharacters) })

const altText: ArgumentRule<string> = (raw) => {
  if (raw === null) return accepted('')
  if (typeof raw !== 'string') return wrongType('alt_text', 'string')
  return [...raw].length > maxAltTextCharacters ? tooLong : accepted(sanitizeAltText(raw))
}

const altTexts: ArgumentRule<AltTexts> = async (raw, reading) => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return refused('fault.alt-texts', { allowed: reading.config.languages.join(', ') })
  const texts: Partial<Record<Language, string>> = {}
  for (const [language, text] of Object.entries(raw)) {
    const { languages } = reading.config
    if (!isLanguageOf(reading.config, language)) {
      return refused('fault.enum', { allowed: languages.join(', ') })
    }
    const outcome = await altText(text, reading)
    if (!('value' in outcome)) return outcome
    texts[language] = outcome.value
  }
  return accepted(texts)
}

/** A title, also as `{"raw": …}`, as clients of the original interface send it. */
const title: ArgumentRule<string> = (raw, reading) => {
  const sent = typeof raw === 'object' && raw !== null && 'raw' in raw ? raw.raw : raw
  return line('title')(sent, reading)
}

const altTextArgument = {
  read: altText,
  schema: { type: ['string', 'null'], maxLength: maxAltTextCharacters },
  description: 'media.alt_text',
  type: 'string',
} as const satisfies Argument<string>

const decorative = flagArgument('decorative', 'media.decorative')

/** The arguments that change the texts of a picture. */
export const mediaTextArguments = {
  title: { read: title, schema: filledTextSchema, description: 'media.title', type: 'string' },
  alt_text: altTextArgument,
  alt_texts: {
    read: altTexts,
    schema: { type: 'object', additionalProperties: altTextArgument.schema },
    description: 'media.alt_texts',
  },
  decorative,
} as const satisfies Arguments

/** The form in which a picture is uploaded. `receiveFile` reads file and title as a stream. */
export const uploadArguments = {
  file: { read: accepted, schema: { type: 'string', format: 'binary' }, description: 'media.file' },
  title: { read: accepted, schema: anyTextSchema, description: 'media.title', type: 'string' },
  alt_text: { ...altTextArgument, schema: { type: 'string', maxLength: maxAltTextCharacters } },
  decorative,
} as const satisfies Arguments

/** Maximum number of pictures on a page of a list. */
export const maxPerPage = 100

export const mediaListArguments = {
  page: { ...numberArgument('page'), read: queryNumber, default: 1 },
  per_page: { ...pageSizeArgument(maxPerPage), read: queryNumber, default: 20 },
} as const satisfies Arguments

export const mediaDeleteArguments = {
  force: {
    // Every other text means false.
    read: (raw: unknown) => accepted(raw === 'true' || raw === '1'),
    schema: booleanSchema,
    description: 'media.force',
    type: 'boolean',
    default: false,
  },
} as const satisfies Arguments

export const mediaPath = {
  id: { read: pathNumber, schema: integerSchema, description: 'id.media', type: 'integer', isRequired: true },
} as const satisfies Arguments

export const deletedMediaPath = { id: pathArgument('media-not-found', 'id.media') } as const satisfies Arguments

/** The texts of a picture that a request changes. `alt_text` is in the language of the request. */
export function mediaPatchOf(values: ArgumentValues<typeof mediaTextArguments>, language: Language): MediaPatch {
  return { title: values.title, altTexts: mergeAltTexts(values, language), isDecorative: values.decorative }
}

/** The fields of an upload that describe what the picture shows. */
export function textAlternativesOf(
  { alt_text: text = '', decorative = false }: Partial<ArgumentValues<typeof uploadArguments>>,
  language: Language,
): TextAlternatives {
  return { altTexts: text === '' ? {} : { [language]: text }, isDecorative: decorative && text === '' }
}

function mergeAltTexts(
  { alt_text: text, alt_texts: texts }: ArgumentValues<typeof mediaTextArguments>,
  language: Language,
): AltTexts | undefined {
  if (text === undefined && texts === undefined) return undefined
  return { ...texts, ...(text === undefined ? {} : { [language]: text }) }
}

/**
 * The language of the texts in a request and its answer: that of the language parameter, or of the address, or the
 * default one.
 */
export function languageOf({
  deps,
  language,
  textLanguage,
}: Pick<Call, 'deps' | 'language' | 'textLanguage'>): Language {
  if (language) return language
  const own = addressLanguageOf(deps.config, textLanguage)
  return isLanguageOf(deps.config, own) ? own : deps.config.defaultLanguage
}
