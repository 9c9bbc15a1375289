import { flagArgument, wordArgument } from '../../../access/http/arguments/argument.kinds.ts'
import { accepted, refused } from '../../../access/http/arguments/argument.rules.ts'
import { anyTextSchema, filledTextSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../../access/http/arguments/argument.ts'
import type { Language } from '../../../base/languages/language.ts'
import type { WriteContext } from '../../records/write.context.ts'
import type { EventDraft, EventPatch } from './event.changes.ts'
import type { CalendarEvent } from './event.ts'

/** Which dates of a series a write means: the event itself, that date and all later ones, or all. */
const SERIES_SCOPES = ['this', 'following', 'all'] as const
export type SeriesScope = (typeof SERIES_SCOPES)[number]

const datesSchema = { anyOf: [{ type: 'array', items: filledTextSchema }, anyTextSchema] }

/** What repeats, as it was sent. The write of the series reads it, because it depends on the times of the event. */
const recurrenceRule: ArgumentRule<object | string> = (raw) =>
  (typeof raw === 'object' && raw !== null) || (typeof raw === 'string' && raw !== '')
    ? accepted(raw)
    : refused('fault.recurrence.form', { example: JSON.stringify({ rrule: 'FREQ=WEEKLY;BYDAY=FR' }) })

/** What repeats: a rule, further dates, and dates that are left out. */
export const recurrenceArguments = {
  recurrence: {
    read: recurrenceRule,
    schema: {
      anyOf: [
        { type: 'string', minLength: 1, examples: ['RRULE:FREQ=WEEKLY;BYDAY=FR'] },
        {
          type: 'object',
          properties: {
            rrule: { type: 'string', examples: ['FREQ=WEEKLY;BYDAY=FR;COUNT=10'] },
            dates: datesSchema,
            except: datesSchema,
          },
          additionalProperties: false,
        },
      ],
    },
    description: 'recurrence',
    isExtension: true,
  },
} as const satisfies Arguments

/** Which dates of a series go to the trash. */
export const seriesTrashArguments = {
  scope: { ...wordArgument(SERIES_SCOPES, 'series.scope'), isExtension: true },
  drop: { ...flagArgument('drop', 'series.drop'), isExtension: true },
} as const satisfies Arguments

/** Whether dates that have begun change too. */
export const pastArgument = {
  past: { ...flagArgument('past', 'series.past'), isExtension: true },
} as const satisfies Arguments

export interface SeriesRequest {
  readonly scope: SeriesScope
  readonly recurrence?: unknown
  readonly past?: boolean | undefined
  readonly drop?: boolean | undefined
}

/** The result of a write that means several dates. */
export interface SeriesWritten {
  readonly event: CalendarEvent
  readonly counts: { readonly added: number; readonly dropped: number; readonly changed: number }
}

/** The writes of series that the routes of events need. The room of series, which comes later, provides them. */
export interface SeriesWrites {
  create(
    write: WriteContext,
    of: { readonly draft: EventDraft; readonly recurrence: unknown; readonly language: Language },
  ): Promise<SeriesWritten>
  change(write: WriteContext, id: number, of: SeriesRequest & { readonly patch: EventPatch }): Promise<SeriesWritten>
  trash(write: WriteContext, id: number, of: SeriesRequest): Promise<SeriesWritten>
}

/** Returns the header that tells how many dates a write has added, dropped and changed. */
export function seriesChangedHeader({ added, dropped, changed }: SeriesWritten['counts']): {
  readonly 'X-Series-Changed': string
} {
  return { 'X-Series-Changed': `added=${added}, dropped=${dropped}, changed=${changed}` }
}
