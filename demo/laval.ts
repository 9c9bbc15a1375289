import { readFile } from 'node:fs/promises'
import { dayOf, isLocalDateTime, type LocalDateTime } from '../src/base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, parseZone, utcZone } from '../src/base/time/zone.ts'
import { shiftByDays } from '../src/exchange/imports/date.shift.ts'

/** An activity of the City of Laval in the format of its calendar; times are UTC. */
interface Recorded {
  readonly title: string
  readonly text: string
  readonly start: string
  readonly end: string
  readonly categories: readonly string[]
  readonly places: readonly string[]
  readonly tags: readonly string[]
  readonly audience: readonly string[]
}

/** An activity moved to the dates of the demo, in the local time of Laval, with its English text if there is one. */
export interface Activity extends Omit<Recorded, 'start' | 'end'> {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly isAllDay: boolean
  readonly english: { readonly title: string; readonly text: string } | undefined
}

export interface Conference {
  readonly name: string
  readonly topic: string
  readonly url: string
  readonly startDate: string
  readonly endDate: string
  readonly city: string
  readonly country: string
}

/** The day of the data that becomes the current day: three weeks of the data precede it, twelve follow it. */
const dayOfData = '2025-03-10 12:00:00' as LocalDateTime
/** That day is a Monday, and stays one. */
export const mondayOfData = '2025-03-10 00:00:00' as LocalDateTime

/** The source has no field for canceled activities. The demo states it as the status of the event. */
const canceledTitle = /^ANNULÉ\s*-\s*/
const canceledText = /<strong>Annulé\s*<\/strong>\s*-\s*/

export const demoZone = 'America/Toronto'

async function read<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`data/${name}`, import.meta.url), 'utf8')) as T
}

/**
 * Returns the number of days by which the data is moved, at this second. It is a number of whole weeks, so that
 * weekdays stay the same.
 */
export function shiftAt(now: number): number {
  const zone = parseZone(demoZone) ?? utcZone
  const days = (epochSecondsOf(localDateTimeAt(now, zone), utcZone) - epochSecondsOf(dayOfData, utcZone)) / 86_400
  return Math.round(days / 7) * 7
}

export async function readActivities(shiftDays: number): Promise<readonly Activity[]> {
  const recorded = await read<readonly Recorded[]>('laval.json')
  const english = await read<Readonly<Record<string, Activity['english']>>>('laval.en.json')
  const zone = parseZone(demoZone) ?? utcZone
  return recorded.map(({ start, end, title, text, ...activity }) => {
    const [from, to] = [start, end].map((text) =>
      localDateTimeAt(epochSecondsOf(readLocalDateTime(text), utcZone), zone),
    ) as [LocalDateTime, LocalDateTime]
    return {
      ...activity,
      title: title.replace(canceledTitle, ''),
      text: text.replace(canceledText, ''),
      start: shiftByDays(from, shiftDays),
      end: shiftByDays(to, shiftDays),
      isAllDay: from.endsWith('00:00:00') && /23:59:\d\d$/.test(to),
      english: english[title],
    }
  })
}

export async function readConferences(shiftDays: number): Promise<readonly Conference[]> {
  const conferences = await read<readonly Conference[]>('conferences.json')
  const moved = (day: string) => dayOf(shiftByDays(readLocalDateTime(`${day}T00:00:00`), shiftDays))
  return conferences.map((conference) => ({
    ...conference,
    startDate: moved(conference.startDate),
    endDate: moved(conference.endDate),
  }))
}

function readLocalDateTime(text: string): LocalDateTime {
  const localDateTime = text.replace('T', ' ')
  if (!isLocalDateTime(localDateTime)) throw new Error(`“${text}” is not a time.`)
  return localDateTime
}
