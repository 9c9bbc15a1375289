import type { Addresses } from '../../access/http/addresses.ts'
import type { Arguments } from '../../access/http/argument.ts'
import type { LazySchema } from '../../access/http/route.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Picture } from '../media/media.ts'
import type { CalendarRecord, RecordStatus } from '../records/record.ts'
import type { TranslationIds } from '../translations/viewer.ts'
import type { FieldTable } from './field.ts'

/** What venues and organizers are: records with a name that events link to. */
export type DirectoryKind = 'venue' | 'organizer'

/** What a kind has besides the shared part of a record. */
export type Fields = object

/** A venue or an organizer: the shared part and its own fields. */
export interface DirectoryEntry<F extends Fields> extends CalendarRecord {
  readonly fields: F
  readonly image: Picture | undefined
  /** Known only where a language was asked for. */
  readonly translations?: TranslationIds
}

/** What an entry is created from or changed to; undefined is left as it is. */
export interface EntryPatch<F extends Fields> {
  readonly name?: string | undefined
  readonly authorId?: number | undefined
  /** When it is published, on the clock of the site unless it carries an offset. */
  readonly date?: string | undefined
  /** The same, UTC. */
  readonly dateUtc?: string | undefined
  readonly description?: string | undefined
  readonly status?: RecordStatus | undefined
  /** When it was changed last, of what comes from elsewhere; else that is now. Whole seconds since 1970, UTC. */
  readonly modifiedAt?: number | undefined
  /** Null: no picture. */
  readonly imageId?: number | null | undefined
  readonly fields: Partial<F>
}

/** For which answer a venue or an organizer is shown. */
export interface EntryView {
  readonly addresses: Addresses
  readonly siteZone: Zone
  /** Whether it comes with the words of schema.org: in the view of one entry, or of one event. */
  readonly hasJsonLd?: boolean
}

/** How a kind's own fields are stored. */
export interface FieldStore<F extends Fields> {
  /** The fields of these records, by id. One query. */
  list(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, F>>
  insert(tx: Tx, id: number, fields: F): Promise<void>
  update(tx: Tx, id: number, fields: F): Promise<void>
}

/** What tells venues and organizers apart. */
export interface DirectoryDefinition<F extends Fields, Json extends object = object> {
  readonly kind: DirectoryKind
  readonly plural: 'venues' | 'organizers'
  readonly tag: 'Venues' | 'Organizers'
  readonly schemas: { readonly one: LazySchema; readonly list: LazySchema }
  readonly fields: FieldTable
  readonly store: FieldStore<F>
  /** Default that the index shows for the arguments of all kinds, if any (index-and-doc.md note 3). */
  readonly declaredDefault: { readonly default?: null }
  /**
   * The fields after a change.
   *
   * @throws rest_invalid_param where they do not go together
   */
  readonly change: (fields: F, sent: Partial<F>) => F
  /** An entry as clients read it, keys in the contract's order (venues-organizers.md §2). */
  readonly present: (entry: DirectoryEntry<F>, view: EntryView) => Json
  /** The same in the words of schema.org (venues-organizers.md §2.1). */
  readonly presentJsonLd: (entry: DirectoryEntry<F>, addresses: Addresses) => object
}

/** The same with what comes of the table of fields. */
export interface Directory<F extends Fields, Json extends object = object> extends DirectoryDefinition<F, Json> {
  /** What a new one has where nothing is sent. */
  readonly blank: F
  /** Fields of which all translations have the same value (languages.md §3). */
  readonly sharedFields: readonly (keyof F & string)[]
  /** Fields that a search looks through, besides name, description and excerpt. */
  readonly searchedFields: readonly (keyof F & string)[]
  /** Arguments of create and update between `status` and `image`. */
  readonly arguments: Arguments
}
