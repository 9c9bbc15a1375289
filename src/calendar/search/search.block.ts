import { BodyWriter, encodePositions } from './search.bodies.ts'
import type { RowBodies } from './search.merging.ts'
import { gramMark, gramsOf, separatorMark, visitTokens } from './search.tokens.ts'

/** A token of some documents. Positions are as `encodePositions` takes them. Grams have none. */
interface BlockToken {
  readonly documents: number[]
  readonly positions: number[]
}

/** The tokens of the documents of a new row. */
export type Block = ReadonlyMap<string, BlockToken>

/** Returns the tokens of these texts, which are numbered from 0. */
export function blockOf(texts: readonly string[]): Block {
  const tokens = new Map<string, BlockToken & { last: number }>()
  texts.forEach((text, document) => {
    visitTokens(text, (token, position) => {
      let entry = tokens.get(token)
      if (entry === undefined) {
        entry = { documents: [], positions: [], last: 0 }
        tokens.set(token, entry)
      }
      const { documents, positions } = entry
      if (documents.at(-1) === document) {
        // So far, the position before counted as the last one.
        positions.push((positions.pop() ?? 1) - 1, (position - entry.last) * 2 + 1)
      } else {
        documents.push(document)
        positions.push(position * 2 + 1)
      }
      entry.last = position
    })
  })
  const block = new Map<string, BlockToken>(tokens)
  for (const [gram, documents] of documentsOfGrams(tokens, texts.length)) {
    block.set(gramMark + gram, { documents, positions: [] })
  }
  return block
}

function documentsOfGrams(tokens: Block, count: number): ReadonlyMap<string, number[]> {
  const marks = new Map<string, Uint8Array>()
  for (const [token, { documents }] of tokens) {
    if (token.startsWith(separatorMark)) continue
    for (const gram of gramsOf(token)) {
      let marked = marks.get(gram)
      if (marked === undefined) {
        marked = new Uint8Array(count)
        marks.set(gram, marked)
      }
      for (const document of documents) marked[document] = 1
    }
  }
  const found = new Map<string, number[]>()
  for (const [gram, marked] of marks) {
    const documents: number[] = []
    for (let document = 0; document < count; document += 1) if (marked[document] === 1) documents.push(document)
    found.set(gram, documents)
  }
  return found
}

/** Returns the row of a block. */
export function rowOf(block: Block, numberOf: (token: string) => number, range: number): RowBodies {
  const documents = new BodyWriter()
  const positions = new BodyWriter()
  const numbered = [...block].map(([token, entry]) => ({ number: numberOf(token), entry }))
  numbered.sort((one, other) => one.number - other.number)
  for (const { number, entry } of numbered) {
    documents.addDocuments(number, entry.documents, { count: entry.documents.length, range })
    if (entry.positions.length > 0) positions.addPositions(number, [encodePositions(entry.positions)])
  }
  return { documents: documents.result(), positions: positions.result() }
}
