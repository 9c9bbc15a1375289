import type { Language } from '../languages/language.ts'
import type { Tx } from '../storage/tables.ts'
import { firstFreeSlug, slugFrom } from '../text/slug.ts'
import { listSlugsLike, listTakenSlugs } from './record.repository.ts'
import { type CalendarRecord, isUnpublished, type Kind, type RecordId, type Status } from './record.ts'

const trashedSuffix = '__trashed'

/** Slugs that would clash with addresses of public pages (events.md §3). */
const reserved = new Set(['feed', 'embed'])

/** Whose slug it is to be. */
export interface SlugOwner {
  readonly kind: Kind
  readonly language: Language
  readonly status: Status
  /** Undefined for a record that is not stored yet. */
  readonly id: RecordId | undefined
}

/**
 * The slug that a record gets for `wanted`: as it is where nobody else has it, else with the lowest free number from 2
 * on. Drafts may share one until they are published (decisions.md 15).
 */
export async function freeSlug(tx: Tx, owner: SlugOwner, wanted: string): Promise<string> {
  if (mayBeShared(owner.status, wanted)) return wanted
  const taken = await listSlugsLike(tx, { ...owner, exceptId: owner.id }, wanted)
  return firstFreeSlug(wanted, (slug) => !taken.has(slug) && !reserved.has(slug)).slug
}

function mayBeShared(status: Status, slug: string): boolean {
  return slug === '' || isUnpublished(status)
}

/**
 * The slugs that records which are not stored yet get for those that are wanted, in the same order: of each what
 * `freeSlug` gives where those before it are stored. One query, and one for each different one that somebody else has.
 */
export async function freeSlugs(
  tx: Tx,
  of: Pick<SlugOwner, 'kind' | 'language'>,
  wanted: readonly { readonly status: Status; readonly slug: string }[],
): Promise<readonly string[]> {
  const own = wanted.filter(({ status, slug }) => !mayBeShared(status, slug)).map(({ slug }) => slug)
  const taken = new Set([...reserved, ...(await listTakenSlugs(tx, of, own))])
  /** Of those that somebody else has, the lowest number that may be free. */
  const numbers = new Map<string, number>()
  const numbered = async (base: string) => {
    if (!numbers.has(base)) {
      for (const slug of await listSlugsLike(tx, { ...of, exceptId: undefined }, base)) taken.add(slug)
    }
    const { slug, number } = firstFreeSlug(base, (one) => !taken.has(one), numbers.get(base))
    numbers.set(base, number + 1)
    return slug
  }
  const slugs: string[] = []
  for (const { status, slug: base } of wanted) {
    const slug = mayBeShared(status, base) || !taken.has(base) ? base : await numbered(base)
    slugs.push(slug)
    taken.add(slug)
  }
  return slugs
}

/** The slug made from a title, or the id where the title has no letters and digits. */
export function slugFor(title: string, id: RecordId | undefined): string {
  return slugFrom(title) || (id === undefined ? '' : String(id))
}

/**
 * The slug of a stored record after a change of state, or where `wanted` was sent: set aside in the trash, so that
 * others may have it; made unique on the way out of the trash and on publication, from the title where there is none.
 */
export async function changedSlug(
  tx: Tx,
  record: Pick<CalendarRecord, 'id' | 'kind' | 'language' | 'status' | 'slug' | 'title'>,
  status: Status,
  wanted?: string,
): Promise<string> {
  if (status === 'trash') return `${wanted ?? ownSlug(record.slug)}${trashedSuffix}`
  if (status === record.status && wanted === undefined) return record.slug
  const slug = wanted ?? ownSlug(record.slug)
  if (isUnpublished(status)) return slug
  return freeSlug(tx, { ...record, status }, slug || slugFor(record.title, record.id))
}

/** The slug without what the trash adds to it. */
function ownSlug(slug: string): string {
  return slug.endsWith(trashedSuffix) ? slug.slice(0, -trashedSuffix.length) : slug
}
