import type { Actor, UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Language } from '../../base/languages/language.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { listImported } from '../../calendar/sources/imported.repository.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type BatchedWrites, oneByOne, writeInBatches } from '../upsert/batches.ts'
import { rolledBack } from '../upsert/rolled.back.ts'
import { daysUntilFuture } from './date.shift.ts'
import { writeEntry } from './entry.writer.ts'
import { writeEvents } from './event.writer.ts'
import {
  createImportCounter,
  explained,
  type ImportCounter,
  type ImportSummary,
  type OnProgress,
} from './import.summary.ts'
import { type Plan, planImport, plannedEvents } from './plan.ts'
import type { ImportOutcome, ImportSettings } from './record.writer.ts'
import type { Recordings, SourceTerm } from './source.ts'
import { writeTerm } from './term.writer.ts'
import { noTranslations, type TranslationLinks } from './translations.ts'

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
  const settings: Omit<ImportSettings, 'actor'> = {
    config: deps.config,
    now: deps.now,
    shiftDays,
    language: options.language ?? deps.config.defaultLanguage,
    translations: options.translations ?? noTranslations,
    eventPassword: options.eventPassword,
  }
  const write = async (batches: BatchedWrites) => {
    const importCounter = createImportCounter(plan, { shiftDays, orphans }, options.onProgress)
    if (isEmpty(plan)) return importCounter.summary()
    const id = typeof authorId === 'number' ? authorId : await authorId(batches.transact)
    // The operator has direct access to the database, so all records may be written, regardless of the author's role.
    const actor: Actor = options.requestedBy ?? { kind: 'user', id, role: 'administrator' }
    await writePlan(batches, { plan, recordings, settings: { ...settings, actor }, settle: importCounter.settle })
    return importCounter.summary()
  }
  const size = options.requestedBy ? requestedBatchSize : batchSize
  const storage = options.requestedBy ? deps.storage : deps.storage.withOrigin({ via: 'import' })
  return options.isDryRun ? dryRun(deps, write) : write({ transact: storage.write, size })
}

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

async function writePlan(batches: BatchedWrites, { plan, recordings, settings, settle }: ImportWork): Promise<void> {
  await writeInBatches<SourceTerm, ImportOutcome>(batches, plan.terms, {
    write: oneByOne((tx, term) => writeTerm({ ...settings, tx }, term)),
    settle: (term, outcome) => settle(term.taxonomy === 'category' ? 'categories' : 'tags', term, explained(outcome)),
  })
  await writeInBatches<Plan['venues'][number], ImportOutcome>(batches, plan.venues, {
    write: oneByOne((tx, venue) => writeEntry({ ...settings, tx }, venues, venue)),
    settle: (venue, outcome) => settle('venues', venue, explained(outcome)),
  })
  await writeInBatches<Plan['organizers'][number], ImportOutcome>(batches, plan.organizers, {
    write: oneByOne((tx, organizer) => writeEntry({ ...settings, tx }, organizers, organizer)),
    settle: (organizer, outcome) => settle('organizers', organizer, explained(outcome)),
  })
  const waiting = new Map(plan.events.map((event) => [event.source, event]))
  await writeInBatches(batches, plannedEvents(waiting, recordings), {
    write: (tx, some) => writeEvents({ ...settings, tx }, some),
    settle: (event, outcome) => settle('events', event, explained(outcome)),
  })
  for (const event of waiting.values()) settle('events', event, { refused: { key: 'import.file.gone' } })
}

/** Returns categories whose parent is not part of this import and was not imported before. */
async function findOrphanTerms(db: Db, { terms }: Plan): Promise<readonly SourceTerm[]> {
  const planned = new Set(terms.map(({ source }) => source))
  const waiting = terms.filter(({ parent }) => parent !== undefined && !planned.has(parent))
  const known = await listImported(db, 'category', [...new Set(waiting.map(({ parent = '' }) => parent))])
  return waiting.filter(({ parent = '' }) => !known.has(parent))
}

/**
 * Returns the days by which all new events are moved. The earliest one must be in the future. The number is at least
 * that of events of the same files that were moved before, so that the intervals between events stay the same.
 */
async function commonShiftDays(db: Db, { events }: Plan, now: number): Promise<number> {
  const known = await listImported(
    db,
    'event',
    events.map(({ source }) => source),
  )
  const unknown = events.filter(({ source }) => !known.has(source))
  const shifts = known.values().map(({ shiftDays }) => shiftDays)
  return shifts.reduce((most, days) => Math.max(most, days), daysUntilFuture(unknown, now))
}

/** Runs all of `work` in one transaction and rolls it back. */
function dryRun<T>({ storage }: Deps, work: (batches: BatchedWrites) => Promise<T>): Promise<T> {
  // One record at a time: the changes of a refused record are rolled back only at the end.
  return rolledBack(storage, (tx) => work({ transact: (part) => part(tx), size: 1 }))
}
