import type { OwnCall } from '../shell/desk.call.ts'
import type { Choice } from '../shell/fields.ts'
import { venueLabels } from './editor.named.ts'
import { type NamedJson, nameOf } from './event.json.ts'

/** The categories and venues that forms offer: the first hundred of each. */
export interface Choices {
  readonly categories: readonly Choice[]
  readonly venues: readonly Choice[]
}

export async function readChoices({ api }: OwnCall): Promise<Choices> {
  const query = { per_page: 100 }
  const choice = (one: NamedJson): Choice => [String(one.id), nameOf(one)]
  const [categories, venues] = await Promise.all([
    api.events<{ readonly categories?: readonly NamedJson[] }>({
      ...{ path: '/categories', query: { ...query, hide_empty: 'false' } },
    }),
    api.events<{ readonly venues?: readonly NamedJson[] }>({ path: '/venues', query }),
  ])
  const places = venues.body.venues ?? []
  return {
    categories: (categories.body.categories ?? []).map(choice),
    venues: venueLabels(places).map((name, place): Choice => [String(places[place]?.id), name]),
  }
}

/** Returns choices with one more, if it is not among them. */
export function withChoice(choices: readonly Choice[], value: string, name = `#${value}`): readonly Choice[] {
  return value === '' || choices.some(([own]) => own === value) ? choices : [...choices, [value, name]]
}
