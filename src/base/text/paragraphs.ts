// Converts lines to paragraphs. See events.md §2 "Paragraphs".
import { BLOCK_ELEMENTS, type Token, tokenize, VOID_ELEMENTS } from './markup.ts'

// Replaces a line break inside a tag, which does not end a line of the text.
const tagBreak = '\ufdd4'

/**
 * Returns `html` with a paragraph for each text between blank lines, and a `<br />` for each other line break.
 *
 * Blocks stay outside paragraphs, each tag on a line of its own. Text that is the only content of a block needs no
 * paragraph, except in a quotation. `<pre>` stays unchanged. The result is empty if `html` is blank.
 */
export function paragraphs(html: string): string {
  if (isInParagraphs(html)) return html
  const lines: string[] = []
  let open: string | undefined
  let text: string[] = []

  function endText(close?: string): void {
    lines.push(...paragraphLines(open, text.join(''), close))
    open = undefined
    text = []
  }

  for (const token of withPreAsOne(tokenize(html.replace(/\r\n?/g, '\n').replaceAll(tagBreak, '')))) {
    if (token.kind === 'text')
      text.push(text.at(-1)?.startsWith('</figcaption') ? token.source.trimStart() : token.source)
    else if (!BLOCK_ELEMENTS.has(token.name)) {
      if (token.name === 'figcaption' && token.kind === 'open') text.push(text.pop()?.trimEnd() ?? '')
      text.push(token.source.replaceAll('\n', tagBreak))
    } else if (token.kind === 'close') endText(token.source)
    else {
      endText()
      if (token.name === 'pre' || VOID_ELEMENTS.has(token.name)) lines.push(token.source)
      else open = token.source
    }
  }
  endText()
  return lines.join('\n').replaceAll(tagBreak, '\n')
}

/** Any tag but those of a few inline elements, and what ends a line. */
const notInline = /<(?!\/?(?:a|b|strong|i|em|u)[ >])|[\r\ufdd4]/

/** Whether each line is one paragraph already, with its tags. Many texts are such, as editors write them. */
function isInParagraphs(html: string): boolean {
  return html.split('\n').every((line) => {
    if (!line.startsWith('<p>') || !line.endsWith('</p>')) return false
    const text = line.slice('<p>'.length, -'</p>'.length)
    return text.trim() !== '' && !notInline.test(text)
  })
}

function withPreAsOne(tokens: readonly Token[]): Iterable<Token> {
  return tokens.some((token) => token.kind === 'open' && token.name === 'pre') ? joinedPre(tokens) : tokens
}

function* joinedPre(tokens: readonly Token[]): Generator<Token> {
  let pre: string[] = []

  for (const token of tokens) {
    const isPre = token.kind !== 'text' && token.name === 'pre'
    if (pre.length === 0 && !(isPre && token.kind === 'open')) yield token
    else {
      pre.push(token.source)
      if (isPre && token.kind === 'close') {
        yield { kind: 'open', name: 'pre', source: pre.join('').replaceAll('\n', tagBreak) }
        pre = []
      }
    }
  }
  if (pre.length > 0) yield { kind: 'open', name: 'pre', source: pre.join('').replaceAll('\n', tagBreak) }
}

// Returns the lines of a text, with the tag of a block directly before it, directly after it, both, or neither.
function paragraphLines(open: string | undefined, text: string, close: string | undefined): string[] {
  const parts = text.replace(/<br ?\/?>\s*<br ?\/?>/g, '\n\n').split(/\n\s*\n/)
  const last = parts.length - 1
  return parts
    .map((part, n) => lineOf(n === 0 ? open : undefined, part, n === last ? close : undefined))
    .filter((line) => line !== '')
}

/** Line breaks between blocks, or after the last one. Google Docs writes them instead of empty paragraphs. A no-break space is text. */
const onlyBreaks = /^[ \t\n\r\f]*(?:<br(?:\s[^<>]*|\/)?>[ \t\n\r\f]*)+$/i

function lineOf(open: string | undefined, text: string, close: string | undefined): string {
  const tag = `${open ?? ''}${close ?? ''}`
  if (isTag(tag, 'p')) return text.trim() === '' ? '' : paragraph(open ?? '<p>', withBreaks(text))
  if (text.trim() === '') return tag
  if (tag === '' && onlyBreaks.test(text)) return ''

  const content = withBreaks(trimBreaks(text, open === undefined, close === undefined))
  if (open === undefined && close === undefined) return isOnlyTags(content) ? content : paragraph('<p>', content)
  const isWhole = open !== undefined && (close !== undefined || isTag(open, 'li'))
  const needsNone = (isWhole && !isTag(tag, 'blockquote')) || isOnlyTags(content)
  return (open ?? '') + (needsNone ? content : paragraph('<p>', content)) + (close ?? '')
}

function paragraph(open: string, content: string): string {
  return `${open}${content}</p>`
}

const tagsNamed = {
  p: /^<\/?p(?![a-z0-9])/i,
  li: /^<\/?li(?![a-z0-9])/i,
  blockquote: /^<\/?blockquote(?![a-z0-9])/i,
}

function isTag(tag: string, name: keyof typeof tagsNamed): boolean {
  return tagsNamed[name].test(tag)
}

// An inline element around a block. Its tags are alone in their text, and a paragraph would separate them.
function isOnlyTags(content: string): boolean {
  return (
    /^\s*(?:<(?!img|br|wbr|audio|video)[a-z][^<>]*>\s*)+$/i.test(content) || /^\s*(?:<\/[^<>]*>\s*)+$/.test(content)
  )
}

function trimBreaks(text: string, atStart: boolean, atEnd: boolean): string {
  const begun = atStart ? text.replace(/^\n+/, '') : text
  return atEnd ? withoutLastBreaks(begun) : begun
}

function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

// Line breaks at the edges of a block have no effect. Blanks there stay.
function withBreaks(text: string): string {
  const trimmed = text.trim()
  const start = text.slice(0, text.length - text.trimStart().length)
  const end = text.slice(text.trimEnd().length)
  const lines = trimmed
    .replace(/^<br ?\/?>\s*/, '')
    .replace(/<br ?\/?>$/, '')
    .replace(/<br ?\/?>/g, '<br />')
    .split('\n')
    .map((line, n, all) => (n < all.length - 1 ? line.trimEnd() : line))
  const body = lines.map((line, n) => (n === lines.length - 1 || line.endsWith('<br />') ? line : `${line}<br />`))
  return start + body.join('\n') + end
}
