import type { Config } from '../base/config/config.ts'
import type { Limits } from '../base/limits/limits.ts'
import type { Monitoring } from '../base/monitoring/monitoring.ts'
import type { FetchOutbound } from '../base/outbound/outbound.ts'
import type { Storage } from '../storage/database/storage.ts'
import type { ImageWorker } from '../storage/pictures/image.worker.ts'
import type { PictureStore } from '../storage/pictures/picture.store.ts'
import type { Streets } from '../storage/tiles/streets.ts'

/** What the rooms need from outside. */
export interface Deps {
  readonly config: Config
  readonly storage: Storage
  /** Where the files of pictures are, and where they are made. */
  readonly pictures: { readonly store: PictureStore; readonly imageWorker: ImageWorker }
  /** Tiles of streets for the map page. */
  readonly streets: Streets
  readonly fetchOutbound: FetchOutbound
  /** What is counted of clients. */
  readonly limits: Limits
  /** Log, numbers and traces. */
  readonly monitoring: Monitoring
  /** Whole seconds since 1970, UTC. */
  readonly now: () => number
}
