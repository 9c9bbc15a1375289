import type { Mark, Node } from 'prosemirror-model'
import { withoutInvalidCharacters } from '../../../base/text/characters.ts'
import { type Token, tokenize } from '../../../base/text/markup.ts'
import { paragraphs } from '../../../base/text/paragraphs.ts'
import { attributesIn } from './rich.attributes.ts'
import { decodeReferences } from './rich.entities.ts'
import { isBreak, withSingleBlanks } from './rich.inline.ts'
import { type Attributes, headings, nodeType, schema } from './rich.schema.ts'

/** An element that is not closed yet. */
interface Open {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: Node[]
  /** The text of an item before its first paragraph. */
  readonly bare: Node[]
}

/** The text has markup that the visual editor would lose. */
class Unreadable extends Error {}

/** The sanitiser removes elements that are nested deeper. */
const deepest = 200

/** Elements that contain text, and those that contain other blocks. */
const textBlocks: ReadonlySet<string> = new Set(['p', ...headings, 'pre', 'td', 'th'])
const containers: ReadonlySet<string> = new Set(['doc', 'blockquote', 'li'])

/**
 * Returns a text as the visual editor shows it: as visitors see it, with its lines as paragraphs. Undefined if the editor
 * would lose a part of its markup.
 */
export function readRich(html: string): Node | undefined {
  if (withoutInvalidCharacters(html) !== html) return undefined
  try {
    return new Reader().read(tokenize(paragraphs(html)))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Returns blocks with a line at their end, in which people can write after a table. */
export function withLastLine(blocks: readonly Node[]): readonly Node[] {
  const last = blocks.at(-1)
  return last && last.type.name !== 'table' ? blocks : [...blocks, nodeType('p').create()]
}

class Reader {
  readonly #open: Open[] = [{ tag: 'doc', attributes: [], children: [], bare: [] }]
  /** Whether the last tag began a preformatted text. */
  #isAtStart = false
  #marks: { readonly tag: string; readonly mark: Mark }[] = []

  read(tokens: readonly Token[]): Node {
    for (const token of tokens) {
      if (token.kind === 'text') this.#text(token.source)
      else if (token.kind === 'open') this.#begin(token.name, token.source)
      else this.#end(token.name, token.source)
      this.#isAtStart = token.kind === 'open' && token.name === 'pre'
      if (this.#open.length + this.#marks.length > deepest) throw new Unreadable()
    }
    const [doc] = this.#open
    if (!doc || this.#open.length > 1 || this.#marks.length > 0) throw new Unreadable()
    return checked('doc', withLastLine(doc.children))
  }

  get #top(): Open {
    const top = this.#open.at(-1)
    if (!top) throw new Unreadable()
    return top
  }

  #text(source: string): void {
    // Comments, and a `<` that begins no tag: only the sanitiser decides what it means.
    if (source.includes('<')) throw new Unreadable()
    const { tag, children } = this.#top
    if (/^[ \t\n\f\r]*$/.test(source) && !this.#isInText()) return
    // Browsers drop the first line break of the element.
    const isFirst = tag === 'pre' && children.length === 0 && this.#isAtStart
    const text = decodeReferences(isFirst ? source.replace(/^\n/, '') : source)
    if (text === undefined) throw new Unreadable()
    if (text !== '') this.#add(schema.text(text, this.#marksHere()))
  }

  #begin(tag: string, source: string): void {
    const attributes = attributesIn(tag, source)
    if (!attributes) throw new Unreadable()
    const mark = schema.marks[tag]
    if (mark) {
      if (tag === 'a' && this.#marks.some((one) => one.tag === 'a')) throw new Unreadable()
      this.#marks.push({ tag, mark: mark.create({ attributes }) })
      this.#isUsed.push(attributes.length === 0)
    } else if (tag === 'br' || tag === 'img') {
      if ((tag === 'br' && attributes.length > 0) || this.#top.tag === 'pre') throw new Unreadable()
      this.#add(nodeType(tag).create({ attributes }, null, this.#marksHere()))
    } else if (!schema.nodes[tag] || this.#marks.length > 0 || textBlocks.has(this.#top.tag)) throw new Unreadable()
    else if (tag === 'hr') this.#top.children.push(nodeType(tag).create({ attributes }))
    else this.#open.push({ tag, attributes, children: [], bare: [] })
  }

  #end(tag: string, source: string): void {
    if (source !== `</${tag}>`) throw new Unreadable()
    if (schema.marks[tag]) {
      // An element with attributes and without content, such as an anchor, cannot be kept.
      if (this.#marks.pop()?.tag !== tag || this.#isUsed.pop() === false) throw new Unreadable()
      return
    }
    const closed = this.#open.pop()
    if (closed?.tag !== tag || this.#marks.length > 0) throw new Unreadable()
    this.#top.children.push(blockOf(closed))
  }

  /** For each open mark, whether leaving it out would lose nothing. */
  #isUsed: boolean[] = []

  #add(node: Node): void {
    const { tag, children, bare } = this.#top
    this.#isUsed = this.#isUsed.map(() => true)
    if (textBlocks.has(tag)) children.push(node)
    else if (tag === 'li' && children.length === 0) bare.push(node)
    else throw new Unreadable()
  }

  /** Whether a blank is one between words. */
  #isInText(): boolean {
    const { tag, bare, children } = this.#top
    return textBlocks.has(tag) || (bare.length > 0 && children.length === 0)
  }

  #marksHere(): readonly Mark[] {
    return this.#marks.reduce<readonly Mark[]>((set, { mark }) => mark.addToSet(set), [])
  }
}

function blockOf({ tag, attributes, children, bare }: Open): Node {
  if (textBlocks.has(tag)) return checked(tag, tag === 'pre' ? children : lineOf(children), { attributes })
  if (tag !== 'li') return checked(tag, children, { attributes })
  const [first] = children
  const isLoose = bare.length === 0 && first?.type.name === 'p'
  const content = isLoose ? children : [checked('p', lineOf(bare)), ...children]
  return checked(tag, content, { attributes, isLoose })
}

/** Returns the content of a line. Breaks at its edges, and several in a row, are not shown like that. */
function lineOf(content: readonly Node[]): readonly Node[] {
  const line = withSingleBlanks(content)
  const isOdd = line.some(
    (node, place) => isBreak(node) && (!line[place + 1] || place === 0 || isBreak(line[place - 1] as Node)),
  )
  if (isOdd) throw new Unreadable()
  return line
}

function checked(tag: string, content: readonly Node[], attrs = {}): Node {
  const node = nodeType(tag).create(attrs, content)
  // A list without items, text beside items.
  if (!node.type.validContent(node.content) || (containers.has(tag) && content.length === 0)) throw new Unreadable()
  return node
}
