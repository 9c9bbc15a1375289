import type { Config } from './config/config.ts'
import type { Limits } from './limits/limits.ts'
import type { Streets } from './maps/streets.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import type { FetchOutside } from './outbound/outbound.ts'
import type { PictureStore } from './pictures/picture.store.ts'
import type { Workshop } from './pictures/picture.workshop.ts'
import type { Storage } from './storage/storage.ts'

/** What the rooms need from outside. */
export interface Deps {
  readonly config: Config
  readonly storage: Storage
  /** Where the files of pictures are, and where they are made. */
  readonly pictures: { readonly store: PictureStore; readonly workshop: Workshop }
  /** Tiles of streets for the map page. */
  readonly streets: Streets
  readonly fetchOutside: FetchOutside
  /** What is counted of clients. */
  readonly limits: Limits
  /** Log, numbers and traces. */
  readonly monitoring: Monitoring
  /** Whole seconds since 1970, UTC. */
  readonly now: () => number
}
