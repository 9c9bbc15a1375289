import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** Settings of how the service is watched, and how it ends. */
export const lifeSettings = {
  shutdownTimeoutSeconds: setting(
    'SHUTDOWN_TIMEOUT',
    '25',
    'Seconds that requests in flight have to finish when the service is told to end; what is left then is cut.',
    wholeNumber(1, 3600),
  ),
  shutdownDelaySeconds: setting(
    'SHUTDOWN_DELAY',
    '0',
    'Seconds that it goes on taking connections before, while `/health/ready` says 503: what a balancer takes to notice.',
    wholeNumber(0, 3600),
  ),
  minFreeDiskMegabytes: setting(
    'MIN_FREE_DISK',
    '100',
    'Megabytes that have to be free where the data is, or `/health/ready` says 503; 0: not looked at.',
    wholeNumber(0, 100_000_000),
  ),
} as const

export type LifeSettings = Settings<typeof lifeSettings>
