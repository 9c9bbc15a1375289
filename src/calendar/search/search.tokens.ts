// A text is a sequence of words and separators. Words are runs of letters and digits, of any script. A separator is what
// is between two words. One space is not stored: neighbouring words have neighbouring positions only if nothing but one
// space is between them. Any other separator is a token with a position of its own. A phrase can therefore be found by
// positions alone.

/** A longer run is stored in parts, each of which repeats the end of the previous part. */
const longestRun = 600
/** The part that is repeated. No piece of a search is longer (`maxSearchLength`), so one part contains all of it. */
const repeated = 400
/** Longer pieces of words are not stored as grams. */
export const longestGram = 2
/** Marks the beginning and the end of a text, and the gap between parts of a run. No search contains it. */
const edge = '\n'

/** Separators and grams are stored beside words, and begin with a character that no word contains. */
export const separatorMark = '\u0002'
export const gramMark = '\u0001'

const lowestLetter = 0x80
const space = 0x20
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

/** A run of a text: a word or a separator. The object is used again for the next run. */
export interface Run {
  readonly text: string
  from: number
  to: number
  isWord: boolean
  /** The hash of its code units. */
  hash: number
}

const firstHash = 0x811c9dc5 | 0
const hashWith = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193)

/** Visits the runs of a text in order, which alternate between words and separators. */
export function visitRuns(text: string, visit: (run: Run) => void): void {
  const run: Run = { text, from: 0, to: 0, isWord: false, hash: firstHash }
  let hash = firstHash
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    let isWord = code < lowestLetter && isAsciiWord[code] === 1
    let length = 1
    if (code >= lowestLetter) ({ isWord, length } = letterAt(text, at))
    if (isWord !== run.isWord) {
      run.to = at
      run.hash = hash
      if (at > run.from) visit(run)
      run.from = at
      run.isWord = isWord
      hash = firstHash
    }
    hash = hashWith(hash, code)
    if (length === 2) hash = hashWith(hash, text.charCodeAt(at + 1))
    at += length
  }
  run.to = text.length
  run.hash = hash
  if (run.to > run.from) visit(run)
}

function runOf(text: string, isWord: boolean): Run {
  let hash = firstHash
  for (let at = 0; at < text.length; at += 1) hash = hashWith(hash, text.charCodeAt(at))
  return { text, from: 0, to: text.length, isWord, hash }
}

const edgeRun = runOf(edge, false)

/** Visits the tokens of a folded text with their positions, in order. Each is a run of the text, or of a part of it. */
export function visitTokens(text: string, visit: (run: Run, position: number) => void): void {
  let position = 0
  const add = (run: Run) => visit(run, position++)
  const addParts = (run: Run) => {
    partsOf(run.text.slice(run.from, run.to)).forEach((part, place) => {
      if (place > 0) add(edgeRun)
      add(runOf(part, run.isWord))
    })
  }
  let isFirst = true
  let isAfterWord = false
  let isSpaceLast = false
  visitRuns(text, (run) => {
    if (isFirst && run.isWord) add(edgeRun)
    // One space between words has no token, but one at the beginning or the end has.
    isSpaceLast = !isFirst && run.to === run.from + 1 && text.charCodeAt(run.from) === space
    if (run.to - run.from > longestRun) addParts(run)
    else if (!isSpaceLast) add(run)
    isFirst = false
    isAfterWord = run.isWord
  })
  if (isSpaceLast) add(runOf(' ', false))
  else if (isAfterWord) add(edgeRun)
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
