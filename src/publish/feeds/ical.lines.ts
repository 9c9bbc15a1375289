import { withoutControlCharacters } from '../../base/text/lines.ts'

/** Parameters of a property by name. */
export type Parameters = Readonly<Record<string, string>>

const longestLineOctets = 75
const lineEnd = '\r\n'

/** Returns a line whose value is not a text: a time, an address, a number. Nothing in it is escaped. */
export function line(name: string, value: string, parameters: Parameters = {}): string {
  return lineOf(name, withoutControlCharacters(value).replace(/[\r\n]/g, ''), parameters)
}

/** Returns a line whose value the service makes itself, of printable ASCII. */
export function madeLine(name: string, value: string): string {
  return folded(`${name}:${value}`)
}

/** Returns a line whose value is a text. */
export function textLine(name: string, text: string, parameters: Parameters = {}): string {
  return lineOf(name, escapedText(text), parameters)
}

/** Returns a line whose value is a list of texts. */
export function textsLine(name: string, texts: readonly string[]): string {
  return lineOf(name, texts.map(escapedText).join(','), {})
}

/** Returns a line with a value that contains neither control characters nor line ends. */
function lineOf(name: string, value: string, parameters: Parameters): string {
  let written = name
  for (const key in parameters) written += `;${key}=${parameterValue(parameters[key] ?? '')}`
  return folded(`${written}:${value}`)
}

/** RFC 5545, 3.3.11. */
function escapedText(text: string): string {
  return withoutControlCharacters(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
}

/** RFC 6868: characters that a quoted value cannot contain are written with a circumflex. */
function parameterValue(text: string): string {
  const written = withoutControlCharacters(text)
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n|\r|\n/g, '^n')
  return /[^\w./-]/.test(written) ? `"${written}"` : written
}

/**
 * RFC 5545, 3.1: lines are folded at 75 octets, not characters. A continuation line begins with a blank, which counts.
 *
 * @param text Without unpaired surrogates.
 */
function folded(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length
  if (isAscii && text.length <= longestLineOctets) return `${text}${lineEnd}`
  return isAscii ? foldedAscii(text) : foldedUnicode(text)
}

function foldedAscii(text: string): string {
  let lines = `${text.slice(0, longestLineOctets)}${lineEnd}`
  for (let from = longestLineOctets; from < text.length; from += longestLineOctets - 1) {
    lines += ` ${text.slice(from, from + longestLineOctets - 1)}${lineEnd}`
  }
  return lines
}

function foldedUnicode(text: string): string {
  let lines = ''
  let from = 0
  let room = longestLineOctets
  for (let at = 0; at < text.length; ) {
    const octets = octetsAt(text, at)
    if (octets > room) {
      lines += `${text.slice(from, at)}${lineEnd} `
      from = at
      room = longestLineOctets - 1
    }
    room -= octets
    at += octets === 4 ? 2 : 1
  }
  return `${lines}${text.slice(from)}${lineEnd}`
}

/** Returns the octets of the character at this place in UTF-8 (RFC 3629, 3). A surrogate pair is one character. */
function octetsAt(text: string, place: number): 1 | 2 | 3 | 4 {
  const unit = text.charCodeAt(place)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit < 0xe000 ? 4 : 3
}
