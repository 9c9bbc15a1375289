// Replaces typewriter signs by typographic ones. See events.md §2 "Typography".
import { type Token, tokenize } from './markup.ts'

/** Elements whose text stays unchanged. */
const verbatim: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'tt'])

/** Elements that do not end a sentence. A quote may open before such an element and close after it. */
const inline: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup ' +
    'time tt u var wbr'
  ).split(' '),
)

// While a sentence is processed, one placeholder represents a run of consecutive tags, and patterns ignore it. Another
// represents a piece of code and counts as a letter. A run has a single placeholder because a pattern would otherwise
// scan the rest of the run from each tag in it.
const tagPlaceholder = '\ufdd2'
const codePlaceholder = '\ufdd3'

/** Everything that may be replaced. Most titles have none of these signs, and looking for them takes a seventh of the time. */
const replaced = /[&'"\-\ufdd2\ufdd3]|\.\.\.|``| \(tm\)|[\d.,]x\d/

/** Returns `html` with curly quotes, dashes, ellipses, `×` and primes as entities. Tags and code stay unchanged. */
export function typography(html: string): string {
  if (!replaced.test(html)) return html
  let printed = ''
  let sentence = ''
  let set: string[] = []
  let isInTags = false

  function endSentence(): void {
    const sources = set.values()
    printed += printSentence(sentence).replace(/[\ufdd2\ufdd3]/g, () => sources.next().value ?? '')
    sentence = ''
    set = []
    isInTags = false
  }

  for (const part of withCodeAsOne(tokenize(html.replace(/[\ufdd2\ufdd3]/g, '')))) {
    if (part.kind === 'text') sentence += part.source
    else if (inline.has(part.name)) {
      const isTag = part.kind !== 'code'
      if (isTag && isInTags) set.push(`${set.pop()}${part.source}`)
      else {
        sentence += isTag ? tagPlaceholder : codePlaceholder
        set.push(part.source)
      }
      isInTags = isTag
      continue
    } else {
      endSentence()
      printed += part.source
    }
    if (part.source !== '') isInTags = false
  }
  endSentence()
  return escapeAmpersands(printed)
}

type TypographyToken = Token | { readonly kind: 'code'; readonly name: string; readonly source: string }

// Yields each element with verbatim text as one part, with any content. If the end tag is missing, the part extends to
// the end.
function withCodeAsOne(tokens: readonly Token[]): Iterable<TypographyToken> {
  return tokens.some((token) => token.kind === 'open' && verbatim.has(token.name)) ? joinedCode(tokens) : tokens
}

function* joinedCode(tokens: readonly Token[]): Generator<TypographyToken> {
  let code: { name: string; depth: number; source: string } | undefined

  for (const token of tokens) {
    if (code === undefined) {
      if (token.kind === 'open' && verbatim.has(token.name)) {
        code = { name: token.name, depth: 1, source: token.source }
      } else yield token
      continue
    }
    code.source += token.source
    if (token.kind !== 'text' && token.name === code.name) code.depth += token.kind === 'open' ? 1 : -1
    if (code.depth === 0) {
      yield { kind: 'code', name: code.name, source: code.source }
      code = undefined
    }
  }
  if (code !== undefined) yield { kind: 'code', name: code.name, source: code.source }
}

function escapeAmpersands(html: string): string {
  return html.replace(/&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]{1,31};)/gi, '&#038;')
}

// Patterns for the text on either side of a quote or a dash. They ignore tags.
const tags = `${tagPlaceholder}?`
const blank = '(?:\\s|&nbsp;|&#160;)'
const after = (signs: string) => `(?<=(?:${signs})${tags})`
const before = (signs: string) => `(?=${tags}(?:${signs}))`
const pattern = (source: string) => new RegExp(source, 'gu')

const atStart = `^${tags}|${blank}|[(\\[{-]|&lt;`
const atEnd = `$|[.,:;!?)}\\]-]|&gt;|${blank}`
const notInWord = `$|[.,:;!?"'(){}[\\]-]|&[lg]t;|${blank}`

type Replacement = readonly [pattern: RegExp, printed: string]

const fixed: readonly Replacement[] = [
  [/\.\.\./g, '&#8230;'],
  [/``/g, '&#8220;'],
  [/''/g, '&#8221;'],
  [/ \(tm\)/g, ' &#8482;'],
]

const apostrophes: readonly Replacement[] = [
  [pattern(`'(?=(?:tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)(?!\\p{L}))`), '&#8217;'],
  [pattern(`'(\\d\\d)'${before(atEnd)}`), '&#8217;$1&#8217;'],
  [pattern(`'(\\d\\d)"${before(atEnd)}`), '&#8217;$1&#8221;'],
  [pattern(`'(?=\\d\\d(?![%\\d]|[.,]\\d))`), '&#8217;'], // '99, but not '99%
  [pattern(`${after(`^${tags}|${blank}`)}'(\\d[\\d.,]*)'`), '&#8216;$1&#8217;'],
  [pattern(`${after('\\p{L}')}'(?="\\p{L})`), '&#8217;'], // l'"été"
  [pattern(`${after(`(?:${atStart})"?`)}'`), '&#8216;'],
  [pattern(`(?<!${blank}${tags})'(?!${tags}(?:${notInWord}))`), '&#8217;'],
]

const openingQuotes: readonly Replacement[] = [
  [pattern(`${after(`^${tags}|${blank}`)}"(\\d[\\d.,]*)"`), '&#8220;$1&#8221;'],
  [pattern(`${after(`${atStart}|&#8216;`)}"(?!${tags}${blank})`), '&#8220;'],
  [pattern(`${after('\\p{L}&#8217;')}"(?=\\p{L})`), '&#8220;'],
]

// Contract: a hyphen next to a `&#160;` stays, as in the reference; an author who writes blanks as numbers has chosen
// the sign.
const dashBlank = '(?:\\s|&nbsp;)'
// So does one between two no-break blanks that are written as such.
const otherBlank = '(?:[^\\S\\u00a0]|&nbsp;)'
const dashes: readonly Replacement[] = [
  [/---/g, '&#8212;'],
  [pattern(`${after(`^|${dashBlank}`)}--${before(`$|${dashBlank}`)}`), '&#8212;'],
  [/(?<!xn)--/g, '&#8211;'], // xn-- begins a domain name in another script.
  [pattern(`${after(`^|${otherBlank}`)}-${before(`$|${dashBlank}`)}`), '&#8211;'],
  [pattern(`${after(`^|${dashBlank}`)}-${before(`$|${otherBlank}`)}`), '&#8211;'],
]

function printSentence(sentence: string): string {
  let printed = replaceAll(sentence, fixed)
  if (printed.includes("'")) printed = closeQuotes(replaceAll(printed, apostrophes), single)
  if (printed.includes('"')) printed = closeQuotes(replaceAll(printed, openingQuotes), double)
  if (printed.includes('-')) printed = replaceAll(printed, dashes)
  return printed.replace(/(?<![\w.,])\d[\d.,]*(?:x\d[\d.,]*)+(?!\w)/g, multiplicationSigns)
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((done, [search, printed]) => done.replace(search, printed), text)
}

function multiplicationSigns(sizes: string): string {
  return sizes.startsWith('0x') ? sizes : sizes.replaceAll('x', '&#215;') // 0x10 is a number.
}

interface Quotes {
  readonly typed: string
  readonly opening: string
  readonly closing: string
  readonly prime: string
  /** Replacement of a quote that neither closes nor follows a digit. */
  readonly other: string
  readonly ending: RegExp
}

const single: Quotes = {
  typed: "'",
  opening: '&#8216;',
  closing: '&#8217;',
  prime: '&#8242;',
  other: "'",
  ending: pattern(`'${before(atEnd)}`),
}
const double: Quotes = {
  typed: '"',
  opening: '&#8220;',
  closing: '&#8221;',
  prime: '&#8243;',
  other: '&#8221;',
  ending: pattern(`"${before(atEnd)}`),
}

// The opening quotes are known. Every other quote closes one, or is a prime (6' 2").
function closeQuotes(text: string, quotes: Quotes): string {
  return text
    .split(quotes.opening)
    .map((part, n) => closeIn(part, n > 0 && !part.includes(quotes.closing), quotes))
    .join(quotes.opening)
}

function closeIn(text: string, isOpen: boolean, { typed, closing, prime, other, ending }: Quotes): string {
  if (!text.includes(typed)) return text
  const ends = [...text.matchAll(ending)].map((match) => match.index)
  const closes = new Set(closingOnes(text, ends, isOpen))

  return text.replace(new RegExp(typed, 'g'), (_, at: number) => {
    if (closes.has(at)) return closing
    return followsDigit(text, at) ? prime : other
  })
}

function closingOnes(text: string, ends: readonly number[], isOpen: boolean): readonly number[] {
  if (isOpen && ends.length < 2) return ends
  const unmeasured = ends.filter((at) => !followsDigit(text, at))
  if (!isOpen || unmeasured.length > 0) return unmeasured

  // All follow digits, as in "a 10" wheel of 26"": the last one closes, preferably one before a full stop.
  return [ends.findLast((end) => text[end + 1] === '.') ?? ends.at(-1)].filter((at) => at !== undefined)
}

function followsDigit(text: string, at: number): boolean {
  let last = at - 1
  if (text[last] === tagPlaceholder) last -= 1
  return /\d/.test(text[last] ?? '')
}
