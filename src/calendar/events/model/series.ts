import type { Tx } from '../../../storage/database/tables.ts'
import { listMemberships } from '../../occurrences/occurrence.repository.ts'
import { addOwnFields, addTranslatedDate, leaveOutDate, takeDateBack } from '../../occurrences/occurrence.service.ts'
import { segmentOf } from '../../occurrences/segment.dates.ts'
import { changedFields, type Standing } from '../../sources/standing.ts'
import { listTranslationIds } from '../../translations/group.repository.ts'
import { listEventStandings } from '../read/standing.repository.ts'
import { hasTimes, timesOfDate } from './date.times.ts'
import type { CalendarEvent } from './event.ts'

// What the change of an event means if it is a date of a series. Other events run no query for it.

/** Fields of an event that no date takes from its series. */
export const unfollowedFields: readonly string[] = ['slug']

/** The texts of an event, which translations do not share. */
export const texts = ['title', 'description', 'excerpt']

/** The versions of a date before a change, by id. */
type DatesBefore = ReadonlyMap<number, Standing>

/** Returns the fields of a date and its translations as they are stored. */
export async function followedDates(tx: Tx, { id, seriesId }: CalendarEvent): Promise<DatesBefore> {
  if (seriesId === undefined) return new Map()
  return listEventStandings(tx, await listTranslationIds(tx, 'records', [id]))
}

/** Notes which fields of a date no longer follow its series, because this write changed them. */
export async function keepOwnFields(
  tx: Tx,
  dates: DatesBefore,
  { before, after, at }: { readonly before: CalendarEvent; readonly after: CalendarEvent; readonly at: number },
): Promise<void> {
  if (dates.size === 0) return
  const now = await listEventStandings(tx, [...dates.keys()])
  // A date that leaves the trash or goes there is another matter than a status of its own.
  const left =
    before.status === 'trash' || after.status === 'trash' ? [...unfollowedFields, 'status'] : unfollowedFields
  await addOwnFields(
    tx,
    new Map([...dates].map(([id, was]) => [id, changedFields(was, now.get(id) ?? {}).difference(new Set(left))])),
  )
  await moveDateAlong(tx, { before, after, at })
}

/** Leaves a date out of its series if it goes to the trash, and adds it again if it comes back. */
export async function moveDateAlong(
  tx: Tx,
  {
    before,
    after,
    at,
  }: { readonly before: CalendarEvent; readonly after: Pick<CalendarEvent, 'status'>; readonly at: number },
): Promise<void> {
  if (before.seriesId === undefined || before.status === after.status) return
  if (after.status === 'trash') await leaveOutDate(tx, before.id, at)
  else if (before.status === 'trash') {
    await takeDateBack(tx, before.id, at)
    await keepOwnTimes(tx, before)
  }
}

/** The times of a series may have changed while a date was in the trash. The date keeps its own. */
async function keepOwnTimes(tx: Tx, event: CalendarEvent): Promise<void> {
  const date = (await listMemberships(tx, [event.id])).get(event.id)
  const segment = date && segmentOf(date.rules, date.recurrenceId)
  if (!segment) return
  const isSame = hasTimes(event, timesOfDate(segment, date.recurrenceId))
  if (!isSame) await addOwnFields(tx, new Map([[event.id, ['start_date']]]))
}

/** Makes the translation of a date a date of the same series. */
export async function translateDate(
  tx: Tx,
  original: CalendarEvent,
  { id, language }: Pick<CalendarEvent, 'id' | 'language'>,
): Promise<void> {
  if (original.seriesId === undefined) return
  await addTranslatedDate(tx, { of: original.id, id, language }, texts)
}
