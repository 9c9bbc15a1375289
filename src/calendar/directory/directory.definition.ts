import type { Directory, DirectoryDefinition } from './directory.ts'
import { blankFields, type FieldTable, type FieldValues, fieldArguments, propertiesWhere } from './field.ts'

/** A kind of records that events link to, with all that comes of its table of fields. */
export function defineDirectory<T extends FieldTable, Json extends object>(
  definition: DirectoryDefinition<FieldValues<T>, Json> & { readonly fields: T },
): Directory<FieldValues<T>, Json> {
  const { fields } = definition
  return {
    ...definition,
    blank: blankFields(fields),
    sharedFields: propertiesWhere(fields, ({ isShared }) => isShared),
    searchedFields: propertiesWhere(fields, ({ isSearched }) => isSearched),
    arguments: fieldArguments(fields),
  }
}
