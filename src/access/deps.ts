import type { Config } from '../base/config/config.ts'
import type { Limits } from '../base/limits/limits.ts'
import type { Monitoring } from '../base/monitoring/monitoring.ts'
import type { LinkChecker } from '../base/outbound/link.checker.ts'
import type { FetchForClient } from '../base/outbound/outbound.concurrency.ts'
import type { FetchDocument } from '../base/outbound/outbound.ts'
import type { Storage } from '../storage/database/storage.ts'
import type { ImageWorker } from '../storage/pictures/image.worker.ts'
import type { PictureStore } from '../storage/pictures/picture.store.ts'
import type { Streets } from '../storage/tiles/streets.ts'

/** Dependencies of the rooms. */
export interface Deps {
  readonly config: Config
  readonly storage: Storage
  /** Directory of the picture files, and the code that creates them. */
  readonly pictures: { readonly store: PictureStore; readonly imageWorker: ImageWorker }
  /** Street tiles for the map page. */
  readonly streets: Streets
  readonly fetchOutbound: FetchForClient
  /** Fetches a document that may be known. */
  readonly fetchDocument: FetchDocument
  /** Checks whether addresses of other sites answer. */
  readonly links: LinkChecker
  /** Request counts of the clients. */
  readonly limits: Limits
  /** Log, metrics and request traces. */
  readonly monitoring: Monitoring
  /** Whole seconds since 1970, UTC. */
  readonly now: () => number
}
