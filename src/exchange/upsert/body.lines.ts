import { fail } from '../../base/problems.ts'

/** A line of a body, without its end. */
export interface BodyLine {
  readonly number: number
  /** Undefined: it is too long. */
  readonly bytes: Buffer | undefined
}

/** The limits of a body of lines. */
export interface LineLimits {
  readonly maxLineBytes: number
  readonly maxBodyBytes: number
}

/** Reads a body line by line, and no further than it is asked to. */
export interface LineReader {
  /**
   * Returns the next line; `waiting` if nothing arrives within this time, `end` after the last line.
   *
   * @throws rest_request_too_large, and the error of a connection that ends early
   */
  next(waitMs: number): Promise<BodyLine | 'waiting' | 'end'>
  /** Ends the reading. */
  close(): Promise<void>
}

const lineFeed = 0x0a

/** @param first The number of the first line. */
export function createLineReader(
  body: AsyncIterable<Buffer>,
  first: number,
  { maxLineBytes, maxBodyBytes }: LineLimits,
): LineReader {
  const chunks = body[Symbol.asyncIterator]()
  const complete: BodyLine[] = []
  let pending: Promise<IteratorResult<Buffer>> | undefined
  let number = first
  let total = 0
  let parts: Buffer[] = []
  let partBytes = 0
  let hasEnded = false

  const add = (part: Buffer) => {
    partBytes += part.length
    if (partBytes > maxLineBytes) parts = []
    else parts.push(part)
  }
  const endLine = () => {
    complete.push({ number, bytes: partBytes > maxLineBytes ? undefined : Buffer.concat(parts) })
    number += 1
    parts = []
    partBytes = 0
  }
  const take = (chunk: Buffer) => {
    total += chunk.length
    if (total > maxBodyBytes) fail('rest_request_too_large')
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, at))
      endLine()
      from = at + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  return {
    next: async (waitMs) => {
      while (complete.length === 0) {
        if (hasEnded) return 'end'
        pending ??= chunks.next()
        const read = await within(pending, waitMs)
        if (read === undefined) return 'waiting'
        pending = undefined
        if (!read.done) take(read.value)
        else {
          hasEnded = true
          if (partBytes > 0) endLine()
        }
      }
      return complete.shift() as BodyLine
    },
    close: async () => {
      pending?.catch(() => {})
      await chunks.return?.()
    },
  }
}

/** Returns what a promise gives within this time; undefined if it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
