import type { MonthDay } from './month.days.ts'

// What a sheet of paper on its side has room for, measured in what Chromium prints of A4 and Letter.

const linesOfRoomy = 46
const charactersOfRoomy = 24
const linesOfFull = 60
/** The date of a week and a bar take more than a line. */
const headLines = 1.5
const barLines = 1.4
/** No week is lower than this but where titles have one line each. */
const leastLines = 4.5
/** The hour before a title. */
const hourCharacters = 8

/** How a month is printed so that it is on one sheet: with whole titles, with one line of each, or in smaller letters. */
export function printDensity(days: readonly MonthDay[]): 'roomy' | 'full' | 'fullest' {
  const wrapped = (title: string) => Math.ceil((title.length + hourCharacters) / charactersOfRoomy)
  if (linesOf(days, wrapped, leastLines) <= linesOfRoomy) return 'roomy'
  return linesOf(days, () => 1, 0) <= linesOfFull ? 'full' : 'fullest'
}

function linesOf(days: readonly MonthDay[], linesOfTitle: (title: string) => number, least: number): number {
  const weeks = Map.groupBy(days, (_, place) => Math.floor(place / 7))
  const height = ({ lanes, lines, more }: MonthDay) =>
    lanes * barLines + lines.reduce((sum, { titleHtml }) => sum + linesOfTitle(titleHtml), 0) + Number(more > 0)
  return weeks.values().reduce((sum, week) => sum + Math.max(least, headLines + Math.max(...week.map(height))), 0)
}
