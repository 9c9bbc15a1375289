import type { UserId } from '../../access/auth/actor.ts'
import { mayCreate } from '../../access/auth/policy.ts'
import { findActor } from '../../access/auth/user.repository.ts'
import { fail, failParameter } from '../../base/problems.ts'
import { assertMayUseSource } from '../../calendar/sources/source.service.ts'
import { noteOfUser } from '../../storage/database/audit/audit.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { deleteSubscription, findSubscription, listSubscriptions, saveSubscription } from './subscription.repository.ts'
import { maxSubscriptions, type Subscription, shownUrl } from './subscription.ts'

/** What people set of a subscription. */
export type SubscriptionSettings = Omit<Subscription, 'source' | 'state'>

/**
 * Adds a subscription, or changes the one of this name. It is fetched within a minute, and as a whole if its address
 * is another.
 *
 * @throws too-many-subscriptions, source-of-another-user, rest_invalid_param if the user may not write
 */
export async function putSubscription(
  storage: Storage,
  source: string,
  settings: SubscriptionSettings,
): Promise<{ readonly subscription: Subscription; readonly isNew: boolean }> {
  return storage.writeWithoutRevision(async (tx) => {
    const all = await listSubscriptions(tx)
    const known = all.find((one) => one.source === source)
    if (!known && all.length >= maxSubscriptions) fail('too-many-subscriptions')
    return { subscription: await save(tx, known, { source, ...settings }), isNew: !known }
  })
}

/** @throws record-not-found, and what adding it throws */
export async function changeSubscription(
  storage: Storage,
  source: string,
  changes: Partial<SubscriptionSettings>,
): Promise<Subscription> {
  return storage.writeWithoutRevision(async (tx) => {
    const known = (await findSubscription(tx, source)) ?? fail('record-not-found')
    return save(tx, known, { ...known, ...changes })
  })
}

/**
 * Ends a subscription. Its events stay.
 *
 * @throws record-not-found
 */
export async function endSubscription(storage: Storage, source: string): Promise<Subscription> {
  return storage.writeWithoutRevision(async (tx) => {
    const known = (await findSubscription(tx, source)) ?? fail('record-not-found')
    await deleteSubscription(tx, source)
    await audit(tx, known, undefined)
    return known
  })
}

async function save(
  tx: Tx,
  known: Subscription | undefined,
  settings: Omit<Subscription, 'state'>,
): Promise<Subscription> {
  const { source, url, userId } = settings
  if (known?.userId !== userId) await assertMayWrite(tx, userId, source)
  const state = known?.url === url ? known.state : { found: 0 }
  // The next fetch reads the whole calendar, so that what was set applies to events that are the same.
  const subscription = { ...settings, state: { ...state, nextAt: 0, etag: undefined, lastModified: undefined } }
  await saveSubscription(tx, subscription)
  await audit(tx, known, subscription)
  return subscription
}

/** Imports are made in the name of this user. */
async function assertMayWrite(tx: Tx, userId: UserId, source: string): Promise<void> {
  const writer = await findActor(tx, userId)
  if (!mayCreate(writer)) failParameter('author', 'fault.unknown-writer')
  await assertMayUseSource(tx, writer, source)
}

/** A subscription is a part of the user in whose name it writes. */
async function audit(tx: Tx, was: Subscription | undefined, became: Subscription | undefined): Promise<void> {
  const { userId } = became ?? was ?? fail('record-not-found')
  await noteOfUser(tx, userId, { area: 'subscriptions', was: auditedOf(was), became: auditedOf(became) })
}

function auditedOf(subscription: Subscription | undefined) {
  if (!subscription) return undefined
  const { state: _, url, userId: author, every, isPaused, ...settings } = subscription
  return {
    subscription: JSON.stringify({ ...settings, url: shownUrl(url), author, every_minutes: every, paused: isPaused }),
  }
}
