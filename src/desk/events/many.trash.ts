import { keyFor, sendBatch } from '../api/batch.ts'
import { ApiFailure } from '../api/desk.api.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { readEventsIn } from './event.reads.ts'
import { type KnownVersion, refusalOf, refusalText, toRestore, toTrash } from './event.versions.ts'
import type { Change, ManyResult, Refusal } from './many.actions.ts'
import { maxItems } from './many.items.ts'

interface Sent {
  readonly key: string
  /** Whether events are taken out of the trash. */
  readonly isBack: boolean
}

/**
 * Moves events to the trash, or back, each in all its languages or in none. An event that somebody has changed since it
 * was selected stays as it is. A form that is sent twice does the same requests, and so nothing twice.
 */
export async function sendToTrash(call: OwnCall, changes: readonly Change[], sent: Sent): Promise<ManyResult> {
  const unseen = sent.isBack ? new Set<Change>() : await withUnseenVersions(call, changes)
  const done: object[] = []
  const refused = [...unseen].map(({ title }): Refusal => ({ title, reason: call.say('many.meanwhile') }))
  let left = changes.filter((one) => !unseen.has(one))
  let size = maxItems
  while (left.length > 0) {
    const part = partOf(left, size)
    const outcome = await sendPart(call, part, sent).catch((error: unknown): Outcome => {
      // The interface takes no more requests now. What is done has to be shown, with its Undo.
      if (!(error instanceof ApiFailure) || done.length === 0) throw error
      return { refused: error.message, isFinal: true }
    })
    if ('done' in outcome) {
      done.push(...outcome.done)
      left = left.slice(part.length)
      size = Math.min(size * 2, maxItems)
    } else if (outcome.isFinal || part.length === 1) {
      const out = outcome.isFinal ? left : part
      refused.push(...out.map(({ title }) => ({ title, reason: outcome.refused })))
      left = left.slice(out.length)
    } else size = Math.max(Math.floor(part.length / 4), 1)
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

/** Returns the first changes, at most this number, as many as fit into one batch. */
function partOf(changes: readonly Change[], most: number): readonly Change[] {
  let operations = 0
  const end = changes.findIndex((change, place) => {
    operations += versionsOf(change).length
    return place > 0 && (place === most || operations > maxItems)
  })
  return end < 0 ? changes : changes.slice(0, end)
}

function versionsOf({ id, version, language = '', others = [] }: Change): readonly KnownVersion[] {
  return [{ id, version, language }, ...others]
}

/** What a batch has done, or why it did nothing. */
type Outcome = { readonly done: readonly object[] } | { readonly refused: string; readonly isFinal: boolean }

/** Sends all as one batch in which everything succeeds, or nothing. */
async function sendPart(call: OwnCall, changes: readonly Change[], sent: Sent): Promise<Outcome> {
  const versions = changes.flatMap(versionsOf)
  const operations = versions.map(sent.isBack ? toRestore : toTrash)
  const { results, refused } = await sendBatch(call, operations, { key: keyFor(sent.key, operations) })
  const [failed] = refused
  if (failed) {
    const refusal = refusalOf(failed, versions)
    // The language is that in which an event may not go to the trash.
    const isOther = sent.isBack && refusal.reason === 'language'
    return { refused: refusalText(call, isOther ? { ...refusal, reason: 'other' } : refusal), isFinal: false }
  }
  const numbers = new Map(versions.map(({ id }, place) => [id, Number(results[place]?.headers['X-Record-Version'])]))
  const after = (one: KnownVersion) => ({ ...one, version: numbers.get(one.id) ?? 0 })
  return {
    done: changes.map((one) => ({
      ...after({ ...one, language: one.language ?? '' }),
      others: (one.others ?? []).map(after),
    })),
  }
}
