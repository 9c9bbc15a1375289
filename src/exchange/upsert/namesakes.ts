import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import { changeEntry, createEntry } from '../../calendar/directory/directory.service.ts'
import type { Directory, DirectoryEntry, EntryPatch, Fields } from '../../calendar/directory/directory.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'

/**
 * Creates an entry although there is another one of its name. Creating it under that name would change the other one,
 * so it gets its own name only after it is created.
 */
export async function createApart<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  entry: {
    readonly draft: EntryPatch<F>
    readonly firstName: string
    readonly language: Language
    readonly of: number | undefined
  },
): Promise<DirectoryEntry<F>> {
  const { draft, firstName, language, of } = entry
  const created = await createEntry(write, directory, { draft: { ...draft, name: firstName }, language, of })
  const { name, modifiedAt } = draft
  return changeEntry(write, directory, { id: created.id, patch: { name, fields: {}, modifiedAt } })
}

/** Returns whether all texts that both have are equal, ignoring case and accents. Many cities have a “City Hall”. */
export function doFieldsAgree<F extends Fields>(ours: object, sent: Partial<F>): boolean {
  const known = ours as Readonly<Record<string, unknown>>
  return Object.entries(sent).every(([name, value]) => {
    const other = known[name]
    if (typeof value !== 'string' || typeof other !== 'string' || value === '' || other === '') return true
    return fold(value) === fold(other)
  })
}
