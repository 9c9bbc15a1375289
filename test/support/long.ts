/** Whether tests run in their long form: `npm run test:long` and `npm run test:all`. */
export const isLong = process.env.TEST_LONG === '1'

/** How often a property is tried, in the quick form of a test and in its long one. */
export function runs(quick: number, long: number): number {
  return isLong ? long : quick
}
