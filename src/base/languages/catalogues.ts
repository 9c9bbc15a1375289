import type { Catalogue } from './catalogue.ts'
import { english } from './en/catalogue.ts'
import { french } from './fr/catalogue.ts'

/** Every language that the service supports. The first one is the language of addresses without a language segment. */
export const CATALOGUES = [english, french] as const satisfies readonly [Catalogue, ...Catalogue[]]

/** A text language: the language of descriptions, messages and pages. */
export type TextLanguage = (typeof CATALOGUES)[number]['code']
