import type { Addresses } from '../../access/http/addresses.ts'
import type { Arguments } from '../../access/http/argument.ts'
import type { LazySchema } from '../../access/http/route.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Picture } from '../media/media.ts'
import type { CalendarRecord, RecordStatus } from '../records/record.ts'
import type { TranslationIds } from '../translations/viewer.ts'

/** What venues and organizers are: records with a name that events link to. */
export type DirectoryKind = 'venue' | 'organizer'

/** What a kind has besides the shared part of a record; the names are those of its arguments. */
export type Fields = object

/** A venue or an organizer: the shared part and its own fields. */
export interface DirectoryEntry<F extends Fields> extends CalendarRecord {
  readonly fields: F
  readonly image: Picture | undefined
  /** Known only where a language was asked for. */
  readonly translations?: TranslationIds
}

/** What a caller sends to create or change an entry; undefined is left as it is. */
export interface DirectoryEntryInput<F extends Fields> {
  readonly name?: string | undefined
  readonly author?: number | undefined
  readonly date?: string | undefined
  readonly date_utc?: string | undefined
  readonly description?: string | undefined
  readonly status?: RecordStatus | undefined
  /** When it was changed last, of what comes from elsewhere; else that is now. Whole seconds since 1970, UTC. */
  readonly modifiedAt?: number | undefined
  /** Null: no picture. */
  readonly image?: number | null | undefined
  readonly fields: Partial<F>
}

/** How a kind's own fields are stored. */
export interface FieldStore<F extends Fields> {
  /** The fields of these records, by id. One query. */
  list(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, F>>
  insert(tx: Tx, id: number, fields: F): Promise<void>
  update(tx: Tx, id: number, fields: F): Promise<void>
}

/** All that tells venues and organizers apart. */
export interface Directory<F extends Fields> {
  readonly kind: DirectoryKind
  readonly plural: 'venues' | 'organizers'
  readonly tag: 'Venues' | 'Organizers'
  readonly schemas: { readonly one: LazySchema; readonly list: LazySchema }
  /** What a new one has where nothing is sent. */
  readonly blank: F
  readonly store: FieldStore<F>
  /** Fields of which all translations have the same value (languages.md §3). */
  readonly sharedFields: readonly (keyof F & string)[]
  /** Arguments of create and update between `status` and `image`; they have the names of the fields. */
  readonly arguments: Arguments
  /** Default that the index shows for the arguments of all kinds, if any (index-and-doc.md note 3). */
  readonly declaredDefault: { readonly default?: null }
  /**
   * The fields after a change.
   *
   * @throws rest_invalid_param where they do not go together
   */
  readonly change: (fields: F, sent: Partial<F>) => F
  /** The texts that a search looks through, besides name, description and excerpt. */
  readonly searchable: (fields: F) => readonly string[]
  /** The fields on the wire, between `image` and `json_ld`, empty ones left out. */
  readonly presentFields: (fields: F) => object
  /** What stands after `json_ld`. */
  readonly presentFlags: (fields: F) => object
  readonly presentJsonLd: (entry: DirectoryEntry<F>, addresses: Addresses) => object
}
