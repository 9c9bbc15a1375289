import { routeUrl } from '../../../access/http/addresses.ts'
import type { Language } from '../../../base/languages/language.ts'
import { maxSearchLength } from '../../../base/text/fold.ts'
import { type Html, html, raw } from '../html.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import type { PageCall } from '../page.ts'
import { langAttribute } from '../text.language.ts'
import { isPastRequested } from './event.lists.ts'
import { type Choice, type Choices, termChoices, venueChoices } from './filters.choices.ts'
import { type FilterName, filterNames, type PageFilters } from './filters.ts'
import { isDateShortcut } from './list.dates.ts'

/** Most names that are suggested while one is typed. */
const mostSuggested = 10
/** Fields offer no day before: in them, a year that is being typed is not taken for one of the first years. */
const firstOffered = '1970-01-01'

interface FilterFormOptions {
  /** Path of the list. */
  readonly action: string
  /** What the form narrows by; a view leaves out what it is about itself. */
  readonly fields?: readonly FilterName[]
}

/** The form above a list. It is a plain one that is sent; scripts send it on every change. */
export async function filterForm(
  call: PageCall,
  filters: PageFilters,
  { action, fields = filterNames }: FilterFormOptions,
): Promise<Html> {
  const { say } = call
  const { values } = filters
  const named = [
    ['category', '/categories', () => termChoices(call, 'category')],
    ['tag', '/tags', () => termChoices(call, 'tag')],
    ['venue', '/venues', () => venueChoices(call)],
  ] as const
  const field = (name: FilterName, control: Html) => {
    const fault = filters.faults[name]
    return html`<div class="field ${name}"><label for="f-${name}">${say(name)}</label>
${control}
${fault && html`<p class="fault" id="f-${name}-fault">${fault}</p>`}</div>`
  }
  function nameField(name: 'category' | 'tag' | 'venue', path: string, choices: Choices): Html {
    const chosen = values[name]
    const { items, isWhole } = choices
    return field(
      name,
      isWhole
        ? selectElement(call, name, { items, chosen, title: filters.named[name]?.title })
        : nameElement(call, name, { items, chosen, path }),
    )
  }
  const controls: Html[] = []
  for (const [name, path, choicesOf] of named.filter(([one]) => fields.includes(one))) {
    const choices = await choicesOf()
    if (choices.items.length > 0) controls.push(nameField(name, path, choices))
  }
  // What is chosen beside it, by words or by a link, does not push the events off the screen of a phone.
  const outside: readonly FilterName[] = isDateShortcut(call, values) ? ['search', 'from', 'to'] : ['search']
  const isOpen = fields.some((name) => !outside.includes(name) && values[name] !== undefined)
  const invalid = (name: FilterName) =>
    filters.faults[name] !== undefined && html` aria-invalid="true" aria-describedby="f-${name}-fault"`
  const date = (name: 'from' | 'to') =>
    field(
      name,
      html`<input type="date" id="f-${name}" name="${name}" value="${filters.faults[name] === undefined && values[name]}" min="${earliest(filters, name)}" max="9999-12-31"${invalid(name)}>`,
    )
  return html`<form class="filters" role="search" method="get" action="${action}" aria-label="${say('filters')}" data-live>
${field('search', html`<input type="search" id="f-search" name="search" value="${values.search}" maxlength="${maxSearchLength}"${invalid('search')} placeholder="${say('search.hint')}">`)}
${isPastRequested(call) && raw('<input type="hidden" name="past" value="1">')}
<details class="more"${isOpen && raw(' open')}><summary>${say('filters')}</summary><div class="more-fields">
${controls}
${fields.includes('from') && date('from')}
${fields.includes('to') && date('to')}
</div></details>
${values.featured !== undefined && html`<input type="hidden" name="featured" value="1">`}
<button type="submit">${say('apply')}</button>
</form>`
}

/** What an address asks for is valid in its field, however early. */
function earliest({ values, faults }: PageFilters, name: 'from' | 'to'): string {
  const chosen = faults[name] === undefined ? values[name] : undefined
  return chosen !== undefined && chosen < firstOffered ? chosen : firstOffered
}

interface ChoiceField {
  readonly items: readonly Choice[]
  readonly chosen: string | undefined
}

function selectElement(
  call: PageCall,
  name: 'category' | 'tag' | 'venue',
  { items, chosen, title }: ChoiceField & { readonly title: string | undefined },
): Html {
  // What was asked for by an address need not be among the choices.
  const isListed = chosen === undefined || items.some(({ value }) => value === chosen)
  const all: readonly (Omit<Choice, 'language'> & { readonly language?: Language })[] = isListed
    ? items
    : [...items, { value: chosen, text: title ?? chosen }]
  return html`<select id="f-${name}" name="${name}"><option value="">${call.say(`any.${name}`)}</option>
${all.map(({ value, text, language }) => html`<option value="${value}"${value === chosen && raw(' selected')}${language && langAttribute(call, { language })}>${text}</option>`)}</select>`
}

/** Where there are too many to choose from: a field for a part of the name. Scripts suggest what the interface finds. */
function nameElement(
  call: PageCall,
  name: FilterName,
  { items, chosen, path }: ChoiceField & { readonly path: string },
): Html {
  const { addresses, language, say } = call
  const names = withQuery(pathOf(call, routeUrl(addresses, path)), {
    per_page: mostSuggested,
    [addresses.languageParameter]: language,
  })
  return html`<input type="text" id="f-${name}" name="${name}" value="${chosen}" maxlength="${maxSearchLength}" autocomplete="off" placeholder="${say('name.hint')}" list="f-${name}-names" data-names="${names}">
<datalist id="f-${name}-names">${items.map(({ text }) => html`<option value="${text}">`)}</datalist>`
}
