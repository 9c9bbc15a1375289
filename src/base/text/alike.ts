import { fold } from './fold.ts'

// Names that people write for the same thing: “Nature Center” and “The Nature Centre”, “Town hall” and “Townhall, Laval”.

/** Words that names have or leave out. */
const fillers = new Set(['the', 'of', 'and', 'at', 'de', 'du', 'des', 'la', 'le', 'les', 'l', 'd', 'et'])
/** Shorter words differ by meaning more often than by mistake: “east” and “west”, “A” and “B”. */
const shortest = 5
/** Words of this length may differ by two letters. */
const long = 8

const wordsIn = (text: string) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the words by which a name is compared. Those of the city are left out, if others remain. */
export function nameWords(name: string, city = ''): readonly string[] {
  const all = wordsIn(name).filter((word) => !fillers.has(word))
  const ofCity = new Set(wordsIn(city))
  const own = all.filter((word) => !ofCity.has(word))
  return own.length > 0 ? own : all
}

/** How names are alike, from their words: `name` if the words are the same, `spelling` if they differ by few letters. */
export function likeness(one: readonly string[], other: readonly string[]): 'name' | 'spelling' | undefined {
  if (one.length === 0 || other.length === 0) return undefined
  if (one.join('') === other.join('')) return 'name'
  if (one.length !== other.length) return undefined
  const [words, others] = [one.toSorted(), other.toSorted()]
  const differing = words.flatMap((word, place) =>
    word === others[place] ? [] : [[word, others[place] ?? ''] as const],
  )
  if (differing.length === 0) return 'name'
  return differing.every(([word, its]) => isMistyped(word, its)) ? 'spelling' : undefined
}

function isMistyped(word: string, other: string): boolean {
  const length = Math.min(word.length, other.length)
  const most = length >= long ? 2 : 1
  const isComparable = length >= shortest && Math.abs(word.length - other.length) <= most
  return isComparable && !/\d/.test(word + other) && distance(word, other) <= most
}

/** Returns the number of letters to add, drop, replace or swap with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)]
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let place = 1; place <= other.length; place += 1) {
      const isSame = one[row - 1] === other[place - 1]
      const isSwapped = one[row - 1] === other[place - 2] && one[row - 2] === other[place - 1]
      next.push(
        Math.min(
          (last?.[place] ?? 0) + 1,
          (next[place - 1] ?? 0) + 1,
          (last?.[place - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before?.[place - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, last] = [last, next]
  }
  return last?.[other.length] ?? 0
}
