import type { DescriptionKey, OpenApiKey, PageKey, TextKey, TextSection, Texts } from './catalogue.ts'
import { CATALOGUES } from './catalogues.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText, type Text } from './plural.ts'

type Values = Readonly<Record<string, string | number>>

/** Returns a function that returns a text of a section: in the plural form for `count`, with each `{name}` replaced. */
function textOf<S extends TextSection>(section: S) {
  return (language: TextLanguage, key: TextKey<S>, values?: Values): string => {
    const texts: Texts[S] = catalogueOf(language).texts[section]
    return fillText(texts[key], TEXT_LANGUAGE_CODES[language], values)
  }
}

export const message = textOf('messages')
export const description = textOf('descriptions')
export const docsText = textOf('docs')
export const exampleText = textOf('examples')
export const feedText = textOf('feeds')
export const pageText = textOf('pages')
export const deskText = textOf('desk')
export const stateText = textOf('states')
export const settingMeaning = textOf('settings')
export const recurrenceText = textOf('recurrence')
const openApiText = textOf('openApi')

/** Returns a text of the public pages as its catalogue defines it. */
export function pageEntry(language: TextLanguage, key: PageKey): Text {
  return catalogueOf(language).texts.pages[key]
}

/** The key of a text of the OpenAPI documents: one of their own, or the meaning of an argument. */
export type DocumentKey = OpenApiKey | DescriptionKey

/** Returns a text of the OpenAPI documents, like those of a section. */
export function documentText(language: TextLanguage, key: DocumentKey, values?: Values): string {
  return isOpenApiKey(key) ? openApiText(language, key, values) : description(language, key, values)
}

function isOpenApiKey(key: DocumentKey): key is OpenApiKey {
  return Object.hasOwn(CATALOGUES[0].texts.openApi, key)
}
