import { type Html, html } from '../../base/text/html.ts'
import { isNoDate } from '../../calendar/events/model/event.ts'
import { mayChange, titleOf } from '../events/event.json.ts'
import { type RowJson, readRows, rowIn } from '../events/event.rows.ts'
import type { SeriesJson } from '../events/series.json.ts'
import { everyDay } from '../events/table.days.ts'
import { actorOf, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { checkbox, csrfField, field, hidden } from '../shell/fields.ts'
import { pageIn, pager } from '../shell/pager.ts'
import type { SeriesForm } from './series.forms.ts'
import { backOf } from './series.place.ts'

/** As many events are offered at a time. */
const maxOffered = 50

/** Returns the part of the page in which events that exist join a series. They are looked for on request. */
export async function joinPart(call: OwnCall, form: SeriesForm, title: string): Promise<Html> {
  const { say, query } = call
  const { series, place } = form
  const asked = query.get('join')
  const words = (asked ?? title).slice(0, 100)
  const page = pageIn(query)
  const found = asked === null ? undefined : await readOffered(call, series, { words, page })
  const path = linkTo(call, `/admin/series/${series.id}/`)
  const address = (number: number) => `${joinAt(form, words, number)}#join`
  return html`<section class="panel" id="join" aria-labelledby="join-title"><h2 id="join-title">${say('series.join')}</h2>
<p class="hint">${say('series.join.hint')}</p>
<form action="${path}#join">${place.from && hidden('from', place.from)}${place.after && hidden('after', place.after)}${field({ name: 'join', type: 'search', label: say('series.join.words'), value: words, maxLength: 100 })}
<div class="buttons"><button class="quiet">${say('series.join.find')}</button></div></form>
${found && (found.offered.length === 0 ? html`<p role="status">${say('series.join.none')}</p>` : joinForm(call, form, { offered: found.offered, path: joinAt(form, words, page) }))}
${found && pager(call, { page, pages: found.pages, address })}
</section>`
}

/** Returns the address of the page that offers events with these words. */
function joinAt({ series, place }: SeriesForm, join: string, page: number): string {
  return withParameters(`/admin/series/${series.id}/`, { ...place, join, page: page === 1 ? undefined : page })
}

/** The events that a page offers, and how many pages there are. */
interface Offered {
  readonly offered: readonly RowJson[]
  readonly pages: number
}

function joinForm(
  call: OwnCall,
  { place, faults }: SeriesForm,
  { offered, path }: Pick<Offered, 'offered'> & { readonly path: string },
): Html {
  const { say } = call
  const fault = faults.event_ids
  return html`<form method="post" action="${linkTo(call, path)}">${csrfField(call)}${hidden('back', backOf(place))}
<fieldset class="choices" id="f-event_ids"${fault && html` aria-describedby="x-event_ids"`}><legend>${say('events.title')}</legend>
${offered.map((row) => checkbox({ name: 'event_ids', id: `join-${row.id}`, label: `${titleOf(call, row)} – ${whenText(call.textLanguage, row)}`, value: String(row.id), isOn: false }))}
</fieldset>
${fault && html`<p class="fault" id="x-event_ids">${fault}</p>`}
<div class="buttons"><button name="to" value="join">${say('series.join.submit')}</button></div></form>`
}

/**
 * Reads a page of the events that could join: of the language of the series, in no series, and changeable by the user.
 * Without words, these are all events. Those that cannot join are left out of their page.
 */
async function readOffered(
  call: OwnCall,
  series: SeriesJson,
  { words, page }: { readonly words: string; readonly page: number },
): Promise<Offered> {
  const search = words.trim() === '' ? undefined : words
  // Other series take one row each, so that their dates leave room for events that can join.
  const query = { ...everyDay, search, status: 'any', occurrences: 'next', order: 'desc', per_page: maxOffered, page }
  const { events, total_pages: pages } = await readRows(call, query)
  const offered = events
    .map((row) => rowIn(row, series.language))
    .filter(
      (row) =>
        row.language === series.language &&
        !row.series &&
        !isNoDate(row.start_date) &&
        mayChange(actorOf(call.me), row),
    )
  return { offered, pages }
}
