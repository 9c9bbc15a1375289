/** A text in which no line ends before `: ; ! ? »` or after `«`, as French is set. What is stored stays as it is. */
export function withNonBreakingSpaces(text: string): string
