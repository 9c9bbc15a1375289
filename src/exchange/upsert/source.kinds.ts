import { accepted, refused } from '../../access/http/arguments/argument.rules.ts'
import { wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../../access/http/arguments/argument.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import { sentEntries, sentEntryArguments } from './upsert.entries.ts'
import { sentEventArguments, sentEvents } from './upsert.events.ts'
import type { SentKind } from './upsert.kind.ts'

/** The kinds of records that a source may name. */
const KINDS = ['event', 'venue', 'organizer'] as const
export type SourceRecordKind = (typeof KINDS)[number]

export const sentKinds: Readonly<Record<SourceRecordKind, SentKind>> = {
  event: sentEvents,
  venue: sentEntries(venues),
  organizer: sentEntries(organizers),
}

/** What a source sends of each kind. */
export const sentArguments = {
  event: sentEventArguments,
  venue: sentEntryArguments(venues),
  organizer: sentEntryArguments(organizers),
} as const satisfies Readonly<Record<SourceRecordKind, Arguments>>

/** One of these words, exactly. */
export const word =
  <const W extends string>(words: readonly W[]): ArgumentRule<W> =>
  (raw) => {
    const known = words.find((one) => one === raw)
    return known === undefined ? refused('fault.enum', { allowed: words.join(', ') }) : accepted(known)
  }

export const kindArgument = {
  read: word(KINDS),
  schema: wordSchema(KINDS),
  description: 'sweep.kind',
  type: 'string',
  enum: KINDS,
  default: 'event',
} as const satisfies Argument<SourceRecordKind>
