import { errorText } from './errors.ts'

/** Tells once when the database goes away, and once when it is back, however many requests fail meanwhile. */
export interface Outages {
  began(cause: Error): void
  ended(): void
}

export function tellOutages(shown: string, say: (line: string) => void): Outages {
  let isAway = false
  return {
    began: (cause) => {
      if (!isAway) say(`The database ${shown} does not answer (${errorText(cause)}). Until it does, requests get 503.`)
      isAway = true
    },
    ended: () => {
      if (isAway) say(`The database ${shown} answers again.`)
      isAway = false
    },
  }
}
