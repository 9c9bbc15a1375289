import { decodeEntities } from '../../base/text/escape.ts'

/** Characters that mean something in HTML, and the blank that looks like another: they stay entities. */
const keptEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
  '\u00a0': '&nbsp;',
}

/**
 * HTML as it was before it was rendered: typographic entities become characters (`&#8211;` is `–`), so that what is
 * stored can be searched and is rendered once only. Markup stays markup, and text stays text.
 */
export function decodeRenderedEntities(html: string): string {
  return html.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (entity) => {
    const character = decodeEntities(entity)
    return keptEntities[character] ?? character
  })
}
