import { decodeEntities } from '../../base/text/escape.ts'
import { fold } from '../../base/text/fold.ts'

/** Characters of a folded name. Each has up to four bytes. */
const maxComparedLength = 500

/**
 * Returns the text that names are compared by: the folded name, or the beginning of a very long one, because databases
 * limit the size of an index key. If two of these texts are equal, the whole names may still differ.
 */
export function comparableTitle(title: string): string {
  return foldedTitle(title).slice(0, maxComparedLength).toWellFormed()
}

/** Returns a whole name as it is compared. */
export function foldedTitle(title: string): string {
  return fold(decodeEntities(title))
}
