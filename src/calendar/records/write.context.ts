import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { ParameterReport } from '../../access/http/arguments/parameter.report.ts'
import type { Config } from '../../base/config/config.ts'
import type { Tx } from '../../storage/database/tables.ts'

/** The context of every write: one transaction, the actor, and the settings and clock of the process. */
export interface WriteContext {
  readonly tx: Tx
  readonly actor: Actor
  readonly config: Config
  /** Returns the current time, in seconds since 1970. */
  readonly now: () => number
  /** Collects parameters that are ignored or adjusted. Absent if there is no client to report them to. */
  readonly report?: ParameterReport | undefined
}

interface WritingCall {
  readonly deps: Pick<Deps, 'config' | 'now'>
  readonly actor: Actor
  readonly parameterReport?: ParameterReport
}

export function writeContext({ deps, actor, parameterReport }: WritingCall, tx: Tx): WriteContext {
  return { tx, actor, config: deps.config, now: deps.now, report: parameterReport }
}
