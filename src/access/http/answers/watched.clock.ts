/**
 * A clock that shows the same second during a whole request, and reports whether the request read it. If so, the
 * response depends on that second.
 */
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
