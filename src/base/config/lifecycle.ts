import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of health checks and shutdown. */
export const lifecycleSettings = {
  shutdownTimeoutSeconds: setting(
    'SHUTDOWN_TIMEOUT',
    '25',
    'Seconds that requests in progress have to finish when the service stops. Requests that take longer are cut off.',
    wholeNumber(1, 3600),
  ),
  shutdownDelaySeconds: setting(
    'SHUTDOWN_DELAY',
    '0',
    'Seconds that the service keeps accepting connections after it is told to stop. Meanwhile `/health/ready` answers 503, so that load balancers notice.',
    wholeNumber(0, 3600),
  ),
  minFreeDiskMegabytes: setting(
    'MIN_FREE_DISK',
    '100',
    'Free disk space that the data needs, in megabytes. With less, `/health/ready` answers 503. 0: not checked.',
    wholeNumber(0, 100_000_000),
  ),
} as const

export type LifecycleSettings = Settings<typeof lifecycleSettings>
