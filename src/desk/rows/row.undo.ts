import { languageParameterNames } from '../../access/http/addresses.ts'
import { isId, parsed } from '../events/many.items.ts'
import { everyDay } from '../events/table.days.ts'
import type { DeskForm, OwnCall } from '../shell/desk.call.ts'
import { type Made, mostOperations } from './row.batch.ts'

/** What a table made: the kind, the id and the version of a record. An event in its first language has that too. */
type MadeEntry = readonly [kind: Made['kind'], id: number, version: number, language?: string]

/** Returns the text from which a form undoes what a table made. */
export function undoText(made: readonly MadeEntry[]): string {
  return JSON.stringify({ made: made.map(([kind, id, version]) => [kind, id, version]) })
}

const kinds: readonly unknown[] = ['events', 'venues', 'organizers'] satisfies readonly Made['kind'][]

/** Whether a value of a form or an address says what a table made. */
export function areMade(value: unknown): value is readonly MadeEntry[] {
  return Array.isArray(value) && value.every(isMade)
}

function isMade(value: unknown): value is MadeEntry {
  if (!Array.isArray(value)) return false
  const [kind, id, version, language = ''] = value
  return kinds.includes(kind) && isId(id) && isId(version) && typeof language === 'string'
}

function madeIn(form: DeskForm): readonly Made[] {
  const { made } = parsed(form.get('undo'))
  if (!Array.isArray(made)) return []
  return made
    .filter(isMade)
    .slice(0, mostOperations)
    .map(([kind, id, version]) => ({ kind, id, version }))
}

export interface Undone {
  readonly removed: number
  /** Events that somebody has changed since, and so stay. */
  readonly kept: number
}

interface BatchJson {
  readonly results?: readonly { readonly status: number }[]
}

/** Moves what a table made to the trash: events that nobody has changed since, then venues and organizers without events. */
export async function undoRows(call: OwnCall, form: DeskForm): Promise<Undone> {
  const made = madeIn(form)
  const events = made.filter(({ kind }) => kind === 'events')
  const key = form.get('key')
  const removed = await remove(call, events, `${key}-events`)
  const others = made.filter(({ kind }) => kind !== 'events')
  const unused = await Promise.all(others.map((one) => isUnused(call, one)))
  await remove(
    call,
    others.filter((_, place) => unused[place]),
    `${key}-links`,
  )
  return { removed, kept: events.length - removed }
}

/** @param key The same form sent twice removes nothing twice, and says the same. */
async function remove({ api }: OwnCall, made: readonly Made[], key: string): Promise<number> {
  if (made.length === 0) return 0
  const operations = made.map(({ kind, id, version }) => ({
    ...{ method: 'DELETE', path: `/${kind}/${id}`, if_match: `"${version}"` },
  }))
  const { body } = await api.service<BatchJson>({
    ...{ method: 'POST', path: '/batch', json: { operations } },
    headers: /^[\w-]{10,100}$/.test(key) ? { 'idempotency-key': `"${key}"` } : {},
  })
  return (body.results ?? []).filter(({ status }) => status < 400).length
}

/** A list may leave out events of other languages, so it is read in each. */
async function isUnused({ api, config }: OwnCall, { kind, id }: Made): Promise<boolean> {
  const filter = kind === 'venues' ? 'venue' : 'organizer'
  const words = languageParameterNames(config)
  const lists = await Promise.all(
    config.languages.map((language) => {
      const query = { ...everyDay, [filter]: id, status: 'any', per_page: 1, [words.language]: language }
      return api.events<{ readonly total?: number }>({ path: '/events', query })
    }),
  )
  return lists.every(({ status, body }) => status === 200 && body.total === 0)
}
