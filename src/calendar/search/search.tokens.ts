// A text is a sequence of words and separators. Words are runs of letters and digits, of any script. A separator is what
// is between two words. One space is not stored: neighbouring words have neighbouring positions only if nothing but one
// space is between them. Any other separator is a token with a position of its own. A phrase can therefore be found by
// positions alone.

/** A longer run is stored in parts, each of which repeats the end of the previous part. */
const longestRun = 600
/** The part that is repeated. No piece of a search is longer (`maxSearchLength`), so one part contains all of it. */
const repeated = 400
/** Longer pieces of words are not stored as grams. */
export const longestGram = 3
/** Marks the beginning and the end of a text, and the gap between parts of a run. No search contains it. */
export const edge = '\n'

/** Separators and grams are stored beside words, and begin with a character that no word contains. */
export const separatorMark = '\u0002'
export const gramMark = '\u0001'

const lowestLetter = 0x80
const isAsciiWord = new Uint8Array(lowestLetter)
for (const letter of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  isAsciiWord[letter.charCodeAt(0)] = 1
}
const wordLetter = /[\p{L}\p{N}\p{M}]/u

/** Whether the character is part of a word, and how many code units it takes. */
function letterAt(text: string, at: number): { readonly isWord: boolean; readonly length: number } {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { isWord: wordLetter.test(character), length: character.length }
}

/** Visits the runs of a text in order, which are words and separators by turns. */
export function visitRuns(text: string, visit: (run: string, isWord: boolean) => void): void {
  let from = 0
  let isInWord = false
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    let isWord = code < lowestLetter && isAsciiWord[code] === 1
    let length = 1
    if (code >= lowestLetter) ({ isWord, length } = letterAt(text, at))
    if (isWord !== isInWord) {
      if (at > from) visit(text.slice(from, at), isInWord)
      from = at
      isInWord = isWord
    }
    at += length
  }
  if (text.length > from) visit(text.slice(from), isInWord)
}

/** Visits the tokens of a folded text with their positions, in order. A separator has its mark. */
export function visitTokens(text: string, visit: (token: string, position: number) => void): void {
  let position = 0
  let isAfterWord = false
  const mark = () => visit(separatorMark + edge, position++)
  const add = (run: string, isWord: boolean) => {
    if (run.length <= longestRun) visit(isWord ? run : separatorMark + run, position++)
    else {
      partsOf(run).forEach((part, place) => {
        if (place > 0) mark()
        visit(isWord ? part : separatorMark + part, position++)
      })
    }
  }
  let isFirst = true
  let isSpaceLast = false
  visitRuns(text, (run, isWord) => {
    if (isFirst && isWord) mark()
    isSpaceLast = run === ' ' && !isFirst
    if (!isSpaceLast) add(run, isWord)
    isFirst = false
    isAfterWord = isWord
  })
  // One space between words is no token, but one at the end is.
  if (isSpaceLast) add(' ', false)
  else if (isAfterWord) mark()
}

function partsOf(run: string): readonly string[] {
  const step = longestRun - repeated
  const count = Math.ceil((run.length - repeated) / step)
  return Array.from({ length: count }, (_, place) => run.slice(place * step, place * step + longestRun))
}

/** Returns the distinct grams of a word, without their mark. */
export function gramsOf(word: string): ReadonlySet<string> {
  const letters = /[\ud800-\udfff]/.test(word) ? [...word] : undefined
  const grams = new Set<string>()
  const length = letters?.length ?? word.length
  for (let from = 0; from < length; from += 1) {
    for (let to = from + 1; to <= Math.min(length, from + longestGram); to += 1) {
      grams.add(letters ? letters.slice(from, to).join('') : word.slice(from, to))
    }
  }
  return grams
}
