import { fold } from '../../base/text/fold.ts'
import type { Directory, Fields } from './directory.ts'

/** What of an entry is searched. */
interface SearchedEntry<F extends Fields> {
  readonly title: string
  readonly content: string
  readonly fields: F
}

/** All that a search looks through, folded: name, description and the kind's own texts (rulings.md 16). */
export function searchText<F extends Fields>(
  directory: Directory<F>,
  { title, content, fields }: SearchedEntry<F>,
): string {
  const own = directory.searchedFields.map((name) => String(fields[name]))
  return [title, content, ...own].map(fold).join('\n')
}
