import type { OwnCall } from '../shell/desk.call.ts'
import { readEventsIn } from './event.reads.ts'
import { type KnownVersion, refusalOf, refusalText, sendAll, toRestore, toTrash } from './event.versions.ts'
import { type Change, keyFor, type ManyResult, type Refusal } from './many.actions.ts'
import { mostItems } from './many.items.ts'

interface Sent {
  readonly key: string
  /** Whether events are taken out of the trash. */
  readonly isBack: boolean
}

interface Outcome {
  readonly done: readonly object[]
  readonly refused: readonly Refusal[]
}

/**
 * Moves events to the trash, or back, each in all its languages or in none. An event that somebody has changed since it
 * was selected stays as it is. A form that is sent twice does the same requests, and so nothing twice.
 */
export async function sendToTrash(call: OwnCall, changes: readonly Change[], sent: Sent): Promise<ManyResult> {
  const unseen = sent.isBack ? new Set<Change>() : await withUnseenVersions(call, changes)
  const done: object[] = []
  const refused = [...unseen].map(({ title }): Refusal => ({ title, reason: call.say('many.meanwhile') }))
  for (const part of partsOf(changes.filter((one) => !unseen.has(one)))) {
    const outcome = await sendPart(call, part, sent)
    done.push(...outcome.done)
    refused.push(...outcome.refused)
  }
  return { changed: done.length, refused, undo: done.length === 0 ? '' : JSON.stringify({ done }) }
}

/** Returns the changes of events that exist in languages that the page did not show, because they were added since. */
async function withUnseenVersions(call: OwnCall, changes: readonly Change[]): Promise<ReadonlySet<Change>> {
  const events = await readEventsIn(
    call,
    changes.map(({ id, language = '' }) => ({ id, language })),
  )
  const now = new Map(events.map(({ id, versions }) => [id, versions]))
  const isUnseen = (change: Change) => {
    const known = new Set(versionsOf(change).map(({ id }) => id))
    return now.get(change.id)?.some((id) => !known.has(id)) ?? false
  }
  return new Set(changes.filter(isUnseen))
}

/** Returns the changes in parts of which each fits into one batch. */
function partsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const parts: Change[][] = []
  let size = mostItems
  for (const change of changes) {
    const own = versionsOf(change).length
    if (size + own > mostItems) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(change)
    size += own
  }
  return parts
}

function versionsOf({ id, version, language = '', others = [] }: Change): readonly KnownVersion[] {
  return [{ id, version, language }, ...others]
}

/** Sends all as one batch in which everything succeeds. If the interface refuses an event, each half is sent alone. */
async function sendPart(call: OwnCall, changes: readonly Change[], sent: Sent): Promise<Outcome> {
  const versions = changes.flatMap(versionsOf)
  const operations = versions.map(sent.isBack ? toRestore : toTrash)
  const { results, failed } = await sendAll(call, operations, { key: keyFor(sent.key, operations) })
  if (failed === undefined) {
    const numbers = new Map(versions.map(({ id }, place) => [id, Number(results[place]?.headers['X-Record-Version'])]))
    const after = (one: KnownVersion) => ({ ...one, version: numbers.get(one.id) ?? 0 })
    return {
      done: changes.map((one) => ({
        ...after({ ...one, language: one.language ?? '' }),
        others: (one.others ?? []).map(after),
      })),
      refused: [],
    }
  }
  const [only, ...more] = changes
  if (only && more.length === 0) {
    const refusal = refusalOf(failed, versions)
    // The language is that in which an event may not go to the trash.
    const isOther = sent.isBack && refusal.reason === 'language'
    const reason = refusalText(call, isOther ? { ...refusal, reason: 'other' } : refusal)
    return { done: [], refused: [{ title: only.title, reason }] }
  }
  const middle = Math.ceil(changes.length / 2)
  const first = await sendPart(call, changes.slice(0, middle), sent)
  const second = await sendPart(call, changes.slice(middle), sent)
  return { done: [...first.done, ...second.done], refused: [...first.refused, ...second.refused] }
}
