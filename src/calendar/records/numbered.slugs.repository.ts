import { sql } from 'kysely'
import type { Language } from '../../base/languages/language.ts'
import { maxSlugDigits, numberedStem, numberOfSlug } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { RecordKind } from './record.ts'

// The taken numbers of slugs. They make it possible to find the first free number without a scan, however many records
// have the same title. `slug_series` stores the number below which all numbers are taken. It has a row for each count
// of digits, because a long slug is shortened to make space for them. `slug_gaps` stores numbers below it that became
// free later (triggers add them). Both tables are only hints: every result is checked against the slugs themselves.

/** The scope of slug numbers: the records of a kind, or all terms, in one language. */
export interface SlugNamespace {
  readonly kind: RecordKind | 'term'
  readonly language: Language
  /** Returns the slugs among these that are taken. Runs one query. */
  readonly taken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>
}

/** A slug that gets a number if it is taken, and its scope. */
export interface NumberedSlug {
  readonly space: SlugNamespace
  readonly base: string
}

interface FreeSlugsRequest {
  readonly count: number
  readonly except: ReadonlySet<string>
}

interface SlugSeries {
  readonly space: SlugNamespace
  readonly stem: string
  readonly digits: number
  /** All numbers below this one with the same count of digits are taken, except gaps. */
  readonly next: number
  readonly hasGaps: boolean
}

/** The first batch has this many numbers. Later batches are larger. */
const firstBatchSize = 8
const maxBatchSize = 512

/** Returns the first free slugs with the text `base` and a number from 2, in the order of their numbers. */
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
 * Returns the first free slug with the text `base` and a number from 2.
 *
 * @param own The current slug of the owner, which is free for it: `taken` leaves it out.
 */
export async function firstFreeNumberedSlug(tx: Tx, numbered: NumberedSlug, own?: string): Promise<string> {
  const { space, base } = numbered
  const [first = ''] = await freeNumberedSlugs(tx, numbered)
  const ownNumber = own === undefined ? undefined : numberOfSlug(base, own)
  if (own === undefined || ownNumber === undefined || ownNumber > (numberOfSlug(base, first) ?? 0)) return first
  return (await space.taken([own])).has(own) ? first : own
}

/** Returns the series of a slug, by the count of digits of its numbers. Runs one query. */
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

/** Returns at most `count` free gaps. Deletes gaps that are taken again. */
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

/** Returns at most `count` free numbers from `next`. Stores how far all numbers are taken, if that is far enough. */
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
    // Each batch size is fixed, so that few statements are prepared. The last number fills up a batch.
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
