// Numbers are stored in groups of seven bits, the lowest group first. All groups but the last have the bit 128.

/** So few bytes are copied faster one by one. */
const longestLoop = 32

/** A part of bytes. A search finds very many, and views would cost more. */
export interface Slice {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** Returns how many bytes a number takes. */
export function octetsOf(number: number): number {
  let octets = 1
  for (let rest = number; rest >= 128; rest = Math.floor(rest / 128)) octets += 1
  return octets
}

/** Bytes that grow. */
export class Bytes {
  #bytes = Buffer.allocUnsafe(256)
  length = 0

  #grow(by: number): void {
    const longer = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + by))
    this.#bytes.copy(longer, 0, 0, this.length)
    this.#bytes = longer
  }

  pushNumber(number: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8)
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#bytes[this.length] = (rest % 128) + 128
      this.length += 1
    }
    this.#bytes[this.length] = rest
    this.length += 1
  }

  /** Appends a part of other bytes. */
  pushBytes({ bytes, from, to }: Slice): void {
    const count = to - from
    if (this.length + count > this.#bytes.length) this.#grow(count)
    if (count > longestLoop) this.#bytes.set(bytes.subarray(from, to), this.length)
    else for (let at = 0; at < count; at += 1) this.#bytes[this.length + at] = bytes[from + at] ?? 0
    this.length += count
  }

  /** Inserts a number before the bytes from a place on. */
  insertNumber(number: number, at: number): void {
    const end = this.length
    this.pushNumber(number)
    const bytes = this.#bytes
    for (let count = this.length - end; count > 0; count -= 1) {
      const last = bytes[this.length - 1] ?? 0
      if (this.length - at > longestLoop) bytes.copyWithin(at + 1, at, this.length - 1)
      else for (let to = this.length - 1; to > at; to -= 1) bytes[to] = bytes[to - 1] ?? 0
      bytes[at] = last
    }
  }

  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length))
  }
}

/** Reads the numbers of bytes, one after the other. */
export class Numbers {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  next(): number {
    let byte = this.bytes[this.at] ?? 0
    this.at += 1
    if (byte < 128) return byte
    let number = byte - 128
    let unit = 128
    do {
      byte = this.bytes[this.at] ?? 0
      this.at += 1
      number += (byte & 127) * unit
      unit *= 128
    } while (byte >= 128)
    return number
  }
}

/** A list of numbers that is used again and again. */
export class NumberList {
  numbers = new Int32Array(1024)
  length = 0

  /** Makes room for so many more numbers. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.numbers.length) return
    const longer = new Int32Array(Math.max(needed, this.numbers.length * 2))
    longer.set(this.numbers.subarray(0, this.length))
    this.numbers = longer
  }

  push(number: number): void {
    this.reserve(1)
    this.numbers[this.length] = number
    this.length += 1
  }
}
