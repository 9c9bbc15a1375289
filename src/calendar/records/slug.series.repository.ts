import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { maxSlugDigits, numberedStem, numberOfSlug } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { RecordKind } from './record.ts'

// Which numbers of a slug are taken, so that the first free one is found without going through all of them, however many
// have the same title. `slug_series` says up to which number all are taken, by their digits, since a long slug gives way
// to them; `slug_gaps` which of these were given up since (triggers see to that). Both only say where to look: what is
// found is held against the slugs themselves.

/** What shares its numbers: the records of a kind, or all terms, in one language. */
export interface SlugNamespace {
  readonly kind: RecordKind | 'term'
  readonly language: Language
  /** Those of these slugs that somebody has. One query. */
  readonly taken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>
}

/** A slug that gets a number where somebody has it, and whose number it is to be. */
export interface NumberedSlug {
  readonly space: SlugNamespace
  readonly base: string
}

/** How many free slugs are looked for, and which of them are not to be given. */
interface FreeSlugsRequest {
  readonly count: number
  readonly except: ReadonlySet<string>
}

interface SlugSeries {
  readonly space: SlugNamespace
  readonly stem: string
  readonly digits: number
  /** Below it all numbers of so many digits are taken, but for gaps. */
  readonly next: number
  readonly hasGaps: boolean
}

/** So many numbers are looked up first; then more at once, where these are taken. */
const firstBatchSize = 8
const maxBatchSize = 512

/**
 * The first free slugs that are `base` with a number from 2 on, in the order of their numbers.
 */
export async function freeNumberedSlugs(
  tx: Tx,
  { space, base }: NumberedSlug,
  { count = 1, except = new Set() }: Partial<FreeSlugsRequest> = {},
): Promise<readonly string[]> {
  const found: string[] = []
  for (const series of await listSeries(tx, space, base)) {
    const missing = () => count - found.length
    if (series.hasGaps) found.push(...(await freeGaps(tx, series, { count: missing(), except })))
    if (missing() > 0) found.push(...(await freeFromNext(tx, series, { count: missing(), except })))
    if (missing() === 0) return found
  }
  throw new Error(`All numbers of the slug ${base} are taken.`)
}

/**
 * The first free slug that is `base` with a number from 2 on.
 *
 * @param own What its owner has already, which is free for it: `taken` leaves it out.
 */
export async function firstFreeNumberedSlug(tx: Tx, numbered: NumberedSlug, own?: string): Promise<string> {
  const { space, base } = numbered
  const [first = ''] = await freeNumberedSlugs(tx, numbered)
  const ownNumber = own === undefined ? undefined : numberOfSlug(base, own)
  if (own === undefined || ownNumber === undefined || ownNumber > (numberOfSlug(base, first) ?? 0)) return first
  return (await space.taken([own])).has(own) ? first : own
}

/** The series of a slug, by the digits of its numbers. One query. */
async function listSeries(tx: Tx, space: SlugNamespace, base: string): Promise<readonly SlugSeries[]> {
  const { kind, language } = space
  const stems = Array.from({ length: maxSlugDigits }, (_, place) => numberedStem(base, place + 1))
  const { rows } = await sql<{ stem: string; digits: number; next: number; gaps: number }>`
    select stem, digits, next, case when exists (
      select 1 from slug_gaps gap where gap.kind = series.kind and gap.language = series.language
        and gap.stem = series.stem and gap.digits = series.digits) then 1 else 0 end as gaps
    from slug_series series
    where kind = ${kind} and language = ${language} and stem in (${sql.join([...new Set(stems)])})`.execute(tx)
  return stems.map((stem, place) => {
    const digits = place + 1
    const known = rows.find((row) => row.stem === stem && row.digits === digits)
    return { space, stem, digits, next: known?.next ?? firstNumberOf(digits), hasGaps: known?.gaps === 1 }
  })
}

function firstNumberOf(digits: number): number {
  return digits === 1 ? 2 : 10 ** (digits - 1)
}

/** Gaps that nobody has, at most `count`. Those that somebody has are none any more. */
async function freeGaps(
  tx: Tx,
  { space, stem, digits }: SlugSeries,
  { count, except }: FreeSlugsRequest,
): Promise<readonly string[]> {
  const { kind, language, taken } = space
  const isOfSeries = sql`kind = ${kind} and language = ${language} and stem = ${stem} and digits = ${digits}`
  const found: string[] = []
  for (let after = ''; ; ) {
    const { rows } = await sql<{ slug: string }>`select slug from slug_gaps
      where ${isOfSeries} and slug > ${after} order by slug limit ${sql.lit(maxBatchSize)}`.execute(tx)
    const slugs = rows.map(({ slug }) => slug)
    const filled = slugs.length > 0 ? await taken(slugs) : new Set<string>()
    if (filled.size > 0) {
      await sql`delete from slug_gaps where ${isOfSeries} and slug in (${sql.join([...filled])})`.execute(tx)
    }
    found.push(...slugs.filter((slug) => !filled.has(slug) && !except.has(slug)))
    after = slugs.at(-1) ?? ''
    if (found.length >= count || slugs.length < maxBatchSize) return found.slice(0, count)
  }
}

/** Free numbers from `next` on, at most `count`; notes how far all are taken, where that is some way. */
async function freeFromNext(
  tx: Tx,
  { space, stem, digits, next }: SlugSeries,
  { count, except }: FreeSlugsRequest,
): Promise<readonly string[]> {
  const end = 10 ** digits
  const found: string[] = []
  let firstFree: number | undefined
  let from = next
  for (let size = firstBatchSize; from < end && found.length < count; size = Math.min(size * 8, maxBatchSize)) {
    // Always as many, so that there are few statements to prepare: the last one stands for those that there are not.
    const numbers = Array.from({ length: size }, (_, place) => Math.min(from + place, end - 1))
    const taken = await space.taken(numbers.map((number) => stem + number))
    const free = [...new Set(numbers)].filter((number) => !taken.has(stem + number))
    firstFree ??= free[0]
    found.push(...free.map((number) => stem + number).filter((slug) => !except.has(slug)))
    from += size
  }
  const reached = firstFree ?? Math.min(from, end)
  if (reached - next >= firstBatchSize || (reached === end && next < end)) {
    await sql`insert into slug_series (kind, language, stem, digits, next)
      values (${space.kind}, ${space.language}, ${stem}, ${digits}, ${reached})
      on conflict (kind, language, stem, digits) do update set next = excluded.next`.execute(tx)
  }
  return found.slice(0, count)
}
