// Texts of which sanitising leaves all tags as they are: many are such, and to see it takes a seventh of the time.
import { type Token, tokenize } from './markup.ts'

/** None of these ends another one that is open, but its like. */
const plainElements: ReadonlySet<string> = new Set(['p', 'b', 'strong', 'i', 'em', 'u'])
/** A link with nothing in its address that has to be looked at. */
const plainLink = /^<a href="https?:\/\/[\w./?=~+,:#%-]{1,1000}">$/
const lineBreaks: ReadonlySet<string> = new Set(['<br>', '<br />'])
const depthLimit = 20

/**
 * Whether a text has no other markup than a few elements, closed in order and none directly within its like.
 *
 * @param allowed Elements that may be kept.
 */
export function needsNoSanitizing(html: string, allowed: readonly string[]): boolean {
  const open: string[] = []
  const isKept = (token: Token): boolean => {
    if (token.kind === 'text') return !/[<>]/.test(token.source)
    const { kind, name, source } = token
    if (!allowed.includes(name)) return false
    if (lineBreaks.has(source)) return true
    if (kind === 'close') return source === `</${name}>` && open.pop() === name
    const isPlainTag = plainLink.test(source) || (source === `<${name}>` && plainElements.has(name))
    return isPlainTag && open.at(-1) !== name && open.push(name) <= depthLimit
  }
  return tokenize(html).every(isKept) && open.length === 0
}
