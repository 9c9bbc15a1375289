import { languageParameterNames } from '../../access/http/addresses.ts'
import type { Import, ImportedCalendar } from '../api/answers.ts'
import { isId, parsed } from '../events/many.items.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { areTexts, membersOf } from '../shell/result.address.ts'

/** What a file can be: records in lines, each with the id that its source gives it, a recorded list, or iCalendar. */
export const importKinds = ['lines', 'recording', 'calendar'] as const
type ImportKind = (typeof importKinds)[number]

/** A file to import. */
export interface ImportFile {
  readonly text: string
  readonly kind: ImportKind
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
  if (file.kind === 'calendar') return sendCalendar(call, file, isTrial)
  return file.kind === 'lines' ? sendLines(call, file, isTrial) : sendRecording(call, file, isTrial)
}

async function sendCalendar({ api, say, config }: OwnCall, file: ImportFile, isTrial: boolean): Promise<ImportResult> {
  const { status, body, message, faults } = await api.service<ImportedCalendar>({
    ...{ method: 'POST', path: `/sources/${encodeURIComponent(file.source)}/calendar`, text: file.text },
    query: { dry_run: isTrial ? 'true' : undefined, [languageParameterNames(config).language]: file.language },
    headers: { 'content-type': 'text/calendar' },
  })
  if (status >= 400) return { ...nothing, refusal: Object.values(faults)[0] ?? message }
  return resultOfCalendar({ say }, body)
}

export function resultOfCalendar({ say }: Pick<OwnCall, 'say'>, report: ImportedCalendar): ImportResult {
  const { created, changed, unchanged, failed, problems, notes } = report
  const remarks = [
    ...notes.map((text) => ({ place: say('import.note'), text })),
    ...problems.map(({ place, title, text }) => ({
      ...{ place: `${say('import.place.events', { number: place })}${title === '' ? '' : ` (${title})`}`, text },
    })),
  ]
  return { created, changed, unchanged, failed, problems: remarks.slice(0, maxProblems), refusal: '' }
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
