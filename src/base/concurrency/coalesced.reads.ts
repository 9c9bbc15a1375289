/**
 * A read that callers share. A caller that arrives during a read waits for the next one, so an answer never comes from
 * a read that began before the call.
 */
export function coalesceReads<T>(read: () => Promise<T>): () => Promise<T> {
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
