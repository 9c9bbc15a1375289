import type { Config } from '../../../base/config/config.ts'
import { epochSecondsOf, localDateTimeAt, utcZone } from '../../../base/time/zone.ts'
import { valueFields } from '../model/event.fields.ts'
import type { RenderedEvent } from '../model/event.ts'
import { type PreviousStart, zoneOfPrevious } from '../model/state.ts'
import type { EventJson } from './event.schema.ts'

const { virtualUrl, virtualSource, virtualAccess } = valueFields.blank
const withoutAddress = { virtualUrl, virtualSource, virtualAccess }

interface StateView {
  readonly config: Config
  /** Address of the event's own page. */
  readonly url: string
  readonly isMasked: boolean
  /** Whether the caller has signed in, so that addresses for registered people are shown. */
  readonly isSignedIn: boolean
}

/** Returns the members that tell what happens to an event. A scheduled event that people attend on site has none. */
export function presentState(event: RenderedEvent, view: StateView): Partial<EventJson> {
  const { config, isMasked, isSignedIn } = view
  const { statusAt, previousStarts, attendance } = event
  const isVirtual = attendance !== 'offline'
  const isUrlHidden = event.virtualAccess === 'registered' && !isSignedIn
  // The address of an event that is on site again is for its writers only.
  const shown = isVirtual || isSignedIn ? event : { ...event, ...withoutAddress }
  return {
    ...(config.hasVirtualKeys ? { is_virtual: false, virtual_url: null, virtual_video_source: '' } : {}),
    ...valueFields.presentOptional(shown, view),
    ...(isUrlHidden && shown.virtualUrl !== '' && !isMasked ? { virtual_url: '' } : {}),
    ...(isVirtual ? { is_virtual: true, virtual_event_type: attendance === 'mixed' ? 'hybrid' : 'virtual' } : {}),
    ...(statusAt === undefined ? {} : { event_status_date: localDateTimeAt(statusAt, config.siteZone) }),
    ...(previousStarts.length > 0 ? { previous_start_dates: previousStarts.map(presentPreviousStart) } : {}),
  }
}

function presentPreviousStart(previous: PreviousStart) {
  const zone = zoneOfPrevious(previous)
  return {
    start_date: previous.start,
    end_date: previous.end,
    timezone: previous.timezone,
    utc_start_date: localDateTimeAt(epochSecondsOf(previous.start, zone), utcZone),
    utc_end_date: localDateTimeAt(epochSecondsOf(previous.end, zone), utcZone),
    until: localDateTimeAt(previous.until, utcZone),
  }
}
