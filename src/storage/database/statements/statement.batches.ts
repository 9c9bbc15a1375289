/**
 * Rows per statement. Keeps the values below the parameter limits of the engines. All full statements have the same
 * text.
 */
const rowsAtOnce = 100

/** Yields the rows in batches of one statement each. Yields nothing if `rows` is empty. */
export function* statementBatches<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce)
}
