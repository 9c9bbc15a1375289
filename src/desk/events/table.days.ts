import { localDateTimeAt } from '../../base/time/zone.ts'
import type { OwnCall } from '../shell/desk.call.ts'

const daySeconds = 86_400

/** The first and the last day that lists can name. */
export const everyDay = { start_date: '0001-01-01 00:00:00', end_date: '9999-12-31 23:59:59' }

/** Returns the day of the site that is this number of days from now: `2030-01-15`. */
export function dayFromNow({ now, config }: Pick<OwnCall, 'now' | 'config'>, days = 0): string {
  return localDateTimeAt(now + days * daySeconds, config.siteZone).slice(0, 10)
}

/** Returns a local time some days later, at the same time of day: `2030-01-15 19:00:00`. */
export function shiftDays(local: string, days: number): string {
  const at = Date.parse(`${local.replace(' ', 'T')}Z`) + days * daySeconds * 1000
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** Returns the days for which editors ask most: their name, the first and the last one. The weekend is that of this week. */
export function quickDays(call: Pick<OwnCall, 'now' | 'config'>) {
  const day = (days: number) => dayFromNow(call, days)
  // Sunday is 0.
  const weekday = new Date(`${day(0)}T00:00:00Z`).getUTCDay()
  const toSunday = (7 - weekday) % 7
  return [
    ['today', day(0), day(0)],
    ['tomorrow', day(1), day(1)],
    ['weekend', day(Math.max(toSunday - 1, 0)), day(toSunday)],
  ] as const
}
