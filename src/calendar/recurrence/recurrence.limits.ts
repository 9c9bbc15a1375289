/** The most further dates of a recurrence. */
export const maxExtraDates = 500

/** The most dates that a recurrence leaves out. */
export const maxExceptions = 500

/** The most characters of a rule. */
export const longestRuleText = 1024

/** A date starts at most this many years after the first one. */
export const longestYears = 10

export const maxInterval = 999
export const maxCount = 9999
