import { createHash } from 'node:crypto'
import { languageParameterNames } from '../../access/http/addresses.ts'
import type { ProblemCode } from '../../base/problems.ts'
import { type Operation, type Refused, sendBatch } from '../api/batch.ts'
import { inLanguage } from '../events/desk.field.ts'
import { timeParameters } from '../events/editor.dates.ts'
import { nameKey, readNamed } from '../events/editor.named.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import type { Faults } from '../shell/fields.ts'
import { plainColumns, textColumns } from './row.columns.ts'
import { isOwnTable } from './row.headings.ts'
import { asBefore, cellOf, type ReadTable, type RowEvent, type RowLink, textFrom } from './row.read.ts'

// Rows are written in parts, so that others need not wait for all of them. All are tried without effect before, so that
// each row with a problem is shown, and a refusal of a later part is rare: then what the others made is taken back.

/** As many as one batch of the interface has. */
export const maxOperations = 200

interface RowOperation extends Operation {
  /** The row and the language for which it is made. */
  readonly row: number
  readonly language: string
}

/** Returns the writes of all rows. */
export function operationsOf(call: OwnCall, { events, table }: ReadTable, status: string): readonly RowOperation[] {
  const writes = events.map((event) => ({ event, status: statusOf(event, status) }))
  const named = writes.filter((one) => one.status === 'publish').flatMap(({ event }) => newLinks(event).map(keyOf))
  const rules = { toText: textFrom(isOwnTable(table.headings)), publicLinks: new Set(named) }
  return writes.flatMap((write) => eventOperations(call, write, rules))
}

/** Returns the status of a new event: a row that says that it is not public stays so. */
export function statusOf({ hidden }: Pick<RowEvent, 'hidden'>, status: string): string {
  if (hidden === undefined || status === 'draft') return status
  if (status === 'publish' && (hidden === 'private' || hidden === 'pending')) return hidden
  return hidden === 'draft' || hidden === 'future' ? 'draft' : status
}

const newLinks = ({ venue, organizers }: RowEvent): readonly RowLink[] => [...(venue ? [venue] : []), ...organizers]
const keyOf = ({ name, city, fields }: RowLink) => `${fields ? nameKey(city) : 'organizer'} ${nameKey(name)}`

interface WriteRules {
  readonly toText: (cell: string) => string
  /** New venues and organizers that a public event names. */
  readonly publicLinks: ReadonlySet<string>
}

/** Returns links. The first row that names a new place makes it, and the others are there too. */
function linksOf(
  kind: 'venue' | 'organizer',
  links: readonly RowLink[],
  { toText, publicLinks }: WriteRules,
): Readonly<Partial<Record<typeof kind, readonly unknown[]>>> {
  if (links.length === 0) return {}
  const each = links.map((link) => {
    const { name, city, known, fields } = link
    if (known) return known.id
    // What drafts name is not public before them.
    const isDraft = publicLinks.has(keyOf(link)) ? {} : { status: 'draft' }
    return { ...fields, [kind]: toText(name), ...(city === '' ? {} : { city }), ...isDraft, apart: true }
  })
  return { [kind]: each }
}

interface EventToWrite {
  readonly event: RowEvent
  readonly status: string
}

function eventOperations(call: OwnCall, { event, status }: EventToWrite, rules: WriteRules): readonly RowOperation[] {
  const { config } = call
  const words = languageParameterNames(config)
  const { values, row, languages, times } = event
  const filled = (name: string, own = name) => ((values[own] ?? '') === '' ? {} : { [name]: values[own] })
  const texts = (language: string) => ({
    ...{ status, [words.language]: language },
    ...Object.assign({}, ...textColumns.map((name) => filled(name, inLanguage(name, language)))),
  })
  const ref = `row-${row}`
  const terms = (name: 'categories' | 'tags') =>
    event[name].length > 0 ? { [name]: event[name].map(({ name: own, known }) => known?.id ?? rules.toText(own)) } : {}
  const shared = {
    ...{ ...timeParameters(times), all_day: times.isAllDay, timezone: values.timezone || config.siteZone.name },
    ...{
      ...linksOf('venue', event.venue ? [event.venue] : [], rules),
      ...linksOf('organizer', event.organizers, rules),
    },
    ...Object.assign({}, ...plainColumns.map((name) => filled(name))),
    ...{ ...terms('categories'), ...terms('tags') },
  }
  return languages.map((language, place): RowOperation => {
    const write = { method: 'POST', path: '/events', row, language } as const
    return place === 0
      ? { ...write, ref, body: { ...texts(language), ...shared } }
      : { ...write, body: { ...texts(language), [words.translationOf]: { ref } } }
  })
}

const bare = (operations: readonly RowOperation[]): readonly Operation[] =>
  operations.map(({ row: _, language: __, ...one }) => one)

/** Rows of one batch. Many new venues take long, and a batch may not. */
const rowsAtOnce = 25

/** Tries the writes without effect. Returns what the interface would refuse, by cell. */
export async function tryRows(call: OwnCall, read: ReadTable, operations: readonly RowOperation[]): Promise<Faults> {
  const rows = [...Map.groupBy(operations, ({ row }) => row).values()]
  const faults: Faults[] = []
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    faults.push(await tryPart(call, read, rows.slice(first, first + rowsAtOnce).flat()))
  }
  return Object.assign({}, ...faults)
}

async function tryPart(call: OwnCall, read: ReadTable, operations: readonly RowOperation[]): Promise<Faults> {
  const { refused } = await sendBatch(call, bare(operations), { isAtomic: false, isDry: true })
  // A translation of an event that was refused fails as well. Only the refusal says why.
  return Object.assign({}, ...refused.toReversed().map((one) => refusalOf(call, read, { ...one, operations })))
}

const cellsOfParameter: Readonly<Record<string, readonly string[]>> = {
  start_date: ['start', 'date'],
  end_date: ['end', 'end_date', 'start', 'date'],
}

interface RefusedRow extends Refused {
  readonly operations: readonly RowOperation[]
}

function refusalOf({ say }: OwnCall, { table }: ReadTable, refused: RefusedRow): Faults {
  const { operations, place, isWhole, message, faults, code } = refused
  const operation = operations[place]
  if (isWhole || !operation) return { form: message }
  const { row, language } = operation
  const at = (names: readonly string[]) => cellOf(table, row, names)
  const named = Object.entries(faults).flatMap(([name, text]) => {
    const own = textColumns.includes(name) ? [`${name}.${language}`] : (cellsOfParameter[name] ?? [name])
    const cell = at(own)
    return cell === undefined ? [] : [[cell, text] as const]
  })
  if (code === 'picture-not-fetched') return { [at(['image']) ?? 'form']: say('rows.picture') }
  const first = at([`title.${language}`]) ?? 'form'
  return named.length > 0 ? Object.fromEntries(named) : { [first]: message }
}

/** A record that a table made, as an undo remembers it. */
export interface Made {
  readonly kind: 'events' | 'venues' | 'organizers'
  readonly id: number
  readonly version: number
  /** The language of an event in its first language. */
  readonly language?: string
}

const isReused = ({ refused: [first] }: Awaited<ReturnType<typeof sendBatch>>) =>
  first?.isWhole === true && first.code === ('idempotency-key-reused' satisfies ProblemCode)

export interface Written {
  readonly made: readonly Made[]
  readonly faults: Faults
  /** Whether a form with the same fields has written the rows before, and its result cannot be found again. */
  readonly isRepeated?: boolean
}

interface ToWrite {
  readonly form: DeskForm
  readonly status: string
}

/**
 * Writes all rows, part by part. The same form sent twice writes them once, and gets the same result: the keys come from
 * its fields alone. After a refusal, the result says what the parts before have made.
 */
export async function writeRows(call: OwnCall, read: ReadTable, sent: ToWrite): Promise<Written> {
  const fields = sent.form.pairs.filter(([name]) => name !== 'csrf')
  const key = createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
  const made = new Map<number, Made>()
  for (let first = 0; first < read.events.length; first += rowsAtOnce) {
    const part = { ...read, events: read.events.slice(first, first + rowsAtOnce) }
    const written = await writePart(call, part, { ...sent, key: `${key}-${first}` })
    for (const one of written.made) made.set(one.id, one)
    if (written.isRepeated || Object.keys(written.faults).length > 0) return { ...written, made: [...made.values()] }
  }
  return { made: [...made.values()], faults: {} }
}

async function writePart(
  call: OwnCall,
  read: ReadTable,
  { form, status: state, key }: ToWrite & { readonly key: string },
): Promise<Written> {
  let written = read
  let operations = operationsOf(call, written, state)
  let answer = await sendBatch(call, bare(operations), { key })
  if (isReused(answer)) {
    // What the first form made exists now. With what existed before it, the operations are the same again.
    written = asBefore(read, form)
    operations = operationsOf(call, written, state)
    answer = await sendBatch(call, bare(operations), { key })
  }
  if (isReused(answer)) return { made: [], faults: {}, isRepeated: true }
  const { results, refused } = answer
  if (refused[0]) return { made: [], faults: refusalOf(call, read, { ...refused[0], operations }) }
  const events = operations.flatMap(({ ref, language }, place): readonly Made[] => {
    const { id, headers } = results[place] ?? {}
    const own = { kind: 'events', id: id ?? 0, version: Number(headers?.['X-Record-Version'] ?? 0) } as const
    return id === undefined ? [] : [ref === undefined ? own : { ...own, language }]
  })
  return { made: [...events, ...(await linksMade(call, written))], faults: {} }
}

/** Returns the venues and organizers that did not exist before the rows were written. */
async function linksMade(call: OwnCall, { events }: ReadTable): Promise<readonly Made[]> {
  const isNew = (link: RowLink | undefined): link is RowLink => link !== undefined && link.known === undefined
  const [places, organizers] = [
    events.map((one) => one.venue).filter(isNew),
    events.flatMap((one) => one.organizers).filter(isNew),
  ]
  const names = (links: readonly RowLink[]) => links.map(({ name }) => name)
  const known = await readNamed(call, { venues: names(places), organizers: names(organizers) })
  const made = new Map<number, Made>()
  for (const [kind, links] of [
    ['venues', places],
    ['organizers', organizers],
  ] as const) {
    for (const link of links) {
      const found = known[kind].get(nameKey(link.name))?.find(({ city }) => nameKey(city) === nameKey(link.city))
      if (found) made.set(found.id, { kind, id: found.id, version: found.version })
    }
  }
  return [...made.values()]
}
