import { COUNTS, YEARS } from './dataset.ts'
import type { Calendar, Value } from './dear.kind.ts'
import { searchedWords } from './texts.ts'

// Values of parameters that are dear in a calendar of the benchmark.

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
export const searches = {
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
} as const satisfies Readonly<Record<string, Value>>

function inTurnAt(texts: readonly string[], turn: number): string {
  return texts[turn % texts.length] ?? ''
}

const dates = [
  (turn) => `${YEARS.first}-01-01 00:00:${String(turn % 60).padStart(2, '0')}`,
  (turn) => `${Math.round((YEARS.first + YEARS.last) / 2)}-06-15 00:00:${String(turn % 60).padStart(2, '0')}`,
  (turn) => `${YEARS.last}-12-31 23:59:${String(turn % 60).padStart(2, '0')}`,
] as const satisfies readonly Value[]
const firstTag = COUNTS.categories + 1
const firstOrganizer = COUNTS.venues + 1

/** All years of the calendar. */
export const allYears = { start_date: dates[0], end_date: dates[2] }

/** Returns values by name, for lists of events and of everything else. */
export function knownValues({ size, firstEvent }: Calendar) {
  const one: Value = (turn) => String(firstEvent + turn)
  return {
    page: ['2', (turn) => String(100 + turn), (turn) => String(Math.floor((size * 0.88) / 50) - turn)],
    per_page: ['1', '1000000'],
    ...{
      start_date: dates,
      end_date: dates,
      starts_before: dates,
      starts_after: dates,
      ends_before: dates,
      ends_after: dates,
    },
    search: Object.values(searches),
    categories: [chosen(1, 1, 60), chosen(1, COUNTS.categories, COUNTS.categories)],
    tags: [chosen(firstTag, 1, 800), chosen(firstTag, 100, 800), chosen(firstTag + 600, 100, 200)],
    venue: [chosen(1, 1, 2000), chosen(1, 100, 2000), chosen(1800, 100, 200), chosen(1, 1000, 2000)],
    organizer: [chosen(firstOrganizer, 1, 500), chosen(firstOrganizer, 100, 500)],
    include: [
      (turn) => listed(firstEvent + turn, 1000),
      (turn) => listed(firstEvent + turn, 1000, Math.floor(size / 1010)),
    ],
    exclude: [chosen(1, COUNTS.categories - 1, COUNTS.categories), chosen(firstTag, 799, 800)],
    ...{ event: [one], post: [one], post_parent: [one] },
    parent: ['0', (turn) => String(1 + turn)],
    slug: [(turn) => `term-${1 + turn}`],
    cursor: ['999999999999-999999999999'],
  } as const satisfies Readonly<Record<string, readonly Value[]>>
}

/** Returns the values of the first turn. */
export function dearValues(calendar: Calendar): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries<readonly Value[]>(knownValues(calendar)).map(([name, values]) => [
      name,
      values.map((value) => (typeof value === 'function' ? value(0) : value)),
    ]),
  )
}
