/** A clock that stands still for one request, and knows whether it was looked at: then the answer is that of a second. */
export function watchedClock(now: () => number) {
  const at = now()
  let isUsed = false
  return {
    now: () => {
      isUsed = true
      return at
    },
    lastUse: () => (isUsed ? at : undefined),
  }
}
