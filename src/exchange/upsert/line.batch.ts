import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import {
  type ArgumentGroup,
  type RawParameters,
  readArguments,
  resolveDeferredValues,
} from '../../access/http/arguments/argument.ts'
import {
  createParameterReport,
  type ParameterReport,
  reportUnknownParameters,
} from '../../access/http/arguments/parameter.report.ts'
import { parseJson } from '../../access/http/arguments/parameters.ts'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Language } from '../../base/languages/language.ts'
import { Problem } from '../../base/problems.ts'
import { writeContext } from '../../calendar/records/write.context.ts'
import { externalIdArgument } from '../../calendar/sources/source.arguments.ts'
import { listNamed, markSeen } from '../../calendar/sources/source.repository.ts'
import { sourceKey } from '../../calendar/sources/source.ts'
import { batchesOf, writeInBatches } from './batches.ts'
import type { BodyLine } from './body.lines.ts'
import { noteWritten, stateBefore } from './import.undo.ts'
import { kindArgument, type SourceRecordKind, sentArguments, sentKinds } from './source.kinds.ts'
import type { SentValues, SourceItem } from './upsert.kind.ts'
import { dateMeant, seriesIdOf } from './upsert.series.ts'
import { digestOfSent, isSentAgain, type UpsertResult, upsertItems } from './upsert.service.ts'

/** What an import needs besides its lines. */
export interface LineImport {
  readonly deps: Deps
  readonly actor: Actor
  readonly source: string
  readonly language: Language
  readonly isForced: boolean
  readonly isDry: boolean
  /** Whether a line with parameters that have no effect is refused. */
  readonly isStrict: boolean
  /** The records that a dry run would have created so far: kind and external id. */
  readonly announced: Set<string>
  /** Notes what is created, so that the import can be undone. Its id is set by the first commit. */
  readonly undo?: { id: number | undefined; readonly made: Set<number> }
}

/** A line that was read: a record, or why it is none. */
export interface ReadLine {
  readonly line: number
  readonly bytes: number
  readonly kind: SourceRecordKind
  readonly externalId: string | undefined
  readonly sent: RawParameters
  /** What has no effect in it. */
  readonly report: ParameterReport
  readonly problem?: Problem
}

/** The answer to a line. */
export interface LineAnswer {
  readonly line: number
  readonly externalId: string | undefined
  readonly result: UpsertResult | Problem
  readonly ignored: readonly string[]
}

const noOthers: ReadonlySet<string> = new Set()
const lineArguments = { external_id: { ...externalIdArgument, isRequired: true }, kind: kindArgument } as const

/** Reads what a line says about itself. Never throws because of its content. */
export async function readLine(work: LineImport, { number, bytes }: BodyLine): Promise<ReadLine> {
  const report = createParameterReport(work.isStrict)
  const line = {
    line: number,
    bytes: bytes?.length ?? 0,
    kind: 'event',
    externalId: undefined,
    sent: {},
    report,
  } as const
  try {
    if (!bytes) return { ...line, problem: new Problem('rest_request_too_large') }
    const { external_id: externalId, kind = 'event', ...sent } = parseJson(bytes)
    const named = { external_id: externalId, kind }
    const [values] = await readArguments([{ args: lineArguments, sent: named }], readingOf(work))
    const recordKind = values?.kind as SourceRecordKind
    reportUnknownParameters(report, Object.keys(sent), { args: sentArguments[recordKind], known: noOthers })
    return { ...line, kind: recordKind, externalId: values?.external_id as string, sent }
  } catch (error) {
    return { ...line, problem: problemOf(error) }
  }
}

/** New records are created together, and requests that read wait for that. A series may have hundreds of dates. */
const linesPerWrite = 100
const seriesPerWrite = 5

/** The records that the lines of a batch link to: many events have the same few venues. */
type Links = Map<string, number | undefined>

function readingOf({ deps: { config, storage, now }, actor, source, announced }: LineImport, links?: Links) {
  return { config, db: storage.db, actor, language: undefined, now: now(), path: { source, announced, links } }
}

/** A line whose record must be written. */
interface Waiting {
  readonly line: ReadLine
  readonly item: SourceItem<SentValues>
}

/**
 * Writes the records of some lines of one kind, each named once, and returns the answers in the order of the lines. All
 * results are durable, unless it is a dry run.
 */
export async function writeLines(work: LineImport, lines: readonly ReadLine[]): Promise<readonly LineAnswer[]> {
  const { deps, actor, source: name, isForced, isDry, announced } = work
  const { storage, config, now } = deps
  const results = new Map<number, UpsertResult | Problem>()
  const kind = lines[0]?.kind ?? 'event'
  const keyOf = (externalId: string) => sourceKey({ name, externalId })
  const known = await listNamed(
    storage.db,
    kind,
    lines.flatMap(({ externalId }) => (externalId === undefined ? [] : keyOf(externalId))),
  )
  const waiting: Waiting[] = []
  const links: Links = new Map()
  const seen: string[] = []
  for (const line of lines) {
    await giveWay()
    const { externalId, sent, report, problem } = line
    if (problem || externalId === undefined) {
      results.set(line.line, problem ?? new Problem('rest_invalid_json'))
      continue
    }
    try {
      const digest = digestOfSent(sent, config)
      const key = keyOf(externalId)
      const named = known.get(key)
      if (named && isSentAgain({ digest }, named, isForced)) {
        seen.push(key)
        results.set(line.line, { id: named.id, outcome: 'unchanged', kept: [] })
      } else
        waiting.push({
          line,
          item: {
            key,
            digest,
            values: await valuesOf(work, { args: sentArguments[kind], sent }, { links, report }),
          },
        })
    } catch (error) {
      results.set(line.line, problemOf(error))
    }
  }
  if (seen.length > 0 && !isDry) {
    await storage.writeWithoutRevision((tx) => markSeen(tx, { kind, at: now() }, seen))
  }
  const source = { kind: sentKinds[kind], name, isForced, language: work.language }
  const size = waiting.some(({ item: { values } }) => values.recurrence !== undefined) ? seriesPerWrite : linesPerWrite
  const { undo } = work
  let undoId: number | undefined
  await writeInBatches<Waiting, UpsertResult>(batchesOf(storage, { size, isDry }), waiting, {
    write: async (tx, some) => {
      const write = writeContext({ deps, actor }, tx)
      const items = some.map(({ item }) => item)
      if (!undo) return upsertItems(write, source, items)
      const ids: number[] = []
      for (const { key, values } of items) {
        // A date of a series that was here before is changed, though its source has not named it yet.
        const isOfMade = undo.made.has(seriesIdOf(values) ?? 0)
        const id = known.get(key)?.id ?? (isOfMade ? undefined : (await dateMeant(tx, values))?.eventId)
        if (id !== undefined) ids.push(id)
      }
      const before = await stateBefore(tx, kind, ids)
      const done = await upsertItems(write, source, items)
      undoId = await noteWritten(write, { id: undo.id, source: name, kind }, { done, before })
      return done
    },
    settle: ({ line }, outcome) => {
      if (undo && !isDry && 'done' in outcome) {
        undo.id = undoId
        if (outcome.done.outcome === 'created') undo.made.add(outcome.done.id)
      }
      results.set(line.line, 'done' in outcome ? outcome.done : outcome.refused)
      if (isDry && 'done' in outcome) announced.add(`${kind} ${line.externalId}`)
    },
  })
  return lines.map(({ line, externalId, report }) => ({
    line,
    externalId,
    ignored: report.ignoredNames(),
    result: results.get(line) as UpsertResult | Problem,
  }))
}

async function valuesOf(
  work: LineImport,
  group: ArgumentGroup,
  { links, report }: { readonly links: Links; readonly report: ParameterReport },
) {
  const { deps, actor } = work
  const [values = {}] = await readArguments([group], readingOf(work, links), report)
  return resolveDeferredValues(values, { deps, actor, isOpen: true })
}

/** Returns the problem of a line. Any other error ends the import, as does the loss of the database. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem && error.code !== 'service_unavailable') return error
  throw error
}
