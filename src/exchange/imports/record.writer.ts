import { hash } from 'node:crypto'
import type { Language } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, utcZone } from '../../base/time/zone.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import {
  findImported,
  type ImportedKind,
  type ImportedRecord,
  saveImported,
} from '../../calendar/sources/imported.repository.ts'
import type { SourceReference } from './source.ts'
import { originalOf, type TranslationLinks } from './translations.ts'

/** `unchanged`: the source has not changed since its import, or an existing record is the same. */
export type ImportOutcome = 'created' | 'updated' | 'unchanged'

/** The context of every write of an import. Its actor owns new records. */
export interface ImportContext extends WriteContext {
  /** Days by which new events are moved. */
  readonly shiftDays: number
  /** Language of all imported records. */
  readonly language: Language
  readonly translations: TranslationLinks
  /** Password of all imported events. */
  readonly eventPassword: string | undefined
}

/** The context without a transaction. */
export type ImportSettings = Omit<ImportContext, 'tx'>

/** The steps to write one kind of record. */
interface WriteSteps<C> {
  readonly kind: ImportedKind
  /** The record of an earlier import. */
  readonly known: ImportedRecord | undefined
  /** The imported content: if it has not changed, nothing is written. */
  readonly content: C
  /** Returns whether the record of an earlier import may be changed. */
  readonly mayChange?: (id: number) => Promise<boolean>
  readonly change: (known: ImportedRecord) => Promise<void>
  /** Returns the id of an existing record that is the same. */
  readonly adopt?: () => Promise<number | undefined>
  /** Returns the new id. */
  readonly create: () => Promise<number>
}

/**
 * Writes a source: changes its record if it was imported before, or uses an existing record, or creates one. Stores the
 * import.
 */
export async function writeImported<C extends object>(
  { tx, now, shiftDays }: ImportContext,
  { source }: SourceReference,
  { kind, known, content, mayChange, change, adopt, create }: WriteSteps<C>,
): Promise<ImportOutcome> {
  const digest = contentDigest(content)
  if (known) {
    if (known.digest === digest) return 'unchanged'
    if (mayChange && !(await mayChange(known.id))) return 'unchanged'
    await change(known)
    await saveImported({ tx, now }, kind, [{ ...known, source, digest }])
    return 'updated'
  }
  const adopted = await adopt?.()
  const id = adopted ?? (await create())
  await saveImported({ tx, now }, kind, [{ source, id, digest, shiftDays: kind === 'event' ? shiftDays : 0 }])
  return adopted === undefined ? 'created' : 'unchanged'
}

/**
 * Returns the time of the last change of a source, in whole seconds since 1970, UTC; undefined if it is not recorded.
 */
export function modifiedAtOf({ modifiedAt }: { readonly modifiedAt: string }): number | undefined {
  return isLocalDateTime(modifiedAt) ? epochSecondsOf(modifiedAt, utcZone) : undefined
}

/** Returns the digest that shows whether a source has changed since its import. */
export function contentDigest(content: object): string {
  return hash('sha256', JSON.stringify(content))
}

/** Returns the record of the original that this one translates, if it was imported. */
export async function findOriginal(
  { tx, translations }: ImportContext,
  kind: ImportedKind,
  source: string,
): Promise<ImportedRecord | undefined> {
  const original = originalOf(translations, kind, source)
  return original === undefined ? undefined : findImported(tx, kind, original)
}
