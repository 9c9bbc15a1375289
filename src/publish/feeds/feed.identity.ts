import { hash } from 'node:crypto'
import type { EventId } from '../../calendar/events/event.ts'

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

function uuidOf(identity: string, name: string): string {
  const space = Buffer.from(identity.replaceAll('-', ''), 'hex')
  const digest = hash('sha1', Buffer.concat([space, Buffer.from(name)]), 'buffer').subarray(0, 16)
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = digest.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
