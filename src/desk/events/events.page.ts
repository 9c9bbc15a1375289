import { contentLanguageOf } from '../../base/languages/language.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { EVENT_CHECKS } from '../../calendar/events/list/rows.arguments.ts'
import { type DeskAnswer, type DeskPage, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { type Choice, field, hidden, select } from '../shell/fields.ts'
import { pager } from '../shell/pager.ts'
import { tellAt } from '../shell/told.ts'
import { idNamed, placeName } from './editor.named.ts'
import type { NamedJson } from './event.json.ts'
import { readCounts, readRows, rowIn } from './event.rows.ts'
import { eventTable } from './event.table.ts'
import { distinctLanguages, languageName } from './language.names.ts'
import { manyBar } from './many.bar.ts'
import { readSeriesDates } from './series.rows.ts'
import { type Choices, isCut, readChoices, withChoice } from './table.choices.ts'
import { quickDays } from './table.days.ts'
import {
  filtersIn,
  isFolded,
  listQuery,
  longestWords,
  pageQuery,
  type TableFilters,
  tableAddress,
  tabs,
} from './table.filters.ts'
import { readViews, viewsPart } from './table.views.ts'

const perPage = 25

const isId = (text: string) => /^\d{1,15}$/.test(text)

/** The table of all events that the user may see. A venue that was typed becomes its id. */
export async function eventsAnswer(call: OwnCall): Promise<DeskAnswer> {
  const query = new URLSearchParams(call.query)
  const name = (query.get('venue') ?? '').trim()
  // Links name a venue by its id. The form has its name, and the id as long as nobody types another one.
  const [known, shown] = [query.get('known') ?? '', query.get('shown')]
  for (const one of ['known', 'shown']) query.delete(one)
  if (name === '' || (shown === null && isId(name))) return eventsPage(call)
  const id = name === shown && isId(known) ? known : await idNamed(call, 'venues', name)
  if (id === undefined) query.delete('venue')
  else query.set('venue', String(id))
  const path = `/admin/events/?${query}`
  return id === undefined ? tellAt(call, path, { text: call.say('events.no-venue', { name }) }) : { kind: 'see', path }
}

/** The table of all events that the user may see. */
export async function eventsPage(call: OwnCall): Promise<DeskPage> {
  const { say, query, config, textLanguage } = call
  const page = /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  const filters = filtersIn(call, query)
  const asked = listQuery(config, filters)
  const [found, choices, views, counts] = await Promise.all([
    readRows(call, { ...asked, ...pageQuery(filters), per_page: perPage, page }),
    readChoices(call),
    readViews(call),
    // A check reads events, which the counts do not.
    filters.check === undefined ? readCounts(call, asked) : undefined,
  ])
  const language = filters.lang ?? contentLanguageOf(config, textLanguage)
  const venueName = filters.venue ? await nameOfVenue(call, choices, filters.venue) : ''
  const rows = found.events.map((row) => rowIn(row, language))
  const dates = isFolded(filters) ? await readSeriesDates(call, rows, { ...asked, ...pageQuery(filters) }) : new Map()
  const all = await countAll(call, filters, { counts, shown: found.total })
  // A series has one row. So there are more events than rows if any page of the list has one.
  const hasSeries = rows.some(({ series }) => series !== undefined) || all > found.total
  const number = (tab: string) => counts && html` <span class="number">${counts[tab] ?? 0}</span>`
  return {
    ...{ kind: 'page', title: say('events.title'), section: 'events' },
    main: html`<div class="heading"><h1 id="title">${say('events.title')}</h1>
<nav aria-label="${say('events.states')}"><ul class="tabs">
${tabs.map(
  (tab) =>
    html`<li><a href="${linkTo(call, tableAddress({ ...filters, status: tab }))}"${tab === filters.status && raw(' aria-current="page"')}>${say(`status.${tab}`)}${number(tab)}</a></li>`,
)}
</ul></nav>
${viewsPart(call, views)}</div>
${filterForm(call, { filters, choices, venueName, count: html`${countText(call, { rows: found.total, events: all })}${found.is_partial && html` ${say('events.partial')}`}${hasSeries && isFolded(filters) && html` · ${say('series.folded')}`}` })}
${rows.length === 0 && html`<p>${say('events.none')}</p>`}
${rows.length > 0 && eventTable(call, { rows, total: all, dates, filters })}
${rows.length > 0 && filters.status !== 'trash' && manyBar(call, all)}
${pager(call, { page, pages: found.total_pages, address: (number) => tableAddress(filters, number) })}`,
  }
}

/** Returns how many events the list has, and in how many rows if a series has one row. */
function countText({ say }: OwnCall, { rows, events }: { readonly rows: number; readonly events: number }): string {
  const text = say('events.count', { count: events })
  return events > rows ? say('series.in-rows', { count: rows, events: text }) : text
}

/** Returns how many events the list has. Each date of a series counts, also if one row shows them. */
async function countAll(
  call: OwnCall,
  filters: TableFilters,
  { counts, shown }: { readonly counts: Readonly<Record<string, number>> | undefined; readonly shown: number },
): Promise<number> {
  if (!isFolded(filters)) return shown
  if (counts !== undefined) return counts[filters.status] ?? shown
  const query = { ...listQuery(call.config, filters), ...pageQuery(filters), occurrences: 'each', per_page: 1 }
  return (await readRows(call, query)).total
}

async function nameOfVenue({ api }: OwnCall, { venues }: Choices, id: string): Promise<string> {
  const [, known] = venues.find(([one]) => one === id) ?? []
  if (known !== undefined || !isCut(venues)) return known ?? `#${id}`
  const { status, body } = await api.events<NamedJson>({ path: `/venues/${id}` })
  return status === 200 ? placeName(body) : `#${id}`
}

interface FilterForm {
  readonly filters: TableFilters
  readonly choices: Choices
  readonly venueName: string
  readonly count: Html
}

function filterForm(call: OwnCall, { filters, choices, venueName, count }: FilterForm): Html {
  const { say, config } = call
  const { status, q, from, to, category = '', venue = '', lang = '', without = '', check = '', sort, order } = filters
  const { series, each = '' } = filters
  const any: Choice = ['', say('events.any')]
  const isFiltered = [q, to, category, venue, lang, without, check, series, each].some((value) => value)
  const named = (one: string): Choice => [one, languageName(call, one)]
  const languages = config.languages.map(named)
  const distinct = distinctLanguages(call).map(named)
  const choose = (name: 'category' | 'venue', value: string, known: readonly Choice[]) =>
    select({ name, label: say(`events.${name}`), value, choices: [any, ...withChoice(known, value)] })
  const typed = html`${field({ name: 'venue', label: say('events.venue'), value: venueName, list: 'known-venues' })}${hidden('known', venue)}${hidden('shown', venueName)}
<datalist id="known-venues">${choices.venues.map(([, name]) => html`<option value="${name}"></option>`)}</datalist>`
  const rare = html`${languages.length > 1 && select({ name: 'lang', label: say('events.language'), value: lang, choices: [any, ...languages] })}
${distinct.length > 1 && select({ name: 'without', label: say('events.without-language'), value: without, choices: [['', '–'], ...distinct] })}
${select({ name: 'check', label: say('events.check'), value: check, choices: [['', '–'], ...EVENT_CHECKS.map((one): Choice => [one, say(`events.check.${one}`)])] })}
${
  !series &&
  select({
    name: 'each',
    label: say('series.rows'),
    value: each,
    choices: [
      ['', say('series.rows.one')],
      ['1', say('series.rows.each')],
    ],
  })
}`
  return html`<form class="table-filters" action="${linkTo(call, '/admin/events/')}" aria-label="${say('events.filters')}">
${status !== 'any' && hidden('status', status)}${series && hidden('series', series)}${sort && hidden('sort', sort)}${order && hidden('order', order)}
<div class="filter-bar" id="filters" popover>
${field({ name: 'q', type: 'search', label: say('events.search'), value: q ?? '', maxLength: longestWords })}
${field({ name: 'from', type: 'date', label: say('events.from'), value: from ?? '' })}
${field({ name: 'to', type: 'date', label: say('events.to'), value: to ?? '' })}
${choose('category', category, choices.categories)}
${isCut(choices.venues) ? typed : choose('venue', venue, choices.venues)}
<div class="field"><button class="quiet">${say('events.filter')}</button></div>
</div>
<div class="line"><button type="button" class="quiet open-filters" popovertarget="filters">${say('events.filters')}</button>
<p role="status" class="hint">${count}</p>
${dayLinks(call, filters)}
<details${(lang || without || check || each) && raw(' open')}><summary>${say('events.more-filters')}</summary>
<div class="filter-bar">${rare}</div></details>
${isFiltered && html`<a href="${linkTo(call, tableAddress({ status, from: undefined }))}">${say('events.clear')}</a>`}</div>
</form>`
}

/** Returns links to the days for which editors ask most. */
function dayLinks(call: OwnCall, filters: TableFilters): Html {
  return html`${quickDays(call).map(
    ([name, from, to]) =>
      html`<a href="${linkTo(call, tableAddress({ ...filters, from, to }))}"${from === filters.from && to === filters.to && raw(' aria-current="true"')}>${call.say(`events.days.${name}`)}</a>`,
  )}`
}
