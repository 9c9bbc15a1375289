/** Records the times of any number of requests, in constant memory. */
export function latencyRecorder() {
  const maxMs = 60_000
  const counts = new Uint32Array(maxMs + 1)
  let total = 0
  return {
    add: (timeMs: number) => {
      const slot = Math.min(maxMs, Math.round(timeMs))
      counts[slot] = (counts[slot] ?? 0) + 1
      total += 1
    },
    /** Returns the whole milliseconds within which this share of all requests was answered; 0 if there were none. */
    at: (share: number): number => {
      const wanted = Math.ceil(total * share)
      let seen = 0
      for (const [timeMs, count] of counts.entries()) {
        seen += count
        if (seen >= wanted) return timeMs
      }
      return maxMs
    },
  }
}

/** Returns the growth per minute of samples of each second, by least squares. */
export function slopePerMinute(samples: readonly number[]): number {
  const count = samples.length
  if (count < 2) return 0
  const middle = (count - 1) / 2
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / count
  let [above, below] = [0, 0]
  for (const [second, sample] of samples.entries()) {
    above += (second - middle) * (sample - mean)
    below += (second - middle) ** 2
  }
  return (60 * above) / below
}
