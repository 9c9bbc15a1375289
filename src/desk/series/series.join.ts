import { type Html, html } from '../../publish/pages/html.ts'
import { mayChange, titleOf } from '../events/event.json.ts'
import { type RowJson, readRows, rowIn } from '../events/event.rows.ts'
import type { SeriesJson } from '../events/series.json.ts'
import { everyDay } from '../events/table.days.ts'
import { actorOf, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { checkbox, csrfField, field, hidden } from '../shell/fields.ts'
import type { SeriesForm } from './series.forms.ts'
import { backOf } from './series.place.ts'

/** As many events are offered at a time. */
const mostOffered = 50

/** Returns the part of the page in which events that exist join a series. They are looked for on request. */
export async function joinPart(call: OwnCall, form: SeriesForm, title: string): Promise<Html> {
  const { say, query } = call
  const { series, place } = form
  const asked = query.get('join')
  const words = (asked ?? title).slice(0, 100)
  const offered = asked === null || words.trim() === '' ? undefined : await readOffered(call, series, words)
  const path = linkTo(call, `/admin/series/${series.id}/`)
  return html`<section class="panel" id="join" aria-labelledby="join-title"><h2 id="join-title">${say('series.join')}</h2>
<p class="hint">${say('series.join.hint')}</p>
<form action="${path}#join">${place.from && hidden('from', place.from)}${place.after && hidden('after', place.after)}${field({ name: 'join', type: 'search', label: say('series.join.words'), value: words, maxLength: 100 })}
<div class="buttons"><button class="quiet">${say('series.join.find')}</button></div></form>
${offered && (offered.length === 0 ? html`<p role="status">${say('series.join.none')}</p>` : joinForm(call, form, offered))}
</section>`
}

function joinForm(call: OwnCall, { series, place, faults }: SeriesForm, offered: readonly RowJson[]): Html {
  const { say, query } = call
  const path = withParameters(`/admin/series/${series.id}/`, { join: query.get('join') ?? '' })
  const fault = faults.event_ids
  return html`<form method="post" action="${linkTo(call, path)}#join">${csrfField(call)}${hidden('back', backOf(place))}
<fieldset class="choices" id="f-event_ids"${fault && html` aria-describedby="x-event_ids"`}><legend>${say('search.events')}</legend>
${offered.map((row) => checkbox({ name: 'event_ids', id: `join-${row.id}`, label: `${titleOf(call, row)} – ${whenText(call.textLanguage, row)}`, value: String(row.id), isOn: false }))}
</fieldset>
${fault && html`<p class="fault" id="x-event_ids">${fault}</p>`}
<div class="buttons"><button name="to" value="join">${say('series.join.submit')}</button></div></form>`
}

/** Reads the events that could join: of the language of the series, in no series, and changeable by the user. */
async function readOffered(call: OwnCall, series: SeriesJson, words: string): Promise<readonly RowJson[]> {
  // Other series take one row each, so that their dates leave room for events that can join.
  const query = { ...everyDay, search: words, status: 'any', occurrences: 'next', order: 'desc', per_page: mostOffered }
  const { events } = await readRows(call, query)
  return events
    .map((row) => rowIn(row, series.language))
    .filter((row) => row.language === series.language && !row.series && mayChange(actorOf(call.me), row))
}
