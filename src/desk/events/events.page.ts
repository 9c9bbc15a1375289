import { languageParameterNames } from '../../access/http/addresses.ts'
import type { Config } from '../../base/config/config.ts'
import { contentLanguageOf, DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { type RecordStatus, STATUSES } from '../../calendar/records/record.ts'
import { type Html, html, raw } from '../../publish/pages/html.ts'
import { type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { type Choice, csrfField, field, hidden, notice, select } from '../shell/fields.ts'
import { type EventListJson, type NamedJson, nameOf } from './event.json.ts'
import { eventTable, rowsOf } from './event.table.ts'
import { languageName } from './language.names.ts'
import { dayFromNow, everyDay } from './today.page.ts'

const perPage = 25
const tabs: readonly (RecordStatus | 'any')[] = ['any', ...STATUSES]
const filters = ['q', 'from', 'to', 'category', 'venue', 'lang'] as const
type Filters = Readonly<Partial<Record<(typeof filters)[number], string>>>

const dayPattern = /^\d{4}-\d\d-\d\d$/
const idPattern = /^\d{1,15}$/
const longestWords = 100

/** Returns the filters in the address. Values that are invalid count as absent. Without dates, the list begins today. */
function filtersOf(call: OwnCall): Filters {
  const { query, config, textLanguage } = call
  const sent = (name: string) => query.get(name)?.trim() ?? ''
  const only = (name: string, pattern: RegExp) => (pattern.test(sent(name)) ? sent(name) : undefined)
  // Words are sought in one language. On the pages of another language than the first, it is theirs.
  const isOfPage = !query.has('lang') && sent('q') !== '' && textLanguage !== DEFAULT_TEXT_LANGUAGE
  const language = isOfPage ? contentLanguageOf(config, textLanguage) : sent('lang')
  const isOfAnyTime = query.get('status') === 'trash'
  return {
    q: sent('q').slice(0, longestWords) || undefined,
    from: query.has('from') || isOfAnyTime ? only('from', dayPattern) : dayFromNow(call),
    to: only('to', dayPattern),
    category: only('category', idPattern),
    venue: only('venue', idPattern),
    lang: config.languages.find((one) => one === language),
  } as Filters
}

/** Returns the parameters of the list of the interface. */
function parametersOf(config: Config, { q, from, to, category, venue, lang }: Filters) {
  return {
    search: q,
    start_date: from === undefined ? everyDay.start_date : `${from} 00:00:00`,
    end_date: to === undefined ? everyDay.end_date : `${to} 23:59:59`,
    categories: category,
    venue,
    [languageParameterNames(config).language]: lang,
  }
}

/** Returns the address of the table with these filters. An empty first day means: from the beginning. */
function addressOf(status: string, { from = '', ...others }: Filters, page?: number): string {
  return withParameters('/admin/events/', { status: status === 'any' ? undefined : status, from, ...others, page })
}

/** The table of all events that the user may see. */
export async function eventsPage(call: OwnCall): Promise<DeskPage> {
  const { say, api, query, config, textLanguage } = call
  const status = tabs.find((tab) => tab === query.get('status')) ?? 'any'
  const page = /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  const chosen = filtersOf(call)
  const list = (asked: string, rest: { readonly per_page: number; readonly page?: number }) =>
    api.events<EventListJson>({
      // Without a language, the list has the events of all languages.
      ...{ path: '/events', textLanguage: DEFAULT_TEXT_LANGUAGE },
      query: { ...parametersOf(config, chosen), status: asked, ...rest },
    })
  const [shown, choices, ...counted] = await Promise.all([
    list(status, { per_page: perPage, page }),
    readChoices(call),
    ...tabs.map((tab) => list(tab, { per_page: 1 })),
  ])
  const found = shown.status === 200 ? shown.body : { events: [], total: 0, total_pages: 0 }
  const rows = await rowsOf(call, found, chosen.lang ?? contentLanguageOf(config, textLanguage))
  const counts = counted.map(({ status: code, body }) => (code === 200 ? body.total : 0))
  return {
    ...{ kind: 'page', title: say('events.title'), section: 'events' },
    main: html`<h1 id="title">${say('events.title')}</h1>
${doneNotice(call)}
<nav aria-label="${say('events.states')}"><ul class="tabs">
${tabs.map(
  (tab, place) =>
    html`<li><a href="${linkTo(call, addressOf(tab, chosen))}"${tab === status && raw(' aria-current="page"')}>${say(`status.${tab}`)} <span class="number">${counts[place] ?? 0}</span></a></li>`,
)}
</ul></nav>
${filterForm(call, { status, chosen, choices })}
<p role="status" class="hint">${say('events.count', { count: found.total })}</p>
${rows.length === 0 ? html`<p>${say('events.none')}</p>` : eventTable(call, rows, 'title')}
${pager(call, { page, pages: found.total_pages, address: (number) => addressOf(status, chosen, number) })}`,
  }
}

interface Choices {
  readonly categories: readonly Choice[]
  readonly venues: readonly Choice[]
}

async function readChoices({ api }: OwnCall): Promise<Choices> {
  const query = { per_page: 100 }
  const choice = (one: NamedJson): Choice => [String(one.id), nameOf(one)]
  const [categories, venues] = await Promise.all([
    api.events<{ readonly categories?: readonly NamedJson[] }>({ path: '/categories', query }),
    api.events<{ readonly venues?: readonly NamedJson[] }>({ path: '/venues', query }),
  ])
  return {
    categories: (categories.body.categories ?? []).map(choice),
    venues: (venues.body.venues ?? []).map(choice),
  }
}

function filterForm(
  call: OwnCall,
  { status, chosen, choices }: { readonly status: string; readonly chosen: Filters; readonly choices: Choices },
): Html {
  const { say, config } = call
  const any: Choice = ['', say('events.any')]
  const isFiltered = filters.some((name) => name !== 'from' && chosen[name] !== undefined)
  const choose = (name: 'category' | 'venue', known: readonly Choice[]) => {
    const value = chosen[name] ?? ''
    // A venue that a link of the search names may be beyond the first hundred.
    const more: readonly Choice[] = known.some(([id]) => id === value) || value === '' ? [] : [[value, `#${value}`]]
    return select({ name, label: say(`events.${name}`), value, choices: [any, ...known, ...more] })
  }
  return html`<form class="filter-bar" action="${linkTo(call, '/admin/events/')}" aria-label="${say('events.filters')}">
${status !== 'any' && hidden('status', status)}
${field({ name: 'q', type: 'search', label: say('events.search'), value: chosen.q ?? '', maxLength: longestWords })}
${field({ name: 'from', type: 'date', label: say('events.from'), value: chosen.from ?? '' })}
${field({ name: 'to', type: 'date', label: say('events.to'), value: chosen.to ?? '' })}
${choose('category', choices.categories)}
${choose('venue', choices.venues)}
${config.languages.length > 1 && select({ name: 'lang', label: say('events.language'), value: chosen.lang ?? '', choices: [any, ...config.languages.map((one): Choice => [one, languageName(call, one)])] })}
<div class="field"><button class="quiet">${say('events.filter')}</button></div>
${isFiltered && html`<p class="field"><a href="${linkTo(call, addressOf(status, {}))}">${say('events.clear')}</a></p>`}
</form>`
}

interface Place {
  readonly page: number
  readonly pages: number
  readonly address: (page: number) => string
}

function pager(call: OwnCall, { page, pages, address }: Place): Html | false {
  const { say } = call
  if (pages < 2) return false
  const step = (number: number, key: 'pages.previous' | 'pages.next') =>
    number >= 1 &&
    number <= pages &&
    html`<a class="button quiet" href="${linkTo(call, address(number))}">${say(key)}</a>`
  return html`<nav class="pager" aria-label="${say('pages.label')}">
${step(page - 1, 'pages.previous')}
<span>${say('pages.place', { page, pages })}</span>
${step(page + 1, 'pages.next')}
</nav>`
}

const doneTexts = {
  trashed: 'events.trashed',
  restored: 'events.restored',
  saved: 'events.saved',
  published: 'events.published',
  submitted: 'events.submitted',
} as const

/** Returns what the last form did. A removal can be undone at once. */
export function doneNotice(call: OwnCall): Html | false {
  const { say, query } = call
  const done = query.get('done') ?? ''
  const id = query.get('id') ?? ''
  if (!Object.hasOwn(doneTexts, done)) return false
  const text = say(doneTexts[done as keyof typeof doneTexts])
  const undo =
    done === 'trashed' &&
    idPattern.test(id) &&
    html`<form method="post" action="${linkTo(call, `/admin/events/${id}/restore/`)}">${csrfField(call)}${hidden('back', withoutDone(query))}<button class="quiet">${say('events.undo')}</button></form>`
  return notice(text, undo)
}

/** Returns a query without the message about the last form. */
export function withoutDone(query: URLSearchParams): string {
  const kept = new URLSearchParams(query)
  kept.delete('done')
  kept.delete('id')
  return kept.toString()
}
