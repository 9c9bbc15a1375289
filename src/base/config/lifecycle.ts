import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of health checks and shutdown. */
export const lifecycleSettings = {
  shutdownTimeoutSeconds: setting(
    'SHUTDOWN_TIMEOUT',
    '25',
    'Seconds that requests in progress have to finish when the service is stopped; the rest are cut off.',
    wholeNumber(1, 3600),
  ),
  shutdownDelaySeconds: setting(
    'SHUTDOWN_DELAY',
    '0',
    'Seconds to keep accepting connections before that, while `/health/ready` answers 503, so that load balancers notice.',
    wholeNumber(0, 3600),
  ),
  minFreeDiskMegabytes: setting(
    'MIN_FREE_DISK',
    '100',
    'Free disk space needed for the data, in megabytes; below it, `/health/ready` answers 503. 0: not checked.',
    wholeNumber(0, 100_000_000),
  ),
} as const

export type LifecycleSettings = Settings<typeof lifecycleSettings>
