import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import type { Told } from '../../access/http/told.ts'
import type { Config } from '../../base/config/config.ts'
import type { Tx } from '../../storage/database/tables.ts'

/** What every write works with: one transaction, who writes, and the settings and clock of the process. */
export interface WriteContext {
  readonly tx: Tx
  readonly actor: Actor
  readonly config: Config
  /** The current time, in seconds since 1970. */
  readonly now: () => number
  /** Collects parameters that are ignored or adjusted; absent where nobody is told. */
  readonly report?: Told | undefined
}

/** What a request gives to its writes. */
interface WritingCall {
  readonly deps: Pick<Deps, 'config' | 'now'>
  readonly actor: Actor
  readonly told?: Told
}

/** The context of a write that a request asks for. */
export function writeContext({ deps, actor, told }: WritingCall, tx: Tx): WriteContext {
  return { tx, actor, config: deps.config, now: deps.now, report: told }
}
