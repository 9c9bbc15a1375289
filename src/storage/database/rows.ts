/** Rows of one statement: their values stay below the parameters that engines allow, and full statements have one text. */
const rowsAtOnce = 100

/** The rows in parts that one statement each can write; none where there are none. */
export function* inStatements<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce)
}
