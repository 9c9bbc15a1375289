import { type Addresses, query, routeUrl } from '../../access/http/addresses.ts'
import type { Sent } from '../../access/http/argument.ts'
import { asSent, type PageRequest, type Pairs, totalPages } from '../../access/http/paging.ts'
import type { Language } from '../../base/languages/language.ts'
import { pluralOf, type Taxonomy } from './term.ts'

/** What the addresses of a list are made from. */
interface TermListCall {
  readonly addresses: Addresses
  readonly sent: Sent
  readonly language: Language | undefined
}

/** Which list it is. */
interface TermListOutline extends PageRequest {
  readonly taxonomy: Taxonomy
  /** How many terms there are on all pages. */
  readonly total: number
}

/**
 * Addresses of the pages of a list of terms: this one, and the next and the one before where they exist. They carry
 * what was sent and nothing else, the page size as it was granted; next and previous have `page` last, and that of
 * page 1 has none (rulings.md 3, 5).
 *
 * @param names The declared parameters, in the order of the route.
 */
export function termLinks(
  { addresses, sent, language }: TermListCall,
  names: readonly string[],
  { taxonomy, page, perPage, total }: TermListOutline,
) {
  const shown = (name: string) => (name === 'per_page' ? perPage : asSent(sent[name]))
  const pairs: Pairs = names.flatMap((name) => (sent[name] === undefined ? [] : [[name, shown(name)] as const]))
  const filters = pairs.filter(([name]) => name !== 'page')
  const end: Pairs = language === undefined ? [] : [[addresses.languageParameter, language]]

  const url = (own: Pairs) => {
    const asked = query([...own, ...end])
    return `${routeUrl(addresses, `/${pluralOf(taxonomy)}/`)}${asked === '' ? '' : `?${asked}`}`
  }
  const other = (number: number) => url(number === 1 ? filters : [...filters, ['page', number]])
  return {
    rest_url: url(pairs),
    ...(page < totalPages(total, perPage) ? { next_rest_url: other(page + 1) } : {}),
    // Contract: also where the page before is beyond the last as well (terms.md §3.3).
    ...(page > 1 ? { previous_rest_url: other(page - 1) } : {}),
  }
}
