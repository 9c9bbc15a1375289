/** A cached response, which the client revalidates. */
export interface Kept {
  readonly etag: string
  readonly text: string
}

/** The most recently requested responses, by address. */
export interface KeptAnswers {
  find(url: string): Kept | undefined
  keep(url: string, answer: Kept): void
}

/** @param most The maximum number of responses. */
export function createKept(most: number): KeptAnswers {
  const answers = new Map<string, Kept>()
  return {
    find: (url) => answers.get(url),
    keep: (url, answer) => {
      // The last insertion is the last entry of a map.
      answers.delete(url)
      answers.set(url, answer)
      for (const oldest of answers.keys()) {
        if (answers.size <= most) break
        answers.delete(oldest)
      }
    },
  }
}
