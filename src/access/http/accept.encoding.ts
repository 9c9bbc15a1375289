import { LRUCache } from 'lru-cache'

/** The codings in which answers are sent, the one first that costs least where a client likes several as much. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/** Which codings a client takes. */
export interface Accepted {
  /** The one in which it is answered; undefined: plain. */
  readonly best: Coding | undefined
  readonly isPlainTaken: boolean
  /** All that it can read. */
  readonly taken: readonly Coding[]
}

/** That of an answer which is never coded. */
export const onlyPlain: Accepted = { best: undefined, isPlainTaken: true, taken: [] }
/** Who sends no such header can read anything (RFC 9110, 12.5.3), but has not asked for it. */
const unsaid: Accepted = { best: undefined, isPlainTaken: true, taken: CODINGS }

/** Longer ones are no lists of codings. */
const mostHeaderLength = 1000
const knownHeaders = new LRUCache<string, Accepted>({ max: 200 })

/** What `Accept-Encoding` says. There are few such headers, so that each is read once. */
export function acceptedCodings(header: string | undefined): Accepted {
  if (header === undefined) return unsaid
  if (header.length > mostHeaderLength) return onlyPlain
  const known = knownHeaders.get(header)
  if (known) return known
  const accepted = readAcceptEncoding(header)
  knownHeaders.set(header, accepted)
  return accepted
}

/**
 * Reads `Accept-Encoding` (RFC 9110, 12.5.3). The coding with the highest weight is sent, plain only where its weight is
 * higher still. What is not listed has the weight of `*`; without that no coding is taken, but plain is.
 */
export function readAcceptEncoding(header: string): Accepted {
  const weights = weightsIn(header)
  const others = weights.get('*')
  const weightOf = (coding: Coding) => weights.get(coding) ?? others ?? 0
  const plain = weights.get('identity') ?? others
  const taken = CODINGS.filter((coding) => weightOf(coding) > 0)
  const heaviest = Math.max(0, ...taken.map(weightOf))
  return {
    best: heaviest < (weights.get('identity') ?? 0) ? undefined : taken.find((coding) => weightOf(coding) === heaviest),
    isPlainTaken: plain !== 0,
    taken,
  }
}

/** Weights by name; a member that cannot be read is passed over. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] =
      /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(member) ?? []
    // An old name of the same (RFC 9110, 8.4.1.3).
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  return weights
}
