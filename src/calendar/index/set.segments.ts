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

export function dayOfPlace(place: number): number {
  return Math.floor(place / idRange)
}

export function memberAt(place: number): Member {
  return { day: dayOfPlace(place), id: place % idRange }
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

/** Members as two columns of numbers, so that a million of them make no objects. The columns are used again and again. */
export class MemberList {
  days = new Int32Array(maxMembers)
  ids = new Int32Array(maxMembers)
  length = 0

  /** Lists the members of a segment instead, in order. */
  read(bytes: Uint8Array): void {
    // Each member has at least one byte.
    if (bytes.length > this.ids.length) {
      this.days = new Int32Array(bytes.length)
      this.ids = new Int32Array(bytes.length)
    }
    const { days, ids } = this
    const numbers = new SegmentNumbers(bytes)
    let length = 0
    let day = 0
    let id = 0
    while (numbers.at < bytes.length) {
      day += numbers.next()
      const end = length + numbers.next()
      const first = numbers.next()
      // The first id of a day may be lower than the last one of the day before.
      id += (first >>> 1) ^ -(first & 1)
      days[length] = day
      ids[length] = id
      length += 1
      let { at } = numbers
      for (; length < end; length += 1) {
        // These are most numbers of a large calendar, and most have two or three bytes.
        let byte = bytes[at] ?? 0
        at += 1
        id += byte & 127
        if (byte >= 128) {
          byte = bytes[at] ?? 0
          at += 1
          id += (byte & 127) << 7
          for (let shift = 14; byte >= 128; shift += 7) {
            byte = bytes[at] ?? 0
            at += 1
            id += (byte & 127) << shift
          }
        }
        days[length] = day
        ids[length] = id
      }
      numbers.at = at
    }
    this.length = length
  }

  add(day: number, id: number): void {
    if (this.length === this.ids.length) {
      this.days = longer(this.days)
      this.ids = longer(this.ids)
    }
    this.days[this.length] = day
    this.ids[this.length] = id
    this.length += 1
  }

  /**
   * Removes the members that are not on some days.
   *
   * @param removed Receives them.
   */
  keepDays({ first, last }: { readonly first: number; readonly last: number }, removed?: MemberList): void {
    const { days, ids, length } = this
    // They are in order.
    if (length > 0 && (days[0] ?? 0) >= first && (days[length - 1] ?? 0) <= last) return
    let kept = 0
    for (let place = 0; place < length; place += 1) {
      const [day, id] = [days[place] ?? 0, ids[place] ?? 0]
      if (day >= first && day <= last) {
        days[kept] = day
        ids[kept] = id
        kept += 1
      } else removed?.add(day, id)
    }
    this.length = kept
  }
}

/** The numbers of a segment: at most 32 bits each. */
class SegmentNumbers {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  next(): number {
    let byte = this.#bytes[this.at] ?? 0
    this.at += 1
    let number = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = this.#bytes[this.at] ?? 0
      this.at += 1
      number |= (byte & 127) << shift
    }
    return number
  }
}

function longer(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(numbers.length * 2)
  twice.set(numbers)
  return twice
}

/** Receives members in order. */
export type VisitMember = (day: number, id: number) => void

const visited = new MemberList()

/** Visits the members of a segment in order. A visit must not visit another segment. */
export function visitMembers(bytes: Uint8Array, visit: VisitMember): void {
  visited.read(bytes)
  const { days, ids, length } = visited
  for (let place = 0; place < length; place += 1) visit(days[place] ?? 0, ids[place] ?? 0)
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

/** A segment to store, with the number of its members, and the place of the last one. */
export interface NewSegment extends Segment {
  readonly size: number
  readonly last: number
}

/** The segments of a set that a change affects. */
interface ChangedSegments {
  /** New or changed segments. */
  readonly stored: readonly NewSegment[]
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
    return newSegment(part === 0 ? first : placeOf(some[0] as Member), some)
  })
}

/** @param members In order and distinct, at least one. */
export function newSegment(first: number, members: readonly Member[]): NewSegment {
  return { first, members: encodeMembers(members), size: members.length, last: placeOf(members.at(-1) as Member) }
}
