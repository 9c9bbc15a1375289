// Stored texts, which are sanitised, as clients get them.
import { paragraphs } from './paragraphs.ts'
import { typography } from './typography.ts'

/** A title or a name: typographic signs, trimmed. */
export function renderTitle(html: string): string {
  return typography(html).trim()
}

/** A description: typographic signs, paragraphs, pictures that load when they are needed. '' where it is blank. */
export function renderArticle(html: string): string {
  return withLoading(paragraphs(typography(html))).trim()
}

/** An excerpt: typographic signs and paragraphs. '' where it is blank. */
export function renderExcerpt(html: string): string {
  return paragraphs(typography(html)).trim()
}

function withLoading(html: string): string {
  return html.replace(/<img(?= [^<>]*>)([^<>]*)/g, (_, attributes: string) => {
    // Values may look like attributes.
    const names = attributes.replace(/"[^"]*"/g, '')
    const decoding = names.includes(' decoding=') ? '' : ' decoding="async"'
    // Only where the size is known does a picture that comes late not move the text.
    const isLazy = [' src=', ' width=', ' height='].every((name) => names.includes(name))
    const loading = isLazy && !names.includes(' loading=') ? ' loading="lazy"' : ''
    return `<img${loading}${decoding}${attributes}`
  })
}
