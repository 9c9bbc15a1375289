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

/**
 * A read that costs little, but more than nothing, shared by all who ask for it in one turn of the event loop. It is made
 * when all that has arrived was looked at, so no answer comes from a read that began before it was asked for.
 */
export function readsByTurn<T>(read: () => T): () => Promise<T> {
  let next: Promise<T> | undefined
  const readNow = (): T => {
    next = undefined
    return read()
  }
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(readNow)
    return next
  }
}
