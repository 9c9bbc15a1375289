import type { Language } from '../../base/languages/language.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { firstFreeNumberedSlug, freeNumberedSlugs } from './numbered.slugs.repository.ts'
import { findRecordSlug, listTakenRecordSlugs } from './record.repository.ts'
import { type CalendarRecord, isUnpublished, type RecordId, type RecordKind, type RecordStatus } from './record.ts'

/** The end of the slugs of trashed records. */
export const trashedSuffix = '__trashed'

/** Slugs that would clash with addresses of public pages (events.md §3). */
const reservedSlugs = new Set(['feed', 'embed'])

export interface RecordSlugOwner {
  readonly kind: RecordKind
  readonly language: Language
  readonly status: RecordStatus
  /** Undefined for a record that is not stored yet. */
  readonly id: RecordId | undefined
}

/**
 * Returns the slug that a record gets for `wanted`. This is `wanted` itself if no other record has it, otherwise
 * `wanted` with the lowest free number from 2. Drafts may share a slug until they are published (rulings.md 15).
 */
export async function uniqueRecordSlug(tx: Tx, owner: RecordSlugOwner, wanted: string): Promise<string> {
  if (mayBeShared(owner.status, wanted)) return wanted
  const { kind, language, id } = owner
  const taken = (slugs: readonly string[]) => listTakenRecordSlugs(tx, { kind, language, exceptId: id }, slugs)
  if (!reservedSlugs.has(wanted) && !(await taken([wanted])).has(wanted)) return wanted
  const own = id === undefined ? undefined : await findRecordSlug(tx, owner, id)
  return firstFreeNumberedSlug(tx, { space: { kind, language, taken }, base: wanted }, own)
}

/** Whether another record of this kind and language has the slug that a request names for a new record. */
export async function isRecordSlugTaken(
  tx: Tx,
  of: Pick<RecordSlugOwner, 'kind' | 'language'>,
  sent: string | undefined,
): Promise<boolean> {
  const slug = slugFrom(sent ?? '')
  return slug !== '' && (await listTakenRecordSlugs(tx, of, [slug])).has(slug)
}

/** Whether a new record gets the slug if no other record has it: it is not reserved, and no draft's. */
export function needsFreeSlug(status: RecordStatus, slug: string): boolean {
  return !mayBeShared(status, slug) && !reservedSlugs.has(slug)
}

function mayBeShared(status: RecordStatus, slug: string): boolean {
  return slug === '' || isUnpublished(status)
}

/**
 * Returns the slugs that records get for the wanted ones, in the same order. Each is the result of
 * `uniqueRecordSlug` after the earlier records are stored. Runs one query, and a few more for each distinct slug that
 * another record has.
 */
export async function uniqueRecordSlugs(
  tx: Tx,
  of: Pick<RecordSlugOwner, 'kind' | 'language'> & { readonly exceptIds?: readonly number[] },
  wanted: readonly { readonly status: RecordStatus; readonly slug: string }[],
): Promise<readonly string[]> {
  const own = wanted.filter(({ status, slug }) => !mayBeShared(status, slug)).map(({ slug }) => slug)
  const taken = new Set([...reservedSlugs, ...(await listTakenRecordSlugs(tx, of, own))])
  const space = { ...of, taken: (slugs: readonly string[]) => listTakenRecordSlugs(tx, of, slugs) }
  /** Free numbered slugs that were found for a taken slug and are not used yet. */
  const found = new Map<string, string[]>()
  const numbered = async (base: string, place: number) => {
    const next = () => found.get(base)?.shift()
    for (let slug = next(); ; slug = next()) {
      // An earlier record may have wanted this very slug.
      if (slug !== undefined && !taken.has(slug)) return slug
      if (slug !== undefined) continue
      found.set(base, [
        ...(await freeNumberedSlugs(tx, { space, base }, { count: countOf(wanted, base, place), except: taken })),
      ])
    }
  }
  const slugs: string[] = []
  for (const [place, { status, slug: base }] of wanted.entries()) {
    const isOwn = mayBeShared(status, base) || !taken.has(base)
    const slug = isOwn ? base : await numbered(base, place)
    slugs.push(slug)
    taken.add(slug)
  }
  return slugs
}

function countOf(wanted: readonly { readonly slug: string }[], base: string, place: number): number {
  return wanted.reduce((sum, { slug }, at) => sum + (at >= place && slug === base ? 1 : 0), 0)
}

/** Returns the slug made from a title, or the id if the title has no letters or digits. */
export function slugFromTitle(title: string, id: RecordId | undefined): string {
  return slugFrom(title) || (id === undefined ? '' : String(id))
}

/**
 * Returns the slug of a stored record after a change of status, or if `wanted` was sent. In the trash the slug is
 * changed so that other records can use it. A restore and a publication make it unique again. Without a slug, the title
 * gives one.
 */
export async function nextRecordSlug(
  tx: Tx,
  record: Pick<CalendarRecord, 'id' | 'kind' | 'language' | 'status' | 'slug' | 'title'>,
  { status, wanted }: { readonly status: RecordStatus; readonly wanted?: string | undefined },
): Promise<string> {
  if (status === 'trash') return `${wanted ?? slugBeforeTrash(record.slug)}${trashedSuffix}`
  if (status === record.status && wanted === undefined) return record.slug
  const slug = wanted ?? slugBeforeTrash(record.slug)
  if (isUnpublished(status)) return slug
  return uniqueRecordSlug(tx, { ...record, status }, slug || slugFromTitle(record.title, record.id))
}

type RecordOfNextStatus = Pick<CalendarRecord, 'id' | 'slug' | 'status'> & { readonly nextStatus: RecordStatus }

/**
 * Returns the slugs of stored records of one kind and language after a change of their statuses, in the same order.
 * Each is what `nextRecordSlug` gives. Runs one query, and a few more for each slug that another record has.
 */
export async function nextRecordSlugs(
  tx: Tx,
  of: Pick<RecordSlugOwner, 'kind' | 'language'>,
  records: readonly RecordOfNextStatus[],
): Promise<readonly string[]> {
  const isChanged = ({ status, nextStatus }: RecordOfNextStatus) => status !== nextStatus && nextStatus !== 'trash'
  const moved = records.filter(isChanged)
  const wanted = moved.map(({ id, slug, nextStatus }) => {
    return { status: nextStatus, slug: slugBeforeTrash(slug) || (isUnpublished(nextStatus) ? '' : String(id)) }
  })
  const unique = await uniqueRecordSlugs(tx, { ...of, exceptIds: moved.map(({ id }) => id) }, wanted)
  const slugs = new Map(moved.map(({ id }, place) => [id, unique[place] ?? '']))
  return records.map(({ id, slug, status, nextStatus }) => {
    if (nextStatus === 'trash') return status === 'trash' ? slug : `${slug}${trashedSuffix}`
    return slugs.get(id) ?? slug
  })
}

/** Returns the slug without the suffix that the trash adds. */
function slugBeforeTrash(slug: string): string {
  return slug.endsWith(trashedSuffix) ? slug.slice(0, -trashedSuffix.length) : slug
}
