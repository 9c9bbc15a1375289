import type { Catalogue } from './catalogue.ts'
import { english } from './en/catalogue.ts'
import { french } from './fr/catalogue.ts'

/** Every language that the service speaks. The first one is that of plain addresses. */
export const CATALOGUES = [english, french] as const satisfies readonly [Catalogue, ...Catalogue[]]

/** A language of texts: descriptions, messages and pages. */
export type TextLanguage = (typeof CATALOGUES)[number]['code']
