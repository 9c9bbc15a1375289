import { decodeHTMLStrict } from 'entities'
import { withoutTags } from './markup.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** `text` as it may stand in HTML, between tags and in attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
}

/** The characters that entities stand for: `&eacute;` is `é`. An `&` that starts none stays. */
export function decodeEntities(html: string): string {
  return decodeHTMLStrict(html)
}

/** What a reader sees of `html`: no tags, no entities, every run of blanks as one space. */
export function htmlToText(html: string): string {
  // Line ends of blocks are blanks; those of words in bold are not: "w<b>or</b>d" is one word.
  const spaced = html.replace(/<(?:br|hr|\/?(?:p|div|li|[uo]l|d[ldt]|h[1-6]|t[rdh]|table|blockquote|pre))\b/gi, ' $&')
  return decodeEntities(withoutTags(spaced)).replace(/\s+/g, ' ').trim()
}

/** The first `limit` words of `html` as HTML without tags, with ` [&hellip;]` after them where there are more. */
export function summaryOf(html: string, limit = 30): string {
  const words = htmlToText(html).split(' ')
  const summary = escapeHtml(words.slice(0, limit).join(' '))
  return words.length > limit ? `${summary} [&hellip;]` : summary
}

/**
 * The `description` of JSON-LD: the excerpt where there is one, else the beginning of the description. The same on each
 * request, and as harmless in HTML as in JSON: pages put it into a `script` element.
 */
export function jsonLdDescription(description: string, excerpt = ''): string {
  return jsonLdText(htmlToText(excerpt) || decodeEntities(summaryOf(description)))
}

/** A plain text in JSON-LD. Contract: `&`, `"` and `<` are entities (venues-organizers.md §2.1). */
export function jsonLdText(text: string): string {
  return decodeEntities(text).replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

/** The `name` of JSON-LD. Contract: the rendered name, in which `<`, `>` and `"` are entities. */
export function jsonLdName(renderedName: string): string {
  return renderedName.replace(/[<>"]/g, (sign) => escapes[sign] ?? sign)
}
