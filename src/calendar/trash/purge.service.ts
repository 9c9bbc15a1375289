import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayCreate } from '../../access/auth/policy.ts'
import type { Deps } from '../../access/deps.ts'
import { fail } from '../../base/problems.ts'
import { forgetDates } from '../occurrences/occurrence.service.ts'
import { retirePaths } from '../occurrences/occurrence.writing.repository.ts'
import { assertRestorable } from '../records/record.trash.ts'
import { findSeries, listDates } from '../series/series.repository.ts'
import { eventIdsOf } from '../series/series.ts'
import {
  countEventsOf,
  deleteRecords,
  listTranslationsToDelete,
  type TrashedKind,
  type TrashedTranslation,
} from './purge.repository.ts'

/** What was deleted, or would be. */
export interface Purged {
  readonly versions: readonly TrashedTranslation[]
  /** How many events outside the trash still name the venue or the organizer. */
  readonly events: number
  /** How many dates a deleted series had. Translations of a date count once. */
  readonly dates?: number
}

/**
 * Deletes a record that is in the trash, with its translations. It cannot be undone.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash: also if a translation is not in the trash
 */
export async function purgeRecord(
  { deps, actor, kind }: { readonly deps: Deps; readonly actor: Actor; readonly kind: TrashedKind },
  id: number,
): Promise<Purged> {
  const { storage } = deps
  const { dialect } = storage
  return storage.write(async (tx) => {
    assertAllowed(actor, mayCreate(actor))
    const versions = await listTranslationsToDelete(tx, dialect, { kind, ids: [id] })
    if (!versions.some((version) => version.id === id)) fail('record-not-found')
    // Who may not restore one of them may not delete any.
    for (const version of versions) assertRestorable(actor, version)
    const ids = versions.map((version) => version.id)
    const events = await countEventsOf(tx, dialect, { kind, ids })
    if (kind === 'event') await forgetDates(tx, ids, deps.now())
    await deleteRecords(tx, dialect, { kind, ids })
    return { versions, events }
  })
}

/**
 * Deletes a series that is in the trash, with its translations and all its dates. It cannot be undone.
 *
 * @throws rest_forbidden, record-not-found, record-not-in-trash: also if an event of the series is not in the trash
 */
export async function purgeSeries(
  { deps, actor }: { readonly deps: Deps; readonly actor: Actor },
  id: number,
): Promise<Purged> {
  const { storage } = deps
  const { dialect } = storage
  return storage.write(async (tx) => {
    assertAllowed(actor, mayCreate(actor))
    const versions = await listTranslationsToDelete(tx, dialect, { kind: 'series', ids: [id] })
    const series = await findSeries(tx, id)
    if (!series || !versions.some((version) => version.id === id)) return fail('record-not-found')
    for (const version of versions) assertRestorable(actor, version)
    const dates = await listDates(tx, series.id)
    const named = eventIdsOf(dates)
    const events = await listTranslationsToDelete(tx, dialect, { kind: 'event', ids: named })
    for (const event of events) assertRestorable(actor, event)
    const eventIds = events.map((event) => event.id)
    await retirePaths(tx, eventIds)
    await deleteRecords(tx, dialect, { kind: 'event', ids: eventIds })
    await deleteRecords(tx, dialect, { kind: 'series', ids: versions.map((version) => version.id) })
    return { versions, events: 0, dates: new Set(dates.map(({ recurrenceId }) => recurrenceId)).size }
  })
}
