import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import { withoutInvalidCharacters } from '../../../base/text/characters.ts'
import { DROPPED_WITH_CONTENT } from '../../../base/text/sanitize.allowed.ts'
import { hasAllowedScheme } from './rich.attributes.ts'
import { decodeReferences } from './rich.entities.ts'
import { isBreak, withSingleBlanks } from './rich.inline.ts'
import { headings, markType, nodeType, schema } from './rich.schema.ts'

// Text from other programs. Word and Google Docs send pages of markup, of which only what this editor offers is kept.

/** A paragraph, before lists are put together. */
interface Line {
  readonly tag: string
  readonly isQuote: boolean
  /** The lists around it, from the outside. */
  readonly lists: readonly ('ul' | 'ol')[]
  /** Whether it belongs to the item of the line before. */
  readonly isMore: boolean
  readonly content: readonly Node[]
}

interface Element {
  readonly tag: string
  readonly marks: readonly Mark[]
  /** Whether its content is dropped. */
  readonly isDropped: boolean
  /** The list of a paragraph that Word shows as an item. */
  readonly word: { readonly level: number; isNumbered: boolean } | undefined
  hasBegun: boolean
}

const dropped: ReadonlySet<string> = new Set([
  ...DROPPED_WITH_CONTENT,
  'meta',
  'link',
  'img',
  'picture',
  'svg',
  'video',
])
const withoutEnd: ReadonlySet<string> = new Set([
  'meta',
  'link',
  'img',
  'br',
  'hr',
  'input',
  'col',
  'wbr',
  'base',
  'source',
])
const lineElements: ReadonlySet<string> = new Set([
  ...[
    'p',
    'div',
    'li',
    'ul',
    'ol',
    'dl',
    'dt',
    'dd',
    'blockquote',
    'pre',
    'table',
    'tr',
    'section',
    'article',
    'header',
  ],
  ...['footer', 'main', 'aside', 'figure', 'figcaption', 'body', 'html', 'hr', ...headings],
])
const sameMark: Readonly<Record<string, string>> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', u: 'u', ins: 'u', s: 's', strike: 's', del: 's' },
  ...{ sub: 'sub', sup: 'sup', code: 'code', tt: 'code', kbd: 'code' },
}
const tokenPattern = /<!--[\s\S]*?(?:-->|$)|<(?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+|</g
const tagPattern = /^<(\/?)([a-z][a-z\d:]*)/i
const longestPasted = 1_000_000
const deepest = 100

/** Returns HTML of the clipboard as content of the editor; empty if nothing in it can be kept. */
export function readPasted(html: string): Slice {
  const lines = linesIn(
    html.slice(0, longestPasted).replace(/^[\s\S]*?<!--StartFragment-->|<!--EndFragment-->[\s\S]*$/g, ''),
  )
  const [only] = lines
  // A part of a line goes into the line of the cursor.
  if (lines.length === 1 && only && only.lists.length === 0 && only.tag === 'p') {
    return new Slice(Fragment.from(nodeType('p').create(null, only.content)), 1, 1)
  }
  return Slice.maxOpen(Fragment.from(blocksOf(lines)), false)
}

/** Returns a text without markup as content of the editor. An empty line begins a paragraph. */
export function readPlain(text: string): Slice {
  const parts = text.replace(/\r\n?/g, '\n').split(/\n\s*\n/)
  const paragraphsOf = parts.map((part) => {
    const content = part.split('\n').flatMap((line, place) => {
      const own = line === '' ? [] : [schema.text(line)]
      return place === 0 ? own : [nodeType('br').create(), ...own]
    })
    return nodeType('p').create(null, content)
  })
  return new Slice(Fragment.from(paragraphsOf), 1, 1)
}

function linesIn(html: string): readonly Line[] {
  const stack: Element[] = []
  const lines: Line[] = []
  let content: Node[] = []
  const flush = () => {
    const isPre = stack.some(({ tag }) => tag === 'pre')
    const kept = isPre ? content : withoutEdgeBreaks(withSingleBlanks(content))
    content = []
    if (kept.length > 0) lines.push(lineOf(stack, isPre ? kept.filter((node) => node.isText) : kept, lines.at(-1)))
  }
  for (const token of html.match(tokenPattern) ?? []) {
    if (token.startsWith('<!') || token.startsWith('<?')) continue
    const [, slash, written] = tagPattern.exec(token) ?? []
    if (written === undefined) {
      if (stack.some(({ isDropped }) => isDropped)) {
        const { word } = stack.findLast((one) => one.word) ?? {}
        if (word && /^\s*[\da-z]{1,4}[.)]/i.test(token)) word.isNumbered = true
        continue
      }
      const text = textOf(token)
      if (text !== '') content.push(schema.text(text, marksOf(stack)))
      continue
    }
    const tag = written.toLowerCase()
    if (lineElements.has(tag)) flush()
    if (slash === '/') {
      const place = stack.findLastIndex((one) => one.tag === tag)
      if (place >= 0) stack.length = place
    } else if (tag === 'br') content.push(nodeType('br').create())
    else if ((tag === 'td' || tag === 'th') && content.length > 0) content.push(schema.text(' '))
    else if (!withoutEnd.has(tag) && stack.length < deepest) stack.push(elementOf(tag, token))
  }
  flush()
  return lines
}

/** The cleaner never stops at a reference that it does not know. */
function textOf(source: string): string {
  return withoutInvalidCharacters(source.replace(/&(#?\w{1,32};)/g, (written) => decodeReferences(written) ?? written))
}

function elementOf(tag: string, source: string): Element {
  const value = (name: string) => {
    const [, double, single, bare] =
      new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(source) ?? []
    return textOf(double ?? single ?? bare ?? '')
  }
  const style = value('style').toLowerCase()
  const [, level] = /mso-list:\s*l\d+\s+level(\d)/.exec(style) ?? []
  return {
    ...{ tag, marks: marksIn(tag, style, value('href')), hasBegun: false },
    isDropped: dropped.has(tag) || /mso-list:\s*ignore/.test(style) || /display:\s*none/.test(style),
    word: level === undefined ? undefined : { level: Number(level), isNumbered: false },
  }
}

/** Returns the marks that an element or its style stands for. */
function marksIn(tag: string, style: string, href: string): readonly Mark[] {
  const names = new Set<string>()
  const own = sameMark[tag]
  // Google Docs puts all of its text into an element for bold text that is not bold.
  if (own !== undefined && !(own === 'strong' && /(?<![\w-])font-weight:\s*(?:normal|[1-4]00)/.test(style)))
    names.add(own)
  if (!(headings as readonly string[]).includes(tag)) {
    if (/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/.test(style)) names.add('strong')
    if (/(?<![\w-])font-style:\s*italic/.test(style)) names.add('em')
    if (/text-decoration[a-z-]*:[^;]*line-through/.test(style)) names.add('s')
    if (tag !== 'a' && /text-decoration[a-z-]*:[^;]*underline/.test(style)) names.add('u')
    if (/vertical-align:\s*super/.test(style)) names.add('sup')
    if (/vertical-align:\s*sub\b/.test(style)) names.add('sub')
  }
  const address = tag === 'a' ? linkOf(href) : undefined
  const link = address === undefined ? [] : [markType('a').create({ attributes: [['href', address]] })]
  return [...link, ...[...names].map((name) => markType(name).create())]
}

function linkOf(href: string): string | undefined {
  // Google Docs sends addresses by way of its own.
  const google = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=([^&]+)/.exec(href)?.[1]
  const address = (google === undefined ? href : safelyDecoded(google)).trim()
  return /^(?:https?|mailto|tel):/i.test(address) && hasAllowedScheme(address) && address.length < 2000
    ? address
    : undefined
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function marksOf(stack: readonly Element[]): readonly Mark[] {
  return stack.flatMap(({ marks }) => marks).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])
}

function lineOf(stack: readonly Element[], content: readonly Node[], before: Line | undefined): Line {
  const tag =
    stack.findLast((one) => one.tag === 'pre' || (headings as readonly string[]).includes(one.tag))?.tag ?? 'p'
  const item = stack.findLast((one) => one.tag === 'li')
  const isMore = item?.hasBegun === true
  if (item) item.hasBegun = true
  const word = stack.find((one) => one.word)?.word
  const lists = stack
    .flatMap(({ tag: one }) => (one === 'ul' || one === 'ol' ? [one] : []))
    .slice(0, 9) as Line['lists']
  return {
    // The page has a heading of the first level.
    ...{ tag: tag === 'h1' ? 'h2' : tag, isMore, content },
    isQuote: stack.some((one) => one.tag === 'blockquote'),
    lists: word ? listsOfWord(word, before?.lists ?? []) : item ? lists : [],
  }
}

/** Word only names the level of an item. The lists around its own are those of the line before. */
function listsOfWord({ level, isNumbered }: NonNullable<Element['word']>, before: Line['lists']): Line['lists'] {
  const outer = Array.from({ length: level - 1 }, (_, depth): 'ul' | 'ol' => before[depth] ?? 'ul')
  return [...outer, isNumbered ? 'ol' : 'ul']
}

function withoutEdgeBreaks(line: readonly Node[]): readonly Node[] {
  const first = line.findIndex((node) => !isBreak(node))
  const last = line.findLastIndex((node) => !isBreak(node))
  return first < 0 ? [] : line.slice(first, last + 1)
}

/** Puts lines together to lists and quotations. */
function blocksOf(lines: readonly Line[]): readonly Node[] {
  const blocks: Node[] = []
  for (let place = 0; place < lines.length; ) {
    const line = lines[place] as Line
    const isSame = (other: Line) =>
      line.lists.length > 0
        ? other.lists.length > 0 && other.lists[0] === line.lists[0]
        : line.isQuote && other.isQuote && other.lists.length === 0
    const end = lines.findIndex((other, at) => at > place && !isSame(other))
    const group = lines.slice(place, end < 0 ? lines.length : end)
    if (line.lists.length > 0) blocks.push(listOf(group, 0))
    else if (line.isQuote) blocks.push(nodeType('blockquote').create(null, group.map(textBlock)))
    else blocks.push(textBlock(line))
    place += line.lists.length > 0 || line.isQuote ? group.length : 1
  }
  return blocks
}

function textBlock({ tag, content }: Line): Node {
  return nodeType(tag).create(null, content)
}

function listOf(lines: readonly Line[], depth: number): Node {
  const items: Node[][] = []
  for (let place = 0; place < lines.length; ) {
    const line = lines[place] as Line
    if (line.lists.length > depth + 1) {
      const end = lines.findIndex((other, at) => at > place && other.lists.length <= depth + 1)
      const inner = lines.slice(place, end < 0 ? lines.length : end)
      if (items.length === 0) items.push([nodeType('p').create()])
      items.at(-1)?.push(listOf(inner, depth + 1))
      place += inner.length
    } else {
      if (line.isMore && items.length > 0) items.at(-1)?.push(textBlock(line))
      else items.push(line.tag === 'p' ? [textBlock(line)] : [nodeType('p').create(), textBlock(line)])
      place += 1
    }
  }
  const tag = lines[0]?.lists[depth] ?? 'ul'
  return nodeType(tag).create(
    null,
    items.map((content) => nodeType('li').create(null, content)),
  )
}
