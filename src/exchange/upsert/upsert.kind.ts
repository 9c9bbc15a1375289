import type { Call } from '../../access/http/call.ts'
import type { EndpointResult } from '../../access/http/route.ts'
import type { Language } from '../../base/languages/language.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import type { NamedKind, NamedRecord } from '../../calendar/sources/source.repository.ts'
import type { Standing, StandingFields } from '../../calendar/sources/standing.ts'
import type { Db } from '../../storage/database/tables.ts'

/** The values of a request by argument, after reading. */
export type SentValues = Readonly<Record<string, unknown>>

/** A record as a source has it. */
export interface SourceItem<V> {
  /** What names it, the same each time: that of a source that users own is made by `sourceKey`. */
  readonly key: string
  /** Digest of its content; '' if it must be written in any case. */
  readonly digest: string
  readonly values: V
}

/** The source of some records of one kind, and how they are written. */
export interface UpsertSource<V> {
  readonly kind: UpsertKind<V>
  /** Undefined: nobody owns it, it is never swept, and its records do not tell it. */
  readonly name?: string
  /** The language of new records. */
  readonly language: Language
  /** Whether edits that were made here are overwritten. */
  readonly isForced?: boolean
  /**
   * When the import has begun: a record that was changed here before, and after it was last written, stays as it is.
   * For kinds whose single fields cannot be compared.
   */
  readonly startedAt?: number
}

/** A record that a source has added. */
interface AddedRecord {
  readonly id: number
  /** Whether it was here before, and has stayed as it was. */
  readonly isAdopted?: boolean
  /** Whole days by which its dates were moved. */
  readonly shiftDays?: number
}

interface FoundRecord {
  readonly status: RecordStatus | string
  readonly isCanceled?: boolean
  readonly modifiedAt?: number
  /** Of the series of which an event is a date. */
  readonly seriesId?: number | undefined
}

/** How records of one kind are written from one form of values. */
export interface UpsertKind<V> {
  readonly kind: NamedKind
  /** Edits that were made here are kept, if the digests of its fields as they are stored can be compared. */
  readonly edits?: {
    // biome-ignore lint/suspicious/noExplicitAny: the rows of each kind.
    readonly fields: StandingFields<any>
    readonly list: (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, Standing>>
  }
  /** Creates records in this order, or takes those that are the same. */
  readonly create: (
    write: WriteContext,
    source: UpsertSource<V>,
    items: readonly SourceItem<V>[],
  ) => Promise<readonly AddedRecord[]>
  /** @returns the id of the record, if the change has made another one of it. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most changes return nothing.
  readonly change: (write: WriteContext, known: NamedRecord, values: V) => Promise<number | void>
  /** Terms have no state. */
  readonly find?: (db: Db, id: number) => Promise<FoundRecord>
  readonly restore?: (write: WriteContext, id: number) => Promise<void>
}

/** What gives a record its fields as they are now: parts of a patch, as JSON, by field. */
export type Parts = Readonly<Record<string, object>>

/** How requests write one kind of record by the ids of their sources. */
export interface SentKind extends UpsertKind<SentValues> {
  readonly kind: 'event' | 'venue' | 'organizer'
  readonly edits: NonNullable<UpsertKind<SentValues>['edits']>
  /** Series have none. */
  readonly parts: (db: Db, id: number) => Promise<Parts>
  /** Gives a record some of its fields again. */
  readonly putBack: (write: WriteContext, id: number, parts: readonly object[]) => Promise<void>
  readonly find: NonNullable<UpsertKind<SentValues>['find']>
  /** Moves a record to the trash. It must be outside. */
  readonly trash: (write: WriteContext, id: number) => Promise<void>
  readonly answer: (
    call: Pick<Call, 'deps' | 'actor' | 'addresses'>,
    id: number,
    status: number,
  ) => Promise<EndpointResult>
}
