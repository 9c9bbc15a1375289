import { TEXT_LANGUAGE_CODES, TEXT_LANGUAGES } from '../../base/languages/language.ts'
import type { DeskCall } from '../shell/desk.call.ts'

const names = Object.fromEntries(
  TEXT_LANGUAGES.map((one) => [one, new Intl.DisplayNames([TEXT_LANGUAGE_CODES[one]], { type: 'language' })]),
)

/** Returns the name of a language in the language of the page. */
export function languageName({ textLanguage }: Pick<DeskCall, 'textLanguage'>, language: string): string {
  return names[textLanguage]?.of(language) ?? language
}

/** Returns one language of the site for each: not “Canadian English” beside “English”. */
export function distinctLanguages({ config }: Pick<DeskCall, 'config'>): readonly string[] {
  const letters = (tag: string) => tag.split('-')[0]
  return config.languages.filter(
    (one, place) => config.languages.findIndex((other) => letters(other) === letters(one)) === place,
  )
}
