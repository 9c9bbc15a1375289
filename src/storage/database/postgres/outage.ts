import { errorText, isReadOnly } from './errors.ts'

/** Tells once when the database goes away, and once when it is back, however many requests fail meanwhile. */
export interface Outages {
  began(cause: Error): void
  /** @param isReading Whether a read shows it, which says nothing about writes. */
  ended(isReading: boolean): void
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
    ended: (isReading) => {
      if (!away || (isReading && away === 'writes')) return
      say(`The database ${shown} ${away === 'writes' ? 'takes writes' : 'answers'} again.`)
      away = undefined
    },
  }
}
