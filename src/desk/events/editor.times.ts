import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, type Zone } from '../../base/time/zone.ts'
import { addDays, halfOf, sentMoment } from './editor.dates.ts'

// A start and an end as people mean them together. A moment here is the text of the editor: `2027-03-05 19:30`.

const shortHours = 12
const hourMs = 3_600_000

/** Returns a moment. 24:00 is the end of its day. */
export function momentText(day: string, time: string): string {
  return time === '24:00' ? `${addDays(day, 1)} 00:00` : `${day} ${time}`
}

const hoursBetween = (start: string, end: string) =>
  (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / hourMs

/** What was typed, and the moment that it means alone. */
interface Typed {
  readonly text: string
  readonly moment: string
}

/**
 * Returns the start and the end of “7 pm” to “9:30”: a time without its half of the day is in that of the other one, if
 * the event is then short.
 */
export function inOneHalf(start: Typed, end: Typed): readonly [start: string, end: string] {
  const [first, last] = [halfOf(start.text), halfOf(end.text)]
  const from = first === 'open' ? atHalf(start.moment, last) : start.moment
  const until = last === 'open' ? atHalf(end.moment, first) : end.moment
  const hours = hoursBetween(from, until)
  return hours > 0 && hours <= shortHours ? [from, until] : [start.moment, end.moment]
}

function atHalf(moment: string, half: ReturnType<typeof halfOf>): string {
  if (half !== 'a' && half !== 'p') return moment
  const hour = (Number(moment.slice(11, 13)) % 12) + (half === 'p' ? 12 : 0)
  return `${moment.slice(0, 11)}${String(hour).padStart(2, '0')}${moment.slice(13)}`
}

/** Whether an event ends only late on the next day: few do, and “19:00 to 18:00” is more often a slip. */
export function isOvernight(start: string, end: string): boolean {
  const hours = hoursBetween(start, end)
  return start.length > 10 && end.slice(0, 10) === addDays(start.slice(0, 10), 1) && hours >= shortHours && hours < 24
}

/** Whether clocks skip a moment, because they go forward then. */
export function isSkipped(moment: string, zone: Zone): boolean {
  const local = sentMoment(moment)
  return isLocalDateTime(local) && localDateTimeAt(epochSecondsOf(local, zone), zone) !== local
}
