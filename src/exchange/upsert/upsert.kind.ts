import type { EndpointResult } from '../../access/http/route.ts'
import type { ServiceCall } from '../../access/http/service.ts'
import type { Language } from '../../base/languages/language.ts'
import type { RecordStatus } from '../../calendar/records/record.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import type { Standing, StandingFields } from '../../calendar/sources/standing.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** The values of a request by argument, after reading. */
export type SentValues = Readonly<Record<string, unknown>>

/** A record to create, with the id of its source. */
export interface NewItem {
  readonly externalId: string
  readonly values: SentValues
}

/** A record as it stands, as far as the rules of sources need it. */
interface StandingRecord {
  readonly status: RecordStatus
  readonly isCanceled: boolean
}

/** How one kind of record is written by the ids of its sources. */
export interface UpsertKind {
  readonly kind: 'event' | 'venue' | 'organizer'
  // biome-ignore lint/suspicious/noExplicitAny: the rows of each kind.
  readonly fields: StandingFields<any>
  /** Creates records in this order. @returns their ids. */
  readonly create: (
    write: WriteContext,
    source: { readonly name: string; readonly language: Language },
    items: readonly NewItem[],
  ) => Promise<readonly number[]>
  readonly change: (write: WriteContext, id: number, values: SentValues) => Promise<void>
  /** Moves a record to the trash. It must be outside. */
  readonly trash: (write: WriteContext, id: number) => Promise<void>
  readonly restore: (write: WriteContext, id: number) => Promise<void>
  readonly find: (db: Db, id: number) => Promise<StandingRecord>
  readonly standings: (db: Db, dialect: Dialect, ids: readonly number[]) => Promise<ReadonlyMap<number, Standing>>
  readonly answer: (
    call: Pick<ServiceCall, 'deps' | 'actor' | 'addresses'>,
    id: number,
    status: number,
  ) => Promise<EndpointResult>
}
