export type NormalizationForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** UAX #15, 12.1: no text that anybody writes has more combining marks in a row. */
const maxMarks = 30
// The two halfwidth sound marks are letters, yet become combining marks in NFKC and NFKD.
const mark = '[\\p{M}\\uff9e\\uff9f]'
/** No mark stands before these: most texts have none, and need not be looked through for runs. */
const hasMarks = /[^\0-\u02ff]/
const tooManyMarks = new RegExp(`(${mark}{${maxMarks}})${mark}+`, 'gu')

/**
 * `text` in a normalization form of Unicode. Of combining marks in a row the first 30 count and the rest is dropped:
 * marks are sorted, in time that grows with the square of how many there are.
 *
 * All normalizing goes through here; `test/tidy.test.ts` sees to it.
 *
 * @see UAX #15, Unicode Normalization Forms, and its Stream-Safe Text Format
 */
export function normalize(text: string, form: NormalizationForm): string {
  return (hasMarks.test(text) ? text.replace(tooManyMarks, '$1') : text).normalize(form)
}
