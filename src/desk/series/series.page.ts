import { mayCreate } from '../../access/auth/policy.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { type Html, html, raw } from '../../base/text/html.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { isStatus } from '../../calendar/records/record.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import { readDates, readSeries, type SeriesDateJson, type SeriesJson } from '../events/series.json.ts'
import { ownLabel } from '../events/series.own.ts'
import {
  type DeskAnswer,
  type DeskForm,
  type DeskRoutes,
  linkTo,
  type OwnCall,
  withParameters,
} from '../shell/desk.call.ts'
import { whenText, whenWords } from '../shell/desk.dates.ts'
import { type Faults, field, formPage, gonePage } from '../shell/fields.ts'
import { submitSeries } from './series.actions.ts'
import {
  dayForm,
  languagesLine,
  purgeForm,
  restoreForm,
  type SeriesForm,
  seriesForm,
  translationForms,
  trashForm,
} from './series.forms.ts'
import { joinPart } from './series.join.ts'
import { placeIn, type SeriesPlace, seriesAt } from './series.place.ts'

const perPage = 50

/** What the page of a series shows besides the series. */
interface SeriesShown {
  readonly faults?: Faults
  readonly values?: Readonly<Record<string, string>>
  readonly text?: string
  /** The place from which a form was sent. Default: that of the address. */
  readonly place?: SeriesPlace
}

/** The page of a series: its rules in words, and its dates. */
async function seriesPage(call: OwnCall, id: string, shown: SeriesShown = {}): Promise<DeskAnswer> {
  const { say, textLanguage } = call
  const found = await readSeries(call, Number(id))
  if (found.status !== 200) return gonePage(call, 'editor.gone')
  const series = found.body
  const { faults = {}, values = {}, text, place = placeIn(call.query) } = shown
  const form: SeriesForm = { series, place, faults, values }
  const { from, after: cursor } = place
  const page = await readDates(call, series.id, { ...(from ? { from } : {}), cursor, per_page: perPage })
  const isTrashed = series.status === 'trash'
  const title = htmlToText(series.title).trim() || say('events.untitled')
  const last = series.dates_until
  const labels = {
    start: say('series.add.label'),
    day: say('series.end.label'),
    event_ids: say('series.join'),
    ...labelsOfTexts(call),
  }
  const live = page.dates.filter(isLive)
  const now = localDateTimeAt(call.now, call.config.siteZone)
  const next = live.find((date) => date.end_date >= now) ?? live.at(-1)
  const address = shown.place && call.query.size === 0 ? { address: seriesAt(series.id, place) } : {}
  return formPage(
    call,
    {
      ...{ title: say('series.title', { title }), section: 'events', isNarrow: false },
      ...address,
      text,
      faults,
      labels,
    },
    html`${rulesText(call, series)}
${last && html`<p class="hint">${say('series.until', { day: whenWords(textLanguage, { start_date: `${last} 00:00:00`, end_date: `${last} 00:00:00`, all_day: true }) })}</p>`}
${isTrashed && html`<p>${say('series.in-trash')}</p>`}
<p class="series-links">${!isTrashed && next && html`<a class="button" href="${linkTo(call, `/admin/events/${next.event_id}/`)}">${say('series.edit')}</a>`}<a href="${linkTo(call, withParameters('/admin/events/', { series: series.id, from: '' }))}">${say('series.in-table')}</a>${series.status === 'publish' && html`<a href="${series.url}">${say('events.view')}</a>`}</p>
<h2 id="dates">${say('series.dates')}</h2>
<form class="filter-bar" action="${linkTo(call, `/admin/series/${series.id}/`)}">${field({ name: 'from', type: 'date', label: say('events.from'), value: from ?? '' })}<div class="field"><button class="quiet">${say('events.filter')}</button></div></form>
${datesForm(call, form, page.dates)}
${page.next_cursor && html`<p><a class="button quiet" href="${linkTo(call, seriesAt(series.id, { from, after: page.next_cursor }))}">${say('pages.next')}</a></p>`}
${isTrashed ? html`<div class="series-forms">${restoreForm(call, form)}${purgeForm(call, form)}</div>` : html`${languagesLine(call, series)}<div class="series-forms">${dayForm(call, form, { name: 'start', to: 'add' })}${dayForm(call, form, { name: 'day', to: 'end', isQuiet: true })}${translationForms(call, form)}${await joinPart(call, form, title)}${trashForm(call, form)}</div>`}`,
  )
}

/** The names of the texts with which the series is translated. */
function labelsOfTexts(call: OwnCall): Readonly<Record<string, string>> {
  const names = distinctLanguages(call).flatMap((language) =>
    (['title', 'excerpt', 'description'] as const).map((name) => {
      const label = call.say(`editor.${name}`)
      const of = call.say('editor.of-language', { label, language: languageName(call, language) })
      return [`${name}.${language}`, of] as const
    }),
  )
  return Object.fromEntries(names)
}

const isLive = (date: SeriesDateJson) => !date.is_dropped && date.status !== 'trash'

/** Returns the rules in words. A series that has changed has several, each from a day on. */
function rulesText(call: OwnCall, { segments }: SeriesJson): Html {
  const { say, textLanguage } = call
  const [only, ...others] = segments
  if (others.length === 0) return html`<p class="series-rule">${only?.text}</p>`
  return html`<ul class="series-rule">${segments.map(({ start_date: start, all_day: allDay, text }) => html`<li>${say('series.from', { day: whenWords(textLanguage, { start_date: start, end_date: start, all_day: allDay }), text })}</li>`)}</ul>`
}

/** Each button of the list is of one form. */
function datesForm(call: OwnCall, form: SeriesForm, dates: readonly SeriesDateJson[]): Html {
  const { say } = call
  if (dates.length === 0) return html`<p>${say('series.no-dates')}</p>`
  return seriesForm(call, form, {
    main: html`<div class="table" role="region" aria-labelledby="dates" tabindex="0"><table>
<thead><tr><th scope="col">${say('events.column.date')}</th><th scope="col">${say('events.column.status')}</th><th scope="col">${say('series.own')}</th><th scope="col">${say('events.column.actions')}</th></tr></thead>
<tbody>${dates.map((date) => dateRow(call, form.series, date))}</tbody>
</table></div>`,
  })
}

function dateRow(call: OwnCall, series: SeriesJson, date: SeriesDateJson): Html {
  const { say, textLanguage } = call
  const { event_id: id, status, event_status: eventStatus, own_fields: own } = date
  const text = whenText(textLanguage, date)
  const isGone = !isLive(date)
  const isOff = eventStatus === 'canceled' || eventStatus === 'postponed'
  const name = isStatus(status) ? status : 'draft'
  const button = (to: 'remove' | 'return') =>
    html`<button class="plain" name="to" value="${to}.${id}">${say(to === 'remove' ? 'series.remove' : 'events.restore')}<span class="unseen"> – ${text}</span></button>`
  return html`<tr id="e-${id}"${isGone && raw(' class="gone"')}><th scope="row">${isGone ? text : html`<a href="${linkTo(call, `/admin/events/${id}/`)}">${text}</a>`}</th>
<td><span class="status ${name}">${say(isGone ? 'series.gone' : `status.${name}`)}</span>${isOff && html` <span class="status off">${say(`events.${eventStatus}`)}</span>`}</td>
<td>${own.map((one) => ownLabel(call, one)).join(', ')}</td>
<td class="actions">${series.status !== 'trash' && button(isGone ? 'return' : 'remove')}</td></tr>`
}

/** Returns what was typed into a form, and the place from which it was sent. */
function typedIn(form: DeskForm): Pick<SeriesShown, 'values' | 'place'> {
  return { values: Object.fromEntries(form.pairs), place: placeIn(new URLSearchParams(form.get('back'))) }
}

/** The page of a series. */
export const seriesRoutes: DeskRoutes = {
  '/admin/series/{id}/': {
    mayUse: mayCreate,
    show: (call, id = '') => seriesPage(call, id),
    again: (call, { form, notice: text }, id = '') => seriesPage(call, id, { text, ...typedIn(form) }),
    submit: async (call, form, id = '') => {
      const done = await submitSeries(call, form, id)
      return 'kind' in done ? done : seriesPage(call, id, { ...done, ...typedIn(form) })
    },
  },
}
