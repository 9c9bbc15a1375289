/** Whether tests run in their long form: `npm run test:long`. */
export const isLong = process.env.TEST_LONG === '1'

/**
 * How often a property is tried, in the quick form of a test and in its long one. On PostgreSQL the long one is half as
 * long: properties try other values in each run, and most of the code is the same on both engines.
 */
export function runs(quick: number, long: number): number {
  if (!isLong) return quick
  return process.env.TEST_ENGINE === 'postgres' ? Math.ceil(long / 2) : long
}
