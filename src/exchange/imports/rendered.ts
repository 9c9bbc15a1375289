import { decodeEntities } from '../../base/text/escape.ts'

/** Entities that are kept: characters with a meaning in HTML, and the no-break space, which looks like another one. */
const keptEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
  '\u00a0': '&nbsp;',
}

/**
 * Reverts the rendering of HTML: typographic entities become characters (`&#8211;` becomes `–`), so that the stored
 * text can be searched and is rendered only once. Markup stays markup, and text stays text.
 */
export function decodeRenderedEntities(html: string): string {
  return html.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (entity) => {
    const character = decodeEntities(entity)
    return keptEntities[character] ?? character
  })
}
