import type { JsonSchema } from '../../src/access/http/argument.schema.ts'
import { COUNTS, YEARS } from './dataset.ts'
import { type Calendar, ownOrigin, type Pair, type Value } from './dear.kind.ts'
import { searchedWords } from './texts.ts'

// Values at the bounds of parameters. A parameter that is known by its name gets the values that are dear in this
// calendar; any other one gets the bounds of its schema, so that a new parameter is played without a change here.

/** Parameters that are sent together: usually one. */
export type Piece = readonly Pair[]

const listed = (first: number, count: number, step = 1) =>
  Array.from({ length: count }, (_, place) => first + place * step).join()
/** The low numbers are the most popular ones. */
const chosen =
  (first: number, count: number, limit: number): Value =>
  (turn) =>
    listed(first + Math.min(turn, limit - count), count)
const inTurn =
  (texts: readonly string[]): Value =>
  (turn) =>
    texts[turn % texts.length] ?? ''

const marks = '\u0301\u0323'
const words = searchedWords()

/** Searches by what makes them dear. */
export const searches: Readonly<Record<string, Value>> = {
  oneLetter: inTurn([...'eanotrs']),
  twoLetters: inTurn(['er', 'an', 'in', 'th', 'on', 'ar']),
  threeLetters: inTurn(['con', 'mar', 'ing', 'the', 'her', 'dan']),
  digit: inTurn([...'123456']),
  sign: inTurn([...'.,%_-*']),
  frequentWord: inTurn(['event', 'with', 'from', 'music', 'avec', 'pour']),
  frequentPiece: inTurn(['ther', 'conma', 'ingth', 'marth', 'dance', 'herco']),
  rareWord: inTurn(words.slice(-6)),
  phrase: inTurn(['"the and"', '"and the"', '"with the"', '"the music"', '"event the"', '"les des"']),
  phraseOfPieces: inTurn(['"r the an"', '"g and th"', '"r and th"', '"n the ev"', '"t the wi"', '"h the mu"']),
  excluded: inTurn(['-event', '-with', '-from', '-avec', '-pour', '-music']),
  excludedPiece: inTurn(['music -er', 'event -an', 'with -in', 'from -th', 'avec -on', 'pour -ar']),
  unwritten: inTurn(['xqzv', 'vxqz', 'zvxq', 'qzvx', 'xqvz', 'vqzx']),
  unwrittenOfPieces: (turn) => `${inTurnAt(['thercon', 'marther', 'ingther'], turn)}zz${turn}`,
  unwrittenLetters: inTurn(['zj', 'qx', 'jq', 'xk', 'vq', 'zx']),
  nineWords: (turn) => ['event', 'with', 'from', 'music', 'avec', 'pour', 'festival', 'concert', words[turn]].join(' '),
  ninePieces: (turn) => `er an in th on ar ing con ${inTurnAt(['ma', 'ta', 'pa'], turn)}`,
  nineExcluded: (turn) => `-er -an -in -th -on -ar -ing -con -${inTurnAt(['ma', 'ta', 'pa'], turn)}`,
  nineLetters: (turn) => `a e i o t n s r ${inTurnAt(['l', 'm', 'd'], turn)}`,
  longest: (turn) => `${inTurnAt(['ther', 'conm', 'ingt'], turn).repeat(50)}`,
  longestWords: (turn) =>
    words
      .slice(turn, turn + 30)
      .join(' ')
      .slice(0, 199),
  cjk: inTurn(['漢字', '日本', '東京', '音楽', '祭り', '展覧']),
  oneCjk: inTurn([...'漢日東音祭展']),
  accents: inTurn(['é', 'è', 'ê', 'à', 'ç', 'ô']),
  marks: (turn) => `e${marks.repeat(90 + turn)}`,
}

function inTurnAt(texts: readonly string[], turn: number): string {
  return texts[turn % texts.length] ?? ''
}

const anySearch: readonly Value[] = Object.values(searches)
const dates: readonly Value[] = [
  (turn) => `${YEARS.first}-01-01 00:00:${String(turn % 60).padStart(2, '0')}`,
  (turn) => `${Math.round((YEARS.first + YEARS.last) / 2)}-06-15 00:00:${String(turn % 60).padStart(2, '0')}`,
  (turn) => `${YEARS.last}-12-31 23:59:${String(turn % 60).padStart(2, '0')}`,
]
const firstTag = COUNTS.categories + 1
const firstOrganizer = COUNTS.venues + 1
const montreal: Piece = [
  ['geoloc_lat', '45.5'],
  ['geoloc_lng', '-73.6'],
]

/** All years of the calendar. */
export const allYears: Piece = [
  ['start_date', dates[0] ?? ''],
  ['end_date', dates[2] ?? ''],
]

type Known = (calendar: Calendar) => readonly (Value | Piece)[]

/** Values by name, for lists of events and of everything else. */
const known: Readonly<Record<string, Known>> = {
  page: ({ size }) => ['2', (turn) => String(100 + turn), (turn) => String(Math.floor((size * 0.88) / 50) - turn)],
  per_page: () => ['1', '1000000'],
  ...Object.fromEntries(
    ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'].map((name) => [
      name,
      () => dates,
    ]),
  ),
  search: () => anySearch,
  categories: () => [chosen(1, 1, 60), chosen(1, COUNTS.categories, COUNTS.categories)],
  tags: () => [chosen(firstTag, 1, 800), chosen(firstTag, 100, 800), chosen(firstTag + 600, 100, 200)],
  venue: () => [chosen(1, 1, 2000), chosen(1, 100, 2000), chosen(1800, 100, 200), chosen(1, 1000, 2000)],
  organizer: () => [chosen(firstOrganizer, 1, 500), chosen(firstOrganizer, 100, 500)],
  include: ({ size, firstEvent }) => [
    (turn) => listed(firstEvent + turn, 1000),
    (turn) => listed(firstEvent + turn, 1000, Math.floor(size / 1010)),
    chosen(1, COUNTS.categories, COUNTS.categories),
    chosen(firstTag, 800, 800),
  ],
  exclude: () => [chosen(1, COUNTS.categories - 1, COUNTS.categories), chosen(firstTag, 799, 800)],
  event: ({ firstEvent }) => [(turn) => String(firstEvent + turn)],
  post: ({ firstEvent }) => [(turn) => String(firstEvent + turn)],
  post_parent: ({ firstEvent }) => [(turn) => String(firstEvent + turn)],
  parent: () => ['0', (turn) => String(1 + turn)],
  geoloc_lat: () => [montreal],
  geoloc_lng: () => [[...montreal].reverse()],
  geoloc_radius: () => ['1', '30', '20000'].map((radius): Piece => [...montreal, ['geoloc_radius', radius]]),
  slug: () => [(turn) => `term-${1 + turn}`],
  cursor: () => ['999999999999-999999999999'],
  url: () => [(turn) => `${ownOrigin}/event/event-${1 + turn}/`],
}

/** Returns the values at the bounds of a parameter, each with the parameters that must go with it. */
export function piecesOf(name: string, schema: JsonSchema, calendar: Calendar): readonly Piece[] {
  const values = known[name]?.(calendar) ?? boundsOf(schema)
  return values.map((value) => (Array.isArray(value) ? (value as Piece) : [[name, value as Value]]))
}

/** Returns the dear values of the parameters that are known by name, each alone. */
export function dearValues(calendar: Calendar): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(known).map(([name, valuesIn]) => [
      name,
      valuesIn(calendar).flatMap((value) =>
        Array.isArray(value) ? [] : [typeof value === 'function' ? value(0) : String(value)],
      ),
    ]),
  )
}

/** Returns the values at the bounds of a schema. */
export function boundsOf({ type, enum: words, items, minimum, maximum }: JsonSchema): readonly Value[] {
  if (Array.isArray(words)) return words as readonly string[]
  if (type === 'boolean') return ['true', 'false']
  if (type === 'integer' || type === 'number') return [String(minimum ?? 1), String(maximum ?? 1_000_000)]
  if (type === 'array') {
    const single = boundsOf(items as JsonSchema)
    if ((items as JsonSchema).enum) return [...single, single.join()]
    return ['1', listed(1, 100), listed(1, 1000)]
  }
  return ['a', (turn) => 'ther'.repeat(500 + turn)]
}
