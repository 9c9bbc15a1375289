import type { Directory, DirectoryDefinition } from './directory.ts'
import { blankFields, type EntryValues, type FieldTable, fieldArguments, propertiesWhere } from './field.ts'

/** Defines a kind of records that events link to, with everything that follows from its table of fields. */
export function defineDirectory<T extends FieldTable, Json extends object>(
  definition: DirectoryDefinition<EntryValues<T>, Json> & { readonly fields: T },
): Directory<EntryValues<T>, Json> {
  const { fields } = definition
  return {
    ...definition,
    blank: blankFields(fields),
    sharedFields: propertiesWhere(fields, ({ isShared }) => isShared),
    searchedFields: propertiesWhere(fields, ({ isSearched }) => isSearched),
    arguments: fieldArguments(fields),
  }
}
