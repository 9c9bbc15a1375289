import { LRUCache } from 'lru-cache'
import type { Config } from '../../base/config/config.ts'
import { type Language, TEXT_LANGUAGE_PATHS, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'

/** The base addresses of the service as the client sees them. Every address in a response is made from these. */
export interface Addresses {
  /** Root of the public site, without a trailing slash. */
  readonly site: string
  /** Path prefix before the namespace, including the language of texts. */
  readonly base: string
  /** Host of the site without port, and path. Global ids, which are the same for every reader, begin with it. */
  readonly globalName: string
  /** Namespace of the interface: `cal/events/v1`. */
  readonly namespace: string
  readonly vendorWord: string
  /** The language of the texts in a response. */
  readonly textLanguage: TextLanguage
  readonly languageParameter: string
}

export function namespaceOf(config: Pick<Config, 'vendorWord'>): string {
  return `${config.vendorWord}/events/v1`
}

/** Addresses made so far, by settings. */
const knownAddresses = new WeakMap<Config, LRUCache<string, Addresses>>()
/** Clients use few host names, but a client that invents names must not fill the memory. */
const maxCached = 100

/**
 * Returns the addresses for a client. Requests to the same site get the same object, so that data derived from it can
 * be cached by it.
 *
 * @param site Root of the public site, as the client addressed it.
 */
export function addressesOf(config: Config, site: string, variant: TextLanguage): Addresses {
  const known = knownAddresses.get(config) ?? new LRUCache<string, Addresses>({ max: maxCached })
  const key = `${variant} ${site}`
  const addresses = known.get(key) ?? makeAddresses(config, site, variant)
  known.set(key, addresses)
  knownAddresses.set(config, known)
  return addresses
}

function makeAddresses(config: Config, site: string, variant: TextLanguage): Addresses {
  const root = config.publicUrl ?? site
  const { hostname, pathname } = new URL(root)
  return {
    site: root,
    base: `${root}${config.restPrefix}${TEXT_LANGUAGE_PATHS[variant]}`,
    globalName: `${hostname}${pathname.replace(/\/$/, '')}`,
    namespace: namespaceOf(config),
    vendorWord: config.vendorWord,
    textLanguage: variant,
    languageParameter: config.languageParameter,
  }
}

/** Returns the address of a route of the interface; `path` starts with a slash or is empty. */
export function routeUrl(addresses: Addresses, path: string): string {
  return `${addresses.base}/${addresses.namespace}${path}`
}

/** Returns the address of a public page. Pages of French records are below `/fr` (languages.md §4). */
export function pageUrl(addresses: Addresses, path: string, language: Language): string {
  return `${addresses.site}${TEXT_LANGUAGE_PATHS[textLanguageOf(language)]}${path}`
}

/** Returns the id of a record that is the same for every reader. */
export function globalId(addresses: Addresses, id: number): string {
  return `${addresses.globalName}?id=${id}`
}

/**
 * Returns the names of the language properties, made from the name of the parameter: `ml_language` → `ml_translations`.
 */
export function languageParameterNames({ languageParameter }: Pick<Addresses, 'languageParameter'>) {
  const stem = languageParameter.replace(/language$/, '')
  return { language: languageParameter, translations: `${stem}translations`, translationOf: `${stem}translation_of` }
}

/** Returns name and value pairs as a form-encoded query, in their order. */
export function query(pairs: readonly (readonly [string, string | number])[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
}
