import type { Actor, UserId } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Language } from '../../base/languages/language.ts'
import { organizers } from '../../calendar/organizers/organizer.directory.ts'
import { venues } from '../../calendar/venues/venue.directory.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type BatchOptions, oneByOne, writeInBatches } from './batches.ts'
import { daysUntilFuture } from './date.shift.ts'
import { writeEntry } from './entry.writer.ts'
import { writeEvents } from './event.writer.ts'
import { listImported } from './import.repository.ts'
import { createImportCounter, type ImportCounter, type ImportSummary, type OnProgress } from './import.summary.ts'
import { type Plan, planImport, plannedEvents } from './plan.ts'
import type { ImportOutcome, ImportSettings } from './record.writer.ts'
import type { Recordings, SourceTerm } from './source.ts'
import { writeTerm } from './term.writer.ts'
import { noTranslations, type TranslationLinks } from './translations.ts'

/** Records in a transaction: enough to be quick, and few enough to let others write in between, more than once a second. */
const batchSize = 800

export interface ImportOptions {
  /** Who is to own what is created, or how to find that out: asked once there is something to write. */
  readonly authorId: UserId | ((transact: BatchOptions['transact']) => Promise<UserId>)
  /** Whether new events are moved so that they lie ahead. */
  readonly isShifted?: boolean
  /** Whether nothing is to be kept. */
  readonly isDryRun?: boolean
  readonly onProgress?: OnProgress
  /** Language of all that is imported; that of the site by default. */
  readonly language?: Language
  readonly translations?: TranslationLinks
  /** Password of all events that are imported: that by which protected ones were recorded. */
  readonly eventPassword?: string
}

/**
 * Imports what was recorded, which is read twice: once for what events have in common, and once more for the events.
 * Bad records are named; all others are kept, and known when they come again.
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
  const write = async (batches: BatchOptions) => {
    const importCounter = createImportCounter(plan, { shiftDays, orphans }, options.onProgress)
    if (isEmpty(plan)) return importCounter.summary()
    const id = typeof authorId === 'number' ? authorId : await authorId(batches.transact)
    // Whoever runs this holds the database: all that the source has may be written, whatever the author's role.
    const actor: Actor = { kind: 'user', id, role: 'administrator' }
    await writePlan(batches, { plan, recordings, settings: { ...settings, actor }, settle: importCounter.settle })
    return importCounter.summary()
  }
  return options.isDryRun
    ? dryRun(deps, write)
    : write({ transact: deps.storage.writtenBy({ via: 'import' }).write, size: batchSize })
}

function isEmpty({ terms, venues, organizers, events }: Plan): boolean {
  return [terms, venues, organizers, events].every(({ length }) => length === 0)
}

/** What is imported, and how. */
interface ImportWork {
  readonly plan: Plan
  readonly recordings: Recordings
  readonly settings: ImportSettings
  readonly settle: ImportCounter['settle']
}

async function writePlan(batches: BatchOptions, { plan, recordings, settings, settle }: ImportWork): Promise<void> {
  await writeInBatches<SourceTerm, ImportOutcome>(batches, plan.terms, {
    write: oneByOne((tx, term) => writeTerm({ ...settings, tx }, term)),
    settle: (term, outcome) => settle(term.taxonomy === 'category' ? 'categories' : 'tags', term, outcome),
  })
  await writeInBatches<Plan['venues'][number], ImportOutcome>(batches, plan.venues, {
    write: oneByOne((tx, venue) => writeEntry({ ...settings, tx }, venues, venue)),
    settle: (venue, outcome) => settle('venues', venue, outcome),
  })
  await writeInBatches<Plan['organizers'][number], ImportOutcome>(batches, plan.organizers, {
    write: oneByOne((tx, organizer) => writeEntry({ ...settings, tx }, organizers, organizer)),
    settle: (organizer, outcome) => settle('organizers', organizer, outcome),
  })
  const waiting = new Map(plan.events.map((event) => [event.source, event]))
  await writeInBatches(batches, plannedEvents(waiting, recordings), {
    write: (tx, some) => writeEvents({ ...settings, tx }, some),
    settle: (event, outcome) => settle('events', event, outcome),
  })
  for (const event of waiting.values()) settle('events', event, { refused: 'was gone when the file was read again' })
}

/** Categories whose parent is neither among what is imported nor was it imported before. */
async function findOrphanTerms(db: Db, { terms }: Plan): Promise<readonly SourceTerm[]> {
  const planned = new Set(terms.map(({ source }) => source))
  const waiting = terms.filter(({ parent }) => parent !== undefined && !planned.has(parent))
  const known = await listImported(db, 'category', [...new Set(waiting.map(({ parent = '' }) => parent))])
  return waiting.filter(({ parent = '' }) => !known.has(parent))
}

/**
 * The days by which all new events are moved: enough for the earliest of them to lie ahead, and as many as those of the
 * same files that were moved before, so that they keep their distance.
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

/** Ends a transaction of which nothing is to be kept, with what it has come to. */
class DryRunResult<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super()
    this.result = result
  }
}

/** Does all of `work` in one transaction and takes it back. */
async function dryRun<T>({ storage }: Deps, work: (batches: BatchOptions) => Promise<T>): Promise<T> {
  try {
    return await storage.write(async (tx) => {
      // One by one: what a refused record leaves behind is not taken back before the end.
      throw new DryRunResult(await work({ transact: (part) => part(tx), size: 1 }))
    })
  } catch (error) {
    if (error instanceof DryRunResult) return error.result
    throw error
  }
}
