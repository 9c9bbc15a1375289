// Plain JavaScript, since browsers get this file as it is.

/** A space before `: ; ! ? »` that stand apart from what follows, or after `«`. Marks of one kind may be several. */
const looseSpace = / (?=[:;!?»]+(?:[\s&<)\]”’.,…]|$))|(?<=«) /g

/** A text in which no line ends before `: ; ! ? »` or after `«`, as French is set. What is stored stays as it is. */
export function withNonBreakingSpaces(text) {
  return text.replace(looseSpace, '\u00a0')
}
