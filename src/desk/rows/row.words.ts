import type { DeskKey } from '../../base/languages/catalogue.ts'
import { TEXT_LANGUAGES } from '../../base/languages/language.ts'
import { deskText } from '../../base/languages/texts.ts'
import { fold } from '../../base/text/fold.ts'

// Words in cells: those of the interface, or those of the desk in any language.

const labelled = <W extends string>(words: Readonly<Record<W, DeskKey>>) => words

const eventStatuses = labelled({
  scheduled: 'editor.status.scheduled',
  canceled: 'editor.status.canceled',
  postponed: 'editor.status.postponed',
  rescheduled: 'editor.status.rescheduled',
  moved_online: 'editor.status.moved_online',
})
const attendances = labelled({
  offline: 'editor.attendance.offline',
  online: 'editor.attendance.online',
  mixed: 'editor.attendance.mixed',
})
const hiddenStatuses = labelled({
  draft: 'status.draft',
  pending: 'status.pending',
  future: 'status.future',
  private: 'status.private',
})
/** A status in which an event is not public. */
export type HiddenStatus = keyof typeof hiddenStatuses

function wordIn<W extends string>(cell: string, words: Readonly<Record<W, DeskKey>>): W | undefined {
  const folded = fold(cell)
  const names = Object.keys(words) as W[]
  return names.find((word) =>
    [word, ...TEXT_LANGUAGES.map((language) => fold(deskText(language, words[word])))].includes(folded),
  )
}

/** Whether a cell says yes. */
export function isYes(cell: string): boolean {
  return TEXT_LANGUAGES.some((language) => deskText(language, 'rows.words.yes').split(', ').includes(fold(cell)))
}

/** Returns the status that keeps an event from being public, if a cell names one. A column such as “Private” says yes. */
export function hiddenStatusIn(cell: string): HiddenStatus | undefined {
  if (wordIn(cell, { trash: 'status.trash' })) return 'draft'
  return isYes(cell) ? 'private' : wordIn(cell, hiddenStatuses)
}

/** Returns a cell with the words of the interface, as far as they are known: it refuses all others. */
export const eventStatusIn = (cell: string) => wordIn(cell, eventStatuses) ?? cell
export const attendanceIn = (cell: string) => wordIn(cell, attendances) ?? cell
