import type { Static } from 'typebox'
import type * as accounts from '../../access/accounts/account.schema.ts'
import type { SavedViewSchema } from '../../access/views/view.schema.ts'
import type { CanceledEventsSchema, RestoredEventsSchema } from '../../calendar/cancellations/cancellation.schema.ts'
import type { entrySourceSchema } from '../../calendar/directory/directory.usage.schema.ts'
import type { EventRowSchema, EventRowsSchema } from '../../calendar/events/list/rows.schema.ts'
import type { EventSourceSchema } from '../../calendar/events/present/source.schema.ts'
import type { EventDoublesSchema } from '../../calendar/events/write/doubles.schema.ts'
import type { MediaSchema } from '../../calendar/media/media.schema.ts'
import type { MediaUsageSchema } from '../../calendar/media/media.usage.schema.ts'
import type { MergedRecordSchema, TermUsageSchema, UnmergedRecordSchema } from '../../calendar/merges/merge.schema.ts'
import type { NamesSchema } from '../../calendar/names/names.schema.ts'
import type * as series from '../../calendar/series/series.schema.ts'
import type { CategorySchema } from '../../calendar/terms/term.schema.ts'
import type { PurgedRecordSchema } from '../../calendar/trash/purge.schema.ts'
import type { ImportedCalendarSchema } from '../../exchange/calendars/calendar.schema.ts'
import type { FetchedSubscriptionSchema, SubscriptionSchema } from '../../exchange/calendars/subscription.schema.ts'
import type { ImportSchema } from '../../exchange/imports/recording.schema.ts'
import type { LinkChecksSchema } from '../../exchange/links/link.schema.ts'
import type { ImportListSchema, UndoneImportSchema } from '../../exchange/upsert/upsert.schema.ts'
import type { AuditPageSchema, EventHistorySchema } from '../../operate/audit/audit.schema.ts'
import type { SettingListSchema } from '../../operate/settings/settings.schema.ts'

// What the interface answers, as its schemas describe it.

export type AuditPage = Static<typeof AuditPageSchema>
export type CanceledEvents = Static<typeof CanceledEventsSchema>
export type EntrySource = Static<ReturnType<typeof entrySourceSchema>>
export type EventDoubles = Static<typeof EventDoublesSchema>
export type EventHistory = Static<typeof EventHistorySchema>
export type EventRow = Static<typeof EventRowSchema>
export type EventRows = Static<typeof EventRowsSchema>
export type EventSource = Static<typeof EventSourceSchema>
export type Import = Static<typeof ImportSchema>
export type ImportedCalendar = Static<typeof ImportedCalendarSchema>
export type Subscription = Static<typeof SubscriptionSchema>
export type FetchedSubscription = Static<typeof FetchedSubscriptionSchema>
export type ImportList = Static<typeof ImportListSchema>
export type UndoneImport = Static<typeof UndoneImportSchema>
export type Key = Static<typeof accounts.KeySchema>
export type Link = Static<typeof accounts.LinkSchema>
export type LinkChecks = Static<typeof LinkChecksSchema>
export type Media = Static<typeof MediaSchema>
export type MediaUsage = Static<typeof MediaUsageSchema>
export type MergedRecord = Static<typeof MergedRecordSchema>
export type Names = Static<typeof NamesSchema>
export type NewKey = Static<typeof accounts.NewKeySchema>
export type NewLink = Static<typeof accounts.NewLinkSchema>
export type PurgedRecord = Static<typeof PurgedRecordSchema>
export type RestoredEvents = Static<typeof RestoredEventsSchema>
export type SavedView = Static<typeof SavedViewSchema>
export type Series = Static<typeof series.SeriesSchema>
export type SeriesDates = Static<typeof series.SeriesDatesSchema>
export type SeriesPreview = Static<typeof series.SeriesPreviewSchema>
export type Session = Static<typeof accounts.SessionSchema>
export type SettingList = Static<typeof SettingListSchema>
export type Term = Static<typeof CategorySchema>
export type TermUsage = Static<typeof TermUsageSchema>
export type UnmergedRecord = Static<typeof UnmergedRecordSchema>
export type User = Static<typeof accounts.UserSchema>

/** A page of a list. */
export type List<Name extends string, Item> = Readonly<Record<Name, readonly Item[]>> & {
  readonly total: number
  readonly total_pages: number
}
