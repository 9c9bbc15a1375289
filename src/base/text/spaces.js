// Plain JavaScript, because browsers get this file unchanged.

/**
 * A space before `: ; ! ? »` if the mark is separate from the text after it, or a space after `«`. Several marks may
 * follow each other.
 */
const looseSpace = / (?=[:;!?»]+(?:[\s&<)\]”’.,…]|$))|(?<=«) /g

/**
 * Returns the text with non-breaking spaces before `: ; ! ? »` and after `«`, as in French typography. The stored text
 * does not change.
 */
export function withNonBreakingSpaces(text) {
  return text.replace(looseSpace, '\u00a0')
}
