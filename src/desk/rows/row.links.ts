import { fold } from '../../base/text/fold.ts'
import { type NamedJson, nameOf } from '../events/event.json.ts'
import type { OwnCall } from '../shell/desk.call.ts'

/** The kinds that rows name. */
const linkKinds = ['venue', 'organizer', 'categories'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A venue, organizer or category that exists. */
export interface Known {
  readonly id: number
  readonly name: string
  readonly city: string
}

/** What exists, by the name in a row. */
export type KnownLinks = Readonly<Record<LinkKind, ReadonlyMap<string, readonly Known[]>>>

interface LinkedJson extends NamedJson {
  readonly city?: string
}

const paths = { venue: '/venues', organizer: '/organizers', categories: '/categories' } as const
const members = { venue: 'venues', organizer: 'organizers', categories: 'categories' } as const
const perRead = 50

/** Returns the form of a name in which it is compared. */
export function nameKey(name: string): string {
  return fold(name)
}

/**
 * Looks the names of rows up: one request for each distinct name, of which there are at most as many as cells.
 *
 * @param names The names in the rows, by kind.
 */
export async function readKnown(
  call: OwnCall,
  names: Readonly<Record<LinkKind, readonly string[]>>,
): Promise<KnownLinks> {
  const readKind = async (kind: LinkKind): Promise<ReadonlyMap<string, readonly Known[]>> => {
    const distinct = new Map(names[kind].map((name) => [nameKey(name), name]))
    distinct.delete('')
    return new Map(
      await Promise.all([...distinct].map(async ([key, name]) => [key, await named(call, kind, name)] as const)),
    )
  }
  const [venue, organizer, categories] = await Promise.all(linkKinds.map(readKind))
  const none = new Map()
  return { venue: venue ?? none, organizer: organizer ?? none, categories: categories ?? none }
}

async function named({ api }: OwnCall, kind: LinkKind, name: string): Promise<readonly Known[]> {
  const query = {
    search: name.slice(0, 100),
    per_page: perRead,
    ...(kind === 'categories' ? { hide_empty: 'false' } : {}),
  }
  const { status, body } = await api.events<Readonly<Record<string, readonly LinkedJson[]>>>({
    path: paths[kind],
    query,
  })
  const all = status === 200 ? (body[members[kind]] ?? []) : []
  return all
    .map((one): Known => ({ id: one.id, name: nameOf(one), city: one.city ?? '' }))
    .filter((one) => nameKey(one.name) === nameKey(name))
}

/** Returns the one that a row means: that in its city, or else the first. */
export function chooseKnown(known: readonly Known[] | undefined, city: string): Known | undefined {
  if (city === '') return known?.[0]
  return known?.find((one) => nameKey(one.city) === nameKey(city)) ?? known?.find((one) => one.city === '')
}
