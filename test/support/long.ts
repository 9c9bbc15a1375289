/** Whether tests run in their long form: `npm run test:long`. */
export const isLong = process.env.TEST_LONG === '1'

/**
 * How often a property is tried, in the quick form of a test and in its long one. On PostgreSQL the quick form tries a
 * quarter, and the long one half: properties try other values in each run, most of the code is the same on both engines,
 * and each try takes several times as long.
 *
 * Both are whole numbers: the property library never ends with another one.
 */
export function runs(quick: number, long: number): number {
  const onSqlite = isLong ? long : quick
  return process.env.TEST_ENGINE === 'postgres' ? Math.ceil(onSqlite / (isLong ? 2 : 4)) : onSqlite
}
