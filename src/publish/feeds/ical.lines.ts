import { withoutControlCharacters } from '../../base/text/lines.ts'

/** Parameters of a property by name. */
export type Parameters = Readonly<Record<string, string>>

const longestLineOctets = 75
const lineEnd = '\r\n'

/** Returns a line whose value is not a text: a time, an address, a number. Nothing in it is escaped. */
export function line(name: string, value: string, parameters: Parameters = {}): string {
  const written = Object.entries(parameters).map(([key, text]) => `;${key}=${parameterValue(text)}`)
  return folded(`${name}${written.join('')}:${withoutControlCharacters(value).replace(/[\r\n]/g, '')}`)
}

/** Returns a line whose value is a text. */
export function textLine(name: string, text: string, parameters: Parameters = {}): string {
  return line(name, escapedText(text), parameters)
}

/** Returns a line whose value is a list of texts. */
export function textsLine(name: string, texts: readonly string[]): string {
  return line(name, texts.map(escapedText).join(','))
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
 */
function folded(text: string): string {
  const octets = Buffer.from(text)
  if (octets.length <= longestLineOctets) return `${text}${lineEnd}`
  const pieces: string[] = []
  for (let from = 0; from < octets.length; ) {
    const room = pieces.length === 0 ? longestLineOctets : longestLineOctets - 1
    let to = Math.min(from + room, octets.length)
    // Never splits a character: in UTF-8 its later bytes begin with the bits 10.
    while (to < octets.length && ((octets[to] ?? 0) & 0xc0) === 0x80) to -= 1
    pieces.push(octets.toString('utf8', from, to))
    from = to
  }
  return `${pieces.join(`${lineEnd} `)}${lineEnd}`
}
