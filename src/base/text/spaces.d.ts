/**
 * Returns the text with non-breaking spaces before `: ; ! ? »` and after `«`, as in French typography. The stored text
 * does not change.
 */
export function withNonBreakingSpaces(text: string): string
