import { fail } from '../../base/problems.ts'

/** A line of a body that is not blank, without its end. Blanks before its content are left out. */
export interface BodyLine {
  readonly number: number
  /** Undefined: it is too long. */
  readonly bytes: Buffer | undefined
}

/** The limits of a body of lines. */
export interface LineLimits {
  readonly maxLineBytes: number
  /** Blank ones count too. */
  readonly maxLines: number
  readonly maxBodyBytes: number
}

/** Reads a body line by line, and no further than it is asked to. */
export interface LineReader {
  /**
   * Returns the next line; `waiting` if none ends within this time, `end` after the last line.
   *
   * @throws rest_request_too_large, and the error of a connection that ends early
   */
  next(waitMs: number): Promise<BodyLine | 'waiting' | 'end'>
  /** Ends the reading. */
  close(): Promise<void>
}

const lineFeed = 0x0a
const blanks: readonly (number | undefined)[] = [0x20, 0x09, 0x0d, lineFeed]

/** @param first The number of the first line. */
export function createLineReader(
  body: AsyncIterable<Buffer>,
  first: number,
  { maxLineBytes, maxLines, maxBodyBytes }: LineLimits,
): LineReader {
  const chunks = body[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<Buffer>> | undefined
  let chunk: Buffer = Buffer.alloc(0)
  let at = 0
  let number = first
  let total = 0
  let parts: Buffer[] = []
  let partBytes = 0
  let hasEnded = false

  const add = (part: Buffer) => {
    partBytes += part.length
    if (partBytes > maxLineBytes) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const countLine = () => {
    if (number - first >= maxLines) fail('rest_request_too_large', { text: 'rest_request_too_large.lines' })
    number += 1
  }
  const endLine = (): BodyLine => {
    const line = { number, bytes: partBytes > maxLineBytes ? undefined : Buffer.concat(parts) }
    countLine()
    parts = []
    partBytes = 0
    return line
  }
  const skipBlanks = () => {
    for (; blanks.includes(chunk[at]); at += 1) if (chunk[at] === lineFeed) countLine()
  }
  /** Returns the next line that ends in this chunk. */
  const take = (): BodyLine | undefined => {
    if (partBytes === 0) skipBlanks()
    const end = chunk.indexOf(lineFeed, at)
    add(chunk.subarray(at, end < 0 ? chunk.length : end))
    at = end < 0 ? chunk.length : end + 1
    return end < 0 ? undefined : endLine()
  }
  const receive = (received: Buffer) => {
    total += received.length
    if (total > maxBodyBytes) fail('rest_request_too_large')
    chunk = received
    at = 0
  }
  return {
    next: async (waitMs) => {
      const untilMs = performance.now() + waitMs
      for (;;) {
        const line = take()
        if (line) return line
        if (hasEnded) return partBytes > 0 ? endLine() : 'end'
        pending ??= chunks.next()
        const read = await within(pending, untilMs - performance.now())
        if (read === undefined) return 'waiting'
        pending = undefined
        if (read.done) hasEnded = true
        else receive(read.value)
      }
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
