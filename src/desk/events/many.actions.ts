import type { DeskKey } from '../../base/languages/catalogue.ts'
import type { CanceledEvents, RestoredEvents } from '../api/answers.ts'
import { keyFor, sendBatch } from '../api/batch.ts'
import { statuses } from '../api/statuses.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { KnownVersion } from './event.versions.ts'
import { isId, isIds, isTime, type ManyItem, othersFrom, parsed } from './many.items.ts'
import type { NamedKind } from './table.choices.ts'
import { shiftDays } from './table.days.ts'

/** What can be done with many events by one batch. Canceling is one request of its own. */
export const BATCH_ACTIONS = ['publish', 'draft', 'category', 'venue', 'organizer', 'shift', 'trash'] as const
export type BatchAction = (typeof BATCH_ACTIONS)[number]

/** What an action asks for, and whether it may be none. */
export const chosenFrom: Readonly<Partial<Record<BatchAction | 'cancel', readonly [kind: NamedKind, none?: DeskKey]>>> =
  {
    category: ['categories'],
    venue: ['venues', 'many.venue.none'],
    organizer: ['organizers', 'many.organizer.none'],
  }

/** What the user chose for an action. */
export interface ManyChoice {
  /** The id of the category, venue or organizer. 0: none. */
  readonly chosen: number
  readonly days: number
}

/** The members that actions change, and how an undo knows their earlier values. One that is forgotten does not compile. */
const restored = {
  status: (value) => typeof value === 'string',
  start_date: isTime,
  end_date: isTime,
  venue: isIds,
  organizer: isIds,
  categories: isIds,
} satisfies Readonly<Record<string, (value: unknown) => boolean>>
type Body = Readonly<Partial<Record<keyof typeof restored, unknown>>>

/** What changes an event, and what gives it its earlier values. */
export interface Change {
  readonly title: string
  readonly id: number
  readonly version: number
  /** Undefined: it is moved to the trash, or back. */
  readonly body: Body | undefined
  readonly undo: Body | undefined
  readonly language?: string
  /** The versions in other languages that go with it to the trash, or come back. */
  readonly others?: readonly KnownVersion[]
  /** Whether it is one more language of the event before it. Each event counts once. */
  readonly isOther?: boolean
}

const bodies: Readonly<
  Record<Exclude<BatchAction, 'trash'>, (item: ManyItem, choice: ManyChoice) => readonly [body: Body, undo: Body]>
> = {
  publish: ({ status }) => [{ status: 'publish' }, { status }],
  draft: ({ status }) => [{ status: 'draft' }, { status }],
  category: ({ categories }, { chosen }) => [{ categories: [...new Set([...categories, chosen])] }, { categories }],
  venue: ({ venue: was }, { chosen }) => [{ venue: chosen === 0 ? [] : [chosen] }, { venue: was }],
  organizer: ({ organizer: was }, { chosen }) => [{ organizer: chosen === 0 ? [] : [chosen] }, { organizer: was }],
  shift: ({ start, end }, { days }) => [
    { start_date: shiftDays(start, days), end_date: shiftDays(end, days) },
    { start_date: start, end_date: end },
  ],
}

export function changesFor(action: BatchAction, items: readonly ManyItem[], choice: ManyChoice): readonly Change[] {
  return items.flatMap((item): readonly Change[] => {
    const { id, version, title, status, others, language } = item
    if (action === 'trash') return [{ id, version, title, language, body: undefined, undo: undefined, others }]
    const [body, undo] = bodies[action](item, choice)
    // An event that waits for review is approved in all the languages that wait.
    const waiting = action === 'publish' && status === 'pending' ? others.filter(({ isPending }) => isPending) : []
    const also = waiting.map((one) => ({ id: one.id, version: one.version, title, body, undo, isOther: true }))
    return [{ id, version, title, body, undo }, ...also]
  })
}

/** An event that a batch could not change, and why. */
export interface Refusal {
  readonly title: string
  readonly reason: string
}

/** What a batch did. */
export interface ManyResult {
  readonly changed: number
  readonly refused: readonly Refusal[]
  /** What a form sends to undo it; '' if nothing was changed. */
  readonly undo: string
}

/**
 * Sends changes as one batch. An event that somebody has changed since it was selected stays as it is. A form that is
 * sent twice changes nothing twice.
 *
 * Moves to the trash go through `sendToTrash`.
 */
export async function sendChanges(
  call: OwnCall,
  changes: readonly Change[],
  { key }: { readonly key: string },
): Promise<ManyResult> {
  if (changes.length === 0) return { changed: 0, refused: [], undo: '' }
  const operations = changes.map(
    ({ id, version, body }) => ({ method: 'PATCH', path: `/events/${id}`, body, if_match: `"${version}"` }) as const,
  )
  const sent = { isAtomic: false, key: keyFor(key, operations) }
  const { results, refused: failed } = await sendBatch(call, operations, sent)
  const done = changes.flatMap(({ id, title, undo, isOther }, place) => {
    const { status = 400, headers } = results[place] ?? {}
    return status < 400 ? [{ id, title, version: Number(headers?.['X-Record-Version']), body: undo, isOther }] : []
  })
  const refused = failed.flatMap(({ isWhole, place, status, message }) => {
    const reason = status === statuses.preconditionFailed ? call.say('many.meanwhile') : message
    return (isWhole ? changes : changes.slice(place, place + 1)).map(({ title }) => ({ title, reason }))
  })
  const changed = done.filter(({ isOther }) => !isOther).length
  return { changed, refused, undo: done.length === 0 ? '' : JSON.stringify({ done }) }
}

/** Returns the changes that undo others, from what their form remembers. */
export function changesBack(text: string): readonly Change[] {
  const { done } = parsed(text)
  if (!Array.isArray(done)) return []
  return done.flatMap((one: Readonly<Record<string, unknown>> | null): readonly Change[] => {
    const { id, version, title, body, others, isOther } = one ?? {}
    if (!isId(id) || !isId(version) || typeof title !== 'string') return []
    if (body === undefined)
      return [{ id, version, title, body: undefined, undo: undefined, others: othersFrom(others) }]
    if (body === null || typeof body !== 'object') return []
    const members = Object.entries(body).filter(
      ([name, value]) => Object.hasOwn(restored, name) && restored[name as keyof typeof restored](value),
    )
    return [{ id, version, title, body: Object.fromEntries(members), undo: undefined, isOther: isOther === true }]
  })
}

/** Cancels events, with a reason in each language. */
export async function sendCancel(
  { api }: OwnCall,
  items: readonly ManyItem[],
  { reason, key }: { readonly reason: Readonly<Record<string, string>>; readonly key: string },
): Promise<ManyResult & { readonly others: number }> {
  const where = { event: items.map(({ id }) => id) }
  const { status, body, message } = await api.service<CanceledEvents>({
    ...{ method: 'POST', path: '/events/cancel', json: { where, reason, per_page: 100 } },
    headers: { 'idempotency-key': `"${keyFor(key, [where, reason])}"` },
  })
  if (status >= 400) {
    return { changed: 0, others: 0, undo: '', refused: items.map(({ title }) => ({ title, reason: message })) }
  }
  // Versions in other languages change as well, but each event counts once.
  const meant = new Set(where.event)
  const changed = body.events.filter(({ id }) => meant.has(id)).length
  const undo = body.undo ? JSON.stringify({ cancellation: body.undo.id, count: changed }) : ''
  return { changed, refused: [], undo, others: items.length - changed }
}

/** Undoes the canceling that a form remembers. @returns the number of events; undefined if it remembers none. */
export async function undoCancel({ api }: OwnCall, text: string, key: string): Promise<number | undefined> {
  const { cancellation, count } = parsed(text)
  if (!isId(cancellation) || !isId(count)) return undefined
  const { status, body } = await api.service<RestoredEvents>({
    ...{ method: 'POST', path: `/events/cancel/${cancellation}/undo`, json: {} },
    headers: { 'idempotency-key': `"${keyFor(key, cancellation)}"` },
  })
  return status === 200 ? Math.min(count, body.count) : 0
}
