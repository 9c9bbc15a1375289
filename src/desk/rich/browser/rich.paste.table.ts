import type { Node } from 'prosemirror-model'
import type { Element } from './rich.paste.elements.ts'
import { nodeType } from './rich.schema.ts'

/** A paragraph, before lists are put together. */
export interface Line {
  readonly tag: string
  readonly isQuote: boolean
  /** The lists around it, from the outside. */
  readonly lists: readonly ('ul' | 'ol')[]
  /** Whether it belongs to the item of the line before. */
  readonly isMore: boolean
  readonly content: readonly Node[]
  /** The table in which it is. */
  readonly table: PastedTable | undefined
}

interface Cell {
  readonly tag: string
  readonly attributes: Element['spans']
  readonly lines: Line[]
}

/**
 * A table under way. Items of lists are lines of its cells. One that has other content, such as headings, or one column, is
 * there for its look: its lines become those of the text.
 */
export class PastedTable {
  readonly #rows: Cell[][] = []
  #isLayout = false
  #isWide = false

  /** A caption comes before the rows, and is a line of the text. */
  get hasBegun(): boolean {
    return this.#rows.length > 0
  }

  get isTable(): boolean {
    return this.#isWide && !this.#isLayout
  }

  nested(): this {
    this.#isLayout = true
    return this
  }

  beginRow(): void {
    this.#rows.push([])
  }

  beginCell({ tag, spans }: Element): void {
    if (this.#rows.length === 0) this.beginRow()
    const width = this.#rows.at(-1)?.push({ tag, attributes: spans, lines: [] }) ?? 0
    this.#isWide ||= width > 1
  }

  add(line: Line): void {
    const cell = this.#rows.at(-1)?.at(-1)
    if (!cell || line.tag !== 'p' || line.isQuote) this.#isLayout = true
    else cell.lines.push(line)
  }

  node(): Node {
    const rows = this.#rows.filter((cells) => cells.length > 0)
    return nodeType('table').create(
      null,
      rows.map((cells) => nodeType('tr').create(null, cells.map(cellOf))),
    )
  }
}

function cellOf({ tag, attributes, lines }: Cell): Node {
  const content = lines.flatMap((line, place) =>
    place === 0 ? line.content : [nodeType('br').create(), ...line.content],
  )
  return nodeType(tag).create({ attributes }, content)
}
