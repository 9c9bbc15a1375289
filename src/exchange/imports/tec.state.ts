import type { ReadResult } from '../../access/http/argument.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { availabilityRule, capacityRule, readOffers } from '../../calendar/events/event.offers.arguments.ts'
import { offerFields } from '../../calendar/events/event.offers.fields.ts'
import {
  attendanceRule,
  eventStatusRule,
  reasonRule,
  stateFields,
  virtualAccessRule,
  virtualSourceRule,
  virtualUrlRule,
} from '../../calendar/events/event.state.fields.ts'
import type { ImportText } from './import.texts.ts'
import type { SourceState } from './source.ts'
import { isObject } from './tec.values.ts'

const fields = { ...stateFields, ...offerFields }

/** An event of a recording. */
type Recorded = Readonly<Record<string, unknown>>

/** How the value of each property is read. */
const rules: { readonly [P in keyof SourceState]-?: (raw: unknown) => ReadResult<NonNullable<SourceState[P]>> } = {
  eventStatus: eventStatusRule,
  statusReason: reasonRule,
  attendance: attendanceRule,
  virtualUrl: virtualUrlRule,
  virtualSource: virtualSourceRule,
  virtualAccess: virtualAccessRule,
  // Recorded prices have a currency.
  offers: (raw) => readOffers(raw, ''),
  availability: availabilityRule,
  capacity: capacityRule,
}

/**
 * Reads the state and the offers of a recorded event. A value that no event may have is left out, and a remark names it.
 * The lists of the source do not say whether an event is canceled. Its single events do, in their structured data.
 */
export function readState(sent: Recorded): { readonly state: SourceState; readonly remarks: readonly ImportText[] } {
  const state: Record<string, unknown> = {}
  const remarks: ImportText[] = []
  const { eventStatus, eventAttendanceMode } = isObject(sent.json_ld) ? sent.json_ld : {}
  const recorded: Recorded = {
    ...{ event_status: eventStatus, attendance: attendanceOf(sent, eventAttendanceMode) },
    ...sent,
    virtual_url: typeof sent.virtual_url === 'string' ? decodeEntities(sent.virtual_url) : sent.virtual_url,
  }
  for (const [property, read] of Object.entries(rules)) {
    const { name } = fields[property as keyof typeof fields]
    if (recorded[name] === undefined || recorded[name] === null) continue
    const result = read(recorded[name])
    if ('fault' in result) remarks.push({ key: 'import.state', values: { name } })
    else state[property] = result.value
  }
  // A reason belongs to a status.
  if (state.eventStatus === undefined) delete state.statusReason
  return { state, remarks }
}

/** Returns how people attend an event, by the members of the source. Undefined if it has none of them. */
function attendanceOf({ is_virtual: isVirtual, virtual_event_type: type }: Recorded, mode: unknown) {
  if (isVirtual === false) return 'offline'
  const form = /^https?:\/\/schema\.org\/(Online|Mixed)EventAttendanceMode$/
  const inData = typeof mode === 'string' ? form.exec(mode)?.[1]?.toLowerCase() : undefined
  return type === 'hybrid' ? 'mixed' : (inData ?? (isVirtual === true ? 'online' : undefined))
}
