import { withoutControlCharacters } from '../../base/text/lines.ts'

// Lines of a calendar are written without folds first. `foldedBytes` folds all lines of many texts at once.

/** Parameters of a property by name. */
export type Parameters = Readonly<Record<string, string>>

const lineEnd = '\r\n'

/** Returns a line whose value is not a text: a time, an address, a number. Nothing in it is escaped. */
export function line(name: string, value: string, parameters?: Parameters): string {
  return `${headOf(name, parameters)}:${withoutLineEnds(withoutControlCharacters(value))}${lineEnd}`
}

/** Returns a line with a complete value: escaped texts, or something that the service makes itself of printable ASCII. */
export function madeLine(name: string, value: string): string {
  return `${name}:${value}${lineEnd}`
}

export function textLine(name: string, text: string, parameters?: Parameters): string {
  return `${headOf(name, parameters)}:${escapedText(text)}${lineEnd}`
}

/** Returns the beginning of a line: the name of its property, and its parameters. */
function headOf(name: string, parameters: Parameters | undefined): string {
  let head = name
  for (const key in parameters) head += `;${key}=${parameterValue(parameters[key] ?? '')}`
  return head
}

/** What some reader takes for the end of a line. */
const lineEnds = /\r\n|[\r\n\u0085\u2028\u2029]/g
const unusualLineEnd = /[\r\u0085\u2028\u2029]/

function withoutLineEnds(text: string): string {
  return text.includes('\n') || unusualLineEnd.test(text) ? text.replace(lineEnds, '') : text
}

/** Escapes a text (RFC 5545, 3.3.11). */
export function escapedText(text: string): string {
  const printable = withoutControlCharacters(text)
  // Looking for single characters by themselves takes far less time than a pattern with all of them.
  const hasMarks = printable.includes(',') || printable.includes(';') || printable.includes('\\')
  const escaped = hasMarks ? printable.replace(/[\\;,]/g, '\\$&') : printable
  return unusualLineEnd.test(escaped) ? escaped.replace(lineEnds, '\\n') : escaped.replaceAll('\n', '\\n')
}

/** Returns a value of a parameter. RFC 6868: characters that a quoted value cannot contain are written with a circumflex. */
export function parameterValue(text: string): string {
  if (/^[\w./-]*$/.test(text)) return text
  const written = withoutControlCharacters(text).replaceAll('^', '^^').replaceAll('"', "^'").replace(lineEnds, '^n')
  return /[^\w./-]/.test(written) ? `"${written}"` : written
}

const longestLineOctets = 75
const [carriageReturn, lineFeed, blank] = [13, 10, 32]
/** Begins an escape of two characters. */
const backslash = 92
/** So many octets may be left at the end of a folded line: of the longest character, and the beginning of an escape. */
const maxLeftOctets = 4

/**
 * Returns texts of whole lines in UTF-8 and folded. RFC 5545, 3.1: lines are folded at 75 octets, not characters. A
 * continuation line begins with a blank, which counts. No character and no escape is cut, because some readers unfold
 * lines after they have read characters and escapes.
 *
 * The texts are written at the end of the buffer. From there their lines move to the beginning, which makes room for the
 * folds between them.
 */
export function foldedBytes(texts: readonly string[]): Buffer {
  const octets = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const maxFolds = Math.ceil(octets / (longestLineOctets - 1 - maxLeftOctets))
  const bytes = Buffer.allocUnsafeSlow(octets + maxFolds * 3)
  let from = bytes.length - octets
  let written = from
  let to = 0
  for (const text of texts) {
    let begin = written
    written += bytes.write(text, written)
    while (begin < written) {
      const end = bytes.indexOf(lineFeed, begin) + 1
      const valueEnd = end - lineEnd.length
      for (let cut = begin + longestLineOctets; cut < valueEnd; cut += longestLineOctets - 1) {
        while (isWithinCharacter(bytes[cut])) cut -= 1
        if (isWithinEscape(bytes, from, cut)) cut -= 1
        bytes.copyWithin(to, from, cut)
        to += cut - from
        bytes[to] = carriageReturn
        bytes[to + 1] = lineFeed
        bytes[to + 2] = blank
        to += 3
        from = cut
      }
      begin = end
    }
  }
  bytes.copyWithin(to, from)
  return bytes.subarray(0, to + bytes.length - from)
}

/** Whether an octet continues a character in UTF-8 (RFC 3629, 3). */
function isWithinCharacter(octet = 0): boolean {
  return (octet & 0xc0) === 0x80
}

/** Whether an odd number of backslashes is before this place, so that the last one begins an escape. */
function isWithinEscape(bytes: Buffer, from: number, cut: number): boolean {
  let first = cut
  while (first > from && bytes[first - 1] === backslash) first -= 1
  return (cut - first) % 2 === 1
}
