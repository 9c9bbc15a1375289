/**
 * Those of the columns of `after` that have another value than before. An update that names a column has the engine
 * write its indexes anew, and whatever else follows it, even where the value stays.
 *
 * @param before The row as far as it is known: what is missing counts as changed.
 */
export function changedColumns<T extends object>(before: Partial<T>, after: T): Partial<T> {
  const columns = Object.entries(after) as [keyof T, T[keyof T]][]
  return Object.fromEntries(columns.filter(([column, value]) => value !== before[column])) as Partial<T>
}
