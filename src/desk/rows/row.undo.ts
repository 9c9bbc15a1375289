import type { Names } from '../api/answers.ts'
import { sendBatch } from '../api/batch.ts'
import { isId, parsed } from '../events/many.items.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import { type Made, maxOperations } from './row.batch.ts'

/** What a table made: the kind, the id and the version of a record. */
type MadeEntry = readonly [kind: Made['kind'], id: number, version: number]

/** Returns the text from which a form undoes what a table made. */
export function undoText(made: readonly Made[]): string {
  return JSON.stringify({ made: made.map(({ kind, id, version }): MadeEntry => [kind, id, version]) })
}

const kinds: readonly unknown[] = ['events', 'venues', 'organizers'] satisfies readonly Made['kind'][]

function isMade(value: unknown): value is MadeEntry {
  if (!Array.isArray(value)) return false
  const [kind, id, version] = value
  return kinds.includes(kind) && isId(id) && isId(version)
}

function madeIn(form: DeskForm): readonly Made[] {
  const { made } = parsed(form.get('undo'))
  if (!Array.isArray(made)) return []
  return made
    .filter(isMade)
    .slice(0, 3 * maxOperations)
    .map(([kind, id, version]) => ({ kind, id, version }))
}

export interface Undone {
  readonly removed: number
  /** Events that somebody has changed since, and so stay. */
  readonly kept: number
}

/** Takes back what a form says that a table made. */
export async function undoRows(call: OwnCall, form: DeskForm): Promise<Undone> {
  return removeMade(call, madeIn(form), form.get('key'))
}

/**
 * Moves what a table made to the trash: events that nobody has changed since, then venues and organizers without events.
 *
 * @param key With the same key, nothing is removed twice, and the result is the same.
 */
export async function removeMade(call: OwnCall, made: readonly Made[], key: string): Promise<Undone> {
  const events = made.filter(({ kind }) => kind === 'events')
  const removed = await remove(call, events, `${key}-events`)
  await remove(call, await unusedOf(call, made), `${key}-links`)
  return { removed, kept: events.length - removed }
}

/** Records of one batch: many take long, and a batch may not. */
const maxAtOnce = 50

async function remove(call: OwnCall, made: readonly Made[], key: string): Promise<number> {
  let removed = 0
  for (let first = 0; first < made.length; first += maxAtOnce) {
    const operations = made
      .slice(first, first + maxAtOnce)
      .map(({ kind, id, version }) => ({ method: 'DELETE', path: `/${kind}/${id}`, if_match: `"${version}"` }) as const)
    const own = /^[\w-]{10,100}$/.test(key) ? `${key}-${first}` : undefined
    const { results } = await sendBatch(call, operations, { isAtomic: false, key: own })
    removed += results.filter(({ status }) => status < 400).length
  }
  return removed
}

/** Returns the venues and organizers that no event has. One request tells it for all. */
async function unusedOf({ api }: OwnCall, made: readonly Made[]): Promise<readonly Made[]> {
  const idsOf = (kind: Made['kind']) =>
    made.flatMap((one) => (one.kind === kind ? [one.id] : [])).slice(0, maxOperations)
  const json = { venues: idsOf('venues'), organizers: idsOf('organizers') }
  const { status, body } = await api.service<Names>({ method: 'POST', path: '/names', json })
  const unused = (kind: 'venues' | 'organizers') =>
    new Set((status === 200 ? body[kind] : []).flatMap((one) => (one.is_used ? [] : [one.id])))
  const [venues, organizers] = [unused('venues'), unused('organizers')]
  return made.filter(({ kind, id }) => kind !== 'events' && (kind === 'venues' ? venues : organizers).has(id))
}
