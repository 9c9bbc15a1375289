import type { Config } from '../../../base/config/config.ts'
import type { Language } from '../../../base/languages/language.ts'
import { accepted, wrongType } from './argument.rules.ts'
import { wordSchema } from './argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from './argument.ts'

/**
 * The language parameter: optional on every endpoint, last of its arguments (languages.md F1, F2). Letter case counts.
 */
export function languageArgument(
  name: string,
  { languages }: { readonly languages: readonly Language[] },
): Argument<Language> {
  return {
    type: 'string',
    description: 'language',
    schema: wordSchema(languages),
    enum: languages,
    read: (raw) => {
      const known = languages.find((language) => language === raw)
      if (known) return accepted(known)
      if (raw !== null && typeof raw === 'object') return wrongType(name, 'string')
      return {
        fault: {
          text: 'fault.enum',
          values: { allowed: languages.join(', ') },
          inner: { code: 'rest_not_in_enum', data: null },
        },
      }
    },
  }
}

const argumentsBySettings = new WeakMap<object, Arguments>()

/** Returns the table with the language parameter alone. Settings are the same for all requests. */
export function languageArguments(config: Pick<Config, 'languageParameter' | 'languages'>): Arguments {
  const known = argumentsBySettings.get(config)
  if (known) return known
  const name = config.languageParameter
  const made = { [name]: languageArgument(name, config) }
  argumentsBySettings.set(config, made)
  return made
}

/**
 * The id of the record that a write translates: an extension of ours, on every write of a record that can be translated
 * (languages.md §5).
 */
export function translationArgument(read: ArgumentRule<number>): Argument<number> {
  return {
    type: 'integer',
    description: 'translation_of',
    schema: { type: 'integer', minimum: 0 },
    isExtension: true,
    read,
  }
}
