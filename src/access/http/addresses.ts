import { LRUCache } from 'lru-cache'
import type { Config } from '../../base/config/config.ts'
import { type Language, TEXT_LANGUAGE_PATHS, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'

/** Where the service is, as the client that asks sees it: what every address in an answer is made from. */
export interface Addresses {
  /** Root of the public site, without a final slash. */
  readonly site: string
  /** Path prefix before the namespace, that of the language of texts included. */
  readonly base: string
  /** Host of the site without port, and path: what ids that are the same for every reader begin with. */
  readonly globalName: string
  /** Namespace of the interface: `cal/events/v1`. */
  readonly namespace: string
  readonly vendorWord: string
  readonly languageParameter: string
}

export function namespaceOf(config: Pick<Config, 'vendorWord'>): string {
  return `${config.vendorWord}/events/v1`
}

/** Those that were asked for before, by settings. */
const knownAddresses = new WeakMap<Config, LRUCache<string, Addresses>>()
/** Clients come by few names, but who makes them up should not fill the memory. */
const mostKnown = 100

/**
 * The addresses for a client. Clients that come the same way are given the same object, by which what was made for one of
 * them can be found again.
 *
 * @param site Root of the public site as the request came to it.
 */
export function addressesOf(config: Config, site: string, variant: TextLanguage): Addresses {
  const known = knownAddresses.get(config) ?? new LRUCache<string, Addresses>({ max: mostKnown })
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
    languageParameter: config.languageParameter,
  }
}

/** Address of a route of the interface; `path` starts with a slash or is empty. */
export function routeUrl(addresses: Addresses, path: string): string {
  return `${addresses.base}/${addresses.namespace}${path}`
}

/** Address of a public page; those of French records are below `/fr` (languages.md §4). */
export function pageUrl(addresses: Addresses, path: string, language: Language): string {
  return `${addresses.site}${TEXT_LANGUAGE_PATHS[textLanguageOf(language)]}${path}`
}

/** The id that is the same for every reader of a record. */
export function globalId(addresses: Addresses, id: number): string {
  return `${addresses.globalName}?id=${id}`
}

/** Names of what has to do with languages, made from that of the parameter: `ml_language` → `ml_translations`. */
export function languageWords({ languageParameter }: Pick<Addresses, 'languageParameter'>) {
  const stem = languageParameter.replace(/language$/, '')
  return { language: languageParameter, translations: `${stem}translations`, translationOf: `${stem}translation_of` }
}

/** Name and value pairs as a form-encoded query, in their order. */
export function query(pairs: readonly (readonly [string, string | number])[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
}
