/** Most bytes, in UTF-8, of any text that is taken. */
export const maxTextBytes = 64 * 1024

/** Whether a value is or holds, however deep, a longer text: asked before anything else looks at the value. */
export function containsLongText(value: unknown): boolean {
  // A code unit has three bytes at most.
  return textsIn(value).some((text) => text.length > maxTextBytes / 3 && Buffer.byteLength(text) > maxTextBytes)
}

/** Whether all texts in a value, however deep, come to more than one text may have. */
export function exceedsTotalTextBytes(value: unknown): boolean {
  return textsIn(value).reduce((sum, text) => sum + Buffer.byteLength(text), 0) > maxTextBytes
}

function* textsIn(value: unknown): Generator<string> {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') yield next
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner)
  }
}

/** Most characters of a text on one line, as it is sent: a title, a name, an address, a number of a telephone. */
export const maxLineCharacters = 16_000

/** Whether a text on one line has more. */
export function isLongLine(text: string): boolean {
  return text.length > maxLineCharacters && [...text].length > maxLineCharacters
}
