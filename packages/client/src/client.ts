import { createKeys, createUsers, type Keys, type Users } from './accounts.ts'
import type {
  Category,
  ChangeCategoryInput,
  ChangeOrganizerInput,
  ChangeTagInput,
  ChangeVenueInput,
  CreateCategoryInput,
  CreateOrganizerInput,
  CreateTagInput,
  CreateVenueInput,
  GetCategoryQuery,
  GetTagQuery,
  ListCategoriesQuery,
  ListOrganizersQuery,
  ListTagsQuery,
  ListVenuesQuery,
  Organizer,
  Tag,
  User,
  Venue,
} from './api.generated.ts'
import { createBatch, type SendBatch } from './batch.ts'
import { type ChangeFeed, createChanges } from './changes.ts'
import { createRecords, type Records } from './collection.ts'
import { createEvents, type Events } from './events.ts'
import { createMedia, type MediaLibrary } from './media.ts'
import { type CallOptions, type ClientOptions, connectionOf } from './options.ts'
import { createSend, urlOf } from './send.ts'
import { createSource, type Source } from './sources.ts'
import { createTerms, type Terms } from './terms.ts'

type Nothing = Readonly<Record<string, never>>

interface KindOf<Item, ListQuery, ItemQuery, Created, Changed> {
  readonly item: Item
  readonly listQuery: ListQuery
  readonly itemQuery: ItemQuery
  readonly created: Created
  readonly changed: Changed
  readonly translated: Created
}
export type VenueKind = KindOf<Venue, ListVenuesQuery, Nothing, CreateVenueInput, ChangeVenueInput>
export type OrganizerKind = KindOf<Organizer, ListOrganizersQuery, Nothing, CreateOrganizerInput, ChangeOrganizerInput>
export type CategoryKind = KindOf<
  Category,
  ListCategoriesQuery,
  GetCategoryQuery,
  CreateCategoryInput,
  ChangeCategoryInput
>
export type TagKind = KindOf<Tag, ListTagsQuery, GetTagQuery, CreateTagInput, ChangeTagInput>

/** A client of a calendar, with its resources. */
export interface Client {
  readonly events: Events
  readonly venues: Records<VenueKind, Nothing>
  readonly organizers: Records<OrganizerKind, Nothing>
  readonly categories: Terms<CategoryKind>
  readonly tags: Terms<TagKind>
  readonly media: MediaLibrary
  /** What changed for visitors, deletions included. */
  readonly changes: ChangeFeed
  /** Many writes in one request. */
  readonly batch: SendBatch
  /** Returns the records of a system that sends them under ids of its own. */
  source(name: string): Source
  readonly users: Users
  readonly keys: Keys
  /** Returns the user whose credentials this client sends. */
  me(options?: CallOptions): Promise<User>
}

/**
 * Creates a client of one service, with credentials or as a visitor. It keeps nothing open.
 *
 * @throws TypeError, if the address of the service is not valid
 */
export function createClient(options: ClientOptions): Client {
  const connection = connectionOf(options)
  const send = createSend(connection)
  const users = createUsers(send)
  return {
    events: createEvents(send, (path, query, asked) => urlOf(connection, { namespace: 'events', path, query }, asked)),
    venues: createRecords<VenueKind, Nothing>({ send, plural: 'venues' }),
    organizers: createRecords<OrganizerKind, Nothing>({ send, plural: 'organizers' }),
    categories: createTerms<CategoryKind>(send, 'categories'),
    tags: createTerms<TagKind>(send, 'tags'),
    media: createMedia(send),
    changes: createChanges(send),
    batch: createBatch(send),
    source: (name) => createSource(send, name),
    users,
    keys: createKeys(send),
    me: (asked) => users.get('me', asked),
  }
}
