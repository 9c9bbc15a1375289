import { type ParameterFault, Problem } from '../../../base/problems.ts'
import type { Headers } from '../answers/headers.ts'

/** The change to a value that was not stored as sent: replaced by another value, or reduced to some of its items. */
export type Adjustment = { readonly to: string } | 'partly'

/**
 * Collects notes about the parameters of a request, beside its response: parameters that were ignored, and values that
 * were not stored as sent. Names within objects are joined by dots (`venue.fax`).
 */
export interface ParameterReport {
  /** True if such a request is refused instead (RFC 7240, 4.4). */
  readonly isStrict: boolean
  /** @param allowed Names that are valid instead; undefined if the parameter is known but has no effect here. */
  ignore(name: string, allowed?: readonly string[]): void
  adjust(name: string, adjustment: Adjustment): void
  /** The reasons to refuse a strict request. */
  faults(): readonly (readonly [name: string, fault: ParameterFault])[]
  /** The names of the ignored parameters, at most fifty, and one more if there are others. */
  ignoredNames(): readonly string[]
  headers(): Headers
}

/** Parameters that every route knows, even if they have no effect there (conventions.md §6). */
const commonParameters: ReadonlySet<string> = new Set([
  ...['_fields', '_envelope', '_jsonp', '_pretty', '_embed', '_locale', '_method', '_wpnonce'],
  ...['context', 'password', 'rest_route'],
  // Some libraries add this parameter to an address to prevent caching.
  '_',
])

/** The maximum number of parameters in the header field, and the maximum characters of one name and of all names. */
const maxNames = 50
const maxNameCharacters = 100
const maxHeaderCharacters = 1000

/** The part of a `Prefer` value that is read. Clients send far shorter ones. */
const maxPreferCharacters = 500

/**
 * Returns true if the request must be refused unless all of it can be done: `Prefer: handling=strict` (RFC 7240, 2 and
 * 4.4). Of a repeated preference the first counts.
 */
export function prefersStrictHandling(prefer: string | undefined): boolean {
  if (prefer === undefined) return false
  const preferences = prefer
    .slice(0, maxPreferCharacters)
    // A comma within quotation marks is not a separator.
    .replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => quoted.replace(/[\s",;=]/g, ''))
    .split(',')
  for (const preference of preferences) {
    const [name, value] = (preference.split(';', 1)[0] ?? '').split('=', 2)
    if (name?.trim().toLowerCase() === 'handling') return value?.trim().toLowerCase() === 'strict'
  }
  return false
}

export function createParameterReport(isStrict: boolean): ParameterReport {
  const [ignored, adjusted] = [new Map<string, ParameterFault>(), new Map<string, ParameterFault>()]
  const note = (all: Map<string, ParameterFault>, name: string, fault: ParameterFault) => {
    // One name more than the maximum shows that the list is incomplete.
    if (all.size <= maxNames) all.set(name.slice(0, maxNameCharacters).toWellFormed(), fault)
  }
  return {
    isStrict,
    ignore: (name, allowed) =>
      note(
        ignored,
        name,
        allowed
          ? { text: 'fault.unknown-parameter', values: { allowed: allowed.join(', ') } }
          : { text: 'fault.no-effect' },
      ),
    adjust: (name, adjustment) =>
      note(
        adjusted,
        name,
        adjustment === 'partly'
          ? { text: 'fault.partly' }
          : { text: 'fault.adjusted', values: { value: adjustment.to.slice(0, maxNameCharacters) } },
      ),
    faults: () => (isStrict ? [...ignored, ...adjusted].slice(0, maxNames) : []),
    ignoredNames: () => [...ignored.keys()],
    headers: () => {
      const isTold = ignored.size > 0 || adjusted.size > 0
      // RFC 7240, 2: caches must know that the response depends on the preference.
      const vary: Headers = isStrict || isTold ? { Vary: 'Prefer' } : {}
      if (isStrict) return { ...vary, 'Preference-Applied': 'handling=strict' }
      return {
        ...vary,
        ...(ignored.size > 0 ? { 'X-Ignored-Parameters': formatNames(ignored.keys()) } : {}),
        ...(adjusted.size > 0 ? { 'X-Adjusted-Parameters': formatNames(adjusted.keys()) } : {}),
      }
    },
  }
}

/** Returns the same collector for the members of the object with this name. */
export function parameterReportWithin(parameterReport: ParameterReport, name: string): ParameterReport {
  return {
    ...parameterReport,
    ignore: (member, allowed) => parameterReport.ignore(`${name}.${member}`, allowed),
    adjust: (member, adjustment) => parameterReport.adjust(`${name}.${member}`, adjustment),
  }
}

/** Returns names for a header field: percent-encoded, so that they are unambiguous, and `...` if there are more. */
function formatNames(names: Iterable<string>): string {
  let text = ''
  let count = 0
  for (const name of names) {
    const next = encodeURIComponent(name)
    if (count === maxNames || text.length + next.length > maxHeaderCharacters) return `${text}, ...`.replace(/^, /, '')
    text += count === 0 ? next : `, ${next}`
    count += 1
  }
  return text
}

/**
 * Reports the names that are not arguments.
 *
 * @param known Further names that have a meaning.
 */
export function reportUnknownParameters(
  parameterReport: ParameterReport,
  sent: Iterable<string>,
  { args, known }: { readonly args: object; readonly known: ReadonlySet<string> },
): void {
  let allowed: readonly string[] | undefined
  for (const name of sent) {
    if (Object.hasOwn(args, name) || known.has(name) || commonParameters.has(name)) continue
    allowed ??= Object.keys(args)
    parameterReport.ignore(name, allowed)
  }
}

/**
 * Refuses a strict request that could be done only in part. A write must call this within its transaction, so that
 * a refusal rolls back all of it.
 *
 * @throws rest_invalid_param
 */
export function assertStrictHandling(parameterReport: ParameterReport): void {
  const faults = parameterReport.faults()
  if (faults.length > 0) throw new Problem('rest_invalid_param', { faults: Object.fromEntries(faults) })
}
