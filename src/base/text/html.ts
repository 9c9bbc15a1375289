import { escapeHtml } from './escape.ts'
import { withNonBreakingSpaces } from './spaces.js'

/** Text that is markup. Only values of this type are put into a page unescaped. */
export interface Html {
  readonly html: string
}

/** A value in a template. Texts are escaped; an absent or false value adds nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * Builds markup from a template: html`<p>${text}</p>`. Every text is escaped, between tags and in attributes, so
 * attribute values must be in double quotes. Markup comes only from templates and from `raw`.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [place, part] of parts.entries()) text += htmlOf(part) + (strings[place + 1] ?? '')
  return { html: text }
}

/** Marks text as markup that is already safe, for example a sanitised article or a rendered title. */
export function raw(markup: string): Html {
  return { html: markup }
}

function htmlOf(part: HtmlValue): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if ('html' in part) return part.html
  return part.map(htmlOf).join('')
}

/** Returns a script element that holds data and does not run. No `<` can end the element or open a comment. */
export function dataScript(type: string, data: object): Html {
  return html`<script type="${type}">${raw(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>`
}

/** Elements in which every character counts. */
const untouched = new Set(['script', 'style', 'textarea', 'pre', 'code', 'kbd', 'samp'])
const pieces = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi

/** Inserts non-breaking spaces before `: ; ! ? »` in all texts of a document. Attributes and code stay unchanged. */
export function insertNonBreakingSpaces(document: string): string {
  let element = ''
  let depth = 0
  return document.replace(pieces, (piece, slash: string | undefined, tag: string | undefined) => {
    if (tag === undefined) return element === '' ? withNonBreakingSpaces(piece) : piece
    const name = tag.toLowerCase()
    if (element === '' ? !untouched.has(name) || slash === '/' : name !== element) return piece
    depth += slash === '/' ? -1 : 1
    element = depth > 0 ? name : ''
    return piece
  })
}
