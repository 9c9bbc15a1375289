// A set of events is stored in segments. A segment has the members from its first place up to the next segment, in the
// order of the day of the start and then of the id, so a list reads only the segments of its days. Days and ids are
// stored as differences, in one or two bytes each.

/** A member of a set: an event and the day on which it begins. */
export interface Member {
  /** The number of days since 0001-01-01. */
  readonly day: number
  readonly id: number
}

/** A larger segment is split. With this size, a row stays below the 2 KB at which PostgreSQL stores it elsewhere. */
export const maxMembers = 384

/** Ids of records are below this number, and days below 2 ** 22. A place is therefore a safe integer. */
const idRange = 2 ** 31

/** Returns a number that orders members: by day, then by id. It is the key of a segment in the database. */
export function placeOf({ day, id }: Member): number {
  return day * idRange + id
}

export function placeOfDay(day: number): number {
  return day * idRange
}

/** Returns the stored form of members, which are in order and distinct. */
export function encodeMembers(members: readonly Member[]): Uint8Array {
  const bytes: number[] = []
  let last: Member = { day: 0, id: 0 }
  for (let place = 0; place < members.length; ) {
    const { day } = members[place] as Member
    let end = place + 1
    while (members[end]?.day === day) end += 1
    pushNumber(bytes, day - last.day)
    pushNumber(bytes, end - place)
    // The first id of a day may be lower than the last one of the day before.
    for (let at = place; at < end; at += 1) {
      const { id } = members[at] as Member
      pushNumber(bytes, at === place ? zigzag(id - last.id) : id - last.id)
      last = { day, id }
    }
    place = end
  }
  return Uint8Array.from(bytes)
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

function zigzag(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number
}

/** Receives members in order. A member is two numbers, so that a million of them make no objects. */
export type VisitMember = (day: number, id: number) => void

/** Receives the members of a day: the first `count` of the ids, in order. The array is used again for the next day. */
type VisitDay = (day: number, ids: Int32Array, count: number) => void

const idsOfDay = new Int32Array(maxMembers)

/** Visits the members of a segment day by day. A visit must not visit another segment. */
export function visitDays(bytes: Uint8Array, visit: VisitDay): void {
  let ids = idsOfDay
  let at = 0
  let day = 0
  let id = 0
  const next = () => {
    let byte = bytes[at] ?? 0
    at += 1
    if (byte < 128) return byte
    let number = byte - 128
    let unit = 128
    do {
      byte = bytes[at] ?? 0
      at += 1
      number += (byte & 127) * unit
      unit *= 128
    } while (byte >= 128)
    return number
  }
  while (at < bytes.length) {
    day += next()
    const count = next()
    if (count > ids.length) ids = new Int32Array(count)
    const first = next()
    id += first % 2 === 1 ? -(first + 1) / 2 : first / 2
    ids[0] = id
    for (let place = 1; place < count; place += 1) {
      id += next()
      ids[place] = id
    }
    visit(day, ids, count)
  }
}

/** Visits the members of a segment in order. */
export function visitMembers(bytes: Uint8Array, visit: VisitMember): void {
  visitDays(bytes, (day, ids, count) => {
    for (let place = 0; place < count; place += 1) visit(day, ids[place] ?? 0)
  })
}

/** Returns the members of a segment. */
export function membersOf(bytes: Uint8Array): readonly Member[] {
  const members: Member[] = []
  visitMembers(bytes, (day, id) => members.push({ day, id }))
  return members
}

/** A stored segment. The first segment of a set begins at 0, so every member has a segment as long as the set has one. */
export interface Segment {
  readonly first: number
  readonly members: Uint8Array
}

/** The segments of a set that a change affects. */
interface ChangedSegments {
  /** New or changed segments, with the number of their members, and the place of the last one. */
  readonly stored: readonly (Segment & { readonly size: number; readonly last: number })[]
  /** The beginnings of segments that are empty now. */
  readonly removed: readonly number[]
}

/**
 * Adds members to the segments of a set, and removes others.
 *
 * @param segments The segments to which the members belong, in order.
 */
export function changeSegments(
  segments: readonly Segment[],
  { added, removed }: { readonly added: readonly Member[]; readonly removed: readonly Member[] },
): ChangedSegments {
  // Members before all segments belong to the first one, which is not stored while it is empty.
  const known = segments[0]?.first === 0 ? segments : [{ first: 0, members: new Uint8Array() }, ...segments]
  const firsts = known.map(({ first }) => first)
  const contents = known.map(({ members }) => new Map(membersOf(members).map((member) => [placeOf(member), member])))
  const contentOf = (member: Member) => contents[segmentOf(firsts, placeOf(member))]
  for (const member of removed) contentOf(member)?.delete(placeOf(member))
  for (const member of added) contentOf(member)?.set(placeOf(member), member)
  const sorted = contents.map((content) => [...content.values()].sort((one, other) => placeOf(one) - placeOf(other)))
  return {
    stored: known.flatMap(({ first }, index) => splitSegment(first, sorted[index] ?? [])),
    removed: known.flatMap(({ first, members }, index) =>
      members.length > 0 && sorted[index]?.length === 0 ? [first] : [],
    ),
  }
}

/** Returns the index of the last segment that begins at or before a place. */
function segmentOf(firsts: readonly number[], place: number): number {
  let low = 0
  let high = firsts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((firsts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the members as one segment, or as several equal ones if they are too many. */
function splitSegment(first: number, members: readonly Member[]): ChangedSegments['stored'] {
  if (members.length === 0) return []
  // No part is empty, because fewer parts of the largest size cannot hold all members.
  const parts = Math.ceil(members.length / maxMembers)
  const size = Math.ceil(members.length / parts)
  return Array.from({ length: parts }, (_, part) => {
    const some = members.slice(part * size, (part + 1) * size)
    return {
      first: part === 0 ? first : placeOf(some[0] as Member),
      members: encodeMembers(some),
      size: some.length,
      last: placeOf(some.at(-1) as Member),
    }
  })
}
