import { fold } from '../../base/text/fold.ts'
import type { Directory, Fields } from './directory.ts'

/** The parts of an entry that a search covers. */
interface SearchedEntry<F extends Fields> {
  readonly title: string
  readonly content: string
  readonly fields: F
}

/** Returns the folded text that a search covers: name, description and the texts of the kind (rulings.md 16). */
export function searchText<F extends Fields>(
  directory: Directory<F>,
  { title, content, fields }: SearchedEntry<F>,
): string {
  const own = directory.searchedFields.map((name) => String(fields[name]))
  return [title, content, ...own].map(fold).join('\n')
}
