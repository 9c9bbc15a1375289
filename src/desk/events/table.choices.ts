import { type Html, html, raw } from '../../base/text/html.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { type Choice, checkbox, type FieldOptions, field } from '../shell/fields.ts'
import { placeName, venueLabels } from './editor.named.ts'
import { type NamedJson, nameOf } from './event.json.ts'

// The venues, organizers and categories that forms offer: the first hundred of each. All others are found by their names.

const mostOffered = 100

export type NamedKind = 'venues' | 'organizers' | 'categories'

/** Reads the first hundred of a kind. */
async function readFirst({ api }: Pick<OwnCall, 'api'>, kind: NamedKind): Promise<readonly NamedJson[]> {
  const { status, body } = await api.events<Readonly<Partial<Record<typeof kind, readonly NamedJson[]>>>>({
    ...{ path: `/${kind}`, query: { per_page: mostOffered, hide_empty: kind === 'categories' ? 'false' : undefined } },
  })
  return status === 200 ? (body[kind] ?? []) : []
}

export interface Choices {
  readonly categories: readonly Choice[]
  readonly venues: readonly Choice[]
}

export async function readChoices(call: OwnCall): Promise<Choices> {
  const [categories, venues] = await Promise.all([choicesOf(call, 'categories'), choicesOf(call, 'venues')])
  return { categories, venues }
}

/** Returns the first of a kind by their ids. Venues have their city where others have the same name. */
export async function choicesOf(call: OwnCall, kind: NamedKind): Promise<readonly Choice[]> {
  const found = await readFirst(call, kind)
  const names = kind === 'venues' ? venueLabels(found) : found.map(nameOf)
  return names.map((name, place) => [String(found[place]?.id), name])
}

/** Returns choices with one more, if it is not among them. */
export function withChoice(choices: readonly Choice[], value: string, name = `#${value}`): readonly Choice[] {
  return value === '' || choices.some(([own]) => own === value) ? choices : [...choices, [value, name]]
}

/** Returns a field for the name of a venue or an organizer, with the names that exist. Venues show their town. */
export async function linkField(call: OwnCall, kind: 'venues' | 'organizers', options: FieldOptions): Promise<Html> {
  const hint = options.hint ?? call.say(options.value?.includes(' + ') ? 'editor.several' : 'editor.link.hint')
  const found = await readFirst(call, kind)
  const values = venueLabels(found)
  return html`${field({ ...options, hint, list: `known-${kind}` })}
<datalist id="known-${kind}">${found.map((one, place) => html`<option value="${values[place] ?? ''}"${one.city && html` label="${placeName(one)}"`}></option>`)}</datalist>`
}

/** Whether there may be more than these. */
export function isCut(choices: readonly Choice[]): boolean {
  return choices.length >= mostOffered
}

/** Returns the boxes of categories, those that are chosen first. A long list has a filter, which its script shows. */
export function categoryBoxes({ say }: OwnCall, terms: readonly Choice[], chosen: readonly string[]): Html | false {
  if (terms.length === 0) return false
  const isLong = terms.length > 8
  const sorted = terms.toSorted(([one], [other]) => Number(chosen.includes(other)) - Number(chosen.includes(one)))
  return html`<fieldset class="choices" id="f-categories"${isLong && raw(' data-filter')}><legend>${say('editor.categories')}</legend>
${isLong && html`<input type="search" hidden autocomplete="off" placeholder="${say('editor.categories.find')}" aria-label="${say('editor.categories.find')}">`}
${sorted.map(([id, name]) => checkbox({ name: 'categories', id: `category-${id}`, label: name, value: id, isOn: chosen.includes(id) }))}
</fieldset>`
}
