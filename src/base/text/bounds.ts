/** Maximum length of any accepted text, in bytes of UTF-8. */
export const maxTextBytes = 64 * 1024

/** Whether a value is or contains, at any depth, a text that is too long. Runs before any other check of the value. */
export function containsLongText(value: unknown): boolean {
  return typeof value === 'string' ? isLongText(value) : textsIn(value).some(isLongText)
}

function isLongText(text: string): boolean {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  return text.length > maxTextBytes / 3 && Buffer.byteLength(text) > maxTextBytes
}

/** Whether all texts in a value, at any depth, exceed together the maximum of one text. */
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

/** Maximum number of characters of a single-line text, as sent: a title, a name, an address, a telephone number. */
export const maxLineCharacters = 16_000

/** Whether a single-line text exceeds this maximum. */
export function isLongLine(text: string): boolean {
  return text.length > maxLineCharacters && [...text].length > maxLineCharacters
}
