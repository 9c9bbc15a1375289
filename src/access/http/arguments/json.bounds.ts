/** The most that JSON may contain. */
export interface JsonBounds {
  /** Values are what commas separate, and each list or object once more. */
  readonly values: number
  readonly depth: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const openings: readonly (number | undefined)[] = [0x5b, 0x7b]
const endings: readonly (number | undefined)[] = [0x5d, 0x7d]

/**
 * Creates a counter of the values and the depth of JSON, which receives its bytes in pieces, before it is parsed: many
 * small values take much longer than their bytes. It returns whether there are too many.
 */
export function createJsonCounter(most: JsonBounds): (piece: Buffer) => boolean {
  let [values, depth, isInText, isEscaped] = [0, 0, false, false]
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]
      if (isEscaped) isEscaped = false
      else if (isInText) {
        if (byte === backslash) isEscaped = true
        else if (byte === quote) isInText = false
      } else if (byte === quote) isInText = true
      else if (byte === comma) values += 1
      else if (openings.includes(byte)) {
        values += 1
        depth += 1
      } else if (endings.includes(byte)) depth -= 1
      if (values > most.values || depth > most.depth) return true
    }
    return false
  }
}
