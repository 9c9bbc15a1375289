import { fold } from '../../base/text/fold.ts'
import type { Directory, Fields } from './directory.ts'

/** All that a search looks through, folded: name, description and the kind's own texts (rulings.md 16). */
export function searchText<F extends Fields>(
  directory: Directory<F>,
  title: string,
  content: string,
  fields: F,
): string {
  return [title, content, ...directory.searchable(fields)].map(fold).join('\n')
}
