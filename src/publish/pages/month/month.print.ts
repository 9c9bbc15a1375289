import type { RenderedEvent } from '../../../calendar/events/model/event.ts'
import type { MonthDay } from './month.days.ts'

// The space on a landscape sheet of paper, measured in A4 and Letter pages that Chromium prints.

const linesOfRoomy = 46
const charactersOfRoomy = 24
const linesOfFull = 60
/** The date of a week and a bar each take more than one line. */
const headLines = 1.5
const barLines = 1.4
/** The minimum height of a week, except when each title has one line. */
const leastLines = 4.5
/** The width of the time before a title. */
const hourCharacters = 8
/** The width of the status of an event before its title. */
const stateCharacters = 12

/**
 * Returns the density at which a month fits on one sheet: whole titles, one line for each title, or smaller letters.
 */
export function printDensity(days: readonly MonthDay[]): 'roomy' | 'full' | 'fullest' {
  const wrapped = ({ titleHtml, eventStatus }: RenderedEvent) =>
    Math.ceil(
      (titleHtml.length + hourCharacters + (eventStatus === 'scheduled' ? 0 : stateCharacters)) / charactersOfRoomy,
    )
  if (linesOf(days, wrapped, leastLines) <= linesOfRoomy) return 'roomy'
  return linesOf(days, () => 1, 0) <= linesOfFull ? 'full' : 'fullest'
}

function linesOf(days: readonly MonthDay[], linesOfTitle: (event: RenderedEvent) => number, least: number): number {
  const weeks = Map.groupBy(days, (_, place) => Math.floor(place / 7))
  const height = ({ lanes, lines, more }: MonthDay) =>
    lanes * barLines + lines.reduce((sum, event) => sum + linesOfTitle(event), 0) + Number(more > 0)
  return weeks.values().reduce((sum, week) => sum + Math.max(least, headLines + Math.max(...week.map(height))), 0)
}
