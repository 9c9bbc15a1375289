import { LRUCache } from 'lru-cache'

/** The supported content codings. Of codings with equal weight the first one is used, because it costs least. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

export interface AcceptedCodings {
  /** The coding of the response; undefined: no coding. */
  readonly best: Coding | undefined
  readonly acceptsIdentity: boolean
  /** All codings that the client can read. */
  readonly taken: readonly Coding[]
}

/** For a response that is never coded. */
export const identityOnly: AcceptedCodings = { best: undefined, acceptsIdentity: true, taken: [] }
/** A client without this field can read anything (RFC 9110, 12.5.3), but has not requested a coding. */
const anyCoding: AcceptedCodings = { best: undefined, acceptsIdentity: true, taken: CODINGS }

/** A longer value is not a list of codings. */
const maxHeaderLength = 1000
const knownHeaders = new LRUCache<string, AcceptedCodings>({ max: 200 })

/**
 * Returns the codings that an `Accept-Encoding` value accepts. Clients send few different values, so each value is
 * parsed once and cached.
 */
export function acceptedCodings(header: string | undefined): AcceptedCodings {
  if (header === undefined) return anyCoding
  if (header.length > maxHeaderLength) return identityOnly
  const known = knownHeaders.get(header)
  if (known) return known
  const accepted = readAcceptEncoding(header)
  knownHeaders.set(header, accepted)
  return accepted
}

/**
 * Parses `Accept-Encoding` (RFC 9110, 12.5.3). The coding with the highest weight is used. No coding is used only if
 * `identity` has a higher weight still. A coding that is not listed has the weight of `*`. Without `*`, it is not
 * accepted, but `identity` is.
 */
export function readAcceptEncoding(header: string): AcceptedCodings {
  const weights = weightsIn(header)
  const others = weights.get('*')
  const weightOf = (coding: Coding) => weights.get(coding) ?? others ?? 0
  const plain = weights.get('identity') ?? others
  const taken = CODINGS.filter((coding) => weightOf(coding) > 0)
  const heaviest = Math.max(0, ...taken.map(weightOf))
  return {
    best: heaviest < (weights.get('identity') ?? 0) ? undefined : taken.find((coding) => weightOf(coding) === heaviest),
    acceptsIdentity: plain !== 0,
    taken,
  }
}

/** Returns weights by name. Ignores a member that cannot be read. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] =
      /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(member) ?? []
    // `x-gzip` is an old name of gzip (RFC 9110, 8.4.1.3).
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  return weights
}
