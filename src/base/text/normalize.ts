export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** UAX #15, 12.1: no real text has more combining marks in a row. */
const maxMarks = 30
// The two halfwidth sound marks are letters, but become combining marks in NFKC and NFKD.
const mark = '[\\p{M}\\uff9e\\uff9f]'
/** Characters below these are not marks. Most texts have only such characters, and need no search for runs of marks. */
const hasMarks = /[^\0-\u02ff]/
const tooManyMarks = new RegExp(`(${mark}{${maxMarks}})${mark}+`, 'gu')

/**
 * Returns `text` in a Unicode normalization form. Of a run of combining marks, the first 30 are kept and the rest is
 * dropped, because the time to sort marks grows with the square of their number.
 *
 * All code must normalize with this function; `test/tidy.test.ts` enforces it.
 *
 * @see UAX #15, Unicode Normalization Forms, and its Stream-Safe Text Format
 */
export function normalize(text: string, form: NormalizationForm): string {
  return (hasMarks.test(text) ? text.replace(tooManyMarks, '$1') : text).normalize(form)
}
