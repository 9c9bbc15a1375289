import { fail, Problem } from '../../base/problems.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { type HeldKey, KEY_SCOPES, type KeyScope } from './key.ts'

/** The most that a key can do. Every limit that can make one key weaker than another is a property of this type. */
export interface KeyLimits {
  /** Whole seconds since 1970, UTC. Undefined: never expires. */
  readonly until: number | undefined
  readonly scope: KeyScope
}

/**
 * The reach of people, who can sign in again, and of changes that outlive the key: a role, an email address, a key that
 * never expires.
 */
const unlimited: KeyLimits = { until: undefined, scope: 'write' }

/** Returns true if a key of reach `inner` can do no more than one of reach `outer`. */
function isWithin(inner: KeyLimits, outer: KeyLimits): boolean {
  return isScopeWithin(inner.scope, outer.scope) && isUntilWithin(inner.until, outer.until)
}

function isScopeWithin(inner: KeyScope, outer: KeyScope): boolean {
  return KEY_SCOPES.indexOf(inner) <= KEY_SCOPES.indexOf(outer)
}

function isUntilWithin(inner: number | undefined, outer: number | undefined): boolean {
  return outer === undefined || (inner !== undefined && inner <= outer)
}

/**
 * Checks that the caller may grant this reach or revoke it. A key may do so for keys that can do no more than itself. A
 * person and the command line may do so within the rights of their role.
 *
 * @param by The key that the caller presented; undefined if the caller presented none.
 * @throws beyond-own-key
 */
export function assertWithinKey(what: KeyLimits, by: HeldKey | undefined): void {
  if (!isWithin(what, by ?? unlimited)) fail('beyond-own-key')
}

/**
 * Checks that the caller may make a change that lasts.
 *
 * @throws beyond-own-key
 */
export function assertUnlimitedKey(by: HeldKey | undefined): void {
  // With a key that may not write, the change is only tried, so it does not last.
  assertWithinKey({ ...unlimited, scope: by?.scope ?? 'write' }, by)
}

/**
 * Returns the expiry of a new key: the requested one, or that of the key that makes it.
 *
 * @throws rest_invalid_param (expires_in_days), naming the latest possible expiry
 */
export function newKeyExpiry(asked: number | undefined, by: HeldKey | undefined): number | undefined {
  const end = asked ?? by?.until
  if (by?.until !== undefined && !isUntilWithin(end, by.until)) {
    const values = { until: isoUtc(by.until) }
    throw new Problem('rest_invalid_param', { faults: { expires_in_days: { text: 'fault.beyond-key', values } } })
  }
  return end
}

/**
 * Returns the scope of a new key: the requested one, or that of the key that makes it.
 *
 * @throws rest_invalid_param (scope), naming the scope of the key that the caller presented
 */
export function newKeyScope(asked: KeyScope | undefined, by: HeldKey | undefined): KeyScope {
  const scope = asked ?? by?.scope ?? unlimited.scope
  if (by && !isScopeWithin(scope, by.scope)) {
    throw new Problem('rest_invalid_param', {
      faults: { scope: { text: 'fault.beyond-key-scope', values: { scope: by.scope } } },
    })
  }
  return scope
}

/**
 * Checks that the key of the caller allows writes, at least without effect.
 *
 * @throws beyond-key-scope
 */
export function assertMayWrite(by: Pick<HeldKey, 'scope'> | undefined): void {
  if (by?.scope === 'read') fail('beyond-key-scope', { details: { scope: by.scope } })
}

/** Whether the key of the caller only tries writes. */
export function onlyPlans(by: Pick<HeldKey, 'scope'> | undefined): boolean {
  return by?.scope === 'plan'
}
