import { createHash } from 'node:crypto'

/** The kinds of items in the log of public changes. A series has a row for its template in each language. */
export const CHANGE_KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'series'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** An item as visitors see it. */
export interface PublicItem {
  /** Differs after each change of what visitors see of the item itself, not of the items that it shows. */
  readonly version: string
  readonly language: string
}

/** Returns a short version for a long text, or for one that tells what visitors do not see. */
export function digestedVersion(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export interface LoggedItem extends PublicItem {
  readonly is_deleted: 0 | 1
}

export interface TouchedItem {
  readonly kind: ChangeKind
  readonly id: number
  /** Undefined if visitors may not see the item, or it no longer exists. */
  readonly shown: PublicItem | undefined
  /** Undefined if visitors never saw it. */
  readonly logged: LoggedItem | undefined
}

export interface NewChange extends LoggedItem {
  readonly kind: ChangeKind
  readonly id: number
}

/**
 * Returns the new row of an item in the log. Undefined if the row that it has is right: nothing public changed, or the
 * item was never public. So hidden writes leave no trace (docs/guarantees.md, “Nothing can be inferred”).
 */
export function newChangeOf({ kind, id, shown, logged }: TouchedItem): NewChange | undefined {
  const wasShown = logged?.is_deleted === 0
  if (!shown) {
    return wasShown ? { kind, id, is_deleted: 1, version: '', language: logged.language } : undefined
  }
  const { version, language } = shown
  if (wasShown && logged.version === version && logged.language === language) return undefined
  return { kind, id, is_deleted: 0, version, language }
}

/** The state of the log: its numbers say nothing about another epoch. */
export interface ChangeLogState {
  readonly epoch: string
  /** The greatest number given. */
  readonly last: number
  /** The greatest number of a tombstone that was removed. */
  readonly floor: number
}

export interface ChangeCursor {
  readonly epoch: string
  /** The number of the last row that the client has. */
  readonly number: number
  /**
   * The event of the venue, organizer or series at this number after which the client continues; 0 for all of them.
   * Undefined if it has them, or did not ask for them.
   */
  readonly part: number | undefined
  /** Until the number reaches it, the client reads everything from the beginning: it has no item of before. */
  readonly since: number
}

/** Returns the cursor of a client that has everything as of this state. */
export function formatHead({ epoch, last }: ChangeLogState): string {
  return `${epoch}.${last}`
}

export function formatChangeCursor({ epoch, number, part, since }: ChangeCursor): string {
  const place = part === undefined ? `${number}` : `${number}-${part}`
  return since > number ? `${epoch}.${place}.${since}` : `${epoch}.${place}`
}

/** Returns undefined for a text that is not a cursor. */
export function parseChangeCursor(text: string): ChangeCursor | undefined {
  const [, epoch, number, part, since = 0] =
    /^([0-9a-f]{12})\.(\d{1,15})(?:-(\d{1,15}))?(?:\.(\d{1,15}))?$/.exec(text) ?? []
  if (epoch === undefined) return undefined
  return { epoch, number: Number(number), part: part === undefined ? undefined : Number(part), since: Number(since) }
}
