import type { Actor } from '../../access/auth/actor.ts'
import { mayEdit, mayEditOthers, mayManageUsers, mayPublish, type OwnedRecord } from '../../access/auth/policy.ts'
import { fail } from '../../base/problems.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { RecordKind } from '../records/record.ts'
import type { WriteContext } from '../records/write.context.ts'
import { findSourceOf, findSourceOwner, insertSource, listNamed, saveNames } from './source.repository.ts'
import { sourceKey } from './source.ts'
import type { Standing } from './standing.ts'

/**
 * Checks that the caller may use a source: it is new, or his own. Administrators may use all, and editors those of users
 * who may not publish, so that a contributor who took a name does not keep a feed out.
 *
 * @returns whether the source exists.
 * @throws source-of-another-user
 */
export async function assertMayUseSource(db: Db, actor: Actor, name: string): Promise<boolean> {
  const owner = await findSourceOwner(db, name)
  if (owner === undefined) return false
  const isOwn = actor.kind === 'user' && actor.id === owner?.id
  const isOfContributor = owner !== null && !mayPublish({ kind: 'user', ...owner })
  if (!isOwn && !mayManageUsers(actor) && !(isOfContributor && mayEditOthers(actor))) fail('source-of-another-user')
  return true
}

/**
 * Does the same at the start of a write. A new source belongs to the caller.
 *
 * @throws source-of-another-user
 */
export async function claimSource({ tx, actor, now }: WriteContext, name: string): Promise<void> {
  if (await assertMayUseSource(tx, actor, name)) return
  if (actor.kind === 'visitor') fail('rest_forbidden', { status: 401 })
  await insertSource(tx, { name, userId: actor.id, at: now() })
}

/** The name of a new record, as a request sends it. */
export interface SentName {
  readonly name: string | undefined
  readonly externalId: string | undefined
  readonly url: string | undefined
}

/** What a name of a new record needs besides the record. */
interface Naming {
  readonly kind: RecordKind
  readonly sent: SentName
  /** Returns the digests of the stored record. */
  readonly standing: (id: number) => Promise<Standing>
}

/**
 * Creates a record, and gives it the name that was sent, if any.
 *
 * @throws rest_missing_callback_param, source-of-another-user, external-id-exists
 */
export async function createNamed<R extends { readonly id: number }>(
  write: WriteContext,
  { kind, sent, standing }: Naming,
  create: () => Promise<R>,
): Promise<R> {
  const { name, externalId, url = '' } = sent
  if (name === undefined && externalId === undefined) return create()
  if (name === undefined || externalId === undefined) {
    const missing = name === undefined ? 'source' : 'external_id'
    return fail('rest_missing_callback_param', { details: { params: [missing] } })
  }
  const { tx, now } = write
  await claimSource(write, name)
  const key = sourceKey({ name, externalId })
  const known = (await listNamed(tx, kind, [key])).get(key)
  if (known) fail('external-id-exists', { details: { id: known.id } })
  const record = await create()
  // A record may have this name already: a venue is not created if its namesake exists.
  const named = { id: record.id, key, url, digest: '', standing: await standing(record.id) }
  await saveNames(tx, { kind, name, at: now() }, [named])
  return record
}

/** Returns the member that tells those who may edit a record where it comes from; `{}` if it has no source. */
export async function presentSourceOf(
  db: Db,
  actor: Actor,
  record: OwnedRecord & { readonly id: number; readonly kind: RecordKind; readonly seriesId?: number | undefined },
): Promise<{ readonly source?: { readonly name: string; readonly external_id: string; readonly url: string } }> {
  if (!mayEdit(actor, record)) return {}
  const own = await findSourceOf(db, record.kind, record.id)
  const found =
    own ?? (record.seriesId === undefined ? undefined : await findSourceOf(db, record.kind, record.seriesId))
  return found ? { source: { name: found.name, external_id: found.externalId, url: found.url } } : {}
}
