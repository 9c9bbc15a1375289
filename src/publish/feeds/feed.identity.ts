import { hash } from 'node:crypto'
import type { EventId } from '../../calendar/events/model/event.ts'

/**
 * Returns the permanent id of a part of a series, as `eventUuid` does for an event.
 *
 * @param segmentId The id of the segment, which stays if the series gets others before it.
 */
export function seriesUuid(identity: string, seriesId: number, segmentId: number): string {
  return uuidOf(identity, `series/${seriesId}/${segmentId}`)
}

/**
 * Returns the permanent id of an event, which is unique in the world: a UUID made from the identity of the calendar and
 * the event's own id. It does not contain the address of the calendar, which may change.
 *
 * @see RFC 9562, 5.5; RFC 7986, 5.3
 */
export function eventUuid(identity: string, id: EventId): string {
  return uuidOf(identity, `event/${id}`)
}

/** The digits of the variant by the digit of the hash that it replaces: `10` and the last two bits of it. */
const variantDigits = '89ab89ab89ab89ab'

function uuidOf(identity: string, name: string): string {
  const digest = hash('sha1', Buffer.from(`${spaceOf(identity)}${name}`, 'latin1'), 'hex')
  const variant = variantDigits[Number.parseInt(digest.charAt(16), 16)]
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

let knownSpace = { identity: '', octets: '' }

/** Returns the octets of an identity, as a text with one character each. There is one identity in each calendar. */
function spaceOf(identity: string): string {
  if (knownSpace.identity !== identity)
    knownSpace = { identity, octets: Buffer.from(identity.replaceAll('-', ''), 'hex').toString('latin1') }
  return knownSpace.octets
}
