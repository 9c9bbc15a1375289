import { languageParameterNames } from '../../access/http/addresses.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Import, ImportedCalendar } from '../api/answers.ts'
import { isId, parsed } from '../events/many.items.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { whenText } from '../shell/desk.dates.ts'
import { areTexts, membersOf } from '../shell/result.address.ts'

/** What a file can be: records in lines, each with the id that its source gives it, a recorded list, or iCalendar. */
export const importKinds = ['lines', 'recording', 'calendar'] as const
type ImportKind = (typeof importKinds)[number] | 'address'

/** A file to import. */
export interface ImportFile {
  readonly text: string
  readonly kind: ImportKind
  /** The address to fetch, in place of a text. */
  readonly url: string
  /** The name of the source of lines and calendars. */
  readonly source: string
  readonly language: string
  /** The number of the first line, if the text is a part of a file. */
  readonly first: number
}

interface ImportRemark {
  readonly place: string
  readonly text: string
}

/** What an import did, or would do. */
export interface ImportResult {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly problems: readonly ImportRemark[]
  /** Why nothing was imported. */
  readonly refusal: string
  /** What would become of each event of a calendar, with its problem. */
  readonly table?: {
    readonly head: readonly string[]
    readonly rows: readonly (readonly string[])[]
    /** How many rows are left out, as a text. */
    readonly more: string
  }
}

/** Whether a value says what an import did. */
export function isResult(value: unknown): value is ImportResult {
  const { created, changed, unchanged, failed, problems, refusal } = membersOf(value)
  const isCounted = [created, changed, unchanged, failed].every(isId)
  return isCounted && typeof refusal === 'string' && areTexts(problems, ['place', 'text'])
}

const nothing: ImportResult = { created: 0, changed: 0, unchanged: 0, failed: 0, problems: [], refusal: '' }
const maxProblems = 200

/** A recording without line breaks is not parsed as a line. */
const longestLine = 256 * 1024

/** Returns what a text is: lines begin with an object that has an external id. */
export function kindOf(text: string): ImportKind {
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return 'calendar'
  const [line = ''] = text.trimStart().split('\n', 1)
  return line.length <= longestLine && 'external_id' in parsed(line) ? 'lines' : 'recording'
}

/** Imports a file, or tries it without effect. */
export async function sendImport(call: OwnCall, file: ImportFile, isTrial: boolean): Promise<ImportResult> {
  if (file.kind === 'lines') return sendLines(call, file, isTrial)
  return file.kind === 'recording' ? sendRecording(call, file, isTrial) : sendCalendar(call, file, isTrial)
}

async function sendCalendar(call: OwnCall, file: ImportFile, isTrial: boolean): Promise<ImportResult> {
  const { api, config } = call
  const path = `/sources/${encodeURIComponent(file.source)}`
  const { status, body, message, faults } = await api.service<ImportedCalendar>({
    ...(file.kind === 'address'
      ? { path: `${path}/fetch`, json: { url: file.url } }
      : { path: `${path}/calendar`, text: file.text, headers: { 'content-type': 'text/calendar' } }),
    method: 'POST',
    query: { dry_run: isTrial ? 'true' : undefined, [languageParameterNames(config).language]: file.language },
  })
  if (status >= 400) return { ...nothing, refusal: Object.values(faults)[0] ?? message }
  return resultOfCalendar(call, body)
}

export function resultOfCalendar(call: Pick<OwnCall, 'say' | 'textLanguage'>, report: ImportedCalendar): ImportResult {
  const { say } = call
  const { created, changed, unchanged, failed, problems, notes, rows, more_rows: more = 0 } = report
  const remarks = notes.map((text) => ({ place: say('import.note'), text }))
  const result = { created, changed, unchanged, failed, refusal: '' }
  if (rows) {
    const head = [say('events.column.title'), say('events.column.date'), say('import.row')]
    const told = rows.map(({ title, start_date, outcome, text }) => {
      const state = say(`import.row.${outcome}`)
      return [title || say('events.untitled'), startText(call, start_date), text ? `${state} – ${text}` : state]
    })
    const table = { head, rows: told, more: more > 0 ? say('import.row.more', { count: more }) : '' }
    return { ...result, problems: remarks, table }
  }
  const named = problems.map(({ place, title, text }) => ({
    ...{ place: `${say('import.place.events', { number: place })}${title === '' ? '' : ` (${title})`}`, text },
  }))
  return { ...result, problems: [...remarks, ...named].slice(0, maxProblems) }
}

const writtenDate = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Returns the start of an event as others have written it, in words if it is a date. */
function startText({ textLanguage }: Pick<OwnCall, 'textLanguage'>, written: string): string {
  const [, day, time, offset = ''] = writtenDate.exec(written) ?? []
  const start_date = `${day} ${time ?? '00:00'}:00`
  if (!isLocalDateTime(start_date)) return written
  const text = whenText(textLanguage, { start_date, end_date: start_date, all_day: time === undefined })
  return offset === '' ? text : `${text} (UTC${offset.replace(/^Z$/i, '')})`
}

interface LinesJson {
  readonly lines?: readonly {
    readonly line?: number
    readonly end?: boolean
    readonly created?: number
    readonly changed?: number
    readonly unchanged?: number
    readonly failed?: number
    readonly external_id?: string
    readonly problem?: { readonly title?: string; readonly errors?: Readonly<Record<string, string>> }
  }[]
}

async function sendLines({ api, say, config }: OwnCall, file: ImportFile, isTrial: boolean): Promise<ImportResult> {
  const { status, body, message, faults } = await api.service<LinesJson>({
    ...{ method: 'POST', path: `/sources/${encodeURIComponent(file.source)}/import`, text: file.text },
    query: { dry_run: isTrial ? 'true' : undefined, [languageParameterNames(config).language]: file.language },
    headers: { 'content-type': 'application/x-ndjson', 'x-import-line': String(file.first) },
  })
  if (status >= 400) return { ...nothing, refusal: Object.values(faults)[0] ?? message }
  const lines = body.lines ?? []
  const { created = 0, changed = 0, unchanged = 0, failed = 0 } = lines.find(({ end }) => end) ?? {}
  const problems = lines.flatMap(({ line, external_id: id, problem }) => {
    if (!problem) return []
    const reasons = Object.entries(problem.errors ?? {}).map(([name, text]) => `${name}: ${text}`)
    const place = say('import.line', { line: line ?? 0 })
    return [{ place: id === undefined ? place : `${place} (${id})`, text: reasons.join(' ') || (problem.title ?? '') }]
  })
  return { created, changed, unchanged, failed, problems: problems.slice(0, maxProblems), refusal: '' }
}

const groups = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
type Counts = Import[(typeof groups)[number]]

async function sendRecording({ api, say, config }: OwnCall, file: ImportFile, isTrial: boolean): Promise<ImportResult> {
  const { status, body, message } = await api.service<Import>({
    ...{ method: 'POST', path: '/imports', text: file.text },
    query: { dry_run: isTrial ? 'true' : undefined, [languageParameterNames(config).language]: file.language },
    headers: { 'content-type': 'application/json' },
  })
  if (status >= 400) return { ...nothing, refusal: message }
  const sum = (name: keyof Counts) => groups.reduce((total, group) => total + body[group][name], 0)
  const problems = body.failures.map(({ path, text }) => ({ place: placeOf(path, say), text }))
  return {
    ...{ created: sum('created'), changed: sum('updated'), unchanged: sum('unchanged') },
    failed: Math.max(sum('failed'), problems.length),
    ...{ problems: problems.slice(0, maxProblems), refusal: '' },
  }
}

/** Returns the place of a record in a recording as people count: the path `events[3]` is event 4. */
function placeOf(path: string, say: OwnCall['say']): string {
  const [, group, place] = /^(events|venues|organizers|categories|tags)\[(\d+)\]$/.exec(path) ?? []
  if (group === undefined) return path || say('import.file')
  return say(`import.place.${group as (typeof groups)[number]}`, { number: Number(place) + 1 })
}
