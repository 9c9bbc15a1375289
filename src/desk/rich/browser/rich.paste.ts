import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import { isBreak, withSingleBlanks } from './rich.inline.ts'
import { type Element, elementOf, textOf } from './rich.paste.elements.ts'
import { type Line, PastedTable } from './rich.paste.table.ts'
import { withLastLine } from './rich.read.ts'
import { headings, nodeType, schema } from './rich.schema.ts'

// Text from other programs. Word and Google Docs send pages of markup, of which only what this editor offers is kept.

const withoutEnd: ReadonlySet<string> = new Set('meta link img br hr input col wbr base source'.split(' '))
const lineElements: ReadonlySet<string> = new Set([
  ...(
    'p div li ul ol dl dt dd blockquote pre table tr td th caption section article header footer main aside figure ' +
    'figcaption body html hr'
  ).split(' '),
  ...headings,
])
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
  if (lines.length === 1 && only && only.lists.length === 0 && only.tag === 'p' && !only.table?.isTable) {
    return new Slice(Fragment.from(nodeType('p').create(null, only.content)), 1, 1)
  }
  return Slice.maxOpen(Fragment.from(lines.length > 0 ? withLastLine(blocksOf(lines)) : []), false)
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
  let table: PastedTable | undefined
  const flush = () => {
    const isPre = stack.some(({ tag }) => tag === 'pre')
    const kept = isPre ? content : withoutEdgeBreaks(withSingleBlanks(content))
    content = []
    if (kept.length === 0) return
    const own = table?.hasBegun ? table : undefined
    const line = lineOf(stack, isPre ? kept.filter((node) => node.isText) : kept, { before: lines.at(-1), table: own })
    own?.add(line)
    lines.push(line)
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
      if (tag === 'table') table = stack.some((one) => one.tag === tag) ? table : undefined
    } else if (tag === 'br') content.push(nodeType('br').create())
    else if (!withoutEnd.has(tag) && stack.length < deepest) {
      const element = elementOf(tag, token)
      if (tag === 'table') table = table ? table.nested() : new PastedTable()
      else if (tag === 'tr' || tag === 'td' || tag === 'th') {
        endImplied(stack, tag)
        if (tag === 'tr') table?.beginRow()
        else table?.beginCell(element)
      }
      stack.push(element)
    }
  }
  flush()
  return lines
}

/** A row or a cell ends the last one, which may have no end tag. */
function endImplied(stack: Element[], tag: string): void {
  const ended = tag === 'tr' ? ['tr', 'td', 'th'] : ['td', 'th']
  const place = stack.findIndex(
    (one, at) => at > stack.findLastIndex(({ tag: own }) => own === 'table') && ended.includes(one.tag),
  )
  if (place >= 0) stack.length = place
}

function marksOf(stack: readonly Element[]): readonly Mark[] {
  return stack.flatMap(({ marks }) => marks).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])
}

function lineOf(
  stack: readonly Element[],
  content: readonly Node[],
  { before, table }: { readonly before: Line | undefined; readonly table: PastedTable | undefined },
): Line {
  const named = stack.findLast(
    (one) => one.heading !== undefined || one.tag === 'pre' || (headings as readonly string[]).includes(one.tag),
  )
  const tag = named?.heading ?? named?.tag ?? 'p'
  const item = stack.findLast((one) => one.tag === 'li')
  const isMore = item?.hasBegun === true
  if (item) item.hasBegun = true
  const word = stack.find((one) => one.word)?.word
  const lists = stack
    .flatMap(({ tag: one }) => (one === 'ul' || one === 'ol' ? [one] : []))
    .slice(0, 9) as Line['lists']
  return {
    // The page has a heading of the first level.
    ...{ tag: tag === 'h1' ? 'h2' : tag, isMore, content, table },
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
    const table = line.table?.isTable ? line.table : undefined
    const isSame = (other: Line) =>
      table
        ? other.table === table
        : other.table?.isTable
          ? false
          : line.lists.length > 0
            ? other.lists.length > 0 && other.lists[0] === line.lists[0]
            : line.isQuote && other.isQuote && other.lists.length === 0
    const end = lines.findIndex((other, at) => at > place && !isSame(other))
    const group = lines.slice(place, end < 0 ? lines.length : end)
    if (table) blocks.push(table.node())
    else if (line.lists.length > 0) blocks.push(listOf(group, 0))
    else if (line.isQuote) blocks.push(nodeType('blockquote').create(null, group.map(textBlock)))
    else blocks.push(textBlock(line))
    place += table || line.lists.length > 0 || line.isQuote ? group.length : 1
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
