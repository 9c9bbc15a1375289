import type { FastifyRequest } from 'fastify'
import type { Arguments, Rule, Values } from '../../access/http/argument.ts'
import { languageArgument } from '../../access/http/language.argument.ts'
import { accepted, boolean, line, refused, wrongType } from '../../access/http/rules.ts'
import { readBody } from '../../access/http/service.body.ts'
import { textIn } from '../../access/http/service.query.ts'
import type { ServiceCall } from '../../access/http/service.ts'
import { addressLanguageOf, isLanguageOf, type Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { type AltTexts, maxAltTextCharacters, sanitizeAltText, type TextAlternatives } from './alt.text.ts'
import type { MediaPatch } from './media.service.ts'

// The words of a picture as clients send them: its title, and what it shows.

const tooLong = refused('fault.length', { least: '0', most: String(maxAltTextCharacters) })

const altText: Rule<string> = (raw) => {
  if (raw === null) return accepted('')
  if (typeof raw !== 'string') return wrongType('alt_text', 'string')
  return [...raw].length > maxAltTextCharacters ? tooLong : accepted(sanitizeAltText(raw))
}

const altTexts: Rule<AltTexts> = async (raw, reading) => {
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

/** A title, also as `{"raw": …}`, which is how clients of the original interface send it. */
const title: Rule<string> = (raw, reading) => {
  const sent = typeof raw === 'object' && raw !== null && 'raw' in raw ? raw.raw : raw
  return line('title')(sent, reading)
}

const mediaTextArguments = {
  title: { read: title },
  alt_text: { read: altText },
  alt_texts: { read: altTexts },
  decorative: { read: boolean('decorative') },
} as const satisfies Arguments

type MediaTextValues = Values<typeof mediaTextArguments>

/**
 * Which words of a picture a request changes. `alt_text` is in the language of the request.
 *
 * @throws rest_invalid_param
 */
export async function readMediaPatch(
  call: ServiceCall,
  request: FastifyRequest,
  { takesForms }: { readonly takesForms: boolean },
): Promise<MediaPatch & { readonly language: Language }> {
  const { config } = call.deps
  const parameter = config.languageParameter
  const args: Arguments = { ...mediaTextArguments, [parameter]: languageArgument(parameter, config) }
  const sent = (await readBody(call, request, args, { takesForms })) as MediaTextValues &
    Readonly<Record<string, unknown>>
  const language = (sent[parameter] as Language | undefined) ?? languageOf(call, request)
  return {
    title: sent.title,
    altTexts: mergeAltTexts(sent, language),
    isDecorative: sent.decorative,
    language,
  }
}

/** What the fields of an upload tell of what the picture shows. */
export async function readTextAlternatives(
  call: ServiceCall,
  request: FastifyRequest,
  fields: Readonly<Record<string, string>>,
): Promise<TextAlternatives> {
  const { deps, actor } = call
  const reading = { config: deps.config, db: deps.storage.db, actor, language: undefined, now: deps.now() }
  const { alt_text: text = '', decorative } = fields
  const [told, flag] = [await altText(text, reading), await boolean('decorative')(decorative ?? 'false', reading)]
  if (!('value' in told)) return fail('rest_invalid_param', { faults: { alt_text: told.fault } })
  if (!('value' in flag)) return fail('rest_invalid_param', { faults: { decorative: flag.fault } })
  const isDecorative = flag.value && told.value === ''
  const language = languageOf(call, request, fields[deps.config.languageParameter])
  return { altTexts: told.value === '' ? {} : { [language]: told.value }, isDecorative }
}

function mergeAltTexts(
  {
    alt_text: text,
    alt_texts: texts,
  }: { readonly alt_text?: string | undefined; readonly alt_texts?: AltTexts | undefined },
  language: Language,
): AltTexts | undefined {
  if (text === undefined && texts === undefined) return undefined
  return { ...texts, ...(text === undefined ? {} : { [language]: text }) }
}

/**
 * The language of the words in a request and its answer: that of the language parameter, or of the address, or the
 * default one.
 *
 * @param sent The parameter as a form has it.
 * @throws rest_invalid_param
 */
export function languageOf({ deps, textLanguage }: ServiceCall, request: FastifyRequest, sent?: string): Language {
  const { languageParameter, languages, defaultLanguage } = deps.config
  const asked = sent ?? textIn(request, languageParameter)
  if (asked === undefined) {
    const own = addressLanguageOf(deps.config, textLanguage)
    return isLanguageOf(deps.config, own) ? own : defaultLanguage
  }
  if (isLanguageOf(deps.config, asked)) return asked
  return fail('rest_invalid_param', {
    faults: { [languageParameter]: { text: 'fault.enum', values: { allowed: languages.join(', ') } } },
  })
}
