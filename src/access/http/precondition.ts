import { Problem } from '../../base/problems.ts'

/** The version of a record: the number of its changes, and the second of the last one if it is recorded. */
export interface RecordValidators {
  readonly version: number
  readonly modifiedAt?: number
}

/** The header field with the version of the record that an answer shows. */
export const versionHeader = (version: number) => ({ 'X-Record-Version': String(version) })

type HeaderLookup = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a writer expects of the record that it changes (RFC 9110, 13.1). */
export type Precondition =
  | { readonly kind: 'exists' }
  | { readonly kind: 'version'; readonly versions: readonly number[] }
  | { readonly kind: 'unmodified'; readonly since: number }

/**
 * Returns the precondition of a request; undefined if it has none.
 *
 * Deviation from RFC 9110, 13.1.1: of each validator only the version at its beginning counts. It changes with the
 * record itself. The rest changes with all that a response shows, such as the name of a venue, and must not make a write
 * fail. The version is also strong in a validator that a proxy has marked as weak, and without
 * quotes.
 */
export function preconditionOf(headers: HeaderLookup): Precondition | undefined {
  const ifMatch = headers['if-match']
  if (typeof ifMatch === 'string') {
    if (ifMatch.trim() === '*') return { kind: 'exists' }
    return {
      kind: 'version',
      versions: [...ifMatch.matchAll(validatorPattern)].map(([, quoted, bare]) => Number(quoted ?? bare)),
    }
  }
  const sent = headers['if-unmodified-since']
  const since = typeof sent === 'string' ? Date.parse(sent) / 1000 : Number.NaN
  // An invalid date is ignored (RFC 9110, 13.1.4).
  return Number.isNaN(since) ? undefined : { kind: 'unmodified', since }
}

/** A validator of a record: its version before a minus and the rest, or alone. Others match no version. */
const validatorPattern = /(?:^|,)\s*(?:(?:W\/)?"(\d{1,15})(?:-[^"]*)?"|(\d{1,15}))\s*(?=,|$)/g

/** @throws precondition-failed, with the version of the record in `data.version` */
export function assertPrecondition(precondition: Precondition, found: RecordValidators): void {
  if (isMet(precondition, found)) return
  const { version } = found
  throw new Problem('precondition-failed', { details: { version }, headers: versionHeader(version) })
}

function isMet(precondition: Precondition, { version, modifiedAt }: RecordValidators): boolean {
  if (precondition.kind === 'exists') return true
  if (precondition.kind === 'version') return precondition.versions.includes(version)
  // Without a date of the last change, the header is ignored (RFC 9110, 13.1.4).
  return modifiedAt === undefined || modifiedAt <= precondition.since
}
