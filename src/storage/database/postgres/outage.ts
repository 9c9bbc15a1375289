import { errorText, isReadOnly } from './errors.ts'

/** Tells once when the database goes away, and once when it is back, however many requests fail meanwhile. */
export interface Outages {
  began(cause: Error): void
  /** @param hasWritten Whether a commit shows it. Other statements say nothing about writes. */
  ended(hasWritten: boolean): void
}

export function tellOutages(shown: string, say: (line: string) => void): Outages {
  let away: 'reads and writes' | 'writes' | undefined
  return {
    began: (cause) => {
      const [what, until, whose] = isReadOnly(cause)
        ? ['only reads', 'Until it takes writes', 'these']
        : ['does not answer', 'Until it does', 'requests']
      if (!away) say(`The database ${shown} ${what} (${errorText(cause)}). ${until}, ${whose} get 503.`)
      away ??= isReadOnly(cause) ? 'writes' : 'reads and writes'
    },
    ended: (hasWritten) => {
      if (!away || (!hasWritten && away === 'writes')) return
      say(`The database ${shown} ${away === 'writes' ? 'takes writes' : 'answers'} again.`)
      away = undefined
    },
  }
}
