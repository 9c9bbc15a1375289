/** Texts in UTF-8, one after the other. */
export interface TextBytes {
  readonly bytes: Buffer
  /** The end of each text in them. */
  readonly ends: readonly number[]
}

/** Returns texts in UTF-8, as the formats without lines of limited length need them. */
export function utf8Bytes(texts: readonly string[]): TextBytes {
  const bytes = Buffer.allocUnsafeSlow(octetsOf(texts))
  let end = 0
  const ends = texts.map((text) => {
    end += bytes.write(text, end)
    return end
  })
  return { bytes, ends }
}

/** Returns the size of texts in UTF-8. */
export function octetsOf(texts: readonly string[]): number {
  return texts.reduce((octets, text) => octets + Buffer.byteLength(text), 0)
}

/** Returns the bytes of each text. */
export function bytesOfEach({ bytes, ends }: TextBytes): readonly Buffer[] {
  return ends.map((end, place) => bytes.subarray(ends[place - 1] ?? 0, end))
}
