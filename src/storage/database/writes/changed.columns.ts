/**
 * Returns the columns of `after` whose value differs from before. If an update names a column, the engine rewrites its
 * indexes and runs its triggers, even if the value stays the same.
 *
 * @param before The known part of the row. A missing column counts as changed.
 */
export function changedColumns<T extends object>(before: Partial<T>, after: T): Partial<T> {
  const columns = Object.entries(after) as [keyof T, T[keyof T]][]
  return Object.fromEntries(columns.filter(([column, value]) => value !== before[column])) as Partial<T>
}
