import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** Settings of how the service is watched. */
export const lifeSettings = {
  minFreeDiskMegabytes: setting(
    'MIN_FREE_DISK',
    '100',
    'Megabytes that have to be free where the data is, or `/health/ready` says 503; 0: not looked at.',
    wholeNumber(0, 100_000_000),
  ),
} as const

export type LifeSettings = Settings<typeof lifeSettings>
