import { hash } from 'node:crypto'
import type { Language } from '../../base/languages/language.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, utcZone } from '../../base/time/zone.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { findImported, type ImportedKind, type ImportedRecord, saveImported } from './import.repository.ts'
import type { SourceReference } from './source.ts'
import { originalOf, type TranslationLinks } from './translations.ts'

/** `unchanged`: nothing new since it was imported, or one of ours stands for it. */
export type ImportOutcome = 'created' | 'updated' | 'unchanged'

/** What every write of an import works with. What is created belongs to its actor. */
export interface ImportContext extends WriteContext {
  /** Days by which events that are new here are moved. */
  readonly shiftDays: number
  /** Language of all that is imported. */
  readonly language: Language
  readonly translations: TranslationLinks
  /** Password that all imported events get. */
  readonly eventPassword: string | undefined
}

/** The same before a transaction is open. */
export type ImportSettings = Omit<ImportContext, 'tx'>

/** How one kind of record is written, once it is known what it is here. */
interface WriteSteps<C> {
  readonly kind: ImportedKind
  /** What it has become, where it was imported before. */
  readonly known: ImportedRecord | undefined
  /** All that is imported: where it has not changed, nothing is written. */
  readonly content: C
  /** Whether what was imported before may be changed. */
  readonly mayChange?: (id: number) => Promise<boolean>
  readonly change: (known: ImportedRecord) => Promise<void>
  /** The id of one of ours that stands for it. */
  readonly adopt?: () => Promise<number | undefined>
  /** Gives the new id. */
  readonly create: () => Promise<number>
}

/** Writes what a source has become: changed where it is known, else one of ours, else created. It is known from then on. */
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

/** When a source was changed last, in whole seconds since 1970, UTC; undefined where that was not recorded. */
export function modifiedAtOf({ modifiedAt }: { readonly modifiedAt: string }): number | undefined {
  return isLocalDateTime(modifiedAt) ? epochSecondsOf(modifiedAt, utcZone) : undefined
}

/** By what it is known whether something has changed since it was imported. */
export function contentDigest(content: object): string {
  return hash('sha256', JSON.stringify(content))
}

/** What has become of the record that this one translates, where there is one and it was imported. */
export async function findOriginal(
  { tx, translations }: ImportContext,
  kind: ImportedKind,
  source: string,
): Promise<ImportedRecord | undefined> {
  const original = originalOf(translations, kind, source)
  return original === undefined ? undefined : findImported(tx, kind, original)
}
