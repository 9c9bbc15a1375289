import type { Actor, UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Language } from '../../base/languages/language.ts'
import { sanitizeTermName } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { listNamed, listSitesOf, type NamedKind } from '../../calendar/sources/source.repository.ts'
import { siteOfSource } from '../../calendar/sources/source.ts'
import { changeTerm, createTerm } from '../../calendar/terms/term.change.service.ts'
import { listMatchingTerms } from '../../calendar/terms/term.lookup.repository.ts'
import { isSameName, topLevel } from '../../calendar/terms/term.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type BatchedWrites, batchesOf, inOneDryRun, oneByOne, writeInBatches } from '../upsert/batches.ts'
import type { UpsertKind } from '../upsert/upsert.kind.ts'
import { type UpsertResult, upsertItems } from '../upsert/upsert.service.ts'
import { daysUntilFuture } from './date.shift.ts'
import { writeEntry } from './entry.writer.ts'
import { writeEvents } from './event.writer.ts'
import { createImportCounter, type ImportCounter, type ImportSummary, type OnProgress } from './import.summary.ts'
import { type Plan, planImport, plannedEvents } from './plan.ts'
import {
  digestNaming,
  findOriginal,
  type ImportContext,
  type ImportSettings,
  inOwnLanguage,
  keptId,
  type Moving,
  type RecordLanguages,
} from './record.writer.ts'
import type { Recordings, SourceReference, SourceTerm } from './source.ts'
import { noTranslations, originalOf, type TranslationLinks } from './translations.ts'

/**
 * Records per transaction. Large enough to be fast, and small enough to let other writers run more than once a second.
 */
const batchSize = 800
/** The same in a running service, where each commit keeps others waiting. */
const requestedBatchSize = 100

export interface ImportOptions {
  /** The owner of new records, or a function that finds the owner. It is called only if there are records to write. */
  readonly authorId: UserId | ((transact: BatchedWrites['transact']) => Promise<UserId>)
  /** Whether new events are moved into the future. */
  readonly isShifted?: boolean
  /** The user whose request imports, and whose rights count. By default the operator imports, who may write everything. */
  readonly requestedBy?: Actor
  /** Whether all changes are rolled back. */
  readonly isDryRun?: boolean
  readonly onProgress?: OnProgress
  /** Language of all imported records; the language of the site by default. */
  readonly language?: Language
  readonly translations?: TranslationLinks
  /** The languages of records that are in another one. */
  readonly languages?: RecordLanguages
  /** The users and pictures of a pulled calendar. */
  readonly moving?: Moving
  /** Whether new records of a pulled calendar have the ids of their source. */
  readonly keepsIds?: boolean
  /** Password of all imported events: the one with which protected events were recorded. */
  readonly eventPassword?: string
}

/**
 * Imports recordings. They are read twice: once for the records that events share, and once for the events. Invalid
 * records are reported. All others are kept, and recognized on the next import.
 */
export async function importRecordings(
  deps: Deps,
  recordings: Recordings,
  options: ImportOptions,
): Promise<ImportSummary> {
  const { authorId } = options
  const plan = await planImport(recordings, { hasPassword: options.eventPassword !== undefined })
  const shiftDays = options.isShifted ? await commonShiftDays(deps.storage.db, plan, deps.now()) : 0
  const orphans = await findOrphanTerms(deps.storage.db, plan)
  const announced = new Set<string>()
  const settings: Omit<ImportSettings, 'actor'> = {
    ...{ config: deps.config, now: deps.now, shiftDays, announced, startedAt: deps.now() },
    language: options.language ?? deps.config.defaultLanguage,
    translations: options.translations ?? noTranslations,
    languages: options.languages ?? new Map(),
    ...{ eventPassword: options.eventPassword, keepsIds: options.keepsIds ?? false },
    moving: options.moving ?? { authors: new Map(), pictures: new Map() },
  }
  const write = async (batches: BatchedWrites) => {
    const importCounter = createImportCounter(plan, { shiftDays, orphans }, options.onProgress)
    if (isEmpty(plan)) return importCounter.summary()
    const id = typeof authorId === 'number' ? authorId : await authorId(batches.transact)
    // The operator has direct access to the database, so all records may be written, regardless of the author's role.
    const actor: Actor = options.requestedBy ?? { kind: 'user', id, role: 'administrator' }
    const settle: ImportCounter['settle'] = (group, record, outcome) => {
      if (isDry && 'done' in outcome) announced.add(`${kindOf[group]} ${record.source}`)
      importCounter.settle(group, record, outcome)
    }
    await writePlan(batches, { plan, recordings, settings: { ...settings, actor }, settle })
    return importCounter.summary()
  }
  const { isDryRun: isDry = false } = options
  if (options.requestedBy) return write(batchesOf(deps.storage, { size: requestedBatchSize, isDry }))
  const storage = deps.storage.withOrigin({ via: 'import' })
  return isDry ? inOneDryRun(deps.storage, write) : write(batchesOf(storage, { size: batchSize, isDry }))
}

const kindOf = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
} as const

function isEmpty({ terms, venues, organizers, events }: Plan): boolean {
  return [terms, venues, organizers, events].every(({ length }) => length === 0)
}

/** The plan of an import, and the tools to run it. */
interface ImportWork {
  readonly plan: Plan
  readonly recordings: Recordings
  readonly settings: ImportSettings
  readonly settle: ImportCounter['settle']
}

/** Writes the records of a plan: those that others name before these, and originals before their translations. */
async function writePlan(batches: BatchedWrites, { plan, recordings, settings, settle }: ImportWork): Promise<void> {
  const writeEach = <R extends SourceReference>(
    records: readonly R[],
    groupOf: (record: R) => Parameters<typeof settle>[0],
    write: (context: ImportContext, record: R) => Promise<readonly UpsertResult[]>,
  ) =>
    writeInBatches<R, UpsertResult>(batches, records, {
      write: oneByOne((tx, record) => write({ ...settings, tx }, record)),
      settle: (record, outcome) => settle(groupOf(record), record, outcome),
    })
  const ordered = <R extends SourceReference>(records: readonly R[], kindOf: (record: R) => NamedKind) =>
    records.toSorted((one, other) => rank(one, kindOf(one)) - rank(other, kindOf(other)))
  const rank = ({ source }: SourceReference, kind: NamedKind) =>
    originalOf(settings.translations, kind, source) === undefined ? 0 : 1
  await writeEach(
    ordered(plan.terms, ({ taxonomy }) => taxonomy),
    ({ taxonomy }) => (taxonomy === 'category' ? 'categories' : 'tags'),
    writeTerm,
  )
  await writeEach(
    ordered(plan.venues, () => 'venue'),
    () => 'venues',
    (context, venue) => writeEntry(context, venues, venue),
  )
  await writeEach(
    ordered(plan.organizers, () => 'organizer'),
    () => 'organizers',
    (context, organizer) => writeEntry(context, organizers, organizer),
  )
  const waiting = new Map(plan.events.map((event) => [event.source, event]))
  await writeInBatches(batches, plannedEvents(waiting, recordings), {
    write: (tx, some) => writeEvents({ ...settings, tx }, some),
    settle: (event, outcome) => settle('events', event, outcome),
  })
  for (const event of waiting.values()) settle('events', event, { refused: { key: 'import.file.gone' } })
}

/** Returns categories whose parent is not part of this import and was not imported before. */
async function findOrphanTerms(db: Db, { terms }: Plan): Promise<readonly SourceTerm[]> {
  const planned = new Set(terms.map(({ source }) => source))
  const waiting = terms.filter(({ parent }) => parent !== undefined && !planned.has(parent))
  const known = await listNamed(
    db,
    'category',
    waiting.map(({ parent = '' }) => parent),
  )
  return waiting.filter(({ parent = '' }) => !known.has(parent))
}

/**
 * Returns the days by which all new events are moved. The earliest one must be in the future. The number is at least
 * that of events of the same files that were moved before, so that the intervals between events stay the same.
 */
async function commonShiftDays(db: Db, { events }: Plan, now: number): Promise<number> {
  const known = await listNamed(
    db,
    'event',
    events.map(({ source }) => source),
  )
  const unknown = events.filter(({ source }) => !known.has(source))
  const shifts = known.values().map(({ shiftDays }) => shiftDays)
  return shifts.reduce((most, days) => Math.max(most, days), daysUntilFuture(unknown, now))
}

/** Writes a category or a tag. The parent category must be written before. */
async function writeTerm(context: ImportContext, term: SourceTerm): Promise<readonly UpsertResult[]> {
  const { taxonomy, name, slug, description, source, parent } = term
  const write = inOwnLanguage(context, taxonomy, source)
  const { tx, language } = write
  const of = (await findOriginal(write, taxonomy, source))?.id
  const known = await listNamed(tx, 'category', parent === undefined ? [] : [parent])
  const parentId = known.get(parent ?? '')?.id ?? topLevel
  const draft = { name, slug, description, parentId, hasParent: taxonomy === 'category' }
  const kind: UpsertKind<typeof draft> = {
    kind: taxonomy,
    // The slug stays: the sent one may be taken here, and clients depend on the existing one.
    change: async (_write, { id }) =>
      void (await changeTerm(write, taxonomy, { id, patch: { ...draft, slug: undefined }, translationOf: of })),
    create: async () => {
      const ours = of === undefined ? await findOurs(write, term) : undefined
      return ours === undefined
        ? [await createTerm(write, taxonomy, { draft, language, of, keptId: keptId(write, source) })]
        : [{ id: ours, isAdopted: true }]
    },
  }
  const named = parent === undefined ? [] : [{ kind: 'category' as const, references: [{ source: parent }], known }]
  const digest = digestNaming(write, named, of === undefined ? draft : { ...draft, of })
  return upsertItems(write, { kind, language }, [{ key: source, digest, values: draft }])
}

/** Returns the id of the existing term with this slug or this name. Two similar names of one site are two terms. */
async function findOurs({ tx, language }: ImportContext, term: SourceTerm): Promise<number | undefined> {
  const slug = slugFrom(term.slug)
  const name = sanitizeTermName(term.name)
  const known = (await listMatchingTerms(tx, term.taxonomy, { slugs: [slug], names: [name] })).filter(
    (ours) => ours.language === language,
  )
  const bySlug = slug === '' ? undefined : known.find((ours) => ours.slug === slug)
  if (bySlug) return bySlug.id
  for (const ours of known) {
    if (!isSameName(ours.name, name)) continue
    const sites = await listSitesOf(tx, term.taxonomy, ours.id)
    if (!sites.has(siteOfSource(term.source))) return ours.id
  }
  return undefined
}
