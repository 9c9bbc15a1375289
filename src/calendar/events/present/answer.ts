import { isSignedIn } from '../../../access/auth/actor.ts'
import type { Call } from '../../../access/http/call.ts'
import type { EndpointResult } from '../../../access/http/route.ts'
import { replayById } from '../../../access/idempotency/idempotency.ts'
import { assertMayRecall } from '../../records/recall.ts'
import { presentSourceOf } from '../../sources/source.service.ts'
import { contentLanguage, readContext } from '../../translations/viewer.ts'
import { withLinks } from '../event.repository.ts'
import type { CalendarEvent } from '../model/event.ts'
import { type SeriesWritten, seriesChangedHeader } from '../model/series.arguments.ts'
import { findEventOrFail } from '../read/read.service.ts'
import { presentEvent } from './event.present.ts'

/** How the result of an event's write is found again. */
export const replayEvent = ({ actor }: Pick<Call, 'actor'>) =>
  replayById(async (tx, id) => assertMayRecall(actor, await findEventOrFail(tx, id)))

/** What is known of an event that a response shows. */
interface AnswerOptions {
  readonly status?: number
  readonly isSingle?: boolean
  readonly isLinked?: boolean
  readonly isNamed?: boolean
  /** What a write did to the dates of its series. */
  readonly counts?: SeriesWritten['counts'] | undefined
}

/**
 * Returns a response with an event and the linked items that the caller may see.
 *
 * @param isLinked False if the event has no venues, organizers and terms. They are then not looked for.
 * @param isNamed False if no source has named the event.
 */
export async function answerEvent(
  call: Pick<Call, 'deps' | 'actor' | 'addresses' | 'language'>,
  event: CalendarEvent,
  { status = 200, isSingle = false, isLinked = true, isNamed = true, counts }: AnswerOptions = {},
): Promise<EndpointResult> {
  const { deps, addresses, actor } = call
  const [linked] = await withLinks(readContext(call), [event], { areLinked: isLinked })
  if (!linked) throw new Error(`Event ${event.id} came without its links.`)
  return {
    status,
    body: {
      ...presentEvent(linked, { config: deps.config, addresses, isSingle, isSignedIn: isSignedIn(actor) }),
      ...(isNamed ? await presentSourceOf(deps.storage.db, actor, event) : {}),
    },
    headers: { ...contentLanguage([event]), ...(counts ? seriesChangedHeader(counts) : {}) },
    version: event.changeCount,
  }
}
