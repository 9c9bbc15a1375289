import { routeUrl } from '../http/addresses.ts'
import type { PageKey } from '../languages/pages.en.ts'
import { longestSearch } from '../text/fold.ts'
import { type Choice, type Choices, termChoices, venueChoices } from './filters.names.ts'
import type { FilterName, Filters } from './filters.ts'
import { type Html, html, raw } from './html.ts'
import { pathOf, withQuery } from './page.addresses.ts'
import type { PageCall } from './page.ts'

/** Most names that are suggested while one is typed. */
const mostSuggested = 10

/**
 * The form above a list. It is a plain one that is sent; scripts send it on every change.
 *
 * @param action Path of the list.
 * @param hasDays Whether days are chosen in it; where the page is of certain days, they are not.
 */
export async function filterForm(
  call: PageCall,
  action: string,
  filters: Filters,
  { hasDays = true }: { readonly hasDays?: boolean } = {},
): Promise<Html> {
  const { say } = call
  const { values, isActive } = filters
  const named = [
    ['category', '/categories', await termChoices(call, 'category')],
    ['tag', '/tags', await termChoices(call, 'tag')],
    ['venue', '/venues', await venueChoices(call)],
  ] as const
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
${field('search', html`<input type="search" id="f-search" name="search" value="${values.search}" maxlength="${longestSearch}"${invalid('search')} placeholder="${say('search.hint')}">`)}
<details class="more"${isActive && hasDays && raw(' open')}><summary>${say('filters')}</summary><div class="more-fields">
${named.map(([name, path, choices]) => {
  if (choices.items.length === 0) return false
  const chosen = values[name]
  return field(
    name,
    choices.isWhole
      ? selectElement(say, name, choices.items, chosen, filters.named[name]?.title)
      : nameElement(call, name, path, choices, chosen),
  )
})}
${hasDays && [date('from'), date('to')]}
</div></details>
${values.featured !== undefined && html`<input type="hidden" name="featured" value="1">`}
<button type="submit">${say('apply')}</button>
</form>`
}

function selectElement(
  say: (key: PageKey) => string,
  name: 'category' | 'tag' | 'venue',
  choices: readonly Choice[],
  chosen: string | undefined,
  title: string | undefined,
): Html {
  // What was asked for by an address need not be among the choices.
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen)
  const all = isListed ? choices : [...choices, { value: chosen, text: title ?? chosen }]
  return html`<select id="f-${name}" name="${name}"><option value="">${say(`any.${name}`)}</option>
${all.map(({ value, text }) => html`<option value="${value}"${value === chosen && raw(' selected')}>${text}</option>`)}</select>`
}

/** Where there are too many to choose from: a field for a part of the name. Scripts suggest what the interface finds. */
function nameElement(
  call: PageCall,
  name: FilterName,
  path: string,
  { items }: Choices,
  chosen: string | undefined,
): Html {
  const { addresses, language, say } = call
  const names = withQuery(pathOf(call, routeUrl(addresses, path)), {
    per_page: mostSuggested,
    [addresses.languageParameter]: language,
  })
  return html`<input type="text" id="f-${name}" name="${name}" value="${chosen}" maxlength="${longestSearch}" autocomplete="off" placeholder="${say('name.hint')}" list="f-${name}-names" data-names="${names}">
<datalist id="f-${name}-names">${items.map(({ text }) => html`<option value="${text}">`)}</datalist>`
}
