import { writeArguments } from '../directory/directory.arguments.ts'
import { inputOf } from '../directory/directory.routes.ts'
import type { Directory, DirectoryKind, EntryInput, Fields } from '../directory/directory.ts'
import { type Arguments, type Reading, type Rule, readArguments } from '../http/argument.ts'
import { accepted, refused, wholeNumberOf } from '../http/rules.ts'
import { Problem } from '../problems.ts'
import { findOwned } from '../records/record.repository.ts'
import { holdsMuchText, mostTextBytes } from '../text/bounds.ts'

/** A venue or organizer to link: one that exists, or the fields of a new one. */
export type LinkInput<F extends Fields> = { readonly id: number } | { readonly create: EntryInput<F> }

const maxLinks = 100
const unknownFault = { venue: 'fault.unknown-venue', organizer: 'fault.unknown-organizer' } as const

/**
 * What an event is to be linked to (events.md §3, §8 row 4): an id, `{"id": n}`, the fields of a new record, a list of
 * these, or ids separated by commas, at most 100, with 64 KB of text together. Empty forms (`null 0 "" [] {} false`) mean none; anything unknown is
 * refused.
 */
export function linkRule<F extends Fields>(directory: Directory<F>): Rule<readonly LinkInput<F>[]> {
  return async (raw, reading) => {
    if (isEmpty(raw)) return accepted([])
    // Each new record is cleaned and printed: many long ones would keep the service busy for seconds.
    if (holdsMuchText(raw)) return refused('fault.too-long', { most: String(mostTextBytes / 1024) })
    const items = linksOf(raw, directory.kind)
    if (items.length > maxLinks) return refused('fault.invalid')
    const links: LinkInput<F>[] = []
    for (const item of items) {
      const link = await readLink(directory, item, reading)
      if (!link) return refused(unknownFault[directory.kind])
      links.push(link)
    }
    // Contract: of several venues the first counts; the others are not made either (events.md §8 row 4).
    return accepted(directory.kind === 'venue' ? links.slice(0, 1) : distinct(links))
  }
}

function isEmpty(raw: unknown): boolean {
  if (raw === null || raw === false || raw === 0 || raw === '' || raw === '0') return true
  return typeof raw === 'object' && Object.keys(raw).length === 0
}

function linksOf(raw: unknown, kind: DirectoryKind): readonly unknown[] {
  if (typeof raw === 'string') return raw.split(',', maxLinks + 1).map((item) => item.trim())
  if (typeof raw !== 'object' || raw === null || isFields(raw, kind)) return [raw]
  return Object.values(raw)
}

/** Whether an object names one record, rather than being a list with named places (`venue[x]=1`). */
function isFields(raw: object, kind: DirectoryKind): boolean {
  return !Array.isArray(raw) && ('id' in raw || kind in raw || !Object.values(raw).every(wholeNumberOf))
}

async function readLink<F extends Fields>(
  directory: Directory<F>,
  item: unknown,
  reading: Reading,
): Promise<LinkInput<F> | undefined> {
  const named =
    typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as Record<string, unknown>) : {}
  const id = wholeNumberOf(named.id ?? item)
  if (id !== undefined) {
    const found = await findOwned(reading.db, directory.kind, id)
    return found && { id: found.id }
  }
  if (named.id !== undefined || named[directory.kind] === undefined) return undefined
  try {
    const args: Arguments = writeArguments(directory, { isNameRequired: true })
    const [values = {}] = await readArguments([{ args, sent: named }], reading)
    const create = inputOf(directory, values)
    return create.name?.trim() ? { create } : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function distinct<F extends Fields>(links: readonly LinkInput<F>[]): readonly LinkInput<F>[] {
  return links.filter((link, index) => {
    return !('id' in link) || links.findIndex((other) => 'id' in other && other.id === link.id) === index
  })
}
