import { servicePolicy } from '../../access/http/service.ts'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { Problem } from '../../base/problems.ts'
import { createLineReader, type LineLimits } from './body.lines.ts'
import { type LineAnswer, type LineImport, type ReadLine, readLine, writeLines } from './line.batch.ts'

/** An import of lines, as its request begins it. */
export interface LineStream extends LineImport {
  readonly client: string | undefined
  readonly textLanguage: TextLanguage
  /** The number of the first line. */
  readonly first: number
}

export const lineLimits: LineLimits = {
  ...{ maxLineBytes: 1024 * 1024, maxLines: 200_000, maxBodyBytes: 50 * 1024 * 1024 },
}

/** Lines per transaction: many, to be fast, and few enough that others hardly wait. */
const batchLines = 200
const batchBytes = 4 * 1024 * 1024
/** A line waits no longer than this for others of its batch. */
const flushMs = 100
const idleMs = 30_000
const maxDurationMs = 3_600_000
/** So many lines count as one request. */
const linesPerRequest = 100

const statuses = { created: 201, changed: 200, unchanged: 204 } as const

/**
 * Writes the records of a body line by line, and yields the answers, those of several lines together. Reads no further
 * while nobody takes the answers. A problem of the whole import is its last line.
 */
export async function* importLines(work: LineStream, body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const reader = createLineReader(body, work.first, lineLimits)
  const beganMs = performance.now()
  const counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }
  let batch: ReadLine[] = []
  let next = work.first

  const flush = async (): Promise<string> => {
    const lines = batch
    batch = []
    countLines(work, lines.length)
    const answers = await writeLines(work, lines)
    next = (lines.at(-1)?.line ?? next) + 1
    for (const { result } of answers) counts[result instanceof Problem ? 'failed' : result.outcome] += 1
    return answers.map((answer) => `${JSON.stringify(presentAnswer(answer, work))}\n`).join('')
  }
  try {
    for (;;) {
      const read = await reader.next(batch.length > 0 ? flushMs : idleMs)
      if (read === 'waiting' && batch.length === 0) throw new Problem('rest_request_timeout')
      if (read === 'waiting' || read === 'end') {
        if (batch.length > 0) yield await flush()
        if (read === 'end') break
        continue
      }
      if (performance.now() - beganMs > maxDurationMs) throw new Problem('rest_request_timeout')
      await giveWay()
      const line = await readLine(work, read)
      if (!belongs(line, batch)) yield await flush()
      batch.push(line)
      if (batch.length >= batchLines || bytesOf(batch) >= batchBytes) yield await flush()
    }
    yield `${JSON.stringify({ end: true, ...counts })}\n`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    yield `${JSON.stringify(presentProblemOf(error, { line: next }, work))}\n`
  } finally {
    await reader.close()
  }
}

/** Whether a line may be written together with these: it has another name, the same kind, and names none of them. */
function belongs({ kind, externalId, sent, problem }: ReadLine, batch: readonly ReadLine[]): boolean {
  if (problem) return true
  return batch.every(
    (other) =>
      other.problem ||
      (other.kind === kind && other.externalId !== externalId && other.externalId !== sent.recurrence_of),
  )
}

function bytesOf(batch: readonly ReadLine[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Counts lines for the rate limit.
 *
 * @throws rest_too_many_requests
 */
export function countLines(
  { deps, actor, client }: Pick<LineStream, 'deps' | 'actor' | 'client'>,
  lines: number,
): void {
  if (actor.kind !== 'user') return
  for (let counted = 0; counted < lines; counted += linesPerRequest) deps.limits.headersForUser(client, actor.id)
}

function presentAnswer({ line, externalId, result, ignored }: LineAnswer, work: LineStream): object {
  const told = ignored.length > 0 ? { ignored } : {}
  if (result instanceof Problem) return { ...presentProblemOf(result, { line, externalId }, work), ...told }
  const { id, outcome, kept } = result
  return {
    ...{ line, status: statuses[outcome], external_id: externalId },
    // What a dry run would create gets no id.
    ...(work.isDry && outcome === 'created' ? {} : { id }),
    ...(kept.length > 0 ? { kept } : {}),
    ...told,
  }
}

function presentProblemOf(
  problem: Problem,
  { line, externalId }: Pick<LineAnswer, 'line'> & Partial<LineAnswer>,
  { textLanguage }: LineStream,
): object {
  const name = externalId === undefined ? {} : { external_id: externalId }
  return { line, status: problem.status, ...name, problem: servicePolicy.problems.present(problem, textLanguage) }
}
