import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of health checks and shutdown. */
export const lifecycleSettings = {
  shutdownTimeoutSeconds: setting('SHUTDOWN_TIMEOUT', '25', wholeNumber(1, 3600)),
  shutdownDelaySeconds: setting('SHUTDOWN_DELAY', '0', wholeNumber(0, 3600)),
  minFreeDiskMegabytes: setting('MIN_FREE_DISK', '100', wholeNumber(0, 100_000_000)),
} as const

export type LifecycleSettings = Settings<typeof lifecycleSettings>
