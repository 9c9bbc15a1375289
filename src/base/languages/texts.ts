import { type DescriptionKey, descriptions as englishDescriptions } from './en/descriptions.ts'
import { messages as englishMessages, type MessageKey } from './en/messages.ts'
import { descriptions as frenchDescriptions } from './fr/descriptions.ts'
import { messages as frenchMessages } from './fr/messages.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

const messages = { en: englishMessages, fr: frenchMessages }
const descriptions = { en: englishDescriptions, fr: frenchDescriptions }

/** The message in this language, in the form that `count` asks for, with `{name}` replaced by the value of that name. */
export function message(
  language: TextLanguage,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(messages[language][key], TEXT_LANGUAGE_CODES[language], values)
}

/** What an argument means, in this language. */
export function description(language: TextLanguage, key: DescriptionKey): string {
  return descriptions[language][key]
}
