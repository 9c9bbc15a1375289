import { htmlToText } from '../../base/text/escape.ts'
import { fold } from '../../base/text/fold.ts'
import type { Names as NamesFound } from '../api/answers.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { EditorState, Known, Place, Sending } from './editor.model.ts'
import { type NamedJson, nameOf } from './event.json.ts'
import { namesIn, possibleNames } from './several.names.ts'

// What exists under the names that people type. Many towns have a “Community Hall”, so the name of a venue means a place
// only together with its city.

export type KnownByName = ReadonlyMap<string, readonly Known[]>

const kinds = ['venues', 'organizers', 'categories', 'tags'] as const
type Names = Readonly<Partial<Record<(typeof kinds)[number], readonly string[]>>>

/** As many names of a kind as one request takes, and as many letters as a name has there. */
const maxNames = 500
const longestName = 1000

/** Returns the form of a name in which it is compared. */
export function nameKey(name: string): string {
  return fold(name)
}

/**
 * Returns the parts of “Community Hall, Sutton”, as the desk shows a place; undefined for a text without a comma.
 */
function nameAndCity(text: string): readonly [name: string, city: string] | undefined {
  const [, name, city] = /^(.*\S)\s*,\s*([^,]*[^,\s])$/.exec(text) ?? []
  return name === undefined || city === undefined ? undefined : [name, city]
}

/** Returns the names of a place that a text may mean: the whole text, or what is before its city. */
export function namesMeant(text: string): readonly string[] {
  return [text, ...(nameAndCity(text)?.slice(0, 1) ?? [])]
}

/** Looks up the venues whose names look like these, with one request. */
export async function readVenuesLike(
  call: OwnCall,
  names: readonly string[],
): Promise<NonNullable<NamesFound['alike']>> {
  const asked = [...new Set(names.flatMap(namesMeant))].filter((name) => name.length <= longestName)
  const json = { venues: asked.slice(0, maxNames), alike: true }
  const { status, body } = await call.api.service<NamesFound>({ method: 'POST', path: '/names', json })
  return (status === 200 && body.alike) || []
}

/** Looks up what exists under names, with one request for all of them. More names than it takes count as new. */
export async function readNamed(call: OwnCall, names: Names): Promise<Readonly<Record<keyof Names, KnownByName>>> {
  const asked = Object.fromEntries(
    kinds.map((kind) => {
      const own = names[kind] ?? []
      const all = kind === 'venues' ? own.flatMap(namesMeant) : own
      const distinct = new Map<string, string>()
      for (const name of all) {
        if (distinct.size === maxNames) break
        if (name !== '' && name.length <= longestName) distinct.set(nameKey(name), name)
      }
      return [kind, [...distinct.values()]]
    }),
  )
  const isAsked = Object.values(asked).some((own) => own.length > 0)
  const { status, body } = isAsked
    ? await call.api.service<NamesFound>({ method: 'POST', path: '/names', json: asked })
    : { status: 200, body: { venues: [], organizers: [], categories: [], tags: [] } }
  const found = (kind: (typeof kinds)[number]): KnownByName => {
    const all = (status === 200 ? body[kind] : []).map((one: Partial<NamesFound['venues'][number]>): Known => {
      const { id = 0, name = '', city = '', address = '', version = 0 } = one
      return { id, version, name: nameOf({ id, name }), city: htmlToText(city), address: htmlToText(address) }
    })
    return Map.groupBy(all, ({ name }) => nameKey(name))
  }
  return Object.fromEntries(kinds.map((kind) => [kind, found(kind)])) as Record<keyof Names, KnownByName>
}

/** The places among which a name without a city does not choose. */
export interface Which {
  readonly cities: readonly string[]
}

/**
 * Returns the place that a name and a city mean. Another city or address is another place. Without a city, the name must
 * have one place.
 *
 * @param more Places that are about to be made.
 */
export function placeOf(
  known: KnownByName,
  { name, city, address = '' }: Omit<Place, 'known'>,
  more: readonly Omit<Place, 'known'>[] = [],
): Place | Which {
  const isSame = (one: Omit<Place, 'known'>) => address !== '' && nameKey(one.address ?? '') === nameKey(address)
  const placesOf = (own: string): readonly Place[] =>
    [
      ...(known.get(nameKey(own)) ?? []).map((one) => ({ ...one, known: one })),
      ...more.filter((one) => nameKey(one.name) === nameKey(own)).map((one) => ({ ...one, known: undefined })),
    ]
      .filter((one) => address === '' || !one.address || isSame(one))
      .toSorted((one, other) => Number(isSame(other)) - Number(isSame(one)))
  const at = (places: readonly Place[], where: string) => places.find((place) => nameKey(place.city) === nameKey(where))
  const places = placesOf(name)
  const [first] = places
  const parts = first === undefined && city === '' ? nameAndCity(name) : undefined
  const shown = parts && at(placesOf(parts[0]), parts[1])
  if (shown) return shown
  const exact = at(places, city)
  if (exact) return exact
  if (first === undefined || city !== '') return { name, city, address, known: undefined }
  const cities = new Map(places.map((place) => [nameKey(place.city), place.city]))
  return cities.size === 1 ? first : { cities: [...cities.values()] }
}

/** Returns the id of the one venue or organizer that a name means; undefined if it means none or several. */
export async function idNamed(call: OwnCall, kind: 'venues' | 'organizers', name: string): Promise<number | undefined> {
  const place = placeOf((await readNamed(call, { [kind]: [name] }))[kind], { name, city: '' })
  return 'cities' in place ? undefined : place.known?.id
}

/** Returns the venue that the form names: its own, another one, a new one, or several; undefined if it names none. */
export async function venueOf(call: OwnCall, state: EditorState): Promise<Place | Which | undefined> {
  const { values, was, venueId } = state
  const { venue: name = '', venue_city: city = '' } = values
  if (name === '') return undefined
  if (name === was.venue && city === '' && venueId !== undefined) {
    return { name, city, known: { id: venueId, name, city, address: '', version: 0 } }
  }
  return placeOf((await readNamed(call, { venues: [name] })).venues, { name, city })
}

/** Returns what asks for the city, with those that have a place of the name. */
export function whichText({ say }: Pick<OwnCall, 'say'>, { cities }: Which): string {
  return say('editor.which-place', { cities: cities.map((city) => city || say('editor.no-city')).join(' · ') })
}

/** Returns the name of a venue with its town, if it has one. */
export function placeName(venue: NamedJson): string {
  return venue.city ? `${nameOf(venue)}, ${htmlToText(venue.city)}` : nameOf(venue)
}

/** Returns venues by name for a choice. Those of one name have their city with it. */
export function venueLabels(venues: readonly NamedJson[]): readonly string[] {
  const counts = Map.groupBy(venues, (one) => nameKey(nameOf(one)))
  return venues.map((one) => (counts.get(nameKey(nameOf(one)))?.length === 1 ? nameOf(one) : placeName(one)))
}

/** Returns the link to a venue or an organizer. A new one is apart from others of its name, and public only with the event. */
export function linkOf({ name, city, known }: Place, kind: 'venue' | 'organizer', status: string): object {
  if (known) return { id: known.id }
  const isPublic = status !== 'draft' && status !== 'pending'
  return { [kind]: name, apart: true, ...(city ? { city } : {}), ...(isPublic ? {} : { status: 'draft' }) }
}

/** Returns the names in a field of the editor, with what exists under them. */
async function severalIn(call: OwnCall, kind: 'organizers' | 'tags', text: string) {
  const separator = kind === 'tags' ? kind : 'shown'
  const most = Number.POSITIVE_INFINITY
  const existing = (await readNamed(call, { [kind]: possibleNames([text], separator, most) }))[kind]
  const names = namesIn(text, separator, { isKnown: (one) => existing.has(nameKey(one)), most })
  return names.map((name) => ({ name, city: '', known: existing.get(nameKey(name))?.[0] }))
}

/** Returns the links to organizers. “Smith + Sons” is one, unless one of its parts exists. */
export async function organizerLinks(text: string, { call, status }: Sending): Promise<readonly object[]> {
  const several = await severalIn(call, 'organizers', text)
  const isOne = several.length > 1 && several.every(({ known }) => known === undefined)
  const links = isOne ? [{ name: text, city: '', known: undefined }] : several
  return links.map((link) => linkOf(link, 'organizer', status))
}

/** Returns the tags in a text. One with a comma in its name is one if it exists. */
export async function tagsIn(text: string, { call }: Sending): Promise<readonly (number | string)[]> {
  return (await severalIn(call, 'tags', text)).map(({ name, known }) => known?.id ?? name)
}
