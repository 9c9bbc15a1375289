import { decodeHTMLStrict } from 'entities'
import { withoutTags } from './markup.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Returns `text` escaped for HTML, both between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
}

/** Replaces entities by their characters: `&eacute;` is `é`. An `&` that starts no entity stays. */
export function decodeEntities(html: string): string {
  return decodeHTMLStrict(html)
}

/** Anything that makes HTML differ from its visible text: tags, entities, and blanks that are not one space. */
const marked = /[<&]|[^\S ]| {2}|^ | $/

/** Returns the visible text of `html`: no tags, no entities, every run of blanks as one space. */
export function htmlToText(html: string): string {
  if (!marked.test(html)) return html
  // Tags of blocks become blanks. Inline tags do not: "w<b>or</b>d" is one word.
  const spaced = html.replace(/<(?:br|hr|\/?(?:p|div|li|[uo]l|d[ldt]|h[1-6]|t[rdh]|table|blockquote|pre))\b/gi, ' $&')
  return decodeEntities(withoutTags(spaced)).replace(/\s+/g, ' ').trim()
}

/** Returns the first `limit` words of `html` as HTML without tags, followed by ` [&hellip;]` if there are more. */
export function summaryOf(html: string, limit = 30): string {
  const words = htmlToText(html).split(' ')
  const summary = escapeHtml(words.slice(0, limit).join(' '))
  return words.length > limit ? `${summary} [&hellip;]` : summary
}

/**
 * Returns the `description` of JSON-LD: the excerpt if it has text, otherwise the beginning of the description. The
 * result is the same on each request. It is safe in HTML as well as in JSON, because pages put it into a `script`
 * element.
 */
export function jsonLdDescription(description: string, excerpt = ''): string {
  return jsonLdText(htmlToText(excerpt) || decodeEntities(summaryOf(description)))
}

/** Returns a plain text for JSON-LD. Contract: `&`, `"` and `<` are entities (venues-organizers.md §2.1). */
export function jsonLdText(text: string): string {
  return decodeEntities(text).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

/** Returns the `name` of JSON-LD. Contract: the rendered name, in which `<`, `>` and `"` are entities. */
export function jsonLdName(renderedName: string): string {
  return renderedName.replace(/[<>"]/g, (sign) => escapes[sign] ?? sign)
}
