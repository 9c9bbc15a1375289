// Spreadsheets evaluate cells that begin like formulas (OWASP, CSV Injection). An apostrophe before such a text keeps it one.

/** The signs that begin a formula in spreadsheets. Some spreadsheets accept full-width signs as well. */
const sign = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`

const someSign = new RegExp(sign)

/**
 * A formula at the beginning of a cell, after blanks and invisible characters. Tabs and line ends there count by
 * themselves. Apostrophes before it count too, so that each text is read back as it was.
 */
const formula = new RegExp(String.raw`^(?:'*[\t\r\n]|[\s\p{Z}\p{C}']*${sign})`, 'u')

/**
 * The beginning of a cell for a reader that separates cells by `;` or tabs, as Excel does in French. Such a reader
 * ignores quotes in the middle of its cells, and ends a cell at each line end.
 */
const separator = String.raw`[;\t\r\n\v\f\u0085\u2028\u2029]`
const beforeFormula = String.raw`(?=[[\s\p{Z}\p{C}"']--${separator}]*${sign})`
const innerFormula = new RegExp(`(${separator})${beforeFormula}`, 'gv')
const guardedFormula = new RegExp(`(${separator})'${beforeFormula}`, 'gv')

/** Returns the text so that a spreadsheet shows it and does not evaluate it. */
export function guardFormulas(text: string): string {
  // Most texts have no sign at all, which takes less time to see.
  if (!someSign.test(text)) return /^'*[\t\r\n]/.test(text) ? `'${text}` : text
  const guarded = text.replace(innerFormula, "$1'")
  return formula.test(text) ? `'${guarded}` : guarded
}

/** Returns the text from which `guardFormulas` made this one. */
export function withoutFormulaGuards(text: string): string {
  const bare = text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
  return bare.replace(guardedFormula, '$1')
}
