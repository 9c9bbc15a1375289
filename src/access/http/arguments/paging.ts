import type { Language } from '../../../base/languages/language.ts'
import { type Addresses, query, routeUrl } from '../addresses.ts'
import type { ParameterReport } from './parameter.report.ts'

export interface ListPage<T> {
  readonly items: readonly T[]
  readonly total: number
}

export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

export type QueryPairs = readonly (readonly [name: string, value: string | number])[]

export function totalPages(total: number, perPage: number): number {
  return Math.ceil(total / perPage)
}

/** Returns the header fields of every list. */
export function totalHeaders(total: number, perPage: number): Readonly<Record<string, string>> {
  return { 'X-TEC-Total': String(total), 'X-TEC-TotalPages': String(totalPages(total, perPage)) }
}

/** Returns the requested page and page size. Limits the size to the maximum of the site, and reports that it did so. */
export function pageRequest(
  {
    values,
    parameterReport,
  }: {
    readonly values: { readonly page: number | undefined; readonly per_page: number | undefined }
    readonly parameterReport: ParameterReport
  },
  limits: { readonly perPage: number; readonly maxPerPage: number },
): PageRequest {
  const { maxPerPage } = limits
  if ((values.per_page ?? 0) > maxPerPage) parameterReport.adjust('per_page', { to: String(maxPerPage) })
  return { page: values.page ?? 1, perPage: Math.min(values.per_page ?? limits.perPage, maxPerPage) }
}

/**
 * Returns the addresses of a page of a list, of the next and of the previous page. The latter two are present only if
 * those pages exist. `pairs` are all parameters except `page`. `page` is the first parameter in the address of this
 * page and the last one in the others; page 1 has none (rulings.md 3, 4).
 */
export function pageLinks(
  { addresses, language }: { readonly addresses: Addresses; readonly language: Language | undefined },
  { path, pairs }: { readonly path: string; readonly pairs: QueryPairs },
  { request, total }: { readonly request: PageRequest; readonly total: number },
) {
  // The language is the last parameter of all links (rulings.md 5).
  const end: QueryPairs = language === undefined ? [] : [[addresses.languageParameter, language]]
  const url = (all: QueryPairs) => `${routeUrl(addresses, `${path}/`)}?${query([...all, ...end])}`
  const other = (page: number) => url(page === 1 ? pairs : [...pairs, ['page', page]])
  const last = totalPages(total, request.perPage)
  return {
    rest_url: url([['page', request.page], ...pairs]),
    ...(request.page < last ? { next_rest_url: other(request.page + 1) } : {}),
    ...(request.page > 1 && request.page <= last + 1 ? { previous_rest_url: other(request.page - 1) } : {}),
  }
}

/**
 * Formats a value for an address as the client sent it: lists joined by commas, booleans as 1 and 0 (rulings.md 29).
 */
export function formatSent(raw: unknown): string {
  if (raw !== null && typeof raw === 'object') return Object.values(raw).map(singleAsSent).join(',')
  return singleAsSent(raw)
}

/** Drops the contents of a list within a list: no parameter accepts one, and the nesting could be endless. */
function singleAsSent(raw: unknown): string {
  if (typeof raw === 'boolean') return raw ? '1' : '0'
  return raw !== null && typeof raw === 'object' ? '' : String(raw)
}
