import { accepted, refused, wholeNumberOf } from '../../../access/http/arguments/argument.rules.ts'
import { integerSchema, type JsonSchema, textOrNullSchema } from '../../../access/http/arguments/argument.schema.ts'
import {
  type ArgumentContext,
  type ArgumentRule,
  type Arguments,
  DeferredValue,
  type RawParameters,
  type ReadValue,
  readArguments,
} from '../../../access/http/arguments/argument.ts'
import { type ParameterFault, Problem } from '../../../base/problems.ts'
import { exceedsTotalTextBytes, maxTextBytes } from '../../../base/text/bounds.ts'
import { apartArguments } from '../../directory/directory.apart.ts'
import { directoryWriteArguments } from '../../directory/directory.arguments.ts'
import { patchOf } from '../../directory/directory.routes.ts'
import type { Directory, DirectoryKind, EntryPatch, Fields } from '../../directory/directory.ts'
import { findOwnedRecord } from '../../records/record.repository.ts'

/** A venue or organizer to link: one that exists, or the fields of a new one. */
export type LinkInput<F extends Fields> = { readonly id: number } | { readonly create: EntryPatch<F> }

const maxLinks = 100
/** Counts the pictures that one request has fetched for new records: each may take seconds. */
const maxPictures = 5
const unknownFault = { venue: 'fault.venue-link', organizer: 'fault.organizer-link' } as const
const namelessFault = { venue: 'fault.venue-name', organizer: 'fault.organizer-name' } as const

/** A sent link, and its ignored members. */
type ParsedLink<F extends Fields> = Pick<ReadValue<LinkInput<F>>, 'value' | 'ignored'>

/**
 * The links of an event: ids, new records, a list of either, or ids separated by commas.
 *
 * @param newRecord Name of the schema of a new record.
 */
export function linkSchema(newRecord: string): JsonSchema {
  const byId = { type: 'object', required: ['id'], properties: { id: integerSchema } }
  const link = { anyOf: [integerSchema, byId, { $ref: `#/components/schemas/${newRecord}` }] }
  return { anyOf: [link, { type: 'array', items: link }, textOrNullSchema] }
}

/**
 * Reads the links of an event (events.md §3, §8 row 4): an id, `{"id": n}`, the fields of a new record, a list of
 * these, or ids separated by commas, at most 100, with 64 KB of text together. Empty values (`null 0 "" [] {} false`)
 * mean none. An unknown id or member is refused.
 */
export function linkRule<F extends Fields>(
  directory: Directory<F>,
): ArgumentRule<readonly LinkInput<F>[] | DeferredValue<readonly LinkInput<F>[]>> {
  return async (raw, reading) => {
    if (isEmpty(raw)) return accepted([])
    // Each new record is sanitized and rendered: many long ones would keep the service busy for seconds.
    if (exceedsTotalTextBytes(raw)) return refused('fault.too-long', { most: String(maxTextBytes / 1024) })
    const items = linksOf(raw, directory.kind)
    if (items.length > maxLinks) return refused('fault.too-many', { most: String(maxLinks) })
    const links: ParsedLink<F>[] = []
    for (const item of items) {
      const link = await parseLink(directory, item, reading)
      if ('fault' in link) return link
      links.push(link)
    }
    const values = links.map(({ value }) => value)
    if (values.filter((link) => pictureOf(link) instanceof DeferredValue).length > maxPictures) {
      return refused('fault.too-many-pictures', { most: String(maxPictures) })
    }
    const ignored = links.flatMap((link) => link.ignored ?? [])
    if (directory.kind !== 'venue') return { value: withPictures(directory, distinct(values)), ignored }
    // Contract: of several venues the first counts; the others are not created either (events.md §8 row 4).
    const value = withPictures(directory, values.slice(0, 1))
    return { value, ignored, ...(values.length > 1 ? { adjusted: 'partly' } : {}) }
  }
}

/** Returns the links after the pictures of new records are fetched, if there are any. */
function withPictures<F extends Fields>(
  { kind }: Directory<F>,
  links: readonly LinkInput<F>[],
): readonly LinkInput<F>[] | DeferredValue<readonly LinkInput<F>[]> {
  if (!links.some((link) => pictureOf(link) instanceof DeferredValue)) return links
  return new DeferredValue(async (deps, actor) => {
    const whole: LinkInput<F>[] = []
    for (const link of links) {
      const image = pictureOf(link)
      if (!('create' in link) || !(image instanceof DeferredValue)) {
        whole.push(link)
        continue
      }
      const outcome = await (image as DeferredValue<number>).settle(deps, actor)
      if (!('value' in outcome)) {
        const { text, values } = outcome.fault
        return refused(text, { ...values, name: `${kind}.image` })
      }
      whole.push({ create: { ...link.create, imageId: outcome.value } })
    }
    return accepted(whole)
  })
}

/** The picture of a new record: an id, or the work that fetches it. */
function pictureOf<F extends Fields>(link: LinkInput<F>): unknown {
  return 'create' in link ? link.create.imageId : undefined
}

function isEmpty(raw: unknown): boolean {
  if (raw === null || raw === false || raw === 0 || raw === '' || raw === '0') return true
  // `organizer[]=` of a form clears as `organizer=` does (rulings.md 8). An object without a name is a fault.
  if (Array.isArray(raw)) return raw.every((item) => item === '')
  return typeof raw === 'object' && Object.keys(raw).length === 0
}

function linksOf(raw: unknown, kind: DirectoryKind): readonly unknown[] {
  if (typeof raw === 'string') return raw.split(',', maxLinks + 1)
  if (typeof raw !== 'object' || raw === null || isFields(raw, kind)) return [raw]
  return Object.values(raw)
}

/** Whether an object describes one record, as opposed to a list with named indexes (`venue[x]=1`). */
function isFields(raw: object, kind: DirectoryKind): boolean {
  return !Array.isArray(raw) && ('id' in raw || kind in raw || !Object.values(raw).every(wholeNumberOf))
}

async function parseLink<F extends Fields>(
  directory: Directory<F>,
  item: unknown,
  reading: ArgumentContext,
): Promise<ParsedLink<F> | { readonly fault: ParameterFault }> {
  const { kind } = directory
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item)
  const named = isObject ? (item as Record<string, unknown>) : {}
  const id = wholeNumberOf(named.id ?? item)
  if (id !== undefined) {
    const found = await findOwnedRecord(reading.db, kind, id)
    if (!found) return refused(unknownFault[kind])
    // Contract: beside an id nothing counts (events.md §3).
    const ignored = Object.keys(named).flatMap((name) => (name === 'id' ? [] : [[name, undefined] as const]))
    return { value: { id: found.id }, ignored }
  }
  if (named.id !== undefined || !isObject) return refused(unknownFault[kind])
  if ((named[kind] ?? null) === null) return refused(namelessFault[kind])
  return parseNewRecord(directory, named, reading)
}

/** The fields of a new record. A fault of one of them is reported under its name within the object. */
async function parseNewRecord<F extends Fields>(
  directory: Directory<F>,
  sent: RawParameters,
  reading: ArgumentContext,
): Promise<ParsedLink<F> | { readonly fault: ParameterFault }> {
  const { kind } = directory
  try {
    const args: Arguments = { ...directoryWriteArguments(directory, { isNameRequired: true }), ...apartArguments }
    const [values = {}] = await readArguments([{ args, sent }], reading)
    const create = patchOf(directory, values)
    if (!create.name?.trim()) return refused(namelessFault[kind])
    const allowed = Object.keys(args)
    const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(args, name))
    return { value: { create }, ignored: unknown.map((name) => [name, allowed] as const) }
  } catch (error) {
    const [first] = error instanceof Problem ? Object.entries(error.faults) : []
    if (!first) throw error
    const [name, { text, values }] = first
    return refused(text, { ...values, name: `${kind}.${name}` })
  }
}

function distinct<F extends Fields>(links: readonly LinkInput<F>[]): readonly LinkInput<F>[] {
  return links.filter((link, index) => {
    return !('id' in link) || links.findIndex((other) => 'id' in other && other.id === link.id) === index
  })
}
