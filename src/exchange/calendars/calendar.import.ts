import { mayPublish } from '../../access/auth/policy.ts'
import { createParameterReport } from '../../access/http/arguments/parameter.report.ts'
import { servicePolicy } from '../../access/http/service.ts'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import { Problem } from '../../base/problems.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { listKeys } from '../../calendar/sources/source.repository.ts'
import { externalIdOf } from '../../calendar/sources/source.ts'
import { type LineImport, type ReadLine, writeLines } from '../upsert/line.batch.ts'
import { dateOfSeries, type ForeignCalendar, type ForeignRecord } from './foreign.records.ts'

/** An import of another calendar under the name of a source. */
export interface CalendarImport extends Pick<LineImport, 'deps' | 'actor' | 'source' | 'isDry' | 'isForced' | 'undo'> {
  readonly language: Language
  /** The ids of events that keep their status. */
  readonly decided?: ReadonlySet<string>
  readonly onProgress?: (done: number, total: number) => void
}

/** What an import of another calendar did, or would do. */
export interface CalendarReport extends Pick<ForeignCalendar, 'name' | 'found' | 'notes'> {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** All events, and other records that were refused. */
  readonly rows: readonly CalendarRow[]
}

/** What became of a record, or would. */
interface CalendarRow extends ForeignRecord {
  readonly outcome: (typeof OUTCOMES)[number]
  readonly problem?: Problem | string
}

/** In the order in which people look at them. */
export const OUTCOMES = ['failed', 'created', 'changed', 'unchanged'] as const

/** Records that are written together. */
const batchSize = 200

/** Writes a calendar of others, each record by the id that it has there. */
export async function importCalendar(work: CalendarImport, calendar: ForeignCalendar): Promise<CalendarReport> {
  const { onProgress } = work
  const lineImport: LineImport = { ...work, isStrict: false, announced: new Set() }
  const rows = calendar.events.flatMap((record): CalendarRow[] =>
    record.fault === undefined ? [] : [{ ...record, outcome: 'failed', problem: record.fault }],
  )
  const steps = [
    ...['venue', 'organizer'].map((kind) => calendar.directory.filter((one) => one.kind === kind)),
    calendar.events.filter(({ fault }) => fault === undefined),
    [...calendar.dates, ...(await returnedDates(work, calendar))],
  ]
  const total = steps.reduce((sum, records) => sum + records.length, 0)
  let done = 0
  for (const records of steps) {
    for (let first = 0; first < records.length; first += batchSize) {
      const some = records.slice(first, first + batchSize)
      const answers = await writeLines(
        lineImport,
        some.map((record, place) => lineOf(record, place, work)),
      )
      for (const [place, { result }] of answers.entries()) {
        const record = some[place] as ForeignRecord
        if (result instanceof Problem) rows.push({ ...record, outcome: 'failed', problem: result })
        else if (record.kind === 'event') rows.push({ ...record, outcome: result.outcome })
      }
      done += some.length
      onProgress?.(done, total)
    }
  }
  const count = (outcome: CalendarRow['outcome']) =>
    rows.filter((row) => row.kind === 'event' && row.outcome === outcome).length
  return {
    ...{ name: calendar.name, found: calendar.found, notes: calendar.notes, rows },
    ...{ created: count('created'), changed: count('changed') },
    ...{ unchanged: count('unchanged'), failed: count('failed') },
  }
}

function lineOf({ kind, externalId, sent }: ForeignRecord, place: number, work: CalendarImport): ReadLine {
  const { status, ...others } = sent
  // What an editor has published does not wait again, nor does a date of it.
  const isDecided = sent.recurrence_of !== undefined || work.decided?.has(externalId) === true
  const isLeft = isDecided && (status === 'pending' || status === 'draft')
  // Of a user who may not publish, it would wait for its publication.
  const isHidden = status === 'private' && !mayPublish(work.actor)
  const own = isLeft ? others : isHidden ? { ...sent, status: 'draft' } : sent
  return { line: place, bytes: 0, kind, externalId, sent: own, report: createParameterReport(false) }
}

/** Returns the dates that the calendar once had otherwise than their series, and no longer has. */
async function returnedDates(
  { deps, source }: CalendarImport,
  { series, dates }: ForeignCalendar,
): Promise<readonly ForeignRecord[]> {
  if (series.length === 0) return []
  const sent = new Set(dates.map(({ externalId }) => externalId))
  const byId = new Map(series.map((one) => [one.externalId, one]))
  const known = (await listKeys(deps.storage.db, { kind: 'event', name: source })).map(externalIdOf)
  const returned: ForeignRecord[] = []
  for (const id of known) {
    const own = sent.has(id) ? undefined : byId.get(id.slice(0, id.lastIndexOf('#')))
    if (!own) continue
    const date = dateOfSeries(own, id)
    if (date) returned.push(date)
    await giveWay()
  }
  return returned
}

/** Returns a report for people and programs. A trial has its rows. */
export function presentReport(report: CalendarReport, language: TextLanguage, isDry: boolean) {
  const { name, found, created, changed, unchanged, failed, notes } = report
  const rows = OUTCOMES.flatMap((outcome) => report.rows.filter((row) => row.outcome === outcome))
  const present = ({ place, externalId, sent: { title, venue, organizer }, problem }: CalendarRow) => ({
    ...{ place, external_id: externalId, title: decodeEntities(String(title ?? venue ?? organizer ?? '')) },
    ...(problem !== undefined && { text: problemText(problem, language) }),
  })
  return {
    ...{ dry_run: isDry, name, found, created, changed, unchanged, failed },
    problems: rows
      .slice(0, maxRows)
      .filter(({ outcome }) => outcome === 'failed')
      .map(present),
    notes: notes.map(({ key, values }) => message(language, key, values)),
    ...(isDry && {
      rows: rows
        .slice(0, maxRows)
        .map((row) => ({ ...present(row), start_date: String(row.sent.start_date ?? ''), outcome: row.outcome })),
      more_rows: Math.max(0, rows.length - maxRows),
    }),
  }
}

const maxRows = 500

function problemText(problem: Problem | string, language: TextLanguage): string {
  if (typeof problem === 'string') return problem
  const { title, errors = {} } = servicePolicy.problems.present(problem, language) as {
    readonly title: string
    readonly errors?: Readonly<Record<string, string>>
  }
  return Object.values(errors).join(' ') || title
}
