import { createRequire } from 'node:module'
import { decodeHTMLAttribute, decodeHTMLStrict } from 'entities'
import type sanitizeHtml from 'sanitize-html'
import { withoutInvalidCharacters } from './characters.ts'
import { VOID_ELEMENTS, withoutTags } from './markup.ts'
import {
  ARTICLE_MARKUP,
  DROPPED_WITH_CONTENT,
  isAttributeTooLong,
  isReviewComment,
  limitDataAttributes,
  safeStyle,
  TITLE_MARKUP,
  URL_RULES,
  wellFormedPictures,
} from './sanitize.allowed.ts'
import { needsNoSanitizing } from './sanitize.plain.ts'

const require = createRequire(import.meta.url)
let loaded: typeof sanitizeHtml | undefined

/** Loads the library, seventy modules, when the first text is written. Most processes serve a read first. */
function library(): typeof sanitizeHtml {
  loaded ??= require('sanitize-html') as typeof sanitizeHtml
  return loaded
}

/**
 * Sanitises a description or an excerpt for storage and display. Keeps the markup of articles.
 *
 * The output is well formed and safe to put into a page. A bare `&` and stray `<` and `>` become entities. Other text
 * stays unchanged, including entities and blanks. Sanitising twice gives the same result as once.
 */
export function sanitizeArticle(html: string): string {
  return sanitize(html, ARTICLE_MARKUP)
}

/**
 * Sanitises a title or a name for storage and display: trimmed, only a few inline elements. Otherwise as for articles.
 */
export function sanitizeTitle(html: string): string {
  return sanitize(html, TITLE_MARKUP).trim()
}

/**
 * Sanitises the description of a category or a tag: the few inline elements of titles, with blanks and line breaks
 * kept.
 */
export function sanitizeTermDescription(html: string): string {
  return sanitize(html, TITLE_MARKUP)
}

/**
 * Returns one line of plain text: no tags, no script or style, no percent octets, no line breaks, single blanks,
 * trimmed. A lone `<` becomes `&lt;`; nothing else is escaped.
 *
 * @see venues-organizers.md §3
 */
export function plainText(text: string): string {
  const line = withoutTags(withoutInvalidCharacters(text), '', '&lt;').replace(/\s+/g, ' ')
  return withoutOctets(line).replace(/ +/g, ' ').trim()
}

/** Returns the name of a category or a tag: plain text in which `&` and `>` are entities too. */
export function sanitizeTermName(text: string): string {
  return plainText(text).replaceAll('>', '&gt;').replace(entity, entityOrAmpersand)
}

// Placeholders for `&` and `/` while the library works. Unicode reserves both as noncharacters, so no text contains
// them.
const ampersand = '\ufdd0'
const slash = '\ufdd1'

// Removing an unknown element can leave a paragraph inside a paragraph, which only a second pass fixes. If the first
// pass left the text unchanged, the second would too.
function sanitize(html: string, markup: sanitizeHtml.IOptions): string {
  const text = withoutInvalidCharacters(html)
  if (needsNoSanitizing(text, markup.allowedTags || [])) return text.replace(entity, entityOrAmpersand)
  const once = sanitizeOnce(text, markup)
  return once === text ? once : sanitizeOnce(once, markup)
}

function sanitizeOnce(html: string, { allowedAttributes, ...markup }: sanitizeHtml.IOptions): string {
  const clean = library()(prepare(html), {
    ...URL_RULES,
    ...markup,
    allowedAttributes: withSlash(allowedAttributes || {}),
    nonTextTags: DROPPED_WITH_CONTENT,
    nonBooleanAttributes: library().defaults.nonBooleanAttributes.filter((name) => name !== 'hidden'),
    selfClosing: [...VOID_ELEMENTS],
    parseStyleAttributes: false, // Style declarations have our own allowlist.
    transformTags: { '*': cleanAttributes },
  })
  return restore(clean)
}

function withSlash(attributes: Readonly<Record<string, readonly sanitizeHtml.AllowedAttribute[]>>) {
  return { ...attributes, '*': [...(attributes['*'] ?? []), slash] } as Record<string, sanitizeHtml.AllowedAttribute[]>
}

// The library decodes entities and writes every `<br>` as `<br />`. Stored texts keep both as written: the placeholders
// hide entities from the library, and keep the slash as an attribute.
function prepare(html: string): string {
  const marked = limitDepth(withoutInvalidCharacters(html))
    .replaceAll('&', ampersand)
    .replace(/(["'\s]|<[a-z]+)\/>/gi, `$1 ${slash}>`)

  // A `<` after the last `>` can open no tag. Without this, the library drops all text after it.
  const lastTagEnd = marked.lastIndexOf('>') + 1
  return marked.slice(0, lastTagEnd) + marked.slice(lastTagEnd).replaceAll('<', `${ampersand}lt;`)
}

function restore(clean: string): string {
  return clean
    .replace(new RegExp(`( ${slash})? />`, 'g'), (_, written?: string) => (written === undefined ? '>' : ' />'))
    .replaceAll(` ${slash}`, '/')
    .replace(new RegExp(`${ampersand}(#?\\w{1,32};)?`, 'g'), entityOrAmpersand)
}

const entity = /&(#?\w{1,32};)?/g

function entityOrAmpersand(_: string, name = ''): string {
  const written = `&${name}`
  const character = decodeHTMLStrict(written)
  const isEntity = character !== written && character !== '\ufffd'
  return isEntity ? written : `&amp;${name}`
}

/** Attributes whose values are lists, of which only some items are kept. */
const lists: ReadonlyMap<string, (value: string) => string> = new Map([
  ['style', safeStyle],
  ['srcset', wellFormedPictures],
])

function cleanAttributes(tagName: string, attributes: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { style, class: classes } = attributes
  if (isReviewComment({ style, classes })) return { tagName: 'template', attribs: {} }
  const attribs: sanitizeHtml.Attributes = {}
  for (const [name, value] of limitDataAttributes(Object.entries(attributes))) {
    if (name === slash && !VOID_ELEMENTS.has(tagName)) continue
    const written = withoutInvalidCharacters(
      decodeHTMLAttribute(value.replaceAll(` ${slash}`, '/').replaceAll(ampersand, '&')),
    )
    const kept = lists.get(name)?.(written) ?? written
    if (!isAttributeTooLong(kept) && (kept !== '' || !lists.has(name))) attribs[name] = kept
  }
  return { tagName, attribs }
}

const depthLimit = 200
const closedBySibling: ReadonlySet<string> = new Set(['p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'option'])

// The library takes time that grows with the square of the depth. No article nests this deep. Deeper elements lose
// their tags, which are read as comments.
function limitDepth(html: string): string {
  const open: string[] = []
  return html.replace(/<(\/?)([a-z][^\s/<>]*)/gi, (tag, closing: string, written: string) => {
    const name = written.toLowerCase()
    if (closing) {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
      return tag
    }
    if (VOID_ELEMENTS.has(name) || (closedBySibling.has(name) && open.at(-1) === name)) return tag
    if (open.length >= depthLimit) return `<!${written}`
    open.push(name)
    return tag
  })
}

// Removing an octet can join the parts of another, as in `%%2020`, so the end of the output is checked after each
// character.
function withoutOctets(text: string): string {
  if (!text.includes('%')) return text
  const kept: string[] = []
  for (const character of text) {
    kept.push(character)
    if (/^%[0-9a-f]{2}$/i.test(kept.slice(-3).join(''))) kept.length -= 3
  }
  return kept.join('')
}
