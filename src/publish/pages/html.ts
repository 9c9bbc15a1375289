import { escapeHtml } from '../../base/text/escape.ts'
import { withNonBreakingSpaces } from '../../base/text/spaces.js'

/** Text that is markup: only what is of this type is put into a page as it is. */
export interface Html {
  readonly html: string
}

/** What may stand in a template: texts are escaped, nothing comes of what is absent or false. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * A template of a page: html`<p>${text}</p>`. Every text is escaped, between tags and in attributes, which therefore
 * always stand in double quotes; markup is what a template gives, or what `raw` vouches for.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [place, part] of parts.entries()) text += htmlOf(part) + (strings[place + 1] ?? '')
  return { html: text }
}

/** Markup that was made safe before: what sanitising left of an article, a rendered title. */
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

/** Data in a script element that nothing runs: no `<` can end the element or open a comment. */
export function dataScript(type: string, data: object): Html {
  return html`<script type="${type}">${raw(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>`
}

/** In these every character counts. */
const untouched = new Set(['script', 'style', 'textarea', 'pre', 'code', 'kbd', 'samp'])
const pieces = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi

/** A document whose texts, whoever wrote them, do not break before `: ; ! ? »`. Attributes and code stay as they are. */
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
