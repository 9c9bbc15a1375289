import { decodeEntities, escapeHtml, htmlToText } from './escape.ts'
import { tokenize, withoutTags } from './markup.ts'

const paragraphTags = new Set('p div ul ol dl table blockquote pre figure h1 h2 h3 h4 h5 h6'.split(' '))
const lineTags = new Set(['br', 'tr', 'dt', 'dd', 'li'])

/** A run of blanks that is not just one space. Each alternative begins where the run does, so long runs are read once. */
const blanks = / ?[\t\r\n][ \t\r\n]*| {2}[ \t\r\n]*/g

/**
 * Returns the visible text of `html` with its lines: a blank line between paragraphs, a dash or `mark` before list
 * items, and targets of links after their texts.
 *
 * @param base The address to which links are relative. Without it, targets of relative links are left out.
 */
export function linesOf(html: string, mark = '-', base?: string): string {
  const shown = /<a\s/i.test(html) ? withLinkTargets(html, base) : html
  return trimmedLines(decodeEntities(plainMarkupText(shown, mark) ?? anyMarkupText(shown, mark)))
}

const linkTarget = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i
/** What an address and a text that shows it may differ in. */
const addressFrame = /^(?:https?:\/\/|mailto:|tel:)|\/$/gi

/** Writes the target of each link in parentheses after its text, unless the text is the target. */
function withLinkTargets(html: string, base: string | undefined): string {
  let written = ''
  let text = ''
  let target: string | undefined
  for (const token of tokenize(html)) {
    if (token.kind !== 'text' && token.name === 'a') {
      if (target !== undefined && !isSameAddress(htmlToText(text), target)) written += ` (${escapeHtml(target)})`
      const [, double, single] = token.kind === 'open' ? (linkTarget.exec(token.source) ?? []) : []
      target = absoluteTarget(decodeEntities(double ?? single ?? '').trim(), base)
      text = ''
    } else text += token.source
    written += token.source
  }
  return written
}

function isSameAddress(text: string, target: string): boolean {
  const bare = (address: string) => address.replace(addressFrame, '')
  return bare(text) === bare(target)
}

/** Returns undefined for a place in the text itself, and for what leads nowhere outside of a page. */
function absoluteTarget(target: string, base: string | undefined): string | undefined {
  if (/^(?:https?|mailto|tel):/i.test(target)) return target
  return target === '' || /^(?:#|[a-z][a-z\d+.-]*:)/i.test(target) ? undefined : URL.parse(target, base)?.href
}

/** Returns the lines without blanks at their ends, and with at most one empty line between two others. */
function trimmedLines(text: string): string {
  let lines = ''
  let gap = ''
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf('\n', from)
    const end = found < 0 ? text.length : found
    const line = text.slice(from, end).trim()
    if (line === '') gap = lines === '' ? '' : '\n\n'
    else {
      lines += gap + line
      gap = '\n'
    }
    from = end + 1
  }
  return lines
}

/** Returns the text of any markup, with the line ends of its tags. */
export function anyMarkupText(html: string, mark: string): string {
  const marked = tokenize(html).map((token) =>
    token.kind === 'text'
      ? withSingleBlanks(token.source)
      : (lineEndOf(token.name, token.kind === 'close', mark) ?? token.source),
  )
  return withoutTags(marked.join(''))
}

/** A line end in the source is a blank. Line ends of tags are written where no text has a line end. */
function withSingleBlanks(text: string): string {
  return text.replace(blanks, ' ')
}

function lineEndOf(name: string, isEndTag: boolean, mark: string): string | undefined {
  if (paragraphTags.has(name)) return '\n\n'
  if (!lineTags.has(name)) return undefined
  if (isEndTag) return ''
  return name === 'li' ? `\n${mark} ` : '\n'
}

/** A tag as editors write it. All others, scripts and styles are read in the general way. */
const plainTag = /^(\/?)(?!script|style)([a-z][a-z0-9]*)(?:\s[^<>]*|\/?)$/

/** The tags of plain markup with what they are in a text. Few, because most tags are without attributes. */
const knownTags = new Map<string, { readonly name: string; readonly isEndTag: boolean }>()
const maxKnownTags = 200

function plainTagOf(source: string) {
  const known = knownTags.get(source)
  if (known) return known
  const [, slash, name] = plainTag.exec(source) ?? []
  if (name === undefined) return undefined
  const tag = { name, isEndTag: slash === '/' }
  if (knownTags.size < maxKnownTags && source.length < 20) knownTags.set(source, tag)
  return tag
}

/** Does the same for markup in which every `<` begins a plain tag, in one pass. Undefined for any other markup. */
export function plainMarkupText(html: string, mark: string): string | undefined {
  // Looks for them once: most texts have only single spaces, and line ends between paragraphs.
  const hasWideBlanks = html.includes('  ') || html.includes('\t') || html.includes('\r')
  let lineEnd = html.indexOf('\n')
  let text = ''
  for (let at = 0; ; ) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    const isOneLine = lineEnd < at || lineEnd >= end
    const part = html.slice(at, end)
    text += isOneLine && !hasWideBlanks ? part : withSingleBlanks(part)
    if (!isOneLine) lineEnd = html.indexOf('\n', end)
    if (open < 0) return text
    const close = html.indexOf('>', open)
    const tag = close < 0 ? undefined : plainTagOf(html.slice(open + 1, close))
    if (!tag) return undefined
    text += lineEndOf(tag.name, tag.isEndTag, mark) ?? ''
    at = close + 1
    // A line end within a tag does not count.
    if (lineEnd >= 0 && lineEnd < at) lineEnd = html.indexOf('\n', at)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** Returns the text without the characters that a calendar (RFC 5545, 3.1) or XML (1.0, 2.2) cannot contain. */
export function withoutControlCharacters(text: string): string {
  const wellFormed = text.toWellFormed()
  return hasUnprintable(wellFormed) ? wellFormed.replace(unprintable, '') : wellFormed
}

/** Looks for single characters by themselves, which takes far less time than a pattern with all of them. */
function hasUnprintable(text: string): boolean {
  return controls.test(text) || text.includes('\u007f') || text.includes('\ufffe') || text.includes('\uffff')
}
