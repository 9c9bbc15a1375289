import type { Config } from './config/config.ts'
import type { Storage } from './storage/storage.ts'

/** What the rooms need from outside. */
export interface Deps {
  readonly config: Config
  readonly storage: Storage
  /** Whole seconds since 1970, UTC. */
  readonly now: () => number
}
