/** An answer that may be asked for again, only in case it has changed. */
export interface Kept {
  readonly etag: string
  readonly text: string
}

/** The answers that were asked for last, by their address. */
export interface KeptAnswers {
  find(url: string): Kept | undefined
  keep(url: string, answer: Kept): void
}

/** @param most How many are kept. */
export function createKept(most: number): KeptAnswers {
  const answers = new Map<string, Kept>()
  return {
    find: (url) => answers.get(url),
    keep: (url, answer) => {
      // Whatever was set last stands last in a map.
      answers.delete(url)
      answers.set(url, answer)
      for (const oldest of answers.keys()) {
        if (answers.size <= most) break
        answers.delete(oldest)
      }
    },
  }
}
