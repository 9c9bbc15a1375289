import { hash } from 'node:crypto'
import type { UserId } from '../../access/auth/actor.ts'
import type { Language } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, utcZone } from '../../base/time/zone.ts'
import { updateRecord } from '../../calendar/records/record.repository.ts'
import type { RecordId } from '../../calendar/records/record.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { listNamed, type NamedKind, type NamedRecord } from '../../calendar/sources/source.repository.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { UpsertSource } from '../upsert/upsert.kind.ts'
import type { MovedValues, SourceReference } from './source.ts'
import { originalOf, type TranslationLinks } from './translations.ts'

/** The users and pictures here by their ids on the other site. */
export interface Moving {
  readonly authors: ReadonlyMap<number, UserId>
  readonly pictures: ReadonlyMap<number, number>
}

/** Returns the owner and the picture of a moved record, if they are known. */
export function movedFields({ moving }: Pick<ImportContext, 'moving'>, { author, picture }: MovedValues = {}) {
  const authorId = author === undefined ? undefined : moving.authors.get(author)
  const imageId = picture === undefined ? undefined : moving.pictures.get(picture)
  return { ...(authorId === undefined ? {} : { authorId }), ...(imageId === undefined ? {} : { imageId }) }
}

/** Returns what the digest of a moved record has besides; `{}` of others. A password is not stored in it. */
export function movedContent(moved: MovedValues | undefined): object {
  return moved ? { moved: { ...moved, password: moved.password === undefined ? undefined : true } } : {}
}

/** Returns the id that a new record keeps, if it keeps that of its source. */
export function keptId({ keepsIds }: Pick<ImportContext, 'keepsIds'>, source: string): number | undefined {
  return keepsIds ? Number(source.replace(/^.*=/, '')) : undefined
}

/** The languages of records by their kind and their id on the other site. */
export type RecordLanguages = ReadonlyMap<string, Language>

/** Returns the context of the writes of a record: with its language. */
export function inOwnLanguage(write: ImportContext, kind: NamedKind, source: string): ImportContext {
  const language = write.languages.get(languageKey(kind, source))
  return language === undefined ? write : { ...write, language }
}

/** @param source The source of a record, or its id. */
export function languageKey(kind: NamedKind, source: string): string {
  return `${kind} ${source.replace(/^.*=/, '')}`
}

/** The context of every write of an import. Its actor owns new records. */
export interface ImportContext extends WriteContext, Pick<UpsertSource<object>, 'language'> {
  /** Days by which new events are moved. */
  readonly shiftDays: number
  /** When the import has begun: what editors changed here before stays. */
  readonly startedAt: number
  readonly translations: TranslationLinks
  /** The languages of records that are not in the language of the import: see `languageOf`. */
  readonly languages: RecordLanguages
  /** Password of all imported events. */
  readonly eventPassword: string | undefined
  /** The users and pictures of a pulled calendar. */
  readonly moving: Moving
  /** Whether new records have the ids of their source. */
  readonly keepsIds: boolean
  /** The records that a dry run would have created so far, by kind and source. */
  readonly announced: ReadonlySet<string>
}

/** The context without a transaction. */
export type ImportSettings = Omit<ImportContext, 'tx'>

/**
 * Returns the time of the last change of a source, in whole seconds since 1970, UTC; undefined if it is not recorded.
 */
export function modifiedAtOf({ modifiedAt }: { readonly modifiedAt: string }): number | undefined {
  return isLocalDateTime(modifiedAt) ? epochSecondsOf(modifiedAt, utcZone) : undefined
}

/** Gives a record that was moved to the trash here the time of its last change in the source. */
export async function keepModified(tx: Tx, id: number, source: { readonly modifiedAt: string }): Promise<void> {
  const modifiedAt = modifiedAtOf(source)
  if (modifiedAt !== undefined) await updateRecord(tx, id as RecordId, { modified_at: modifiedAt })
}

/** Returns the digest that shows whether a source has changed since its import. */
export function contentDigest(content: object): string {
  return hash('sha256', JSON.stringify(content))
}

/** What a record names, by kind, and which of that is known. */
export interface Named {
  readonly kind: NamedKind
  readonly references: readonly Pick<SourceReference, 'source'>[]
  readonly known: ReadonlyMap<string, NamedRecord>
}

/**
 * Returns the digest of a record that names others. Those that only a dry run would have created have no id, so such a
 * record counts as changed.
 */
export function digestNaming({ announced }: ImportContext, named: readonly Named[], content: object): string {
  const isOpen = ({ kind, references, known }: Named) =>
    references.some(({ source }) => !known.has(source) && announced.has(`${kind} ${source}`))
  return named.some(isOpen) ? '' : contentDigest(content)
}

/** Returns the record of the original that this one translates, if it was imported. */
export async function findOriginal(
  { tx, translations }: ImportContext,
  kind: NamedKind,
  source: string,
): Promise<NamedRecord | undefined> {
  const original = originalOf(translations, kind, source)
  return original === undefined ? undefined : (await listNamed(tx, kind, [original])).get(original)
}
