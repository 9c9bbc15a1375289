import { listEntries } from '../directory/directory.repository.ts'
import { listPreference } from '../languages/chain.ts'
import type { PageKey } from '../languages/pages.en.ts'
import { listTerms } from '../terms/term.list.repository.ts'
import type { Taxonomy } from '../terms/term.ts'
import { decodeEntities, textOf } from '../text/escape.ts'
import { venues } from '../venues/venue.directory.ts'
import type { FilterName, Filters } from './filters.ts'
import { type Html, html, raw } from './html.ts'
import type { PageCall } from './page.ts'

/** Most choices of one kind: what comes after them is found by searching. */
const mostChoices = 50

interface Choice {
  readonly value: string
  readonly text: string
}

/**
 * The form above a list. It is a plain one that is sent; scripts send it on every change.
 *
 * @param action Path of the list.
 */
export async function filterForm(call: PageCall, action: string, filters: Filters): Promise<Html> {
  const { say } = call
  const { values, isActive } = filters
  const categories = await termChoices(call, 'category')
  const tags = await termChoices(call, 'tag')
  const places = await venueChoices(call)
  const field = (name: FilterName, control: Html) => {
    const fault = filters.faults[name]
    return html`<div class="field ${name}"><label for="f-${name}">${say(name)}</label>
${control}
${fault && html`<p class="fault" id="f-${name}-fault">${fault}</p>`}</div>`
  }
  const invalid = (name: FilterName) =>
    filters.faults[name] !== undefined && html` aria-invalid="true" aria-describedby="f-${name}-fault"`
  const date = (name: 'from' | 'to') =>
    field(
      name,
      html`<input type="date" id="f-${name}" name="${name}" value="${filters.faults[name] === undefined && values[name]}" min="0001-01-01" max="9999-12-31"${invalid(name)}>`,
    )
  return html`<form class="filters" role="search" method="get" action="${action}" aria-label="${say('filters')}" data-live>
${field('search', html`<input type="search" id="f-search" name="search" value="${values.search}" maxlength="200" placeholder="${say('search.hint')}">`)}
<details class="more"${isActive && raw(' open')}><summary>${say('filters')}</summary><div class="more-fields">
${[['category', categories] as const, ['tag', tags] as const, ['venue', places] as const].map(
  ([name, choices]) => choices.length > 0 && field(name, selectElement(say, name, choices, values[name])),
)}
${date('from')}
${date('to')}
</div></details>
<button type="submit">${say('apply')}</button>
</form>`
}

function selectElement(
  say: (key: PageKey) => string,
  name: FilterName,
  choices: readonly Choice[],
  chosen: string | undefined,
): Html {
  // What was asked for by an address need not be among the choices.
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen)
  const all = isListed ? choices : [...choices, { value: chosen, text: chosen }]
  return html`<select id="f-${name}" name="${name}"><option value="">${say('any')}</option>
${all.map(({ value, text }) => html`<option value="${value}"${value === chosen && raw(' selected')}>${text}</option>`)}</select>`
}

async function termChoices(call: PageCall, taxonomy: Taxonomy): Promise<readonly Choice[]> {
  const { deps, language } = call
  const { items } = await listTerms(
    deps.storage.db,
    deps.storage.dialect,
    taxonomy,
    { language: undefined },
    {
      ...{ page: 1, perPage: mostChoices, isUsed: true },
      preference: listPreference(language, deps.config, deps.config.namesFallback),
      ...{ search: undefined, include: undefined, exclude: undefined, parentIds: undefined, eventIds: undefined },
      ...{ slug: undefined, offset: undefined, sortKey: 'name_folded', isDescending: false },
    },
  )
  return items.map(({ slug, name }) => ({ value: slug, text: decodeEntities(name) }))
}

async function venueChoices({ deps, language, viewer, now }: PageCall): Promise<readonly Choice[]> {
  const { items, total } = await listEntries(
    deps.storage.db,
    deps.storage.dialect,
    venues,
    { ...viewer, language: undefined },
    {
      ...{ page: 1, perPage: mostChoices, status: undefined, words: undefined, eventIds: undefined },
      preference: listPreference(language, deps.config, deps.config.namesFallback),
      ...{ hasEvents: undefined, isUpcoming: false },
    },
    now,
  )
  // A choice of some only would hide the others.
  if (total > mostChoices) return []
  return items
    .map(({ slug, titleHtml }) => ({ value: slug, text: textOf(titleHtml) }))
    .toSorted((one, other) => one.text.localeCompare(other.text, language))
}
