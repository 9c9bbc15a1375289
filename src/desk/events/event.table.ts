import { languageParameterNames } from '../../access/http/addresses.ts'
import { type Html, html } from '../../publish/pages/html.ts'
import { actorOf, linkTo, type OwnCall } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { csrfField, hidden } from '../shell/fields.ts'
import {
  type EventJson,
  type EventListJson,
  isPublic,
  listOf,
  mayChange,
  nameOf,
  statusOf,
  titleOf,
} from './event.json.ts'
import { languageName } from './language.names.ts'

/** An event in the table, with the version in each language of the site. */
export interface EventRow {
  /** The version whose title is shown. */
  readonly event: EventJson
  readonly languages: readonly string[]
}

/**
 * Returns the rows of a list. Each event is shown in the language of the page if it exists in it. One request per
 * language of the site tells in which languages the events exist.
 */
export async function rowsOf(call: OwnCall, { events }: EventListJson, language: string): Promise<readonly EventRow[]> {
  const { languages } = call.config
  if (events.length === 0) return []
  const words = languageParameterNames(call.config)
  const languageOf = (event: EventJson) => event[words.language as keyof EventJson] as string | undefined
  const query = {
    include: events.map(({ id }) => id).join(','),
    per_page: events.length,
    status: events.some(({ status }) => status === 'trash') ? 'trash' : 'any',
  }
  const versions = await Promise.all(
    languages.map(async (one) => {
      const { status, body } = await call.api.events<EventListJson>({
        ...{ path: '/events', query: { ...query, [words.language]: one } },
      })
      return (status === 200 ? body.events : []).filter((event) => languageOf(event) === one)
    }),
  )
  return events.map((event) => {
    const own = versions.flatMap((ofLanguage) =>
      ofLanguage.filter((version) => isVersionOf(event, version.id, version[words.translations as keyof EventJson])),
    )
    const shown = own.find((version) => languageOf(version) === language) ?? event
    return { event: shown, languages: languages.filter((one) => own.some((version) => languageOf(version) === one)) }
  })
}

/** @param translations The ids of the versions by language, as the interface shows them. */
function isVersionOf({ id }: EventJson, version: number, translations: unknown): boolean {
  const ids = translations !== null && typeof translations === 'object' ? Object.values(translations) : []
  return version === id || ids.some((one) => one === id || (one as { readonly id?: number } | null)?.id === id)
}

/** Returns the table of events, with what the user may do with each. */
export function eventTable(call: OwnCall, rows: readonly EventRow[], labelledBy: string): Html {
  const { say } = call
  const columns = ['title', 'date', 'venue', 'category', 'status', 'actions'] as const
  return html`<div class="table" role="region" aria-labelledby="${labelledBy}" tabindex="0">
<table class="events">
<thead><tr>${columns.map((name) => html`<th scope="col">${say(`events.column.${name}`)}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => tableRow(call, row))}
</tbody>
</table>
</div>`
}

function tableRow(call: OwnCall, { event, languages }: EventRow): Html {
  const { say, textLanguage, me } = call
  const title = titleOf(call, event)
  const isChangeable = mayChange(actorOf(me), event)
  const isInTrash = event.status === 'trash'
  const edit = linkTo(call, `/admin/events/${event.id}/`)
  const names = (linked: Parameters<typeof listOf>[0]) => listOf(linked).map(nameOf).join(', ')
  return html`<tr>
<th scope="row">${isChangeable && !isInTrash ? html`<a href="${edit}">${title}</a>` : title}
${languages.map((language) => html` <span class="badge" title="${say('events.in', { language: languageName(call, language) })}">${badgeOf(call, language)}</span>`)}</th>
<td>${whenText(textLanguage, event)}</td>
<td>${names(event.venue)}</td>
<td>${names(event.categories)}</td>
<td><span class="status ${statusOf(event)}">${say(`status.${statusOf(event)}`)}</span></td>
<td class="actions">
${isChangeable && !isInTrash && html`<a class="button quiet" href="${edit}" aria-label="${say('events.of', { action: say('events.edit'), title })}">${say('events.edit')}</a>`}
${isPublic(event) && html`<a class="button quiet" href="${event.url}" aria-label="${say('events.of', { action: say('events.view'), title })}">${say('events.view')}</a>`}
${isChangeable && action(call, { id: event.id, name: isInTrash ? 'restore' : 'trash', title })}
</td>
</tr>`
}

/** Returns the letters of a language, with the region if another language of the site has the same ones. */
export function badgeOf({ config }: OwnCall, language: string): string {
  const letters = (tag: string) => tag.split('-')[0]
  const [first] = config.languages.filter((one) => letters(one) === letters(language))
  return (first === language ? letters(language) : language)?.toUpperCase() ?? ''
}

/** Returns the button of an action on an event, which is a form of its own. */
function action(
  call: OwnCall,
  { id, name, title }: { readonly id: number; readonly name: 'trash' | 'restore'; readonly title: string },
): Html {
  const { say, query } = call
  return html`<form method="post" action="${linkTo(call, `/admin/events/${id}/${name}/`)}">${csrfField(call)}${hidden('back', query.toString())}
<button class="quiet" aria-label="${say('events.of', { action: say(`events.${name}`), title })}">${say(`events.${name}`)}</button></form>`
}

/** Returns a short list of events, for the start page. */
export function eventList(call: OwnCall, events: readonly EventJson[]): Html {
  const actor = actorOf(call.me)
  return html`<ul class="rows">${events.map((event) => {
    const title = titleOf(call, event)
    const path = mayChange(actor, event) ? linkTo(call, `/admin/events/${event.id}/`) : isPublic(event) && event.url
    return html`<li><span>${path ? html`<a href="${path}">${title}</a>` : title}<br><span class="hint">${whenText(call.textLanguage, event)}</span></span>
<span class="status ${statusOf(event)}">${call.say(`status.${statusOf(event)}`)}</span></li>`
  })}</ul>`
}
