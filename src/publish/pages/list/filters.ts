import { stopWordsOf } from '../../../base/languages/language.ts'
import { maxSearchLength, searchTerms, searchTextOf } from '../../../base/text/fold.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { endOfDay, isLocalDateTime, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { TimeBound } from '../../../calendar/index/event.index.ts'
import type { PageCall } from '../frame/page.ts'
import { pathOf } from '../page.addresses.ts'
import { boundsOfDays, type EventFilter, isPastRequested } from './event.lists.ts'
import { type ResolvedFilter, resolveTermFilter, resolveVenueFilter } from './filters.choices.ts'

/** The filters in the address of a list. */
export const filterNames = ['search', 'category', 'tag', 'venue', 'from', 'to', 'featured', 'occurrences'] as const
export type FilterName = (typeof filterNames)[number]

/** How a list shows series: each date, or only the next one. */
export type ShownOccurrences = 'each' | 'next'

export type LabelledFilter = Exclude<FilterName, 'occurrences'>

export interface PageFilters {
  readonly eventFilter: EventFilter
  /** The records that the names in the query select. */
  readonly named: Readonly<Record<'category' | 'tag' | 'venue', ResolvedFilter | undefined>>
  /** The requested days; undefined if the query names none. */
  readonly bounds: readonly TimeBound[] | undefined
  /** Starts of the first and the last of these days. */
  readonly from: LocalDateTime | undefined
  readonly to: LocalDateTime | undefined
  /** The values of the query, shortened to the maximum length. */
  readonly values: Readonly<Partial<Record<FilterName, string>>>
  /** An error message for each invalid value. */
  readonly faults: Readonly<Partial<Record<FilterName, string>>>
  /** Whether a name matches no record. Then no event matches. */
  readonly isImpossible: boolean
  readonly isActive: boolean
}

/**
 * Reads the filters of a list. Every query has a result that can be shown.
 *
 * @param fields The filters of the view; the rest are ignored.
 * @param occurrences How the view shows series if the query does not say.
 */
export async function readFilters(
  call: PageCall,
  fields: readonly FilterName[] = filterNames,
  occurrences: ShownOccurrences = 'each',
): Promise<PageFilters> {
  const values = Object.fromEntries(
    fields.flatMap((name) => {
      const sent = call.query[name]
      const text = typeof sent === 'string' ? sent.trim().slice(0, maxSearchLength).toWellFormed() : ''
      const isKnown = name !== 'occurrences' || ['each', 'next'].includes(text)
      return text === '' || !isKnown || (name === 'occurrences' && text === occurrences) ? [] : [[name, text]]
    }),
  ) as PageFilters['values']
  const { search, category, tag, venue } = values
  const from = dayOf(values.from)
  const to = dayOf(values.to)
  const dayFaults = { ...faultOf(call, 'from', from), ...faultOf(call, 'to', to), ...orderFault(call, from, to) }
  // A few letters may expand to many when they are folded, so the limit applies to the folded text.
  const sought = search === undefined ? undefined : searchTextOf(search)
  const isTooLong = search !== undefined && sought === undefined
  const named = {
    category: category === undefined ? undefined : await resolveTermFilter(call, 'category', category),
    tag: tag === undefined ? undefined : await resolveTermFilter(call, 'tag', tag),
    venue: venue === undefined ? undefined : await resolveVenueFilter(call, venue),
  }
  const eventFilter = {
    search: sought === undefined ? undefined : searchTerms(sought, stopWordsOf(call.language)),
    categoryIds: named.category?.ids,
    tagIds: named.tag?.ids,
    venueIds: named.venue?.ids,
    isFeatured: values.featured === undefined ? undefined : true,
    // The first date of a series is not its latest one, so past dates are listed each by itself.
    isNextOnly:
      fields.includes('occurrences') && !isPastRequested(call) && (values.occurrences ?? occurrences) === 'next',
  }
  const hasDays = (from !== undefined || to !== undefined) && Object.keys(dayFaults).length === 0
  return {
    eventFilter,
    named,
    bounds: hasDays ? boundsOfDays(from || undefined, to ? endOfDay(to) : undefined) : undefined,
    from: hasDays ? from || undefined : undefined,
    to: hasDays ? to || undefined : undefined,
    values,
    faults: { ...dayFaults, ...(isTooLong ? { search: call.say('fault.search') } : {}) },
    isImpossible: isTooLong || Object.values(named).some((one) => one?.ids.length === 0),
    isActive: Object.keys(values).length > 0,
  }
}

/** Returns the start of a day, or '' if the text is not a valid day. */
function dayOf(text: string | undefined): LocalDateTime | '' | undefined {
  if (text === undefined) return undefined
  const localDateTime = `${text} 00:00:00`
  return isLocalDateTime(localDateTime) ? localDateTime : ''
}

function faultOf({ say }: PageCall, name: FilterName, day: LocalDateTime | '' | undefined): PageFilters['faults'] {
  return day === '' ? { [name]: say('fault.date') } : {}
}

function orderFault(
  { say }: PageCall,
  from: LocalDateTime | '' | undefined,
  to: LocalDateTime | '' | undefined,
): PageFilters['faults'] {
  return from && to && to < from ? { to: say('fault.order') } : {}
}

/** Returns all filters except these, which the view sets. */
export function filtersExcept(...names: readonly FilterName[]): readonly FilterName[] {
  return filterNames.filter((name) => !names.includes(name))
}

/** Returns the filters that all views share, as they were sent. */
export function sharedFilters({ query }: Pick<PageCall, 'query'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (['search', 'category', 'tag', 'venue', 'featured'] as const).flatMap((name) => {
      const text = query[name]
      return typeof text === 'string' && text.trim() !== ''
        ? [[name, text.slice(0, maxSearchLength).toWellFormed()]]
        : []
    }),
  )
}

/** Returns a note about the active filters, for views without the form. */
export function filterNote(call: PageCall, { isActive, named }: PageFilters, path: string): Html | false {
  const kept = Object.entries(sharedFilters(call))
  if (!isActive || kept.length === 0) return false
  const title = (name: string, value: string) => named[name as keyof typeof named]?.title ?? value
  return html`<p class="filter-note">${call.say('filters')}${call.say('colon')} ${kept.map(([name, value], place) => html`${place > 0 && ', '}${call.say(name as LabelledFilter)}${name !== 'featured' && html` <strong>${title(name, value)}</strong>`}`)}
<a href="${pathOf(call, path)}" data-swap>${call.say('clear-filters')}</a></p>`
}
