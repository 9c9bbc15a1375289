import { decodeEntities } from './escape.ts'
import { tokenize, withoutTags } from './markup.ts'

const paragraphTags = new Set('p div ul ol dl table blockquote pre figure h1 h2 h3 h4 h5 h6'.split(' '))
const lineTags = new Set(['br', 'tr', 'dt', 'dd', 'li'])

/** What a reader sees of `html` with its lines kept: a blank line between paragraphs, a dash or `mark` before items of lists. */
export function linesOf(html: string, mark = '-'): string {
  const marked = tokenize(html)
    .map((token) => {
      // A line end in the source is a blank; those of tags are put where no text has any.
      if (token.kind === 'text') return token.source.replace(/[ \t\r\n]+/g, ' ')
      if (paragraphTags.has(token.name)) return '\n\n'
      if (!lineTags.has(token.name)) return token.source
      if (token.kind === 'close') return ''
      return token.name === 'li' ? `\n${mark} ` : '\n'
    })
    .join('')
  return decodeEntities(withoutTags(marked))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** The text without what neither a calendar (RFC 5545, 3.1) nor XML (1.0, 2.2) can hold. */
export function withoutControlCharacters(text: string): string {
  return text.toWellFormed().replace(unprintable, '')
}
