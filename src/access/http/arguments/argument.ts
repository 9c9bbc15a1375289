import type { Config } from '../../../base/config/config.ts'
import type { DescriptionKey, OpenApiKey } from '../../../base/languages/catalogue.ts'
import type { Language } from '../../../base/languages/language.ts'
import { fail, type ParameterFault, Problem } from '../../../base/problems.ts'
import { containsLongText, maxTextBytes } from '../../../base/text/bounds.ts'
import type { Db } from '../../../storage/database/tables.ts'
import type { Actor } from '../../auth/actor.ts'
import type { Deps } from '../../deps.ts'
import type { JsonSchema } from './argument.schema.ts'
import type { Adjustment, ParameterReport } from './parameter.report.ts'

export interface ArgumentContext {
  readonly config: Config
  readonly db: Db
  readonly actor: Actor
  /** Value of the language parameter, if it was sent. */
  readonly language: Language | undefined
  /** Whole seconds since 1970, UTC. */
  readonly now: number
  /** Values from the path, where the namespace reads them first. */
  readonly path?: Readonly<Record<string, unknown>>
}

export type ReadResult<T> = ReadValue<T> | { readonly fault: ParameterFault }

/** A value after reading. */
export interface ReadValue<T> {
  readonly value: T
  /** Set if the value differs from the sent one. */
  readonly adjusted?: Adjustment
  readonly isIgnored?: true
  /** Members of an object that are ignored, each with the allowed ones. */
  readonly ignored?: readonly (readonly [name: string, allowed: readonly string[] | undefined])[]
}

/** Work outside of the service that a value requires, such as fetching a URL. */
export type ResolveDeferred<T> = (deps: Deps, actor: Actor) => Promise<ReadResult<T>>

/**
 * A value that requires such work. The work starts only if the rest of the request is valid and the caller is
 * authorized.
 */
export class DeferredValue<T> {
  readonly settle: ResolveDeferred<T>

  constructor(settle: ResolveDeferred<T>) {
    this.settle = settle
  }
}

/** How one value is read: it turns any input into the type that the service uses. Never throws on bad input. */
export type ArgumentRule<T> = (raw: unknown, reading: ArgumentContext) => ReadResult<T> | Promise<ReadResult<T>>

type DeclaredDefault = string | number | boolean | null

/** An argument of a route: its declaration in the index and the rule that reads it. */
export interface Argument<T> {
  readonly read: ArgumentRule<T>
  /** The accepted values. The index often declares them less exactly (index-and-doc.md §2.1). */
  readonly schema: JsonSchema
  readonly description?: DescriptionKey
  /** Replaces the description in the OpenAPI document. Required if the contract has none. */
  readonly about?: OpenApiKey
  readonly aboutValues?: (config: Config) => Readonly<Record<string, string | number>>
  readonly type?: 'string' | 'integer' | 'boolean'
  readonly items?: { readonly type: 'integer' }
  readonly format?: 'string' | 'double'
  readonly enum?: readonly string[]
  /** The default in the index; a function if it depends on settings or the time. */
  readonly default?: DeclaredDefault | ((at: Pick<ArgumentContext, 'config' | 'now'>) => DeclaredDefault)
  readonly isRequired?: boolean
  /** True if the request supplies another value for a required argument that it omits. */
  readonly isWaived?: (sent: RawParameters, config: Config) => boolean
  /** Also accepts null, which clears the value. Only the OpenAPI document says so. */
  readonly isNullable?: boolean
  /** An addition of ours: the index omits it, and the OpenAPI document marks it. */
  readonly isExtension?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where arguments of all types are held together.
export type Arguments = Readonly<Record<string, Argument<any>>>

/** The values of the arguments after reading; undefined if nothing was sent. */
export type ArgumentValues<A extends Arguments> = {
  readonly [Name in keyof A]: A[Name] extends { readonly isWaived: unknown; readonly read: ArgumentRule<infer T> }
    ? Resolved<T> | undefined
    : A[Name] extends { readonly isRequired: true; readonly read: ArgumentRule<infer T> }
      ? Resolved<T>
      : A[Name] extends { readonly read: ArgumentRule<infer T> }
        ? Resolved<T> | undefined
        : never
}

type Resolved<T> = Exclude<T, DeferredValue<unknown>>

/** The parameters of a request by name, unchanged. */
export type RawParameters = Readonly<Record<string, unknown>>

const tooLong: ReadResult<never> = {
  fault: { text: 'fault.too-long', values: { most: String(maxTextBytes / 1024) } },
}

const entriesOfTables = new WeakMap<Arguments, readonly (readonly [string, Arguments[string]])[]>()

/** Returns the arguments of a table with their names. Few tables serve all requests. */
function entriesOf(args: Arguments): readonly (readonly [string, Arguments[string]])[] {
  const known = entriesOfTables.get(args)
  if (known) return known
  const entries = Object.entries(args)
  entriesOfTables.set(args, entries)
  return entries
}

const requiredOfTables = new WeakMap<Arguments, readonly (readonly [string, Arguments[string]])[]>()

/** Returns the required arguments of a table with their names. */
function requiredOf(args: Arguments): readonly (readonly [string, Arguments[string]])[] {
  const known = requiredOfTables.get(args)
  if (known) return known
  const entries = entriesOf(args).filter(([, { isRequired }]) => isRequired)
  requiredOfTables.set(args, entries)
  return entries
}

/** Arguments and the parameters from which they are read. */
export interface ArgumentGroup {
  readonly args: Arguments
  readonly sent: RawParameters
}

/**
 * Reads groups of arguments in the contract's order of checks (conventions.md §3): first missing arguments, then values
 * that break a rule of the route, then values of a wrong type. All faults of one kind are reported together. A text of
 * more than 64 KB is a fault in any argument. Ignored members and adjusted values are reported; a strict request is
 * refused because of them.
 *
 * @returns the values, group by group.
 * @throws rest_missing_callback_param, rest_invalid_param
 */
export async function readArguments(
  groups: readonly ArgumentGroup[],
  reading: ArgumentContext,
  parameterReport?: ParameterReport,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const missing = groups.flatMap(({ args, sent }) =>
    requiredOf(args).flatMap(([name, { isWaived }]) =>
      (sent[name] ?? null) === null && !isWaived?.(sent, reading.config) ? name : [],
    ),
  )
  if (missing.length > 0) fail('rest_missing_callback_param', { details: { params: missing } })

  const faults: [string, ParameterFault][] = []
  const results: Record<string, unknown>[] = []
  for (const { args, sent } of groups) {
    const values: Record<string, unknown> = {}
    for (const [name, argument] of entriesOf(args)) {
      const raw = sent[name]
      if (raw === undefined) continue
      const outcome: ReadResult<unknown> = containsLongText(raw)
        ? tooLong
        : await (argument as Argument<unknown>).read(raw, reading)
      if ('fault' in outcome) faults.push([name, outcome.fault])
      else {
        values[name] = outcome.value
        if (outcome.isIgnored) parameterReport?.ignore(name)
        if (outcome.adjusted) parameterReport?.adjust(name, outcome.adjusted)
        for (const [member, allowed] of outcome.ignored ?? []) parameterReport?.ignore(`${name}.${member}`, allowed)
      }
    }
    results.push(values)
  }
  faults.push(...(parameterReport?.faults() ?? []).map(([name, fault]): [string, ParameterFault] => [name, fault]))
  if (faults.length > 0) {
    const own = faults.filter(([, fault]) => fault.inner === undefined)
    throw new Problem('rest_invalid_param', { faults: Object.fromEntries(own.length > 0 ? own : faults) })
  }
  return results
}

/**
 * Returns the values after the deferred work is done.
 *
 * @throws rest_invalid_param; rest_forbidden if the caller may not use the route
 */
export async function resolveDeferredValues(
  values: Readonly<Record<string, unknown>>,
  { deps, actor, isOpen }: { readonly deps: Deps; readonly actor: Actor; readonly isOpen: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  const pending = Object.entries(values).filter(([, value]) => value instanceof DeferredValue)
  if (pending.length === 0) return values
  if (!isOpen) fail('rest_forbidden', { status: actor.kind === 'visitor' ? 401 : 403 })
  const known = { ...values }
  for (const [name, value] of pending) {
    const outcome = await (value as DeferredValue<unknown>).settle(deps, actor)
    if ('fault' in outcome) throw new Problem('rest_invalid_param', { faults: { [name]: outcome.fault } })
    known[name] = outcome.value
  }
  return known
}
