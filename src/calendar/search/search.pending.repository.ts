import { type RawBuilder, sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { dayOfStart } from '../index/indexed.event.repository.ts'
import { Block, type Token, type Tokens } from './search.block.ts'
import type { DictionaryVersion } from './search.dictionary.ts'
import { decodeList, documentsPerList, encodeList, listOf } from './search.documents.ts'
import { type IndexRow, mergesAfter, mergesStatement, rowsStatement, runMerges } from './search.merge.repository.ts'
import { largestRange } from './search.merging.ts'
import { readSearchState, type SearchState, versionOf, type WaitingWork } from './search.state.repository.ts'

/** So many rows are made in a transaction. A transaction of a few writes makes at most one. */
const fewRows = 4
/** If more events wait, this part of them is indexed in a transaction, in a limited number of rows. */
const partOfBacklog = 1 / 4
const mostRows = 16
/** Rows that are made while nobody waits. */
const manyRows = 64
/** A transaction that makes rows runs merges only if more wait. The next transaction without new rows runs one. */
const fewMerges = 16
interface Writing {
  readonly tx: Tx
  readonly dialect: Dialect
  readonly known: Tokens
}

/**
 * Indexes some of the events that wait, if there are enough of them for a row.
 *
 * @param pace How much work the transaction may do.
 * @returns the state of the index, and whether more can be done.
 */
export async function indexPending(
  writing: Writing,
  pace: 'few' | 'many',
): Promise<{ readonly rowSize: number; readonly isMore: boolean }> {
  const { tx, dialect } = writing
  const state = await readSearchState(tx)
  const { row_size: rowSize } = state
  // Ordering rewrites all that wait, which is too much for the transaction of an ordinary write.
  if (pace === 'many' && state.pending >= manyPending(rowSize)) await orderPending(tx, rowSize)
  const possible = Math.floor(state.pending / rowSize)
  const wanted = Math.min(mostRows, Math.max(fewRows, Math.floor(possible * partOfBacklog)))
  const count = Math.min(possible, pace === 'many' ? manyRows : wanted)
  if (count > 0) await indexSome(writing, state, count)
  const most = pace === 'many' ? manyRows : mostMerges(state, count)
  const merged = most > 0 ? await runMerges({ tx, dialect }, rowSize, most) : 0
  return { rowSize, isMore: count > 0 || state.merges > merged }
}

/** Returns how many waiting events are so many that their order matters. */
const manyPending = (rowSize: number) => 2 * largestRange(rowSize)

/** Whether no event is indexed yet, and so many wait that their order matters. */
export function isFirstOfMany({ documents, pending, row_size: rowSize }: SearchState & WaitingWork): boolean {
  return documents === 0 && pending >= manyPending(rowSize)
}

/** Puts the events that wait in the order of lists, so that a search reads only the rows of its days. */
async function orderPending(tx: Tx, rowSize: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from search_pending where place = 0`.execute(
    tx,
  )
  if (Number(rows[0]?.count) < manyPending(rowSize)) return
  await sql`update search_pending set place = ordered.place
    from (select event_id, row_number() over (order by start_local, event_id) as place
      from search_pending left join events on record_id = event_id) ordered
    where ordered.event_id = search_pending.event_id`.execute(tx)
}

/** Returns how many merges a transaction of writes may run. Each new row makes a quarter of a merge due. */
function mostMerges({ merges }: WaitingWork, newRows: number): number {
  if (newRows === 0) return Math.min(merges, 1)
  return Math.min(Math.max(0, merges - fewMerges), newRows)
}

interface PendingRow {
  readonly id: number
  /** Null if the event no longer exists. */
  readonly text: string | null
  readonly start_local: LocalDateTime
  readonly document: number | null
}

async function indexSome(writing: Writing, state: SearchState, count: number): Promise<void> {
  const { tx, dialect, known } = writing
  const { row_size: rowSize } = state
  const { rows } = await sql<PendingRow>`
    select pending.event_id as id, records.search_text as text, events.start_local, stored.document
    from (select event_id, place from search_pending order by place, event_id limit ${sql.lit(count * rowSize)}) pending
      left join events on events.record_id = pending.event_id left join records on records.id = events.record_id
      left join search_documents stored on stored.event_id = pending.event_id
    order by pending.place, pending.event_id`.execute(tx)
  const live = rows.filter(({ text }) => text !== null)
  const indexed = live.slice(0, live.length - (live.length % rowSize))
  const removed = rows.filter(({ text }) => text === null)
  known.expect(versionOf(state))
  const { newRows, newTokens, version } = await makeRows(writing, state, indexed)
  const added = indexed.map(({ id, start_local }, place) => ({
    ...{ id, document: state.documents + place },
    day: dayOfStart(start_local),
  }))
  const dead = [...indexed, ...removed].flatMap(({ document }) => document ?? [])
  await dialect.runTogether(tx, [
    ...tokensStatement(dialect, newTokens),
    ...(newRows.length > 0 ? [rowsStatement(newRows)] : []),
    ...mergesStatement(newRows.flatMap((row) => mergesAfter(row, rowSize))),
    ...listsStatement(await changedLists(tx, dialect, { added, dead })),
    ...documentsStatements(dialect, added, removed),
    sql`delete from search_pending where ${dialect.isAmong(
      sql.ref('event_id'),
      [...indexed, ...removed].map(({ id }) => id),
    )}`,
    sql`update search_state set documents = ${state.documents + added.length}, tokens = ${version.count},
      digest = ${version.digest}, version = ${state.version + 1}`,
  ])
}

/** Returns rows of level 0 with the texts of these events, and the tokens that the dictionary does not have yet. */
async function makeRows(
  { tx, dialect, known }: Writing,
  { row_size: rowSize, documents }: SearchState,
  events: readonly PendingRow[],
): Promise<{
  readonly newRows: readonly IndexRow[]
  readonly newTokens: readonly Token[]
  readonly version: DictionaryVersion
}> {
  const newTokens = new Map<string, Token>()
  const newRows: IndexRow[] = []
  let version = known.number([])
  for (let place = 0; place < events.length; place += rowSize) {
    await giveWay()
    const block = new Block(
      events.slice(place, place + rowSize).map(({ text }) => text ?? ''),
      known,
    )
    for (const token of block.tokens) if (token.number === 0) token.number = newTokens.get(token.text)?.number ?? 0
    const added = await findNumbers({ tx, dialect, known }, block)
    version = known.number(added)
    for (const token of added) newTokens.set(token.text, token)
    await giveWay()
    newRows.push({ level: 0, shard: 0, first: documents + place, ...block.row(rowSize) })
  }
  return { newRows, newTokens: [...newTokens.values()], version }
}

/** Looks up the tokens of a block that have no numbers yet. Returns those that are new. */
async function findNumbers({ tx, dialect }: Writing, { tokens }: Block): Promise<readonly Token[]> {
  const missing = new Map(tokens.flatMap((token) => (token.number === 0 ? [[token.text, token]] : [])))
  if (missing.size === 0) return []
  const { rows } = await sql<{ number: number; token: string }>`
    select number, token from search_tokens where ${dialect.isAmongTexts(sql.ref('token'), [...missing.keys()])}`.execute(
    tx,
  )
  for (const { number, token } of rows) {
    const found = missing.get(token)
    if (found) found.number = number
    missing.delete(token)
  }
  return [...missing.values()]
}

function tokensStatement(dialect: Dialect, tokens: readonly Token[]): readonly RawBuilder<unknown>[] {
  if (tokens.length === 0) return []
  const rows = tokens.map(({ number, text }) => ({ n: number, t: text }))
  return [
    sql`insert into search_tokens (number, token) select cast(value ->> 'n' as bigint), value ->> 't'
      from ${dialect.jsonRows(rows)} given`,
  ]
}

interface EventDocument {
  readonly id: number
  readonly document: number
  /** The day on which the event begins. */
  readonly day: number
}

/** The events of neighbouring documents, and the days on which they begin. Days of documents without events may count. */
interface EventList {
  readonly events: number[]
  firstDay: number
  lastDay: number
}

const emptyList = (): EventList => ({ events: [], firstDay: Number.MAX_SAFE_INTEGER, lastDay: 0 })

/** Returns the changed lists of the events of documents, by their first document. */
async function changedLists(
  tx: Tx,
  dialect: Dialect,
  { added, dead }: { readonly added: readonly EventDocument[]; readonly dead: readonly number[] },
): Promise<ReadonlyMap<number, EventList>> {
  const firsts = new Set([...added.map(({ document }) => document), ...dead].map(listOf))
  if (firsts.size === 0) return new Map()
  const { rows } = await sql<{ first: number; first_day: number; last_day: number; events: Uint8Array }>`
    select first_document as first, first_day, last_day, events from search_lists
    where ${dialect.isAmong(sql.ref('first_document'), [...firsts])}`.execute(tx)
  const lists = new Map([...firsts].map((first) => [first, emptyList()]))
  for (const { first, first_day: firstDay, last_day: lastDay, events } of rows) {
    lists.set(first, { events: decodeList(events), firstDay, lastDay })
  }
  for (const document of dead) {
    const list = lists.get(listOf(document))
    if (list) list.events[document % documentsPerList] = 0
  }
  for (const { id, document, day } of added) {
    const list = lists.get(listOf(document))
    if (!list) continue
    list.events[document % documentsPerList] = id
    list.firstDay = Math.min(list.firstDay, day)
    list.lastDay = Math.max(list.lastDay, day)
  }
  return lists
}

function listsStatement(lists: ReadonlyMap<number, EventList>): readonly RawBuilder<unknown>[] {
  if (lists.size === 0) return []
  const values = [...lists].map(
    ([first, { firstDay, lastDay, events }]) => sql`(${first}, ${firstDay}, ${lastDay}, ${encodeList(events)})`,
  )
  return [
    sql`insert into search_lists (first_document, first_day, last_day, events) values ${sql.join(values)}
      on conflict (first_document) do update set first_day = excluded.first_day, last_day = excluded.last_day,
        events = excluded.events`,
  ]
}

function documentsStatements(
  dialect: Dialect,
  added: readonly EventDocument[],
  removed: readonly PendingRow[],
): readonly RawBuilder<unknown>[] {
  return [
    ...(added.length === 0
      ? []
      : [
          sql`insert into search_documents (event_id, document)
            select cast(value ->> 'id' as bigint), cast(value ->> 'document' as bigint)
            from ${dialect.jsonRows(added)} given where true
            on conflict (event_id) do update set document = excluded.document`,
        ]),
    ...(removed.length === 0
      ? []
      : [
          sql`delete from search_documents where ${dialect.isAmong(
            sql.ref('event_id'),
            removed.map(({ id }) => id),
          )}`,
        ]),
  ]
}
