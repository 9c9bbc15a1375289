import { fail, Problem } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import type { HeldKey } from './key.ts'

/** What a key can do at most, whoever holds it. Here stands all by which one key can be less than another. */
export interface Reach {
  /** Whole seconds since 1970, UTC. Undefined: it never ends. */
  readonly until: number | undefined
}

/** That of people, who sign in again, and of what stays whoever gave it: a role, an address, a key that never ends. */
const lasting: Reach = { until: undefined }

/** Whether a key of this reach can do no more than the other one. */
function isWithin(inner: Reach, outer: Reach): boolean {
  return outer.until === undefined || (inner.until !== undefined && inner.until <= outer.until)
}

/**
 * Checks that whoever asks may hand this on or take it away: a key does so with what can do no more than itself, a
 * person and the command line with everything that their role allows.
 *
 * @param by The key that asks; undefined where none does.
 * @throws beyond-own-key
 */
export function assertWithin(what: Reach, by: HeldKey | undefined): void {
  if (!isWithin(what, by ?? lasting)) fail('beyond-own-key')
}

/**
 * Checks that whoever asks may change what stays for good.
 *
 * @throws beyond-own-key
 */
export function assertLasting(by: HeldKey | undefined): void {
  assertWithin(lasting, by)
}

/**
 * When a new key ends: as asked for, or with the key that makes it.
 *
 * @throws rest_invalid_param (expires_in_days), naming the last moment that there may be
 */
export function newKeyEnd(asked: number | undefined, by: HeldKey | undefined): number | undefined {
  const end = asked ?? by?.until
  if (by?.until !== undefined && !isWithin({ until: end }, by)) {
    const values = { until: isoUtc(by.until) }
    throw new Problem('rest_invalid_param', { faults: { expires_in_days: { text: 'fault.beyond-key', values } } })
  }
  return end
}
