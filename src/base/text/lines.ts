import { decodeEntities } from './escape.ts'
import { tokenize, withoutTags } from './markup.ts'

const paragraphTags = new Set('p div ul ol dl table blockquote pre figure h1 h2 h3 h4 h5 h6'.split(' '))
const lineTags = new Set(['br', 'tr', 'dt', 'dd', 'li'])

/** A run of blanks that is not just one space. Each alternative begins where the run does, so long runs are read once. */
const blanks = / ?[\t\r\n][ \t\r\n]*| {2}[ \t\r\n]*/g

/**
 * Returns the visible text of `html` with its lines: a blank line between paragraphs, and a dash or `mark` before list
 * items.
 */
export function linesOf(html: string, mark = '-'): string {
  const marked = tokenize(html)
    .map((token) => {
      // A line end in the source is a blank. Line ends of tags are written where no text has a line end.
      if (token.kind === 'text') return token.source.replace(blanks, ' ')
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/
const unprintables = new RegExp(unprintable, 'g')

/** Returns the text without the characters that a calendar (RFC 5545, 3.1) or XML (1.0, 2.2) cannot contain. */
export function withoutControlCharacters(text: string): string {
  const wellFormed = text.toWellFormed()
  return unprintable.test(wellFormed) ? wellFormed.replace(unprintables, '') : wellFormed
}
