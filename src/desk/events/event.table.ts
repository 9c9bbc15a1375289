import { randomUUID } from 'node:crypto'
import { mayPublish } from '../../access/auth/policy.ts'
import { utcDates } from '../../base/languages/date.writers.ts'
import { type Html, type HtmlValue, html } from '../../base/text/html.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import { actorOf, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { dateFormat, whenText } from '../shell/desk.dates.ts'
import { actionButton, csrfField, hidden } from '../shell/fields.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { type EventJson, isPublic, mayChange, nameOf, type Opened, statusOf, titleLink, titleOf } from './event.json.ts'
import { languagesOf, type RowJson } from './event.rows.ts'
import { versionField, withField } from './event.versions.ts'
import { languageName } from './language.names.ts'
import { itemOf, manyFormId, maxItems } from './many.items.ts'
import { type SeriesDates, seriesBox, seriesLine } from './series.rows.ts'
import { type Sort, type TableFilters, tableAddress } from './table.filters.ts'
import { withoutDone } from './table.place.ts'

/** A column: its name, and the order that it gives. */
const columns = [
  ['title', 'title'],
  ['date', 'start'],
  ['venue', undefined],
  ['category', undefined],
  ['status', 'status'],
  ['changed', 'modified'],
  ['actions', undefined],
] as const satisfies readonly (readonly [string, Sort | undefined])[]

interface Table {
  readonly rows: readonly RowJson[]
  /** How many events the list has. Each date of a series counts. */
  readonly total: number
  /** The dates of the series that have one row each. */
  readonly dates: SeriesDates
  readonly filters: TableFilters
}

/** Returns the table of events, with what the user may do with each. */
export function eventTable(call: OwnCall, { rows, total, dates, filters }: Table): Html {
  const { say } = call
  return html`<div class="table" role="region" aria-labelledby="title" tabindex="0">
<table class="events">
<thead><tr><th scope="col" class="select">${filters.status === 'trash' || total > maxItems ? html`<span class="unseen">${say('events.column.select')}</span>` : allBox(call, total)}</th>
${columns.map(([name, sort]) => heading(call, filters, { name, sort }))}</tr></thead>
<tbody>
${rows.map((row) => tableRow(call, row, row.series && dates.get(row.series.id)))}
</tbody>
</table>
</div>`
}

/** Returns the box that selects all events of the list, also those on other pages. */
function allBox({ say }: OwnCall, total: number): Html {
  return html`<label class="check"><input type="checkbox" name="all" value="1" form="${manyFormId}"><span class="unseen">${say('many.all', { count: total })}</span></label>`
}

type Column = (typeof columns)[number][0]

/** Returns the heading of a column, which sorts by it: the other way round if it does so already. */
function heading(
  call: OwnCall,
  filters: TableFilters,
  { name, sort }: { readonly name: Column; readonly sort: Sort | undefined },
): Html {
  const { say } = call
  const text = say(`events.column.${name}`)
  if (name === 'actions') return html`<th scope="col"><span class="unseen">${text}</span></th>`
  if (sort === undefined) return html`<th scope="col">${text}</th>`
  const usual = sort === 'modified' ? 'desc' : 'asc'
  const current = (filters.sort ?? 'start') === sort ? (filters.order ?? usual) : undefined
  const next = current === undefined ? usual : current === 'asc' ? 'desc' : 'asc'
  const address = tableAddress({ ...filters, sort, order: next === usual ? undefined : next })
  const state = current && html` aria-sort="${current === 'asc' ? 'ascending' : 'descending'}"`
  return html`<th scope="col"${state}><a class="sort" href="${linkTo(call, address)}" title="${say('events.sort.none')}">${text}</a></th>`
}

function tableRow(call: OwnCall, row: RowJson, dates: readonly RowJson[] = []): Html {
  const { say, me } = call
  const title = titleOf(call, row)
  const isChangeable = mayChange(actorOf(me), row)
  const isOpen = isChangeable && row.status !== 'trash'
  const names = (linked: Parameters<typeof nameOf>[0][]) => linked.map(nameOf).join(', ')
  return html`<tr id="e-${row.id}">
<td class="select">${isOpen && dates.length > 1 && seriesBox(call, row, dates)}${isOpen && dates.length <= 1 && html`<label class="check"><input type="checkbox" name="ids" value="${row.id}" form="${manyFormId}"${usedBy('x')}><span class="unseen">${say('events.select', { title })}</span></label><input type="hidden" name="was.${row.id}" value="${itemOf(row)}" form="${manyFormId}">`}</td>
<th scope="row">${titleLink(call, row)}
${languagesOf(call, row).map((language) => html` <span class="badge" title="${say('events.in', { language: languageName(call, language) })}">${badgeOf(call, language)}</span>`)}${row.series && seriesLine(call, { ...row.series, isOpen }, dates)}</th>
<td class="when">${shortWhen(call, row)}</td>
<td class="venue" title="${names([...row.venue])}">${names([...row.venue])}</td>
<td class="category" title="${names([...row.categories])}">${names([...row.categories])}</td>
<td>${states(call, row)}</td>
<td class="changed">${changedText(call, row)}</td>
<td class="actions">${isChangeable && rowMenu(call, { row, title, dates })}</td>
</tr>`
}

/** Returns the menu of what can be done with an event. It opens without scripts as well. */
function rowMenu(
  call: OwnCall,
  { row, title, dates }: { readonly row: RowJson; readonly title: string; readonly dates: readonly RowJson[] },
): Html {
  const { say } = call
  if (row.status === 'trash') return action(call, { row, name: 'restore', title })
  return html`<button type="button" class="quiet" popovertarget="m-${row.id}" aria-label="${say('events.of', { action: say('events.column.actions'), title })}">⋯</button>
<div class="menu-body row-menu" id="m-${row.id}" popover>
${approveButton(call, row, { back: withoutDone(call.query), series: dates.length > 1 ? row.series?.id : undefined })}
${rowLink(call, { row, title, name: 'quick' })}
${rowLink(call, { row, title, name: 'copy' })}
${isPublic(row) && html`<a href="${row.url}" aria-label="${say('events.of', { action: say('events.view'), title })}">${say('events.view')}</a>`}
${action(call, { row, name: 'trash', title })}
</div>`
}

/** Returns the button that publishes an event which waits for review, or all dates of its series; nothing for others. */
export function approveButton(
  call: OwnCall,
  row: RowJson,
  { back, series, at }: { readonly back: string; readonly series?: number | undefined; readonly at?: 'today' },
): Html | false {
  const { id, status, start_date: start } = row
  if (status !== 'pending' || isNoDate(start) || !mayPublish(actorOf(call.me))) return false
  const meant = series === undefined ? { ids: id, [`was.${id}`]: itemOf(row) } : { series }
  const label = html`${call.say('many.publish')}<span class="unseen">: ${titleOf(call, row)}</span>`
  const fields = { to: 'publish', ...meant, back, at, key: randomUUID() }
  return actionButton(call, '/admin/events/many/', { label, fields })
}

/** Returns the state of an event, and whether it takes place. */
function states(call: OwnCall, row: Pick<RowJson, 'status' | 'event_status'>): Html {
  return html`<span class="status ${statusOf(row)}">${call.say(`status.${statusOf(row)}`)}</span>${offBadge(call, row.event_status)}`
}

/** Returns a badge if an event does not take place. */
export function offBadge({ say }: OwnCall, eventStatus: string | undefined): Html | false {
  const isOff = eventStatus === 'canceled' || eventStatus === 'postponed'
  return isOff && html` <span class="status off">${say(`events.${eventStatus}`)}</span>`
}

/** Returns the days of an event and the time at which it begins, in few letters. */
function shortWhen({ say, textLanguage }: OwnCall, row: RowJson): Html {
  if (isNoDate(row.start_date)) return html`<span class="hint">${say('events.no-date')}</span>`
  const at = (local: string) => Date.parse(`${local.replace(' ', 'T')}Z`)
  const days = dateFormat(textLanguage, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  })
  const [start, end] = [at(row.start_date), at(row.end_date)]
  return html`${days.formatRange(start, Math.max(start, end))}${!row.all_day && html` <span class="hint">${utcDates(textLanguage).text('time', start)}</span>`}`
}

function changedText({ textLanguage }: OwnCall, { modified }: RowJson): Html {
  const format = dateFormat(textLanguage, { dateStyle: 'medium', timeZone: 'UTC' })
  return html`<time datetime="${modified.slice(0, 10)}">${format.format(Date.parse(`${modified.replace(' ', 'T')}Z`))}</time>`
}

/** Returns the letters of a language, with the region if another language of the site has the same ones. */
export function badgeOf({ config }: OwnCall, language: string): string {
  const letters = (tag: string) => tag.split('-')[0]
  const [first] = config.languages.filter((one) => letters(one) === letters(language))
  return (first === language ? letters(language) : language)?.toUpperCase() ?? ''
}

/** Returns a link to a page for one row, which leads back to this table. */
function rowLink(
  call: OwnCall,
  { row, title, name }: { readonly row: RowJson; readonly title: string; readonly name: 'quick' | 'copy' },
): Html {
  const { say, query } = call
  const path = withParameters(`/admin/events/${row.id}/${name}/`, { back: withoutDone(query) || undefined })
  const text = say(`events.${name}`)
  return html`<a href="${linkTo(call, path)}" aria-label="${say('events.of', { action: text, title })}"${name === 'copy' && usedBy('d')}>${text}</a>`
}

/** Returns the button of an action on an event, which is a form of its own. */
function action(
  call: OwnCall,
  { row, name, title }: { readonly row: RowJson; readonly name: 'trash' | 'restore'; readonly title: string },
): Html {
  const { say, query } = call
  const { id } = row
  // The versions that the user has seen go to the trash. Those that went together come back.
  const versions = [row, ...row.translations].map((one) => hidden(versionField(one.id), String(one.version)))
  const others = row.translations.flatMap((one) => (one.status === 'trash' ? [one.id] : []))
  const fields = name === 'trash' ? versions : others.length > 0 && hidden(withField(id), others.join(','))
  return html`<form method="post" action="${linkTo(call, `/admin/events/${id}/${name}/`)}">${csrfField(call)}${hidden('back', withoutDone(query))}${fields}
<button class="${name === 'trash' ? 'quiet' : 'plain'}" aria-label="${say('events.of', { action: say(`events.${name}`), title })}">${say(name === 'trash' ? 'events.trash.short' : 'events.restore')}</button></form>`
}

/** What a short list shows of an event. */
type Listed = Opened & Pick<EventJson, 'title' | 'start_date' | 'end_date' | 'all_day'>

/**
 * Returns a short list of events.
 *
 * @param action What can be done with each of them.
 */
export function eventList<Event extends Listed>(
  call: OwnCall,
  events: readonly Event[],
  action: (event: Event) => HtmlValue = () => false,
): Html {
  return html`<ul class="rows">${events.map(
    (
      event,
    ) => html`<li><span>${titleLink(call, event)}<br><span class="hint">${whenText(call.textLanguage, event)}</span></span>
${!isPublic(event) && html`<span class="status ${statusOf(event)}">${call.say(`status.${statusOf(event)}`)}</span>`}
${action(event)}</li>`,
  )}</ul>`
}
