import { type Addresses, query, routeUrl } from '../../access/http/addresses.ts'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { formatSent, type PageRequest, type QueryPairs, totalPages } from '../../access/http/arguments/paging.ts'
import type { Language } from '../../base/languages/language.ts'
import { pluralOf, type Taxonomy } from './term.ts'

/** The values that the addresses of a list are made from. */
interface TermListCall {
  readonly addresses: Addresses
  readonly sent: RawParameters
  readonly language: Language | undefined
}

/** The list that the addresses are for. */
interface TermListOutline extends PageRequest {
  readonly taxonomy: Taxonomy
  /** The number of terms on all pages. */
  readonly total: number
}

/**
 * Returns the addresses of the pages of a list of terms: this page, and the next and the previous if they exist. They
 * contain exactly the sent parameters, with the page size in force. Next and previous have `page` at the end, except
 * for page 1, which has no `page` (rulings.md 3, 5).
 *
 * @param names The declared parameters, in the order of the route.
 */
export function termLinks(
  { addresses, sent, language }: TermListCall,
  names: readonly string[],
  { taxonomy, page, perPage, total }: TermListOutline,
) {
  const shown = (name: string) => (name === 'per_page' ? perPage : formatSent(sent[name]))
  const pairs: QueryPairs = names.flatMap((name) => (sent[name] === undefined ? [] : [[name, shown(name)] as const]))
  const filters = pairs.filter(([name]) => name !== 'page')
  const end: QueryPairs = language === undefined ? [] : [[addresses.languageParameter, language]]

  const url = (own: QueryPairs) => {
    const asked = query([...own, ...end])
    return `${routeUrl(addresses, `/${pluralOf(taxonomy)}/`)}${asked === '' ? '' : `?${asked}`}`
  }
  const other = (number: number) => url(number === 1 ? filters : [...filters, ['page', number]])
  return {
    rest_url: url(pairs),
    ...(page < totalPages(total, perPage) ? { next_rest_url: other(page + 1) } : {}),
    // Contract: also if the previous page is after the last one too (terms.md §3.3).
    ...(page > 1 ? { previous_rest_url: other(page - 1) } : {}),
  }
}
