// Renders stored texts, which are sanitised, for clients.
import { paragraphs } from './paragraphs.ts'
import { typography } from './typography.ts'

/** Renders a title or a name: typographic signs, trimmed. */
export function renderTitle(html: string): string {
  return typography(html).trim()
}

/** Renders a description: typographic signs, paragraphs, lazy-loaded pictures. Returns '' if it is blank. */
export function renderArticle(html: string): string {
  return withLoading(paragraphs(typography(html))).trim()
}

/** Renders an excerpt: typographic signs and paragraphs. Returns '' if it is blank. */
export function renderExcerpt(html: string): string {
  return paragraphs(typography(html)).trim()
}

function withLoading(html: string): string {
  return html.replace(/<img(?= [^<>]*>)([^<>]*)/g, (_, attributes: string) => {
    // Quoted values may contain text that looks like an attribute.
    const names = attributes.replace(/"[^"]*"/g, '')
    const decoding = names.includes(' decoding=') ? '' : ' decoding="async"'
    // Only a picture of known size does not shift the text when it loads late.
    const isLazy = [' src=', ' width=', ' height='].every((name) => names.includes(name))
    const loading = isLazy && !names.includes(' loading=') ? ' loading="lazy"' : ''
    return `<img${loading}${decoding}${attributes}`
  })
}
