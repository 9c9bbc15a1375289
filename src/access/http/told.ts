import { type ParameterFault, Problem } from '../../base/problems.ts'
import type { Headers } from './headers.ts'

/** What became of a value that was not kept as it was sent: another one, or only some of its items. */
export type Adjustment = { readonly to: string } | 'partly'

/**
 * What a request is told of its parameters beside the answer: those that were passed over, and those that were not kept
 * as they were sent. Names within objects are joined by dots (`venue.fax`).
 */
export interface Told {
  /** Whether the request is to be refused instead (RFC 7240, 4.4). */
  readonly isStrict: boolean
  /** @param allowed What could be sent instead; undefined where the parameter is known and has no effect here. */
  ignore(name: string, allowed?: readonly string[]): void
  adjust(name: string, adjustment: Adjustment): void
  /** What a strict request is refused for. */
  faults(): readonly (readonly [name: string, fault: ParameterFault])[]
  headers(): Headers
}

/** Parameters that every route knows, whether or not they do anything there (conventions.md §6). */
const knownToAll: ReadonlySet<string> = new Set([
  ...['_fields', '_envelope', '_jsonp', '_pretty', '_embed', '_locale', '_method', '_wpnonce'],
  ...['context', 'password', 'rest_route'],
  // What some libraries add to an address, so that no cache answers it.
  '_',
])

/** Most parameters that are named, most characters of a name, and of all names in a header. */
const mostNames = 50
const mostNameCharacters = 100
const mostHeaderCharacters = 1000

/** What of a `Prefer` header is looked at: what clients send is far shorter. */
const mostPreferCharacters = 500

/**
 * Whether a request wants to be refused where it is not done to the letter: `Prefer: handling=strict` (RFC 7240, 2 and
 * 4.4). Of a preference that comes twice the first counts.
 */
export function isStrictlyHandled(prefer: string | undefined): boolean {
  if (prefer === undefined) return false
  const preferences = prefer
    .slice(0, mostPreferCharacters)
    // A comma within quotation marks parts nothing.
    .replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => quoted.replace(/[\s",;=]/g, ''))
    .split(',')
  for (const preference of preferences) {
    const [name, value] = (preference.split(';', 1)[0] ?? '').split('=', 2)
    if (name?.trim().toLowerCase() === 'handling') return value?.trim().toLowerCase() === 'strict'
  }
  return false
}

export function createTold(isStrict: boolean): Told {
  const [ignored, adjusted] = [new Map<string, ParameterFault>(), new Map<string, ParameterFault>()]
  const note = (all: Map<string, ParameterFault>, name: string, fault: ParameterFault) => {
    // One more than is named shows that there are more.
    if (all.size <= mostNames) all.set(name.slice(0, mostNameCharacters).toWellFormed(), fault)
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
          : { text: 'fault.adjusted', values: { value: adjustment.to.slice(0, mostNameCharacters) } },
      ),
    faults: () => (isStrict ? [...ignored, ...adjusted].slice(0, mostNames) : []),
    headers: () => {
      const isTold = ignored.size > 0 || adjusted.size > 0
      // RFC 7240, 2: whoever keeps answers is to know that another preference may have another one.
      const vary: Headers = isStrict || isTold ? { Vary: 'Prefer' } : {}
      if (isStrict) return { ...vary, 'Preference-Applied': 'handling=strict' }
      return {
        ...vary,
        ...(ignored.size > 0 ? { 'X-Ignored-Parameters': listed(ignored.keys()) } : {}),
        ...(adjusted.size > 0 ? { 'X-Adjusted-Parameters': listed(adjusted.keys()) } : {}),
      }
    },
  }
}

/** The same for the members of an object of this name. */
export function toldWithin(told: Told, name: string): Told {
  return {
    ...told,
    ignore: (member, allowed) => told.ignore(`${name}.${member}`, allowed),
    adjust: (member, adjustment) => told.adjust(`${name}.${member}`, adjustment),
  }
}

/** Names as a header carries them: percent-encoded, so that none can be taken for two; `...` where there are more. */
function listed(names: Iterable<string>): string {
  let text = ''
  let count = 0
  for (const name of names) {
    const next = encodeURIComponent(name)
    if (count === mostNames || text.length + next.length > mostHeaderCharacters)
      return `${text}, ...`.replace(/^, /, '')
    text += count === 0 ? next : `, ${next}`
    count += 1
  }
  return text
}

/**
 * Tells which of these names are none of the arguments.
 *
 * @param known Further names that mean something.
 */
export function tellUnknown(
  told: Told,
  sent: Iterable<string>,
  { args, known }: { readonly args: object; readonly known: ReadonlySet<string> },
): void {
  const allowed = Object.keys(args)
  for (const name of sent) {
    if (!Object.hasOwn(args, name) && !known.has(name) && !knownToAll.has(name)) told.ignore(name, allowed)
  }
}

/**
 * Ends a strict request that would not be done to the letter. Where it writes it is to be asked within the write, so
 * that nothing of it is kept.
 *
 * @throws rest_invalid_param
 */
export function assertToTheLetter(told: Told): void {
  const faults = told.faults()
  if (faults.length > 0) throw new Problem('rest_invalid_param', { faults: Object.fromEntries(faults) })
}
