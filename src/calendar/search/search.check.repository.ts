import { sql } from 'kysely'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { Block, Tokens } from './search.block.ts'
import { appendDocuments, BodyReader } from './search.bodies.ts'
import { emptyDictionary, versionWith } from './search.dictionary.ts'
import { decodeList } from './search.documents.ts'
import { shardsOf } from './search.merging.ts'
import { NumberList, Numbers } from './search.numbers.ts'
import { readSearchState } from './search.state.repository.ts'

const rowsAtOnce = 50
const eventsAtOnce = 200
const tokensAtOnce = 10_000

/**
 * Yields the events whose texts the search index does not have, or has otherwise. What the index has of a document is
 * added up, so that the check of a large calendar needs little memory.
 */
export async function* wrongSearchTexts(db: Db): AsyncGenerator<string> {
  const state = await readSearchState(db)
  const numbers = await readTokenNumbers(db)
  const { count, digest } = versionWith(emptyDictionary, [...numbers.keys()])
  if (count !== state.tokens || digest !== state.digest) yield 'the tokens of the search index'
  const sums = new Int32Array(state.documents)
  for await (const row of indexRows(db)) addRow(sums, row)
  const known = new Tokens()
  const events = await readLists(db, state.documents)
  for await (const { id, text, document, is_pending } of texts(db)) {
    const isListed = document !== null && events[document] === id
    if (document !== null && isListed) events[document] = 0
    if (is_pending === 1) continue
    if (!isListed || sums[document] !== sumOf(text, numbers, known)) yield `event ${id}`
  }
  for (const [document, event] of events.entries()) {
    if (event !== 0 && !(await isPending(db, event))) yield `document ${document} of event ${event}`
  }
}

/** Returns a number that is added for a token at a position. */
function mix(token: number, position: number): number {
  return Math.imul(Math.imul(token, 0x9e3779b1) ^ (position + 1), 0x85ebca6b) ^ token
}

function sumOf(text: string, numbers: ReadonlyMap<string, number>, known: Tokens): number {
  let sum = 0
  const block = new Block([text], known)
  block.tokens.forEach((token, place) => {
    const number = numbers.get(token.text) ?? 0
    sum = (sum + mix(number, -1)) | 0
    for (const position of block.positionsOf(place)) sum = (sum + mix(number, position)) | 0
  })
  return sum
}

interface StoredRow {
  readonly level: number
  readonly shard: number
  readonly first_document: number
  readonly documents: Uint8Array
  readonly positions: Uint8Array
}

function addRow(sums: Int32Array, { level, shard, first_document: first, documents, positions }: StoredRow): void {
  const add = (document: number, token: number, position: number) => {
    sums[document] = ((sums[document] ?? 0) + mix(token, position)) | 0
  }
  const list = new NumberList()
  const positionsReader = new BodyReader(positions, 'positions')
  const reader = new BodyReader(documents, 'documents')
  while (reader.advance()) {
    const token = reader.key * shardsOf(level) + shard
    list.length = 0
    appendDocuments(list, reader, first)
    const found = list.numbers.subarray(0, list.length)
    for (const document of found) add(document, token, -1)
    if (!positionsReader.seek(reader.key)) continue
    const { bytes, from, to } = positionsReader
    const numbers = new Numbers(bytes.subarray(from, to))
    for (const document of found) {
      let position = 0
      for (let isLast = false; !isLast && !numbers.isAtEnd; ) {
        const number = numbers.next()
        isLast = number % 2 === 1
        position += Math.floor(number / 2)
        add(document, token, position)
      }
    }
  }
}

/** Returns all tokens with their numbers, in the order of the numbers. */
async function readTokenNumbers(db: Db): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ number: number; token: string }>`select number, token from search_tokens
      where number > ${after} order by number limit ${sql.lit(tokensAtOnce)}`.execute(db)
    for (const { number, token } of rows) numbers.set(token, number)
    const last = rows.at(-1)
    if (!last) return numbers
    after = last.number
  }
}

async function* indexRows(db: Db): AsyncGenerator<StoredRow> {
  for (let after = { level: -1, shard: 0, first_document: 0 }; ; ) {
    const { rows } = await sql<StoredRow>`select level, shard, first_document, documents, positions from search_rows
      where (level, shard, first_document) > (${after.level}, ${after.shard}, ${after.first_document})
      order by level, shard, first_document limit ${sql.lit(rowsAtOnce)}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

/** Returns the events of all documents. */
async function readLists(db: Db, documents: number): Promise<Int32Array> {
  const { rows } = await sql<{ first: number; events: Uint8Array }>`
    select first_document as first, events from search_lists`.execute(db)
  const events = new Int32Array(documents)
  for (const { first, events: bytes } of rows) {
    decodeList(bytes).forEach((event, place) => {
      events[first + place] = event
    })
  }
  return events
}

interface TextRow {
  readonly id: number
  readonly text: string
  readonly document: number | null
  readonly is_pending: Flag
}

async function* texts(db: Db): AsyncGenerator<TextRow> {
  for (let after = 0; ; ) {
    const { rows } = await sql<TextRow>`
      select records.id, records.search_text as text, stored.document,
        case when exists (select 1 from search_pending where event_id = records.id) then 1 else 0 end as is_pending
      from events join records on records.id = events.record_id
        left join search_documents stored on stored.event_id = events.record_id
      where events.record_id > ${after} and records.kind = 'event' order by events.record_id limit ${sql.lit(eventsAtOnce)}`.execute(
      db,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function isPending(db: Db, event: number): Promise<boolean> {
  const { rows } = await sql`select 1 from search_pending where event_id = ${event}`.execute(db)
  return rows.length > 0
}
