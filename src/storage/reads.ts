/**
 * A read that many may wait for together. Whoever asks while one is under way waits for the next: an answer never
 * comes from a read that began before it was asked for.
 */
export function sharedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = (): Promise<T> => {
    const started = read()
    running = started
    const end = () => {
      if (running === started) running = undefined
    }
    started.then(end, end)
    return started
  }
  return () => {
    if (!running) return start()
    const began = running
    next ??= began
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
