import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { sanitizeTitle } from '../../base/text/sanitize.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { comparableTitle } from '../records/record.name.ts'
import { readableBy } from '../records/record.visibility.ts'
import type { Directory, Fields } from './directory.ts'

// Names that people write for the same thing: “Nature Center” and “The Nature Centre”, “Town hall” and “Townhall, Laval”. The
// engine reduces them to what all spellings have in common, and sorts or joins by that, so no pair of records is compared that
// has nothing in common.

/** Why two records look alike: the same name, nearly the same, or the same address. */
export const LIKENESSES = ['name', 'spelling', 'address'] as const
export type Likeness = (typeof LIKENESSES)[number]
export const maxAlikePairs = 50
/** More records that look like names are not looked for. */
const maxAlike = 1000

const signs = [...`.,;:!?"'()[]/\\&+*·-_#@`]
/** Words that names have or leave out. */
const fillers = ['the', 'of', 'and', 'at', 'de', 'du', 'des', 'la', 'le', 'les', 'l', 'd', 'et']
const vowels = [...'aeiouy']
/** Letters that people forget, add and swap. */
const loose = [...vowels, 'h']
const doubled = [...'bcdfglmnprstz']
/** Shorter names differ by meaning more often than by mistake. */
const shortest = 6

type Reading = Pick<Storage, 'db' | 'dialect'> & { readonly actor: Actor }
type Text = RawBuilder<unknown>

function replaced(text: Text, all: readonly string[], by: (one: string) => readonly [from: string, to: string]): Text {
  return all.reduce((done, one) => {
    const [from, to] = by(one)
    return sql`replace(${done}, ${sql.lit(from)}, ${sql.lit(to)})`
  }, text)
}

const without = (text: Text, all: readonly string[]) => replaced(text, all, (one) => [one, ''])

/** The words of a folded text without fillers, each between blanks. */
function wordsOf(text: Text): Text {
  const spaced = sql`' ' || ${replaced(text, signs, (sign) => [sign, ' '])} || ' '`
  return replaced(
    replaced(spaced, fillers, (word) => [` ${word} `, ' ']),
    ['   ', '  '],
    (blanks) => [blanks, ' '],
  )
}

/** What spellings of words have in common: their letters besides the loose ones, each once in a row. “A” alone is a word. */
function spellingOf(words: Text): Text {
  const marked = replaced(words, loose, (letter) => [` ${letter} `, ` ${letter.toUpperCase()} `])
  const single = replaced(marked, doubled, (letter) => [letter + letter, letter])
  return without(single, [' ', ...loose])
}

/** The condition that names of one spelling key are the same, or long and different in one vowel at most. */
function isNear(one: Text, other: Text): Text {
  const count = (text: Text, vowel: string) => sql`length(${text}) - length(${without(text, [vowel])})`
  const apart = vowels.map((vowel) => sql`abs(${count(one, vowel)} - (${count(other, vowel)}))`)
  return sql`(${one} = ${other} or (length(${one}) >= ${sql.lit(shortest)} and ${sql.join(apart, sql` + `)} <= 1))`
}

/** The tables `keyed`, with the names and addresses by which the records that the caller may read are compared. */
function keyedRecords<F extends Fields>({ dialect, actor }: Reading, { kind, searchedFields }: Directory<F>): Text {
  // The folded lines of a search text: the name, the description, and each searched field.
  const line = (name: string) => {
    const place = (searchedFields as readonly string[]).indexOf(name)
    return place < 0 ? sql`''` : dialect.lineOf(sql`search_text`, place + 2)
  }
  return sql`listed as materialized (
      select id, coalesce(group_id, id) as item, ${wordsOf(sql`title_folded`)} as title, ${wordsOf(line('city'))} as city,
        ${without(line('address'), [...signs, ' '])} as address, ${without(line('postalCode'), [' '])} as zip
      from records where kind = ${kind} and ${readableBy('records', actor, 'any')}),
    named as materialized (
      select listed.*, coalesce(nullif(replace(title, city, ' '), ' '), title) as words from listed),
    keyed as materialized (
      select id, item, city, replace(words, ' ', '') as name, ${spellingOf(sql`words`)} as spelling,
        address, case when city = ' ' then zip else city end as town
      from named)`
}

/** Two records that look alike, by the ids of their groups. */
interface AlikePair {
  /** The later one. */
  readonly one: number
  readonly other: number
  readonly reason: Likeness
}

/**
 * Returns the pairs of records that look alike, those of one name first. Each town has its own town hall: places of one name
 * are alike if they have the same city, or if the first one has none. Runs one query.
 */
export async function listAlike<F extends Fields>(
  reading: Reading,
  directory: Directory<F>,
): Promise<readonly AlikePair[]> {
  const { rows } = await sql<{ one: number; other: number; reason: number }>`
    with ${keyedRecords(reading, directory)},
    near as (
      select item, name, city, lag(item) over same as other, lag(name) over same as other_name, lag(city) over same as other_city
      from keyed where spelling <> '' window same as (partition by spelling order by city, name, item)),
    located as (
      select item, lag(item) over (partition by address, town order by item) as other from keyed where address <> ''),
    pairs as (
      select item, other, case when name = other_name then 0 else 1 end as likeness from near
      where item <> other and other_city in (' ', city) and ${isNear(sql`name`, sql`other_name`)}
      union all
      select item, other, 2 from located where item <> other),
    ordered as (
      select case when item > other then item else other end as one,
        case when item > other then other else item end as other, likeness from pairs)
    select one, other, min(likeness) as reason from ordered
    group by one, other order by 3, one, other limit ${sql.lit(maxAlikePairs)}`.execute(reading.db)
  return rows.map(({ one, other, reason }) => ({ one, other, reason: LIKENESSES[reason] ?? 'name' }))
}

/** Returns the records whose names look like these, by the name that was asked for. Runs one query. */
export async function listNamedAlike<F extends Fields>(
  reading: Reading,
  directory: Directory<F>,
  names: readonly string[],
): Promise<readonly { readonly asked: string; readonly id: number }[]> {
  const { db, dialect } = reading
  if (names.length === 0) return []
  const given = names.map((asked) => ({ asked, title: comparableTitle(sanitizeTitle(asked)) }))
  const { rows } = await sql<{ asked: string; id: number }>`
    with ${keyedRecords(reading, directory)},
    given as materialized (
      select value ->> 'asked' as asked, ${wordsOf(sql`(value ->> 'title')`)} as words from ${dialect.jsonRows(given)} rows),
    wanted as materialized (
      select asked, replace(words, ' ', '') as name, ${spellingOf(sql`words`)} as spelling from given)
    select asked, id from wanted join keyed on keyed.spelling = wanted.spelling
    where wanted.spelling <> '' and ${isNear(sql`keyed.name`, sql`wanted.name`)}
    order by id limit ${sql.lit(maxAlike)}`.execute(db)
  return rows
}
