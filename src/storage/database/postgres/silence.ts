/** What reads of a silent server fail with. */
export const silent = new Error('silent')
/** A server that has not answered the smallest read for this time is silent. */
const silentAfterMs = 750

/**
 * Returns the same read, which fails if the server is silent. From then on it fails at once, until the server answers
 * or the connection is given up. The read needs a connection that no other query keeps busy.
 */
export function failingWhenSilent<T>(read: () => Promise<T>): () => Promise<T> {
  let isSilent = false
  return async () => {
    if (isSilent) throw silent
    let isAnswered = false
    const reading = read().finally(() => {
      isAnswered = true
      isSilent = false
    })
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      // After a pause of this process, the answer may be there, but not read yet.
      setImmediate(() => {
        if (isAnswered) return
        isSilent = true
        reject(silent)
      })
    }, silentAfterMs)
    try {
      return await Promise.race([reading, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
