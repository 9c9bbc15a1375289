import { routeUrl } from '../../../access/http/addresses.ts'
import type { Language } from '../../../base/languages/language.ts'
import { maxSearchLength } from '../../../base/text/fold.ts'
import { type Html, html, raw } from '../../../base/text/html.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { isPastRequested } from './event.lists.ts'
import { type Choice, type Choices, termChoices, venueChoices } from './filters.choices.ts'
import { type FilterName, filterNames, type LabelledFilter, type PageFilters } from './filters.ts'
import { isDateShortcut } from './list.dates.ts'

/** The maximum number of suggestions while a name is typed. */
const maxSuggested = 10
/** The first day that the fields offer. It keeps a partly typed year from being read as one of the first years. */
const firstOffered = '1970-01-01'

interface FilterFormOptions {
  readonly action: string
  /** The filters of the form. A view leaves out those that it sets. */
  readonly fields?: readonly FilterName[]
}

/** Returns the form above a list. It works as a plain form; scripts submit it on every change. */
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
  const field = (name: LabelledFilter, control: Html) => {
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
  // The panel stays closed for search words and date shortcuts, so that it does not push the events off a phone screen.
  const usual: readonly FilterName[] = ['search', 'occurrences']
  const outside = isDateShortcut(call, values) ? [...usual, 'from', 'to'] : usual
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
${values.occurrences !== undefined && html`<input type="hidden" name="occurrences" value="${values.occurrences}">`}
<button type="submit">${say('apply')}</button>
</form>`
}

/** Returns the first day that a field allows. The requested day is always valid, even if it is earlier. */
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
  // A value from the address may not be among the choices.
  const isListed = chosen === undefined || items.some(({ value }) => value === chosen)
  const all: readonly (Omit<Choice, 'language'> & { readonly language?: Language })[] = isListed
    ? items
    : [...items, { value: chosen, text: title ?? chosen }]
  return html`<select id="f-${name}" name="${name}"><option value="">${call.say(`any.${name}`)}</option>
${all.map(({ value, text, language }) => html`<option value="${value}"${value === chosen && raw(' selected')}${language && langAttribute(call, { language })}>${text}</option>`)}</select>`
}

/**
 * Returns a text field for a part of the name, if there are too many choices. Scripts suggest names from the interface.
 */
function nameElement(
  call: PageCall,
  name: FilterName,
  { items, chosen, path }: ChoiceField & { readonly path: string },
): Html {
  const { addresses, language, say } = call
  const names = withQuery(pathOf(call, routeUrl(addresses, path)), {
    per_page: maxSuggested,
    [addresses.languageParameter]: language,
  })
  return html`<input type="text" id="f-${name}" name="${name}" value="${chosen}" maxlength="${maxSearchLength}" autocomplete="off" placeholder="${say('name.hint')}" list="f-${name}-names" data-names="${names}">
<datalist id="f-${name}-names">${items.map(({ text }) => html`<option value="${text}">`)}</datalist>`
}
