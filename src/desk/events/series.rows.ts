import { type Html, type HtmlValue, html } from '../../base/text/html.ts'
import { linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { usedBy } from '../shell/shortcuts.ts'
import { isPublic, openPath, statusOf, titleOf } from './event.json.ts'
import { type RowJson, type RowQuery, type RowSeries, readRows, rowIn } from './event.rows.ts'
import { manyFormId } from './many.items.ts'

// A series is one row of the table, that of its next date. It opens to show the others.

/** The dates that the table would show of each series. */
export type SeriesDates = ReadonlyMap<number, readonly RowJson[]>

const maxDates = 100
const shownAtOnce = 12

/** Reads the dates of the series in a page of the table: at most 100 of all of them together, by one request. */
export async function readSeriesDates(call: OwnCall, rows: readonly RowJson[], query: RowQuery): Promise<SeriesDates> {
  const ids = [...new Set(rows.flatMap(({ series }) => (series ? [series.id] : [])))]
  if (ids.length === 0) return new Map()
  const asked = { ...query, series: ids.join(','), occurrences: 'each', per_page: maxDates }
  const { events } = await readRows(call, asked)
  const byId = Map.groupBy(events, ({ series }) => series?.id ?? 0)
  const languages = new Map(rows.flatMap(({ series, language }) => (series ? [[series.id, language] as const] : [])))
  return new Map([...byId].map(([id, dates]) => [id, dates.map((date) => rowIn(date, languages.get(id) ?? ''))]))
}

/** Returns the rule of a series in words, and its dates if the row stands for them. Its page is for those who may change it. */
export function seriesLine(
  call: OwnCall,
  series: RowSeries & { readonly isOpen: boolean },
  dates: readonly RowJson[],
): Html {
  const { say } = call
  const own = series.isOpen && html`<a href="${linkTo(call, `/admin/series/${series.id}/`)}">${say('series.all')}</a>`
  if (dates.length <= 1) return html`<br><span class="hint">↻ ${series.text}${own && html` · ${own}`}</span>`
  return html`<details class="more series-row"><summary>↻ ${say('series.row', { count: dates.length, text: series.text })}</summary>
<ul>${dates.slice(0, shownAtOnce).map((date) => html`<li>${dateLink(call, date)}${!isPublic(date) && html` <span class="status ${statusOf(date)}">${say(`status.${statusOf(date)}`)}</span>`}</li>`)}</ul>
<p>${own && html`${own} · `}<a href="${linkTo(call, withParameters('/admin/events/', { series: series.id }))}">${say('series.in-table')}</a></p></details>`
}

function dateLink(call: OwnCall, date: RowJson): HtmlValue {
  const path = openPath(call, date)
  const when = whenText(call.textLanguage, date)
  return path === undefined ? when : html`<a href="${path}" aria-label="${titleOf(call, date)}, ${when}">${when}</a>`
}

/** Returns the box that selects all dates of a row. */
export function seriesBox(call: OwnCall, { series }: RowJson, dates: readonly RowJson[]): Html | false {
  const { say } = call
  const [first] = dates
  if (!series || !first) return false
  const label = say('series.select', { title: titleOf(call, first), count: dates.length })
  return html`<label class="check"><input type="checkbox" name="series" value="${series.id}" form="${manyFormId}"${usedBy('x')}><span class="unseen">${label}</span></label>`
}
