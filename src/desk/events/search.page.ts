import { languageParameterNames } from '../../access/http/addresses.ts'
import { contentLanguageOf, DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { html } from '../../base/text/html.ts'
import { type DeskPage, linkTo, type OwnCall, withParameters } from '../shell/desk.call.ts'
import { type EventJson, type EventListJson, type NamedJson, nameOf } from './event.json.ts'
import { eventList } from './event.table.ts'
import { everyDay } from './table.days.ts'

const most = 10

/** The kinds besides events, and the filter of the table that each is. */
const kinds = [
  ['venues', 'venue'],
  ['organizers', undefined],
  ['categories', 'category'],
  ['tags', undefined],
] as const

async function eventsWith(
  { api }: OwnCall,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<readonly EventJson[]> {
  const { status, body } = await api.events<EventListJson>({
    ...{ path: '/events', textLanguage: DEFAULT_TEXT_LANGUAGE },
    query: { ...everyDay, ...query, status: 'any' },
  })
  return status === 200 ? body.events : []
}

/** What was found everywhere: events, venues, organizers and terms. */
export async function searchPage(call: OwnCall): Promise<DeskPage> {
  const { say, api, query, config, textLanguage } = call
  const words = (query.get('q') ?? '').trim().slice(0, 100)
  if (words === '') {
    return {
      kind: 'page',
      title: say('search.submit'),
      main: html`<h1>${say('search.submit')}</h1><p>${say('search.empty')}</p>`,
    }
  }
  const shared = { search: words, per_page: most }
  const [events, ofPage, ...others] = await Promise.all([
    // Words are sought in one language: first in that of the site, then in that of the page.
    eventsWith(call, shared),
    textLanguage === DEFAULT_TEXT_LANGUAGE
      ? []
      : eventsWith(call, {
          ...shared,
          [languageParameterNames(config).language]: contentLanguageOf(config, textLanguage),
        }),
    ...kinds.map(([kind], place) =>
      api.events<Readonly<Record<string, readonly NamedJson[]>>>({
        ...{ path: `/${kind}`, query: place > 1 ? { ...shared, hide_empty: 'false' } : shared },
      }),
    ),
  ])
  const title = say('search.results', { words })
  const found = [...ofPage, ...events.filter(({ id }) => !ofPage.some((own) => own.id === id))]
  const sections = kinds.flatMap(([kind, filter], place) => {
    const items = others[place]?.status === 200 ? (others[place].body[kind] ?? []) : []
    if (items.length === 0) return []
    return html`<section class="panel" aria-labelledby="${kind}"><h2 id="${kind}">${say(`${kind}.title`)}</h2>
<ul class="rows">${items.map((item) => {
      const name = nameOf(item)
      const path = filter && withParameters('/admin/events/', { from: '', [filter]: item.id })
      return html`<li>${path ? html`<a href="${linkTo(call, path)}" aria-label="${say('search.their-events', { name })}">${name}</a>` : name}</li>`
    })}</ul></section>`
  })
  const isEmpty = found.length === 0 && sections.length === 0
  return {
    ...{ kind: 'page', title },
    main: html`<h1>${title}</h1>
${isEmpty && html`<p>${say('search.none')}</p>`}
<div class="panels">
${found.length > 0 && html`<section class="panel" aria-labelledby="events"><h2 id="events">${say('events.title')}</h2>${eventList(call, found)}</section>`}
${sections}
</div>`,
  }
}
