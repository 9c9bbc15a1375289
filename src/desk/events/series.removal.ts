import type { ApiAnswer } from '../api/desk.api.ts'
import { statuses } from '../api/statuses.ts'
import type { OwnCall } from '../shell/desk.call.ts'

interface FailedJson {
  readonly event_ids?: readonly number[]
}

/** Dates of a series that go to the trash: those from an event on, or the series with all of them. */
export interface SeriesRemoval {
  readonly id: string | number
  readonly from?: number | undefined
}

interface Sent {
  /** The version of the series that the user has seen. If it is another one by now, nothing happens (412). */
  readonly version: string
  readonly drop: boolean
  readonly isTrial?: boolean
}

/** Moves dates of a series to the trash, in all their languages, or tries it. */
export function sendRemoval(
  { api }: OwnCall,
  { id, from }: SeriesRemoval,
  { version, drop, isTrial = false }: Sent,
): Promise<ApiAnswer<FailedJson>> {
  // A series that cannot be read has no version. The trial then says why.
  const condition = isTrial && version === '' ? '*' : `"${version}"`
  return api.service<FailedJson>({
    ...{ method: 'DELETE', path: `/series/${id}`, headers: { 'if-match': condition } },
    query: { from, drop: drop ? 'true' : undefined, dry_run: isTrial ? 'true' : undefined },
  })
}

/** Returns the dates that keep a removal from happening, because they have changes or tickets of their own. */
export function datesInUse({ status, body }: ApiAnswer<FailedJson>): readonly number[] | undefined {
  return status === statuses.conflict ? body.event_ids : undefined
}
