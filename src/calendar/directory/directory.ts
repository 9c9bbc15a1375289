import type { Addresses } from '../../access/http/addresses.ts'
import type { Arguments } from '../../access/http/arguments/argument.ts'
import type { LazySchema } from '../../access/http/route.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Picture } from '../media/media.ts'
import type { CalendarRecord, RecordStatus } from '../records/record.ts'
import type { TranslationIds } from '../translations/viewer.ts'
import type { FieldTable } from './field.ts'

/** Venues and organizers are records with a name that events link to. */
export type DirectoryKind = 'venue' | 'organizer'

/** The fields of a kind besides the shared part of a record. */
export type Fields = object

/** A venue or an organizer: the shared part and its own fields. */
export interface DirectoryEntry<F extends Fields> extends CalendarRecord {
  readonly fields: F
  readonly image: Picture | undefined
  /** Set only if a language was requested. */
  readonly translations?: TranslationIds
}

/** The values with which an entry is created or updated; undefined leaves a value unchanged. */
export interface EntryPatch<F extends Fields> {
  readonly name?: string | undefined
  readonly authorId?: number | undefined
  /** Date of publication, in local time of the site unless it has an offset. */
  readonly date?: string | undefined
  /** Date of publication, UTC. */
  readonly dateUtc?: string | undefined
  readonly description?: string | undefined
  readonly status?: RecordStatus | undefined
  /** Time of the last change of an entry from another source; by default now. Whole seconds since 1970, UTC. */
  readonly modifiedAt?: number | undefined
  /** Null: no picture. */
  readonly imageId?: number | null | undefined
  /** Whether a new entry is another one than those of its name in other places, and changes none of them. */
  readonly isApart?: boolean | undefined
  readonly fields: Partial<F>
}

/** The answer in which a venue or an organizer is shown. */
export interface EntryView {
  readonly addresses: Addresses
  readonly siteZone: Zone
  /** Whether it includes the schema.org representation: in the view of one entry, or of one event. */
  readonly hasJsonLd?: boolean
}

/** How a kind's own fields are stored. */
export interface FieldStore<F extends Fields> {
  /** The fields of these records, by id. One query. */
  list(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, F>>
  insert(tx: Tx, id: number, fields: F): Promise<void>
  update(tx: Tx, id: number, fields: F): Promise<void>
}

/** The differences between venues and organizers. */
export interface DirectoryDefinition<F extends Fields, Json extends object = object> {
  readonly kind: DirectoryKind
  readonly plural: 'venues' | 'organizers'
  readonly tag: 'Venues' | 'Organizers'
  readonly schemas: Readonly<Record<'one' | 'list' | 'usage' | 'source', LazySchema>>
  readonly fields: FieldTable
  readonly store: FieldStore<F>
  /** Default that the index shows for the arguments of all kinds, if any (index-and-doc.md note 3). */
  readonly declaredDefault: { readonly default?: null }
  /**
   * The fields after a change.
   *
   * @throws rest_invalid_param if the fields contradict each other
   */
  readonly change: (fields: F, sent: Partial<F>) => F
  /** An entry as clients read it, keys in the contract's order (venues-organizers.md §2). */
  readonly present: (entry: DirectoryEntry<F>, view: EntryView) => Json
  /** The schema.org representation of an entry (venues-organizers.md §2.1). */
  readonly presentJsonLd: (entry: DirectoryEntry<F>, addresses: Addresses) => object
}

/** A definition with the values that its table of fields determines. */
export interface Directory<F extends Fields, Json extends object = object> extends DirectoryDefinition<F, Json> {
  /** The fields of a new entry if nothing is sent. */
  readonly blank: F
  /** Fields of which all translations have the same value (languages.md §3). */
  readonly sharedFields: readonly (keyof F & string)[]
  /** Fields that a search reads, besides name, description and excerpt. */
  readonly searchedFields: readonly (keyof F & string)[]
  /** Arguments of create and update between `status` and `image`. */
  readonly arguments: Arguments
}
