// The exports of the package. Its files import each other by their own names, never from this file.
export type { KeyOptions, Keys, Removed, UserReference, Users } from './accounts.ts'
export type * from './api.generated.ts'
export type { BatchOperation, BatchOptions, SendBatch } from './batch.ts'
export type { ChangeFeed, ChangePage } from './changes.ts'
export {
  type CategoryKind,
  type Client,
  createClient,
  type OrganizerKind,
  type TagKind,
  type VenueKind,
} from './client.ts'
export type { AllOptions, Collection, Kind, Records } from './collection.ts'
export { ApiError, type ClientCode, type ErrorCode, isApiError, NetworkError, TimeoutError } from './errors.ts'
export type {
  EventChange,
  EventKind,
  EventQuery,
  Events,
  EventTranslation,
  FeedFormat,
  Moment,
  NewEvent,
} from './events.ts'
export type { MediaLibrary, MediaQuery } from './media.ts'
export type { CallOptions, ClientCredentials, ClientOptions, ServiceWriteOptions, WriteOptions } from './options.ts'
export type { Page } from './paging.ts'
export { endOf, startOf, utcDate, venuesOf, versionOf } from './reading.ts'
export type { SentRecord, Source, SourceEvent, SourceRecords } from './sources.ts'
export type { Terms } from './terms.ts'
